// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// The inspector over a real model and compile: every value listed, nothing illegal applied, nothing cut.
#include <QTest> // before our headers: moc 6.4 stumbles over <compare> where it comes first

#include <string>

#include "backends/builtin.h"
#include "core/graph/zoo/zoo.h"
#include "views/common/choice_box.h"
#include "views/common/palette.h"
#include "views/inspector/inspector_view.h"
#include "views/inspector/op_facts_text.h"
#include "views/inspector/override_editor.h"
#include "views/models/workspace.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace pim;
using namespace pim::views;

#define SETTLE()                                                                                             \
    QTRY_VERIFY_WITH_TIMEOUT(m_workspace->plan() && !m_workspace->isStale() &&                               \
                                 m_workspace->plan()->target == m_workspace->target(),                       \
                             60000)

class TestInspector : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QVERIFY(m_folder.isValid());
        QVERIFY(writeZooModel("tiny-gpt", m_folder.filePath("tiny.onnx").toStdString()).has_value());
        m_backends = builtinBackends();
    }
    void init() {
        m_workspace = std::make_unique<Workspace>(m_backends, TargetCatalog::load());
        m_workspace->setTarget("attacc");
        m_workspace->openModel(m_folder.filePath("tiny.onnx"), {{"batch", 1}, {"past", 48}});
        SETTLE();
        m_view = std::make_unique<InspectorView>(*m_workspace);
        m_view->resize(360, 560);
        m_view->show();
    }
    void cleanup() {
        m_view.reset();
        m_workspace.reset();
    }

    void everyValueIsListedAndTheIllegalOnesAreGreyedWithTheReason_data() {
        QTest::addColumn<QString>("target");
        for (const char* target : {"attacc", "aim", "hbm-pim", "dynaplasia"})
            QTest::newRow(target) << QString(target);
    }
    void everyValueIsListedAndTheIllegalOnesAreGreyedWithTheReason() {
        QFETCH(QString, target);
        m_workspace->setTarget(target);
        SETTLE();
        int greyed = 0, fields = 0;
        for (std::size_t i = 0; i < m_workspace->graph()->ops.size(); i += 3) {
            m_workspace->selectOp(OpId(static_cast<std::int64_t>(i)));
            for (const OverrideField& field : m_view->editor()->fields()) {
                QWidget* const input = m_view->editor()->widgetFor(field.field);
                QVERIFY(input && !input->accessibleName().isEmpty());
                ++fields;
                auto* const box = qobject_cast<ChoiceBox*>(input);
                QCOMPARE(box != nullptr, !field.values.empty());
                if (!box)
                    continue;
                const auto* items = qobject_cast<QStandardItemModel*>(box->model());
                for (const LegalValue& value : field.values) {
                    const int row = box->findText(QString::fromStdString(value.value), Qt::MatchStartsWith);
                    QVERIFY2(row >= 0, value.value.c_str());
                    if (value.legal)
                        continue;
                    ++greyed;
                    QVERIFY(!items
                                 ->item(box->findText(QStringLiteral("%1  –  %2")
                                                          .arg(QString::fromStdString(value.value),
                                                               QString::fromStdString(value.reason))))
                                 ->isEnabled());
                    QVERIFY(!value.reason.empty());
                    QVERIFY(!box->choose(QString::fromStdString(value.value)));
                    QVERIFY(m_workspace->overrides().empty());
                }
            }
        }
        QVERIFY(fields > 10 && greyed > 0);
    }

    void rowsAreLaidOutOnce() {
        // Shown one by one, each row would lay out all of the panel.
        struct Sizes : QObject {
            int count = 0;
            bool eventFilter(QObject*, QEvent* event) override {
                count += event->type() == QEvent::Resize;
                return false;
            }
        } sizes;
        m_view->editor()->installEventFilter(&sizes);
        const OpPlan& planned = *std::ranges::find_if(
            m_workspace->plan()->ops, [](const OpPlan& each) { return each.draft && each.space; });
        m_workspace->selectOp(planned.op);
        QTest::qWait(200);
        QVERIFY(m_view->editor()->fields().size() > 4);
        for (const OverrideField& field : m_view->editor()->fields())
            QVERIFY2(m_view->editor()->widgetFor(field.field)->isVisible(), field.field.c_str());
        QVERIFY2(sizes.count <= 3, qPrintable(QString::number(sizes.count)));
    }

    void anOpOfManyPiecesShowsItsFirstDecisionsAndMoreWhenAsked() {
        const QString file = m_folder.filePath("opt.onnx");
        QVERIFY(
            writeZooModel("opt-6.7b-decode", file.toStdString(), {.weights = false, .batch = 1, .past = 64})
                .has_value());
        m_workspace->setTarget("dynaplasia");
        m_workspace->openModel(file, {});
        QTRY_VERIFY_WITH_TIMEOUT(m_workspace->graph()->ops.size() > 200, 60000);
        SETTLE();
        OverrideEditor& editor = *m_view->editor();
        const auto& ops = m_workspace->graph()->ops;
        for (std::size_t i = 0; i < ops.size() && editor.fields().size() <= OverrideEditor::kShownAtFirst;
             ++i)
            m_workspace->selectOp(OpId(static_cast<std::int64_t>(i)));
        const std::vector<OverrideField>& fields = editor.fields();
        const std::size_t all = fields.size();
        QVERIFY2(all > 2 * OverrideEditor::kShownAtFirst, qPrintable(QString::number(all)));
        QVERIFY(editor.widgetFor(fields[OverrideEditor::kShownAtFirst - 1].field));
        const std::string next = fields[OverrideEditor::kShownAtFirst].field;
        QVERIFY(!editor.widgetFor(next));
        for (std::size_t shown = OverrideEditor::kShownAtFirst; shown < all; shown *= 2) {
            auto* const more = editor.findChild<QPushButton*>("MoreDecisions");
            QVERIFY(more);
            QTRY_VERIFY(more->isVisible());
            QVERIFY2(more->text().contains(QString::number(shown)), qPrintable(more->text()));
            more->click();
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        QVERIFY(!editor.findChild<QPushButton*>("MoreDecisions"));
        QVERIFY(editor.widgetFor(next) && editor.widgetFor(fields.back().field));
        // Another op begins anew.
        m_workspace->selectOp({});
        m_workspace->selectOp(OpId(0));
        QVERIFY(!editor.findChild<QPushButton*>("MoreDecisions") || !editor.widgetFor(fields.back().field));
    }

    void textIsJudgedWhileItIsTyped() {
        OpId op;
        for (const OpPlan& planned : m_workspace->plan()->ops)
            if (planned.draft && planned.space)
                op = planned.op;
        QVERIFY(op.valid());
        m_workspace->selectOp(op);
        auto* const edit = qobject_cast<QLineEdit*>(m_view->editor()->widgetFor("draft"));
        QVERIFY(edit);
        const QString was = edit->text();
        QVERIFY(m_view->editor()->problemOf("draft").isEmpty());
        // More groups than there are: the constraint and the nearest there is.
        const auto space = m_workspace->plan()->opPlan(op).space;
        Draft wide = *m_workspace->plan()->opPlan(op).draft;
        for (DraftPart& part : wide.parts)
            part.groups = part.cores = 1;
        wide.parts.front().groups = 9999;
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromStdString(space->draftText(wide)));
        QVERIFY2(m_view->editor()->problemOf("draft").contains("9999 groups") &&
                     m_view->editor()->problemOf("draft").contains("nearest it can take is 80"),
                 qPrintable(m_view->editor()->problemOf("draft")));
        QTest::keyClick(edit, Qt::Key_Return);
        QVERIFY(m_workspace->overrides().empty() && !m_workspace->isStale());
        // No draft at all: what is expected, and where.
        edit->selectAll();
        QTest::keyClicks(edit, "[[1, x");
        QVERIFY2(m_view->editor()->problemOf("draft").contains("column 6"),
                 qPrintable(m_view->editor()->problemOf("draft")));
        QTest::keyClick(edit, Qt::Key_Escape);
        QCOMPARE(edit->text(), was);
        QVERIFY(m_view->editor()->problemOf("draft").isEmpty());
        // A legal one.
        Draft alone = wide;
        alone.parts.front().groups = 2;
        edit->selectAll();
        QTest::keyClicks(edit, QString::fromStdString(space->draftText(alone)));
        QVERIFY2(m_view->editor()->problemOf("draft").isEmpty(),
                 qPrintable(m_view->editor()->problemOf("draft")));
        QTest::keyClick(edit, Qt::Key_Return);
        QCOMPARE(m_workspace->undoStack()->count(), 1);
        SETTLE();
        QCOMPARE(*m_workspace->plan()->opPlan(op).draft, alone);
    }

    void nothingIsCutHoweverLongTheNames() {
        for (const int width : {350, 420, 700}) {
            m_view->resize(width, 560);
            for (std::size_t i = 0; i < m_workspace->graph()->ops.size(); i += 5) {
                m_workspace->selectOp(OpId(static_cast<std::int64_t>(i)));
                QCoreApplication::processEvents();
                const auto* scroll = m_view->findChild<QScrollArea*>();
                QVERIFY(scroll);
                QVERIFY2(scroll->widget()->minimumSizeHint().width() <= scroll->viewport()->width(),
                         qPrintable(QStringLiteral("%1 needs %2 of %3 px")
                                        .arg(QString::fromStdString(m_workspace->graph()->ops[i].name))
                                        .arg(scroll->widget()->minimumSizeHint().width())
                                        .arg(scroll->viewport()->width())));
            }
        }
        bool found = false;
        for (const QLabel* label : m_view->findChildren<QLabel*>())
            found = found ||
                    label->toolTip() ==
                        QString::fromStdString(m_workspace->graph()->op(m_workspace->selection().op).name);
        QVERIFY2(found, "the whole name is in a tip");
        if (const QString folder = qEnvironmentVariable("PIM_SHOTS"); !folder.isEmpty())
            for (const Theme theme : {Theme::Light, Theme::Dark}) {
                applyTheme(theme);
                m_view->resize(360, 760);
                m_workspace->selectOp(OpId(8));
                QTest::qWait(30);
                QVERIFY(
                    m_view->grab().save(QStringLiteral("%1/inspector-%2.png").arg(folder).arg(int(theme))));
            }
        applyTheme(Theme::Light);
    }

    void figuresOfAPlanHaveTheirUnits() {
        struct Figures : PlanDetail {
            std::string_view kind() const override { return "test"; }
            std::string json() const override { return "{}"; }
            std::vector<std::pair<std::string, double>> figures() const override {
                return {{"first_batch_ns", 348318.2}, {"energy_pj", 2.9e9},
                        {"load_bytes", 391248},       {"arrays_used_share", 0.593},
                        {"instructions", 291022},     {"samples_per_second", 2870.938}};
            }
        };
        Plan plan = *m_workspace->plan();
        plan.detail = std::make_shared<const Figures>();
        const QString text = networkText(plan, false);
        const std::pair<const char*, const char*> rows[] = {
            {"first batch", "348.3 µs"},     {"energy", "2.900 mJ"},      {"load bytes", "382.1 KiB"},
            {"arrays used share", "59.3 %"}, {"instructions", "291 022"}, {"samples per second", "2.871 k"}};
        for (const auto& [what, value] : rows) {
            QVERIFY2(text.contains(QStringLiteral(">%1</td>").arg(QString::fromUtf8(what))), what);
            QVERIFY2(text.contains(QStringLiteral(">%1</td>").arg(QString::fromUtf8(value))),
                     qPrintable(text));
        }
    }
    void tabWalksTheFieldsFromTopToBottom() {
        for (const OpPlan& planned : m_workspace->plan()->ops)
            if (planned.draft && planned.space)
                m_workspace->selectOp(planned.op);
        const auto& fields = m_view->editor()->fields();
        QVERIFY(fields.size() >= 3);
        std::vector<int> order;
        const QWidget* at = m_view->editor();
        for (int i = 0; i < 400; ++i) {
            at = at->nextInFocusChain();
            for (std::size_t f = 0; f < fields.size(); ++f)
                if (at == m_view->editor()->widgetFor(fields[f].field))
                    order.push_back(static_cast<int>(f));
            if (at == m_view->editor())
                break;
        }
        QCOMPARE(order.size(), fields.size());
        QVERIFY(std::is_sorted(order.begin(), order.end()));
    }

private:
    QTemporaryDir m_folder;
    BackendList m_backends;
    std::unique_ptr<Workspace> m_workspace;
    std::unique_ptr<InspectorView> m_view;
};

QTEST_MAIN(TestInspector)
#include "tst_views_inspector.moc"
