// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/run_page.h"

#include "core/base/number_text.h"
#include "views/common/figures_model.h"
#include "views/common/icons.h"
#include "views/common/table_view.h"
#include "views/common/text.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>

namespace pim::views {
namespace {

std::vector<std::vector<Figure>> factsOf(const RunInfo& run) {
    std::vector<std::vector<Figure>> rows;
    const auto row = [&rows](const QString& what, const QString& value, const QVariant& exact = {}) {
        rows.push_back({{what, {}, {}}, {value.isEmpty() ? QStringLiteral("–") : value, exact, {}}});
    };
    row(RunPage::tr("Total time"),
        RunPage::tr("%1, %2").arg(text(timeText(run.totalNs)), run.origin == Origin::Simulated
                                                                   ? RunPage::tr("simulated")
                                                                   : RunPage::tr("predicted")),
        run.totalNs);
    row(RunPage::tr("All ops on the host"), text(timeText(run.hostOnlyNs)), run.hostOnlyNs);
    row(RunPage::tr("Loading resident data, once"), text(timeText(run.residentLoadNs)), run.residentLoadNs);
    row(RunPage::tr("Started (UTC)"), text(run.startedUtc));
    row(RunPage::tr("Compiling took"), text(timeText(run.compileMs * 1e6)), run.compileMs * 1e6);
    row(RunPage::tr("Variant"), text(run.variant));
    row(RunPage::tr("Label"), text(run.label));
    row(RunPage::tr("Note"), text(run.note));
    row(RunPage::tr("Model"), text(run.modelPath));
    row(RunPage::tr("Model, SHA-256 of its structure"), text(run.modelHash));
    row(RunPage::tr("Dimensions"), text(run.bindings));
    row(RunPage::tr("Target"), text(run.targetId));
    row(RunPage::tr("Target, SHA-256"), text(run.targetHash));
    row(RunPage::tr("Host"), text(run.host));
    row(RunPage::tr("Overrides"), text(run.overridesJson));
    row(RunPage::tr("Options"), text(run.optionsJson));
    row(RunPage::tr("Seed"), QString::number(run.seed));
    row(RunPage::tr("Made by"),
        RunPage::tr("PIM Studio %1, backend %2").arg(text(run.toolVersion), text(run.backend)));
    return rows;
}

} // namespace

RunPage::RunPage(QWidget* parent)
    : QWidget(parent), m_relation(new QLabel), m_again(new QLabel),
      m_factsModel(new FiguresModel({{tr("What it was made from"), QStringLiteral("item"), false, {}},
                                     {tr("Value"), QStringLiteral("value"), false, {}}},
                                    this)),
      m_differencesModel(new FiguresModel({{tr("What"), QStringLiteral("what"), false, {}},
                                           {tr("Stored"), QStringLiteral("stored"), true, {}},
                                           {tr("Now"), QStringLiteral("now"), true, {}}},
                                          this)),
      m_facts(new TableView), m_differences(new TableView) {
    for (QLabel* label : {m_relation, m_again}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_relation->setAccessibleName(tr("How the run relates to the plan in force"));
    m_again->setAccessibleName(tr("Result of repeating the run"));
    m_again->hide();
    m_facts->setModel(m_factsModel);
    m_facts->setAccessibleName(tr("Inputs of the run"));
    m_facts->setExportName(QStringLiteral("run"));
    m_differences->setModel(m_differencesModel);
    m_differences->setAccessibleName(tr("Numbers that are not as stored"));
    m_differences->setExportName(QStringLiteral("rerun"));
    m_differences->hide();
    for (TableView* table : {m_facts, m_differences}) {
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->horizontalHeader()->setStretchLastSection(true);
    }
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(6);
    layout->addWidget(buildButtons());
    layout->addWidget(m_relation);
    layout->addWidget(m_again);
    layout->addWidget(m_differences, 1);
    layout->addWidget(m_facts, 2);
}

QWidget* RunPage::buildButtons() {
    const auto button = [](const char* iconName, const QString& text, const QString& tip) {
        auto* made = new QPushButton(text);
        if (*iconName)
            made->setIcon(icon(QString::fromLatin1(iconName)));
        made->setToolTip(tip);
        made->setAutoDefault(false);
        return made;
    };
    m_open = button("open", tr("Open This Run"),
                    tr("Adopt its target, dimensions, options and decisions; can be undone"));
    m_repeat = button("play", tr("Re-run Exactly"),
                      tr("Compile again from the same inputs and compare every number; nothing is stored"));
    m_link = button("", tr("Copy Link"), tr("A pim:// link that opens this run again"));
    m_delete = button("", tr("Delete…"), tr("Remove the run and all its figures from the project (Del)"));
    connect(m_open, &QPushButton::clicked, this, [this] { emit openRequested(m_run); });
    connect(m_repeat, &QPushButton::clicked, this, [this] {
        m_again->setText(tr("Repeating run %1…").arg(m_run));
        m_again->show();
        m_differences->hide();
        emit rerunRequested(m_run);
    });
    connect(m_link, &QPushButton::clicked, this, [this] { emit linkRequested(m_run); });
    connect(m_delete, &QPushButton::clicked, this, [this] { emit deleteRequested(m_run); });
    auto* row = new QWidget;
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, 0, 0);
    for (QPushButton* each : {m_open, m_repeat, m_link, m_delete})
        layout->addWidget(each);
    layout->addStretch(1);
    return row;
}

void RunPage::setRun(const RunInfo& run, bool hasPlan, const QStringList& changes) {
    if (run.id != m_run) {
        m_again->hide();
        m_differences->hide();
    }
    m_run = run.id;
    m_factsModel->setRows(factsOf(run));
    m_facts->fitColumns(360);
    m_relation->setText(
        !hasPlan ? tr("No plan is in force to compare this run with.")
        : changes.isEmpty()
            ? tr("✓ The plan in force is made from the same model, target and decisions as run %1.")
                  .arg(run.id)
            : tr("≠ The plan in force is not run %1. %2.")
                  .arg(run.id)
                  .arg(changes.join(QStringLiteral(". "))));
    m_open->setEnabled(!hasPlan || !changes.isEmpty());
}

void RunPage::setReadOnly(bool isReadOnly) {
    m_delete->setEnabled(!isReadOnly);
    m_delete->setToolTip(isReadOnly ? tr("The project is open read-only")
                                    : tr("Remove the run and all its figures from the project (Del)"));
}

void RunPage::setRerun(const Rerun& again) {
    const QString summary = text(again.summary());
    m_again->setText(again.identical() ? tr("✓ Repeated: %1.").arg(summary)
                                       : tr("≠ Made again, %1.").arg(summary));
    m_again->show();
    constexpr std::size_t kShown = 1000;
    std::vector<std::vector<Figure>> rows;
    for (const RerunDifference& difference : again.differences)
        if (rows.size() < kShown)
            rows.push_back({{text(difference.what), {}, {}},
                            {text(difference.stored), {}, {}},
                            {text(difference.now), {}, {}}});
    m_differencesModel->setRows(std::move(rows));
    m_differences->fitColumns(360);
    m_differences->setVisible(!again.identical());
}

void RunPage::setRerunFailed(const QString& why) {
    m_again->setText(why);
    m_again->show();
    m_differences->hide();
}

QString RunPage::relation() const {
    return m_relation->text();
}

QString RunPage::rerunText() const {
    return m_again->isHidden() ? QString() : m_again->text();
}

} // namespace pim::views
