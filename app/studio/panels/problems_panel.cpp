// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/panels/problems_panel.h"

#include "views/common/core_sentences.h"
#include "views/common/icons.h"
#include "views/models/workspace.h"

#include <QHeaderView>
#include <QLabel>
#include <QStyledItemDelegate>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace pim::studio {
namespace {

QString text(const std::string& value) {
    return QString::fromStdString(value);
}

QString sentence(QString text) {
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

/// QTreeView measures texts as if they did not wrap.
class WrappedText final : public QStyledItemDelegate {
public:
    explicit WrappedText(QTreeWidget* tree) : QStyledItemDelegate(tree), m_tree(*tree) {}
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        QStyleOptionViewItem inside(option);
        const int levels = index.parent().isValid() ? 2 : 1;
        inside.rect = QRect(0, 0, m_tree.columnWidth(0) - levels * m_tree.indentation(), QWIDGETSIZE_MAX);
        inside.features |= QStyleOptionViewItem::WrapText;
        return QStyledItemDelegate::sizeHint(inside, index);
    }

private:
    const QTreeWidget& m_tree;
};

} // namespace

ProblemsPanel::ProblemsPanel(views::Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_summary(new QLabel), m_tree(new QTreeWidget) {
    setObjectName(QStringLiteral("ProblemsPanel"));
    setAccessibleName(tr("Problems"));
    m_summary->setContentsMargins(6, 4, 6, 2);
    m_summary->setWordWrap(true);
    m_tree->setAccessibleName(tr("List of problems"));
    m_tree->setHeaderLabel(m_tree->accessibleName());
    m_tree->setHeaderHidden(true);
    m_tree->setWordWrap(true);
    m_tree->setIndentation(14);
    m_tree->setItemDelegate(new WrappedText(m_tree));
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_summary);
    column->addWidget(m_tree, 1);
    // Texts wrap elsewhere in a panel of another width; their rows are measured anew.
    connect(m_tree->header(), &QHeaderView::sectionResized, m_tree, [this] { m_tree->doItemsLayout(); });
    connect(m_tree, &QTreeWidget::itemActivated, this, [this](const QTreeWidgetItem* item) {
        if (const auto graph = m_workspace.graph())
            if (const OpId op = graph->findOp(item->data(0, Qt::UserRole).toString().toStdString());
                op.valid())
                m_workspace.selectOp(op);
    });
    connect(m_tree, &QTreeWidget::itemClicked, m_tree, &QTreeWidget::itemActivated);
    connect(&workspace, &views::Workspace::graphChanged, this, &ProblemsPanel::refresh);
    connect(&workspace, &views::Workspace::planChanged, this, &ProblemsPanel::refresh);
    refresh();
}

void ProblemsPanel::refresh() {
    if (m_workspace.isStale() && m_workspace.plan())
        return; // the new plan will tell; until then the list stays still
    Diagnostics all = m_workspace.catalog().problems();
    if (const auto graph = m_workspace.graph())
        all.insert(all.end(), graph->problems.begin(), graph->problems.end());
    if (const auto plan = m_workspace.plan())
        all.insert(all.end(), plan->problems.begin(), plan->problems.end());

    // Worst first, then as found; equal messages together.
    std::vector<std::pair<Diagnostic, QStringList>> groups;
    std::map<std::tuple<Severity, std::string, std::string>, std::size_t> known;
    for (const Diagnostic& problem : all) {
        const auto [it, isNew] =
            known.try_emplace({problem.severity, problem.message, problem.hint}, groups.size());
        if (isNew)
            groups.emplace_back(problem, QStringList());
        groups[it->second].second.append(text(problem.object));
    }
    std::stable_sort(groups.begin(), groups.end(),
                     [](const auto& a, const auto& b) { return a.first.severity > b.first.severity; });

    m_tree->clear();
    int counts[3] = {};
    for (const auto& [problem, objects] : groups) {
        counts[static_cast<int>(problem.severity)] += static_cast<int>(objects.size());
        QStringList lines{sentence(views::coreSentence(problem.message))};
        if (objects.size() > 1)
            lines.append(tr("In %1 places").arg(objects.size()));
        else if (!objects.front().isEmpty())
            lines.append(tr("In %1").arg(objects.front()));
        if (!problem.hint.empty())
            lines.append(sentence(views::coreSentence(problem.hint)));
        auto* item = new QTreeWidgetItem({lines.join(u'\n')});
        item->setIcon(0, problem.severity == Severity::Note
                             ? views::icon(QStringLiteral("search"))
                             : views::icon(QStringLiteral("warning"), views::Role::Bad));
        item->setData(0, Qt::UserRole, objects.front());
        for (const QString& object : objects.size() > 1 ? objects : QStringList()) {
            auto* child = new QTreeWidgetItem({object});
            child->setData(0, Qt::UserRole, object);
            item->addChild(child);
        }
        m_tree->addTopLevelItem(item);
    }
    QStringList summary;
    if (counts[2] > 0)
        summary.append(counts[2] == 1 ? tr("1 error") : tr("%1 errors").arg(counts[2]));
    if (counts[1] > 0)
        summary.append(counts[1] == 1 ? tr("1 warning") : tr("%1 warnings").arg(counts[1]));
    if (counts[0] > 0)
        summary.append(counts[0] == 1 ? tr("1 note") : tr("%1 notes").arg(counts[0]));
    m_summary->setText(all.empty() ? tr("No problems found.") : summary.join(QStringLiteral(", ")));
    m_tree->setVisible(!all.empty());
    static_cast<QVBoxLayout*>(layout())->setAlignment(m_summary,
                                                      all.empty() ? Qt::AlignTop : Qt::Alignment());
    m_count = static_cast<int>(all.size());
    emit countChanged(m_count);
}

} // namespace pim::studio
