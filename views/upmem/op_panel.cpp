// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/upmem/op_panel.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/text.h"
#include "views/models/filter_stack.h"
#include "views/models/workspace.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QStackedWidget>

namespace pim::views {

OpPanel::OpPanel(const QString& objectName, const QString& accessibleName, const QString& iconName,
                 QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(iconName)), m_page(new QWidget),
      m_ops(new QComboBox), m_title(new LineLabel), m_status(new LineLabel), m_bar(new QHBoxLayout),
      m_body(new QVBoxLayout(m_page)) {
    setObjectName(objectName);
    setAccessibleName(accessibleName);
    setProperty("helpTopic", QStringLiteral("upmem#panels"));
    m_ops->setAccessibleName(tr("Operator that is shown"));
    m_ops->setToolTip(tr("Operators that run on DPUs"));
    m_ops->setPlaceholderText(tr("Operator"));
    m_ops->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_ops->setMinimumContentsLength(14);
    connect(m_ops, &QComboBox::activated, this,
            [this](int row) { emit opChosen(OpId(m_ops->itemData(row).toInt())); });
    m_title->setTextFormat(Qt::RichText);
    m_title->setAccessibleName(tr("What was run"));
    m_bar->setContentsMargins(8, 4, 8, 2);
    m_bar->setSpacing(6);
    m_bar->addWidget(m_ops);
    m_bar->addWidget(m_title, 1);
    m_status->setContentsMargins(10, 2, 10, 3);
    m_status->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_status->setAccessibleName(tr("What is under the pointer"));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(0);
    column->addWidget(m_page, 1);
    column->addWidget(m_status);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->setSpacing(0);
    outer->addLayout(m_bar);
    outer->addWidget(m_pages, 1);
}

void OpPanel::setShown(std::shared_ptr<const OpShown> shown) {
    m_shown = std::move(shown);
    m_pages->setCurrentIndex(m_shown ? 1 : 0);
    m_pages->widget(1)->setEnabled(true);
    if (!m_shown)
        m_title->clear();
    showRun(m_shown.get());
}

void OpPanel::setEmptyText(const QString& missing, const QString& whatToDo) {
    m_empty->setText(missing, whatToDo);
}

QString OpPanel::emptyText() const {
    return m_empty->text();
}

void OpPanel::setStale(bool stale) {
    m_pages->widget(1)->setEnabled(!stale);
}

void OpPanel::setSeen(bool seen) {
    emit seenChanged(seen);
}

void OpPanel::setOps(const std::vector<std::pair<OpId, QString>>& ops) {
    m_ops->clear();
    for (const auto& [id, name] : ops)
        m_ops->addItem(name, id.value);
    m_ops->setVisible(!ops.empty());
    m_ops->setCurrentIndex(-1);
}

void OpPanel::setSelectedOp(OpId op) {
    m_ops->setCurrentIndex(op.valid() ? m_ops->findData(op.value) : -1);
}

QString OpPanel::headline(const upmem::OpOnDpu& run) const {
    const auto count = [](double value) { return text(exactText(std::int64_t(value))); };
    QString line = tr("<b>%1</b> cycles (%2) · %3 tasklets on each of %4 DPUs")
                       .arg(count(run.cycles), text(timeText(run.cycles * run.cycleNs)))
                       .arg(run.tasklets)
                       .arg(count(run.dpus));
    if (!run.isWhole)
        line += tr(" · the first %1 were run, the rest is counted on").arg(count(double(run.run.cycles)));
    return line;
}

void joinOpRuns(OpPanel* panel, Workspace& workspace) {
    OpRuns* runs = OpRuns::of(workspace);
    const auto takeOps = [panel, &workspace] {
        if (workspace.isStale() && workspace.plan())
            return;
        auto ops = workspace.plan() ? opsOnDpus(*workspace.plan()) : std::vector<std::pair<OpId, QString>>();
        std::erase_if(ops, [&](const auto& op) { return !workspace.filters()->passes(op.first); });
        panel->setOps(ops);
        panel->setSelectedOp(workspace.selection().op);
    };
    const auto takeRun = [panel, runs] {
        panel->setEmptyText(runs->isWorking() ? OpPanel::tr("Not run yet") : OpPanel::tr("Nothing to show"),
                            runs->note());
        if (runs->isWorking())
            return panel->setStale(true); // the older one stays until the next is there
        panel->setShown(runs->shown());
    };
    QObject::connect(&workspace, &Workspace::planChanged, panel, takeOps);
    QObject::connect(workspace.filters(), &FilterStack::changed, panel, takeOps);
    QObject::connect(&workspace, &Workspace::selectionChanged, panel,
                     [panel, &workspace] { panel->setSelectedOp(workspace.selection().op); });
    QObject::connect(panel, &OpPanel::opChosen, &workspace, &Workspace::selectOp);
    QObject::connect(panel, &OpPanel::seenChanged, runs,
                     [runs, panel](bool seen) { runs->setWanted(panel, seen); });
    QObject::connect(panel, &QObject::destroyed, runs, [runs](QObject* gone) {
        QObject::disconnect(runs, nullptr, gone, nullptr); // it is told nothing any more
        runs->setWanted(gone, false);
    });
    QObject::connect(runs, &OpRuns::changed, panel, takeRun);
    takeOps();
    takeRun();
}

} // namespace pim::views
