// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Palette, colour maps, icons, export, table and bars.
#include "core/base/number_text.h"
#include "sample_plan.h"
#include "views/common/core_sentences.h"
#include "views/common/empty_state.h"
#include "views/common/flow_layout.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/plot_style.h"
#include "views/common/plot_ticks.h"
#include "views/common/roofline_plot.h"
#include "views/common/stacked_bars.h"
#include "views/common/table_view.h"

#include <QAccessible>
#include <QClipboard>
#include <QComboBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include <qcustomplot.h>

using namespace pim;
using namespace pim::views;

namespace {

double lightness(const QColor& c) {
    return contrast(c, Qt::black);
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestViewsCommon : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { test::failOnWarnings(); }
    void init() { applyTheme(Theme::Light); }

    /// In English what core says is said as it is, whatever names it holds.
    void sentencesOfCoreAreTakenApartWithoutLoss() {
        for (const char* const said :
             {"", "; ", "set by ", "a: b, c", "%1", "host: %2; %1",
              "the time is set by set by x: busy 78 % of the run, and on 61 % of "
              "the longest chain of work; the "
              "largest part of the chain is host: %1, 12 %",
              "nothing is under way for 60 % of the run; of the rest, the time is "
              "set by a, b: on 3 % of the longest "
              "chain of work; the busiest of 9, c, d, is busy 4 % of the run",
              "set by bank buses, which need 61.0 % of its time at full speed, host "
              "memory 8.0 %; its time goes to "
              "waiting for tRCD 7.5 %, mode switches 5.1 %",
              "set by a; the bus, which all share, is busy 88.0 % of the run", "12.1 ns, set by a, b",
              "PIM 2.10× faster than xeon: compute-bound, AI 0.5 FLOP/B"})
            QCOMPARE(coreSentence(said), QString::fromUtf8(said));
    }

    /// A screen reader says what the button in a line does.
    void buttonsInLinesHaveNames() {
        QLineEdit line(QStringLiteral("text"));
        line.setClearButtonEnabled(true);
        line.addAction(icon(QStringLiteral("search")), QLineEdit::LeadingPosition)
            ->setText(QStringLiteral("Find"));
        line.show();
        QVERIFY(QTest::qWaitForWindowExposed(&line));
        QStringList names;
        for (QToolButton* button : line.findChildren<QToolButton*>())
            names << QAccessible::queryAccessibleInterface(button)->text(QAccessible::Name);
        names.sort();
        QCOMPARE(names, (QStringList{QStringLiteral("Clear"), QStringLiteral("Find")}));
    }

    /// However low they are, rows of a bar lie above what stands below it: its last ones are cut.
    void barsDoNotLieOnWhatIsBelow() {
        QWidget panel;
        auto* column = new QVBoxLayout(&panel);
        column->setSpacing(0);
        auto* bar = new FlowLayout;
        QList<QPushButton*> buttons;
        for (int n = 0; n < 12; ++n)
            bar->addWidget(buttons.emplace_back(new QPushButton(QStringLiteral("Button %1").arg(n))));
        auto* below = new QTreeView;
        column->addLayout(bar);
        column->addWidget(below, 1);
        panel.show();
        int cut = 0;
        for (int height = 500; height >= panel.minimumSizeHint().height(); height -= 20) {
            panel.resize(300, height);
            column->activate();
            QCOMPARE(panel.height(), height);
            cut += bar->geometry().height() < bar->heightForWidth(bar->geometry().width());
            for (const QPushButton* button : buttons)
                QVERIFY2(button->geometry().isEmpty() || // all of its row is cut
                             button->geometry().bottom() < below->geometry().top(),
                         qPrintable(QStringLiteral("%1 at a height of %2").arg(button->text()).arg(height)));
        }
        QVERIFY(cut > 0);
    }

    void themes_data() {
        QTest::addColumn<int>("theme");
        QTest::addRow("light") << int(Theme::Light);
        QTest::addRow("dark") << int(Theme::Dark);
        QTest::addRow("high contrast") << int(Theme::HighContrast);
    }
    void textReadsOnEveryBackground_data() { themes_data(); }
    void textReadsOnEveryBackground() {
        QFETCH(int, theme);
        const auto chosen = static_cast<Theme>(theme);
        const QPalette palette = paletteFor(chosen);
        const double least = chosen == Theme::HighContrast ? 7 : 4.5; // WCAG 2.1, 1.4.6 and 1.4.3
        const QColor grounds[] = {palette.color(QPalette::Window), palette.color(QPalette::Base),
                                  palette.color(QPalette::AlternateBase), palette.color(QPalette::Button),
                                  color(Role::Canvas, chosen)};
        for (const Role role : {Role::NodeText, Role::Muted, Role::Good, Role::Bad, Role::Accent})
            for (const QColor& ground : grounds)
                QVERIFY2(contrast(color(role, chosen), ground) >= least,
                         qPrintable(QStringLiteral("role %1 on %2: %3")
                                        .arg(int(role))
                                        .arg(ground.name())
                                        .arg(contrast(color(role, chosen), ground))));
        using Pair = std::pair<QPalette::ColorRole, QPalette::ColorRole>;
        for (const auto& [ink, ground] :
             {Pair{QPalette::WindowText, QPalette::Window}, Pair{QPalette::Text, QPalette::Base},
              Pair{QPalette::ButtonText, QPalette::Button},
              Pair{QPalette::HighlightedText, QPalette::Highlight},
              Pair{QPalette::ToolTipText, QPalette::ToolTipBase}, Pair{QPalette::Link, QPalette::Base},
              Pair{QPalette::PlaceholderText, QPalette::Base}, Pair{QPalette::LinkVisited, QPalette::Base}})
            QVERIFY2(contrast(palette.color(ink), palette.color(ground)) >= least,
                     qPrintable(QString::number(ink)));
    }

    void textOnAnyFillReads_data() { themes_data(); }
    void textOnAnyFillReads() {
        QFETCH(int, theme);
        applyTheme(static_cast<Theme>(theme));
        std::vector<QColor> fills;
        for (int i = 0; i < kCategories; ++i)
            fills.push_back(category(i));
        for (int i = 0; i <= 50; ++i) {
            fills.push_back(sequential(i / 50.0));
            fills.push_back(diverging(i / 25.0 - 1));
        }
        for (const Role role : {Role::OnHost, Role::OnPim, Role::NoCost})
            fills.push_back(color(role));
        for (const QColor& fill : fills)
            QVERIFY2(contrast(textOn(fill), fill) >= 4.5, qPrintable(fill.name()));
    }

    void neighboursInABarDifferInLightness_data() { themes_data(); }
    void neighboursInABarDifferInLightness() {
        QFETCH(int, theme);
        const auto chosen = static_cast<Theme>(theme);
        for (int i = 1; i < kCostParts; ++i) {
            const auto at = static_cast<std::size_t>(i);
            const double c =
                contrast(color(costParts()[at - 1].role, chosen), color(costParts()[at].role, chosen));
            QVERIFY2(c >= 1.25, qPrintable(QStringLiteral("part %1: %2").arg(i).arg(c)));
        }
    }

    void switchesThemeLive() {
        QWidget widget;
        widget.show();
        const QColor before = color(Role::Canvas);
        applyTheme(Theme::Dark);
        QCOMPARE(currentTheme(), Theme::Dark);
        QVERIFY(color(Role::Canvas) != before);
        QTRY_VERIFY(widget.palette().color(QPalette::Window).lightness() < 128);
    }

    void sequentialMapGrowsLighter() {
        for (int i = 1; i <= 40; ++i)
            QVERIFY(lightness(sequential(i / 40.0)) > lightness(sequential((i - 1) / 40.0)));
        QCOMPARE(sequential(-1), sequential(0));
        QCOMPARE(sequential(std::nan("")), sequential(0));
    }

    void divergingMapIsNeutralAtZeroAndStrongAtTheEnds() {
        QVERIFY(diverging(0).saturation() < 20);
        QVERIFY(diverging(-1).blue() > diverging(-1).red());
        QVERIFY(diverging(1).red() > diverging(1).blue());
    }

    void everyIconDrawsInTheColourOfTheTheme() {
        QVERIFY(iconNames().size() >= 14);
        for (const char* name : {"open", "save", "undo", "redo", "zoom-fit", "search", "play", "stop",
                                 "compare", "report", "export", "target", "dark", "light"})
            QVERIFY2(iconNames().contains(QLatin1String(name)), name);
        for (const QString& name : iconNames()) {
            QImage shots[2];
            for (const Theme theme : {Theme::Light, Theme::Dark}) {
                applyTheme(theme);
                shots[int(theme)] = icon(name).pixmap(32, 32).toImage();
                bool drawn = false;
                for (int y = 0; y < 32 && !drawn; ++y)
                    for (int x = 0; x < 32 && !drawn; ++x)
                        drawn = shots[int(theme)].pixelColor(x, y).alpha() > 200;
                QVERIFY2(drawn, qPrintable(name));
            }
            QVERIFY2(shots[0] != shots[1], qPrintable(name));
        }
        QVERIFY(icon(QStringLiteral("no such icon")).isNull());
    }

    void exportsAPlotInEveryFormat() {
        QCustomPlot plot;
        plot.resize(320, 200);
        plot.addGraph()->setData({1, 2, 3}, {0.1, 0.2, 1.0 / 3});
        plot.graph(0)->setName(QStringLiteral("a,b"));
        plot.xAxis->setLabel(QStringLiteral("compute, ns"));
        stylePlot(&plot);
        QTemporaryDir dir;
        const ExportSource source = exportSource(&plot, QStringLiteral("plot"));
        for (const char* suffix : {"svg", "pdf", "png", "csv"}) {
            const auto done =
                exportTo(source, dir.filePath(QStringLiteral("plot.") + QLatin1String(suffix)), 3);
            QVERIFY2(done.has_value(), suffix);
        }
        const QByteArray svg = contentOf(dir.filePath(QStringLiteral("plot.svg")));
        QVERIFY(svg.contains("<text") && svg.contains("compute, ns"));
        QVERIFY(contentOf(dir.filePath(QStringLiteral("plot.pdf"))).startsWith("%PDF"));
        QCOMPARE(QImage(dir.filePath(QStringLiteral("plot.png"))).size(), QSize(960, 600));
        const QByteArray csv = contentOf(dir.filePath(QStringLiteral("plot.csv")));
        QVERIFY2(csv.contains("\"a,b\",3,0.3333333333333333\n"), csv.constData());
    }

    void refusesWhatItCannotExport() {
        const ExportSource source{QStringLiteral("x"), [] { return QSize(10, 10); }, [](QPainter&) {}, {}};
        const auto kind = exportTo(source, QStringLiteral("/tmp/x.bmp"));
        QVERIFY(!kind && kind.error().code == ErrorCode::Usage);
        const auto csv = exportTo(source, QStringLiteral("/tmp/x.csv"));
        QVERIFY(!csv && csv.error().code == ErrorCode::Usage);
        const auto folder = exportTo(source, QStringLiteral("/no/such/folder/x.svg"));
        QVERIFY(!folder && folder.error().code == ErrorCode::Io);
    }

    void offersEveryExportInTheMenu() {
        QWidget widget;
        QMenu menu;
        addExportActions(&menu, &widget,
                         {QStringLiteral("x"), [] { return QSize(20, 10); },
                          [](QPainter& p) { p.fillRect(0, 0, 20, 10, Qt::red); }, [] { return QString(); }});
        QCOMPARE(menu.actions().size(), 9); // copy, separator, SVG, PDF, four PNG, CSV
        menu.actions().front()->trigger();
        QCOMPARE(QGuiApplication::clipboard()->image().size(), QSize(40, 20));
    }

    void copiesAllSelectedCellsUnroundedWithHeader() {
        QStandardItemModel model(2, 3);
        model.setHorizontalHeaderLabels(
            {QStringLiteral("Op"), QStringLiteral("Total"), QStringLiteral("Why")});
        for (int row = 0; row < 2; ++row) {
            model.setItem(row, 0, new QStandardItem(QStringLiteral("op|%1").arg(row)));
            model.setItem(row, 1, new QStandardItem);
            model.item(row, 1)->setData(1.0 / 3 + row, Qt::EditRole);
            model.setItem(row, 2, new QStandardItem(QStringLiteral("a, \"b\"")));
        }
        TableView table;
        table.setModel(&model);
        table.selectAll();
        QTest::keyClick(&table, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(
            QGuiApplication::clipboard()->text(),
            QStringLiteral(
                "Op\tTotal\tWhy\nop|0\t0.3333333333333333\ta, \"b\"\nop|1\t1.3333333333333333\ta, \"b\"\n"));
        QVERIFY(table.text(TableView::Format::Markdown)
                    .startsWith(QStringLiteral("| Op | Total | Why |\n| --- |")));
        QVERIFY(table.text(TableView::Format::Markdown).contains(QStringLiteral("op\\|0")));
        QVERIFY(table.text(TableView::Format::Csv).contains(QStringLiteral("\"a, \"\"b\"\"\"")));
        model.setHeaderData(2, Qt::Horizontal, QStringLiteral("Op")); // twice: neither hides the other
        const QJsonArray objects =
            QJsonDocument::fromJson(table.text(TableView::Format::Json).toUtf8()).array();
        QCOMPARE(objects.size(), 2);
        QCOMPARE(objects[1][u"Op"].toString(), QStringLiteral("op|1"));
        QCOMPARE(objects[1][u"Op 2"].toString(), QStringLiteral("a, \"b\""));
        QCOMPARE(objects[1][u"Total"].toDouble(), 1.0 / 3 + 1); // to the last bit
        table.setColumnHidden(1, true);
        QVERIFY(!table.text(TableView::Format::Tsv).contains(QStringLiteral("0.33")));
        QTemporaryDir dir;
        QVERIFY(table.save(dir.filePath(QStringLiteral("t.csv"))).has_value());
        QVERIFY(table.save(dir.filePath(QStringLiteral("t.json"))).has_value());
        QFile json(dir.filePath(QStringLiteral("t.json")));
        QVERIFY(json.open(QIODevice::ReadOnly) && json.readAll().startsWith("["));
        QVERIFY(!table.save(QStringLiteral("/no/such/folder/t.csv")).has_value());
    }

    void emptyStateSaysWhatToDo() {
        EmptyState state(QStringLiteral("graph"));
        state.setText(QStringLiteral("No model is open"), QStringLiteral("Open one."));
        state.setAction(QStringLiteral("Open…"));
        QVERIFY(state.accessibleName().contains(QStringLiteral("Open one.")));
        QSignalSpy triggered(&state, &EmptyState::actionTriggered);
        state.findChild<QPushButton*>()->click();
        QCOMPARE(triggered.size(), 1);
        applyTheme(Theme::Dark);
    }

    void barsTellAndSelect() {
        StackedBars bars;
        bars.resize(700, 300);
        bars.setSections({{QStringLiteral("Ops"),
                           {{4, QStringLiteral("conv"), QStringLiteral("Conv"), {100, 200, 50, 25, 0}, {}},
                            {7, QStringLiteral("relu"), QStringLiteral("Relu"), {0, 0, 0, 0, 90}, {}}}}});
        QSignalSpy clicked(&bars, &StackedBars::barClicked);
        QTest::mouseClick(bars.viewport(), Qt::LeftButton, {}, bars.barPosition(7));
        QCOMPARE(clicked.size(), 1);
        QCOMPARE(clicked.front().front().toInt(), 7);
        QTest::keyClick(&bars, Qt::Key_Up);
        QCOMPARE(bars.selected(), 4);
        const QString tip = bars.tipAt(bars.barPosition(4));
        QVERIFY2(tip.contains(QStringLiteral("100 ns")) && tip.contains(QStringLiteral("26.7 %")) &&
                     tip.contains(QStringLiteral("375 ns")),
                 qPrintable(tip));
        QVERIFY(bars.tipAt({1, 1}).isEmpty());
    }

    void theLegendOfBarsLeavesNothingOut() {
        StackedBars bars;
        CostSplit cost{100, 200, 50, 25, 0};
        cost.hostNs = 400;
        bars.setSections({{{}, {{-1, QStringLiteral("A"), {}, cost, {}}}}});
        QStringList names;
        for (const CostPart* part : bars.shownParts())
            names << part->name;
        QCOMPARE(names, QStringList({QStringLiteral("input rearrangement"), QStringLiteral("compute"),
                                     QStringLiteral("output rearrangement"), QStringLiteral("mode switch"),
                                     QStringLiteral("host")})); // nothing is rewritten
        bars.resize(900, 300);
        bars.show();
        const int oneLine = bars.contentSize().height();
        bars.resize(320, 300);
        QVERIFY(bars.contentSize().height() > oneLine); // wrapped, not cut off
    }

    void aLabelOfOneLineTellsThatItIsCut() {
        LineLabel label;
        label.setText(QStringLiteral("<b>20.35 k cycles</b> predicted, in eleven segments"));
        label.resize(label.sizeHint());
        label.show();
        QVERIFY(!label.isCut());
        const QImage whole = label.grab().toImage();
        label.resize(label.width() / 2, label.height());
        QVERIFY(label.isCut());
        const QRect end(label.width() - 12, 0, 12, label.height());
        QVERIFY(label.grab().toImage().copy(end) != whole.copy(end)); // dots instead of half a letter
    }

    void aChoiceTooLongForItsBoxEndsInDots() {
        applyTheme(Theme::Light);
        QComboBox box;
        box.addItems({QString(40, QLatin1Char('M')), QString()});
        box.resize(140, box.sizeHint().height());
        box.show();
        QStyleOptionComboBox option;
        option.initFrom(&box);
        const QRect field =
            box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
        // dots stand on the line, letters reach up here
        const QRect end(field.right() - 6, field.top(), 6, field.height() / 2);
        const QImage longText = box.grab().toImage();
        box.setCurrentIndex(1);
        const QImage empty = box.grab().toImage();
        QVERIFY(longText != empty);
        QCOMPARE(longText.copy(end), empty.copy(end));
        QVERIFY(!box.style()->standardIcon(QStyle::SP_TitleBarNormalButton).isNull());
    }

    void ticksAreFewRoundAndHaveUnits() {
        const auto labels = [](QSharedPointer<QCPAxisTicker> ticker, double low, double high) {
            ticker->setTickCount(4);
            QVector<double> ticks;
            QVector<QString> texts;
            ticker->generate(QCPRange(low, high), {}, QLatin1Char('g'), 6, ticks, nullptr, &texts);
            QStringList within;
            for (qsizetype i = 0; i < ticks.size(); ++i)
                if (ticks[i] >= low && ticks[i] <= high)
                    within << texts[i];
            return within;
        };
        const auto time = [](double ns) { return QString::fromStdString(timeText(ns)); };
        const auto bytes = [](double b) { return QString::fromStdString(bytesText(b)); };
        QCOMPARE(labels(QSharedPointer<LogFigureTicker>::create(time), 800, 2e6),
                 QStringList({QStringLiteral("1 µs"), QStringLiteral("10 µs"), QStringLiteral("100 µs"),
                              QStringLiteral("1 ms")}));
        QCOMPARE(labels(QSharedPointer<LogFigureTicker>::create(time), 700, 7000),
                 QStringList({QStringLiteral("1 µs"), QStringLiteral("2 µs"), QStringLiteral("5 µs")}));
        QCOMPARE(labels(QSharedPointer<FigureTicker>::create(bytes, 2), 0, 40000),
                 QStringList({QStringLiteral("0 B"), QStringLiteral("16 KiB"), QStringLiteral("32 KiB")}));
        for (const double high : {1.1, 1.5, 3.0, 30.0, 1e3, 1e9}) // whatever the extent
            for (const int base : {2, 10}) {
                const QStringList shown =
                    labels(QSharedPointer<LogFigureTicker>::create(bytes, base), 1000, 1000 * high);
                QVERIFY2(shown.size() >= 1 && shown.size() <= 8, qPrintable(shown.join(u' ')));
            }
        QCOMPARE(withoutTrailingZeros(QStringLiteral("10.50 µs")), QStringLiteral("10.5 µs"));
        QCOMPARE(withoutTrailingZeros(QStringLiteral("100 ns")), QStringLiteral("100 ns"));
    }

    /// As many columns as have room, whatever is left over in the last row.
    void foldsTheLegendOfRooflines() {
        RooflinePlot plot(QStringLiteral("roofline"));
        for (const char* name : {"peak of the units", "memory of the banks", "the host's bus"})
            plot.addGraph()->setName(QString::fromLatin1(name));
        int fewest = 3, most = 1;
        for (int width = 900; width >= 200; width -= 50) {
            plot.resize(width, 300);
            for (int times = 0; times < 3; ++times) // folded before it is drawn, so the next time finds it so
                plot.replot(QCustomPlot::rpImmediateRefresh);
            fewest = std::min(fewest, plot.legend->columnCount());
            most = std::max(most, plot.legend->columnCount());
        }
        QCOMPARE(fewest, 1);
        QCOMPARE(most, 3);
    }
};

QTEST_MAIN(TestViewsCommon)
#include "tst_views_common.moc"
