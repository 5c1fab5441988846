// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/decisions/variants_view.h"

#include "core/base/number_text.h"
#include "views/common/table_view.h"
#include "views/models/workspace.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace pim::views {
namespace {

const Variant* variantNamed(const std::vector<Variant>& variants, const QString& name) {
    const auto found = std::ranges::find(variants, name.toStdString(), &Variant::name);
    return found == variants.end() ? nullptr : &*found;
}

/// Shows a text and copies an exact value; a plain item has one for both.
class FigureItem : public QStandardItem {
public:
    FigureItem(const QString& text, QVariant exact) : QStandardItem(text), m_exact(std::move(exact)) {
        setEditable(false);
    }
    QVariant data(int role) const override {
        return role == Qt::EditRole && m_exact.isValid() ? m_exact : QStandardItem::data(role);
    }

private:
    QVariant m_exact;
};

QStandardItem* cell(const QString& text, const QVariant& exact = {}, const QString& tip = {}) {
    auto* item = new FigureItem(text, exact);
    item->setToolTip(tip.isEmpty() ? text : tip);
    if (exact.isValid())
        item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

/// -1: not known.
double valueOf(const VariantTotal* total, VariantMetric metric) {
    return total ? total->value(metric).value_or(-1) : -1;
}

/// What the op of a decision takes in a plan; nullopt where it is not in it.
std::optional<double> opNs(const VariantTotal* total, const std::string& op) {
    if (!total || !total->plan)
        return std::nullopt;
    if (op.empty())
        return total->plan->total.totalNs();
    const OpId id = total->plan->graph->findOp(op);
    return id.valid() ? std::optional(total->plan->opPlan(id).cost.totalNs()) : std::nullopt;
}

QString differenceText(double ns) {
    return (ns < 0   ? QStringLiteral("−")
            : ns > 0 ? QStringLiteral("+")
                     : QString()) +
           QString::fromStdString(timeText(std::abs(ns)));
}

} // namespace

VariantsView::VariantsView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_totals(new VariantTotals(workspace, this)),
      m_model(new VariantsModel(workspace, *m_totals, this)), m_list(new TableView), m_metric(new QComboBox),
      m_branch(new QPushButton(tr("Branch"))), m_switch(new QPushButton(tr("Switch"))),
      m_rename(new QPushButton(tr("Rename"))), m_delete(new QPushButton(tr("Delete"))),
      m_compare(new QPushButton(tr("Compare"))), m_compared(new QLabel), m_differences(new TableView) {
    setObjectName(QStringLiteral("VariantsView"));
    setAccessibleName(tr("Variants"));
    for (const VariantMetric metric :
         {VariantMetric::TotalTime, VariantMetric::Rearrangement, VariantMetric::LoadTime,
          VariantMetric::SimulatedTime, VariantMetric::SimulatedEnergy})
        m_metric->addItem(metricName(metric));
    m_metric->setAccessibleName(tr("Figure the variants are compared by"));
    m_metric->setToolTip(
        tr("What the best variant (★) has least of. Simulated figures are made when they are asked for."));
    m_list->setModel(m_model);
    m_list->setObjectName(QStringLiteral("VariantList"));
    m_list->setAccessibleName(tr("List of variants"));
    m_list->setExportName(QStringLiteral("variants"));
    m_list->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_list->setEditTriggers(QAbstractItemView::EditKeyPressed);
    m_list->verticalHeader()->hide();
    m_list->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_list->horizontalHeader()->setSectionResizeMode(VariantsModel::Name, QHeaderView::Stretch);
    m_differences->setModel(&m_differenceModel);
    m_differences->setObjectName(QStringLiteral("VariantDifferences"));
    m_differences->setAccessibleName(tr("Decisions that differ between two variants"));
    m_differences->setExportName(QStringLiteral("variant-differences"));
    m_differences->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_differences->verticalHeader()->hide();
    m_compared->setWordWrap(true);
    m_compared->setAccessibleName(tr("Two variants compared"));
    m_compared->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(6, 6, 6, 6);
    column->addWidget(m_metric);
    column->addWidget(m_list, 3);
    addButtons(*column);
    column->addWidget(m_compared);
    column->addWidget(m_differences, 2);

    connect(m_metric, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_model->setMetric(static_cast<VariantMetric>(index));
        m_totals->setSimulated(needsSimulation(m_model->metric()));
    });
    connect(m_list, &QAbstractItemView::doubleClicked, this,
            [this](const QModelIndex& index) { m_workspace.switchVariant(m_model->nameAt(index.row())); });
    connect(m_list->selectionModel(), &QItemSelectionModel::selectionChanged, this, &VariantsView::refresh);
    connect(m_model, &QAbstractItemModel::modelReset, this, &VariantsView::refresh);
    connect(m_differences, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (const auto graph = m_workspace.graph())
            if (const OpId op = graph->findOp(
                    m_differenceModel.item(index.row())->data(Qt::UserRole).toString().toStdString());
                op.valid())
                m_workspace.selectOp(op);
    });
    for (const auto signal : {&Workspace::variantsChanged, &Workspace::graphChanged})
        connect(&workspace, signal, this, &VariantsView::refresh);
    connect(m_totals, &VariantTotals::changed, this, &VariantsView::refreshComparison);
    refresh();
}

