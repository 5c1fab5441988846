// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Everything the window says passes through tr(): with a translation that puts every text between brackets, what is
/// outside of them is data, or words of core, which stay English.
#include <QTest>
#include <string>

#include "app/studio/known_drafts_dialog.h"
#include "app/studio/layouts_dialog.h"
#include "app/studio/settings_dialog.h"
#include "tests/app_studio/studio_fixture.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPlainTextEdit>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTextDocumentFragment>
#include <QTextEdit>
#include <QTranslator>

using namespace pim;
using namespace pim::studio;
using namespace pim::views;
using pim::test::Studio;

namespace {

constexpr QChar kBegin(u'⟦'), kEnd(u'⟧');
constexpr int kRows = 30; ///< Looked at, of each list.

/// Puts every text between brackets.
class Brackets final : public QTranslator {
public:
    using QTranslator::QTranslator;
    bool isEmpty() const override { return false; }
    QString translate(const char*, const char* source, const char*, int) const override {
        return kBegin + QString::fromUtf8(source) + kEnd;
    }
};

/// What is outside of all brackets; one that is never closed was cut.
QString outside(const QString& text) {
    QString left;
    int depth = 0;
    for (const QChar c :
         Qt::mightBeRichText(text) ? QTextDocumentFragment::fromHtml(text).toPlainText() : text) {
        depth += c == kBegin ? 1 : 0;
        if (depth == 0)
            left += c;
        if (c == kEnd && depth > 0)
            --depth;
    }
    return left;
}

/// All texts of a widget, with where they are.
class Texts {
public:
    void of(const QWidget& root) {
        look(root);
        for (const QWidget* widget : root.findChildren<QWidget*>())
            look(*widget);
    }
    /// "QLabel: Placement" for what is neither between brackets nor matches \p data.
    QStringList untranslated(const QRegularExpression& data) const {
        QStringList found;
        for (const auto& [text, where] : m_all) {
            QString left = outside(text);
            left.remove(data);
            if (left.contains(m_letters))
                found << QStringLiteral("%1: %2").arg(where, QString(text).replace(u'\n', u'|'));
        }
        return found;
    }

private:
    void add(const QString& text, const QObject& where, const char* what) {
        if (!text.isEmpty())
            m_all.emplace(text, QStringLiteral("%1 %2").arg(QLatin1String(where.metaObject()->className()),
                                                            QLatin1String(what)));
    }
    void look(const QWidget& widget) {
        add(widget.windowTitle(), widget, "title");
        add(widget.toolTip(), widget, "tip");
        add(widget.statusTip(), widget, "status tip");
        add(widget.accessibleName(), widget, "accessible name");
        add(widget.accessibleDescription(), widget, "accessible description");
        for (const QAction* action : widget.actions()) {
            add(action->text(), widget, "action");
            add(action->toolTip(), widget, "tip of an action");
            add(action->statusTip(), widget, "status tip of an action");
        }
        if (const auto* label = qobject_cast<const QLabel*>(&widget))
            add(label->text(), widget, "text");
        else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
            add(button->text(), widget, "text");
        else if (const auto* group = qobject_cast<const QGroupBox*>(&widget))
            add(group->title(), widget, "text");
        else if (const auto* menu = qobject_cast<const QMenu*>(&widget))
            add(menu->title(), widget, "text");
        else if (const auto* line = qobject_cast<const QLineEdit*>(&widget))
            add(line->placeholderText(), widget, "placeholder");
        else if (const auto* spin = qobject_cast<const QAbstractSpinBox*>(&widget))
            add(spin->text(), widget, "text");
        else if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
            for (int i = 0; i < tabs->count(); ++i) {
                add(tabs->tabText(i), widget, "tab");
                add(tabs->tabToolTip(i), widget, "tip of a tab");
            }
        else if (const auto* text = qobject_cast<const QTextEdit*>(&widget))
            add(text->toPlainText(), widget, "text");
        else if (const auto* plain = qobject_cast<const QPlainTextEdit*>(&widget))
            add(plain->placeholderText(), widget, "placeholder");
        else if (const auto* combo = qobject_cast<const QComboBox*>(&widget))
            lookIn(*combo->model(), {}, widget);
        else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
            lookIn(*view->model(), {}, widget);
    }
    void lookIn(const QAbstractItemModel& model, const QModelIndex& parent, const QWidget& widget) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                if (!parent.isValid())
                    add(model.headerData(column, Qt::Horizontal, role).toString(), widget, "header");
            for (int row = 0; row < std::min(model.rowCount(parent), kRows); ++row) {
                const QModelIndex index = model.index(row, column, parent);
                for (const int role : {Qt::DisplayRole, Qt::ToolTipRole, Qt::AccessibleTextRole})
                    add(index.data(role).toString(), widget, "cell");
                if (column == 0 && row < 3 && model.hasChildren(index))
                    lookIn(model, index, widget);
            }
        }
    }

    const QRegularExpression m_letters{QStringLiteral("\\p{L}{2,}")};
    std::map<QString, QString> m_all;
};

} // namespace

class TestTranslated : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    Brackets m_brackets;

private slots:
    void initTestCase() {
        pim::test::isolateSettings(m_folder);
        QCoreApplication::installTranslator(&m_brackets);
    }

    void everyTextPassesThrough_data() {
        QTest::addColumn<QByteArray>("target");
        for (const char* target : {"attacc", "dynaplasia", "isaac", "upmem-20"})
            QTest::newRow(target) << QByteArray(target);
    }
    void everyTextPassesThrough() {
        QFETCH(QByteArray, target);
        Studio studio;
        Texts texts;
        texts.of(studio.window);
        for (const Sample& each : findSamples())
            if (each.id == QLatin1String("tiny-gpt"))
                studio.workspace.openModel(each.modelPath, each.bindings, QLatin1String(target));
        QTRY_VERIFY(studio.workspace.graph());
        SETTLE(studio);
        if (const OpId op = studio.costliestOnPim(); op.valid())
            studio.workspace.selectOp(op);
        SETTLE(studio);
        for (int question = 0; question < kQuestions; ++question) {
            studio.window.panels().show(static_cast<Question>(question));
            studio.window.panels().reset();
            for (const auto& [id, dock] : studio.window.panels().docks()) {
                dock->show();
                dock->raise();
                QTest::qWait(20);
                SETTLE(studio);
                texts.of(*dock);
            }
        }
        texts.of(studio.window);
        SettingsDialog settings(studio.settings, studio.window.commands());
        texts.of(settings);
        const QStringList found = texts.untranslated(QRegularExpression(QStringLiteral("zzzzz")));
        QFile dump(QStringLiteral("/tmp/tr/found-%1.txt").arg(QLatin1String(target)));
        dump.open(QIODevice::WriteOnly);
        dump.write(found.join(u'\n').toUtf8());
        QVERIFY2(found.isEmpty(), qPrintable(QString::number(found.size()) + u'\n' + found.join(u'\n')));
    }
};

QTEST_MAIN(TestTranslated)
#include "tst_app_studio_translated.moc"
