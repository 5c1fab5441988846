// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// What is measured or drawn once instead of again and again comes out the same.
#include <QTest>
#include <string>

#include "views/common/plot.h"
#include "views/common/table_view.h"
#include "views/common/text_label.h"

#include <QHeaderView>
#include <QSignalSpy>
#include <QStandardItemModel>

using namespace pim::views;

class TestMeasuring : public QObject {
    Q_OBJECT

    static void compare(const TextLabel& label, const QLabel& plain) {
        for (int round = 0; round < 2; ++round) // the second time from memory
            for (const int width : {90, 140, 200, 260, 320, 380, 440, 500, 560, 620})
                QCOMPARE(label.heightForWidth(width), plain.heightForWidth(width));
        QCOMPARE(label.sizeHint(), plain.sizeHint());
        QCOMPARE(label.minimumSizeHint(), plain.minimumSizeHint());
    }

private slots:
    void aTextLabelMeasuresAsALabelDoes() {
        TextLabel label;
        QLabel plain;
        plain.setWordWrap(true);
        const QString words =
            QStringLiteral("The bus carries what the cores need, one burst after another. ");
        QFont large = label.font();
        large.setPointSizeF(large.pointSizeF() * 2);
        for (const QString& text :
             {words, words.repeated(9), QString(), QStringLiteral("<b>a</b><p>") + words}) {
            label.setText(text);
            plain.setText(text);
            compare(label, plain);
        }
        label.setFont(large);
        plain.setFont(large);
        compare(label, plain);
        label.setContentsMargins(20, 10, 20, 10);
        plain.setContentsMargins(20, 10, 20, 10);
        compare(label, plain);
        const QString frame = QStringLiteral("QLabel { border: 7px solid red; padding: 9px; }");
        label.setStyleSheet(frame);
        plain.setStyleSheet(frame);
        compare(label, plain);
    }

    void aColumnIsAsWideAsItsWidestText() {
        QStandardItemModel model(400, 2);
        for (int row = 0; row < 400; ++row)
            for (int column = 0; column < 2; ++column)
                model.setItem(row, column, new QStandardItem(QString::number(row)));
        model.setItem(57, 1, new QStandardItem(QStringLiteral("wider than any other text here")));
        TableView ours;
        QTableView plain;
        plain.setWordWrap(false);
        plain.setShowGrid(false);
        plain.horizontalHeader()->setResizeContentsPrecision(400);
        for (QTableView* table : {static_cast<QTableView*>(&ours), &plain})
            table->setModel(&model);
        QVERIFY(ours.sizeHintForColumn(1) > ours.sizeHintForColumn(0));
        QCOMPARE(ours.sizeHintForColumn(1), static_cast<QAbstractItemView&>(plain).sizeHintForColumn(1));
        model.item(399, 0)->setText(QStringLiteral("the widest of all, but out of sight"));
        ours.show();
        const int before = ours.sizeHintForColumn(0);
        ours.scrollToBottom();
        QVERIFY(ours.sizeHintForColumn(0) > before);
    }

    void aPlotIsDrawnOnceATurn() {
        Plot plot;
        plot.resize(300, 200);
        plot.show();
        QTest::qWait(50);
        QSignalSpy drawn(&plot, &QCustomPlot::afterReplot);
        for (int i = 1; i <= 5; ++i) {
            plot.resize(300 + 20 * i, 200);
            plot.replot(QCustomPlot::rpQueuedReplot);
        }
        QCOMPARE(drawn.count(), 0);
        QTRY_COMPARE(drawn.count(), 1);
        QTest::qWait(50);
        QCOMPARE(drawn.count(), 1);
        QCOMPARE(plot.viewport(), plot.rect());
    }
};

QTEST_MAIN(TestMeasuring)
#include "tst_views_measuring.moc"