void VariantsView::addButtons(QVBoxLayout& column) {
    const std::tuple<QPushButton*, QString, std::function<void()>> buttons[] = {
        {m_branch, tr("Create a variant from the current decisions and switch to it"), [this] { branch(); }},
        {m_switch, tr("Switch to the selected variant (double click)"),
         [this] { m_workspace.switchVariant(selected().value(0)); }},
        {m_rename, tr("Change the name of the selected variant in place (F2)"),
         [this] { m_list->edit(m_model->index(m_model->rowOf(selected().value(0)), VariantsModel::Name)); }},
        {m_delete, tr("Delete the selected variant; its branches go to the one it came from"),
         [this] { m_workspace.deleteVariant(selected().value(0)); }},
        {m_compare, tr("Where the two selected variants differ, or the selected one from the one in force"),
         [this] {
             const QStringList names = selected();
             compare(names.size() == 2 ? names[0] : m_workspace.variant(), names.value(names.size() - 1));
         }},
    };
    auto* line = new QHBoxLayout;
    line->setSpacing(4);
    for (const auto& [button, tip, run] : buttons) {
        button->setToolTip(tip);
        button->setAccessibleName(tip);
        button->setMinimumWidth(button->fontMetrics().horizontalAdvance(button->text()) + 14);
        line->addWidget(button);
        connect(button, &QPushButton::clicked, this, run);
    }
    line->addStretch(1);
    column.addLayout(line);
}

void VariantsView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_totals->setWanted(true);
}

void VariantsView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_totals->setWanted(false);
}

QStringList VariantsView::selected() const {
    QStringList names;
    for (const QModelIndex& index : m_list->selectionModel()->selectedRows())
        names.append(m_model->nameAt(index.row()));
    return names;
}

void VariantsView::branch() {
    const QString base = m_workspace.variant();
    QString name;
    for (int number = 2; name.isEmpty() || m_model->rowOf(name) >= 0; ++number)
        name = QStringLiteral("%1 %2").arg(base).arg(number);
    m_workspace.branchVariant(name);
    const QModelIndex made = m_model->index(m_model->rowOf(name), VariantsModel::Name);
    m_list->setCurrentIndex(made);
    if (isVisible())
        m_list->edit(made);
}

void VariantsView::compare(const QString& first, const QString& second) {
    if (first == second || !variantNamed(m_workspace.variants(), first) ||
        !variantNamed(m_workspace.variants(), second))
        return;
    m_pair = {first, second};
    refreshComparison();
    emit compareRequested(first, second);
}

void VariantsView::refresh() {
    const QStringList names = selected();
    const bool isOther = names.size() == 1 && names.front() != m_workspace.variant();
    m_branch->setEnabled(m_workspace.graph() != nullptr);
    m_switch->setEnabled(isOther);
    m_delete->setEnabled(isOther);
    m_rename->setEnabled(names.size() == 1);
    m_compare->setEnabled(isOther || names.size() == 2);
    refreshComparison();
}

void VariantsView::refreshComparison() {
    const auto& variants = m_workspace.variants();
    const Variant *const a = variantNamed(variants, m_pair.first), *const b =
                                                                       variantNamed(variants, m_pair.second);
    const bool isShown = a && b;
    m_differences->setVisible(isShown);
    m_compared->setVisible(isShown || variants.size() < 2);
    if (!isShown) {
        m_pair = {};
        m_compared->setText(
            tr("Branch to try something else without losing what you have. Branches are compared here."));
        return;
    }
    const VariantTotal *const costA = m_totals->find(*a), *const costB = m_totals->find(*b);
    const VariantMetric metric = m_model->metric();
    const double first = valueOf(costA, metric), second = valueOf(costB, metric);
    const auto shown = [metric](double value) {
        return value < 0 ? QStringLiteral("…") : metricText(metric, value);
    };
    QString text = tr("%1: %2 takes %3, %4 takes %5")
                       .arg(metricName(metric), m_pair.first, shown(first), m_pair.second, shown(second));
    if (first > 0 && second > 0)
        text += first == second
                    ? tr(": no difference")
                    : tr(": %1 needs %2 of that")
                          .arg(m_pair.second, QString::fromStdString(percentText(second / first)));
    m_compared->setText(text);

    m_differenceModel.clear();
    m_differenceModel.setHorizontalHeaderLabels(
        {tr("Op"), tr("Decides"), m_pair.first, m_pair.second, tr("Time of the op")});
    m_differenceModel.setHorizontalHeaderItem(
        4, new FigureItem(tr("Time of the op"), tr("Time of the op, second minus first (ns)")));
    std::set<std::pair<std::string, std::string>> fields;
    for (const Variant* variant : {a, b})
        for (const Override& decision : variant->overrides.all())
            fields.emplace(decision.op, decision.field);
    const auto value = [](const std::string* decided) {
        return decided ? QString::fromStdString(*decided) : VariantsView::tr("compiler's choice");
    };
    for (const auto& [op, field] : fields) {
        const std::string* const inA = a->overrides.find(op, field);
        const std::string* const inB = b->overrides.find(op, field);
        if (inA && inB && *inA == *inB)
            continue;
        const auto nsA = opNs(costA, op), nsB = opNs(costB, op);
        auto* name = cell(op.empty() ? tr("the whole network") : QString::fromStdString(op));
        name->setData(QString::fromStdString(op), Qt::UserRole);
        m_differenceModel.appendRow({name, cell(fieldText(field)), cell(value(inA)), cell(value(inB)),
                                     nsA && nsB ? cell(differenceText(*nsB - *nsA), *nsB - *nsA,
                                                       tr("%1 ns in %2, %3 ns in %4")
                                                           .arg(*nsA, 0, 'g', 17)
                                                           .arg(m_pair.first)
                                                           .arg(*nsB, 0, 'g', 17)
                                                           .arg(m_pair.second))
                                                : cell(QStringLiteral("…"))});
    }
    m_differences->fitColumns(160);
}

} // namespace pim::views
