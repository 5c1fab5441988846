// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Everything the window says passes through tr(): with a translation that puts every text between brackets, what is
/// outside of them is data, or words of core, which stay English.
#include <QTest>
#include <string>

#include "app/studio/known_drafts_dialog.h"
#include "app/studio/layouts_dialog.h"
#include "app/studio/settings_dialog.h"
#include "core/graph/blocks.h"
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

/// What core says stays English: sentences, figures with their units, keywords that people type.
const QRegularExpression& ofCore() {
    static const QRegularExpression all(
        QStringLiteral("The time is set by .*"
                       "|Nothing is under way for .*"
                       "|[0-9.]+ .?s simulated, .*"
                       "|\\bset by .*" // of an op
                       "|fastest of [0-9]+ simulated.*"
                       "|[A-Z]\\[[bhi]\\].* = .*" // kernels
                       "|\\b(addition|gemv|matvec|reduction|relu)\\b"
                       "|[0-9]+ samples/s: .*"
                       "|[0-9]+ DPUs do not divide .*"
                       "|PIM [0-9.]+× faster .*"
                       "|\\S+\\.pim — .*"
                       "|• .*"                             // of the help
                       "|all arrays compute[^)]*\\)|-hbm3" // baselines, memory devices
                       "|\\[\\[.*\\]\\]( expanded| exact)?|Y\\[n\\] .*"
                       "|\\b([num]?s|[pnm]?J|[KMG]?i?B|k)\\b|µs|µJ|FLOP/B"
                       "|\\b(matmul|attention|elementwise|normalize|movement|node)\\b"
                       "|\\b(bf16|f16|f32|i8|i16|i64|int8|CT|ht|ct|batch|past|seed|steps|loss|method)\\b"
                       "|\\b(dual-mode|op by op|mapped|search|resident|streamed|pim)\\b"));
    return all;
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
            if (left.contains(u'…'))
                continue; // a name that was cut
            left.remove(data).remove(ofCore());
            if (left.contains(m_letters))
                found << QStringLiteral("%1: \"%2\" of \"%3\"")
                             .arg(where, left.simplified(), QString(text).left(100).replace(u'\n', u'|'));
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
        else if (const auto* view = qobject_cast<const QAbstractItemView*>(&widget); view && view->model())
            lookAtHeader(*view->model(), widget);
    }
    /// Not what is in the cells: that is the model's, the machine's and the compiler's.
    void lookAtHeader(const QAbstractItemModel& model, const QWidget& widget) {
        for (int column = 0; column < model.columnCount(); ++column)
            for (const int role : {Qt::DisplayRole, Qt::ToolTipRole})
                add(model.headerData(column, Qt::Horizontal, role).toString(), widget, "header");
    }

    const QRegularExpression m_letters{QStringLiteral("\\p{L}{2,}")};
    std::map<QString, QString> m_all;
};

/// All names out of the model, the targets, the hosts, the samples.
QRegularExpression data(const Workspace& workspace) {
    QStringList names;
    const auto add = [&](const std::string& name) { names << QString::fromStdString(name); };
    const Graph& graph = *workspace.graph();
    add(graph.name);
    for (const Op& op : graph.ops) {
        add(op.name);
        add(op.type);
    }
    for (const Tensor& tensor : graph.tensors)
        add(tensor.name);
    for (const auto& target : workspace.catalog().targets()) {
        add(target->id);
        add(target->name);
        add(target->summary);
    }
    for (const auto& host : workspace.catalog().hosts()) {
        add(host->id);
        add(host->name);
    }
    for (const Level& level : workspace.target()->levels)
        add("× " + level.name);
    for (const Block& block : findBlocks(graph).blocks)
        add(block.name);
    for (const Sample& sample : findSamples())
        names << sample.title << sample.summary << sample.modelPath << QFileInfo(sample.modelPath).fileName()
              << sample.id;
    names.removeAll(QString());
    std::sort(names.begin(), names.end(),
              [](const QString& a, const QString& b) { return a.size() > b.size(); });
    for (QString& name : names)
        name = QRegularExpression::escape(name);
    return QRegularExpression(names.join(u'|'));
}

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
        const QStringList found = texts.untranslated(data(studio.workspace));
        QVERIFY2(found.isEmpty(), qPrintable(QString::number(found.size()) + u'\n' + found.join(u'\n')));
    }
};

QTEST_MAIN(TestTranslated)
#include "tst_app_studio_translated.moc"
