// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where mappings of look-up tables meet the workspace.
#include "backends/upmem/kernel_tile.h"
#include "backends/upmem/lut/calibration.h"
#include "backends/upmem/upmem.h"
#include "core/lut/network/product_layer.h"
#include "views/common/text.h"
#include "views/models/lut_calibration.h"
#include "views/upmem/lut_mappings_view.h"
#include "views/upmem/op_runs.h"

#include <array>
#include <map>
#include <tuple>

namespace pim::views {
namespace {

using LayerKey = std::array<std::int64_t, 6>;
LayerKey keyOf(const upmem::LutLayer& layer) {
    return {layer.rows, layer.codebooks, layer.centroids, layer.features, layer.dpus, layer.tasklets};
}

/// DPUs and tasklets of a machine, within what a layer may have.
std::pair<std::int64_t, std::int64_t> sizesOf(const Target& target) {
    const Level* const core = target.level("core");
    return {std::clamp<std::int64_t>(target.instances("group"), 1, 1 << 20),
            std::clamp<std::int64_t>(core ? core->count : 16, 1, upmem::kMostTasklets)};
}

/// A product that became look-ups.
struct LookUpOp {
    upmem::LutLayer layer; ///< On one DPU.
    std::int64_t length = 0;
};
std::optional<LookUpOp> lookUpOf(const Graph& graph, OpId id) {
    const Op& op = graph.op(id);
    if (op.domain != "pim" || op.type != "LookUp")
        return std::nullopt;
    const auto &table = graph.tensor(op.inputs[0]).shape, &indices = graph.tensor(op.inputs[1]).shape;
    const OpId closest = graph.tensor(op.inputs[1]).producer;
    if (!table || !indices || !isStatic(*indices) || !closest.valid())
        return std::nullopt;
    const auto& centroids = graph.tensor(graph.op(closest).inputs[1]).shape;
    const std::int64_t rows = elementCount(*indices).value_or(0) / (*table)[0];
    return LookUpOp{{rows, (*table)[0], (*table)[1], (*table)[2], 1, 1}, centroids ? centroids->back() : 1};
}

/// The landscape of the selected product, anew when it, its sizes or the machine change.
class LutMappings : public QObject {
public:
    LutMappings(Workspace& workspace, LutMappingsView* view)
        : QObject(view), m_workspace(workspace), m_view(view), m_calibration(LutCalibration::of(workspace)) {
        connect(&workspace, &Workspace::planChanged, this, [this] {
            if (!m_workspace.isStale() || !m_workspace.plan())
                takePlan();
        });
        connect(&workspace, &Workspace::selectionChanged, this, &LutMappings::takeSelection);
        connect(m_calibration, &LutCalibration::askedChanged, this, &LutMappings::takeSizes);
        connect(view, &LutMappingsView::opChosen, &workspace, &Workspace::selectOp);
        connect(view, &LutMappingsView::decisionAsked, this,
                [this](const upmem::LutChoice& choice) { m_workspace.applyOverride(decisionOf(choice)); });
        connect(view, &LutMappingsView::sizesChanged, this, &LutMappings::update);
        connect(view, &LutMappingsView::seenChanged, this, [this](bool seen) {
            m_isSeen = seen;
            update();
        });
        takePlan();
    }
    ~LutMappings() override { abandon(); }

private:
    void abandon() {
        if (m_task)
            m_workspace.tasks()->cancel(std::exchange(m_task, 0));
    }

    void showNothing(const QString& why) {
        abandon();
        m_layer.reset();
        m_view->setLandscape(nullptr);
        m_view->setEmptyText(LutMappingsView::tr("No mappings to show"), why);
    }

    /// Products of the network; the machine's own DPUs and tasklets.
    void takePlan() {
        const auto plan = m_workspace.plan();
        m_why = whyNoDpus(plan.get());
        m_ops.clear();
        if (!m_why.isEmpty()) {
            m_view->setOps({});
            return showNothing(m_why);
        }
        const Graph& graph = *plan->graph;
        for (std::size_t i = 0; i < graph.ops.size(); ++i)
            if (const OpId id(static_cast<std::int64_t>(i));
                lookUpOf(graph, id) || lut::ProductLayer::of(graph, id, 1))
                m_ops.emplace_back(id, text(graph.ops[i].name));
        if (m_ops.empty())
            m_why = LutMappingsView::tr("No operator of this network is a product with constant weights.");
        m_view->setOps(m_ops);
        if (plan->target != m_target) {
            m_target = plan->target;
            LutMappingsView::Sizes sizes = m_view->sizes();
            std::tie(sizes.dpus, sizes.tasklets) = sizesOf(*m_target);
            m_view->setSizes(sizes);
        }
        m_op = {};
        takeSelection();
    }

    void takeSelection() {
        const auto isProduct = [this](OpId op) {
            return std::ranges::any_of(m_ops, [op](const auto& known) { return known.first == op; });
        };
        const OpId selected = m_workspace.selection().op;
        OpId op = m_op; // another op leaves the product that is shown
        if (isProduct(selected))
            op = selected;
        else if (!isProduct(op))
            op = m_ops.empty() ? OpId() : m_ops.front().first;
        m_view->setSelectedOp(op);
        if (op != m_op) {
            m_op = op;
            return takeSizes();
        }
        update();
    }

    /// What the calibration is asked for; what is turned here stays until that changes.
    void takeSizes() {
        const auto plan = m_workspace.plan(); // none between two graphs
        const auto lookUp = plan && m_op.valid() ? lookUpOf(*plan->graph, m_op) : std::nullopt;
        if (lookUp) { // its tables have the sizes
            LutMappingsView::Sizes sizes = m_view->sizes();
            sizes.length = lookUp->length;
            sizes.centroids = lookUp->layer.centroids;
            m_view->setSizes(sizes);
        } else if (const auto options = m_calibration->conversion(); options && plan && m_op.valid()) {
            const lut::LutSize size = options->sizeOf(plan->graph->op(m_op).name).value_or(options->size);
            LutMappingsView::Sizes sizes = m_view->sizes();
            sizes.length = size.length;
            sizes.centroids = size.centroids;
            m_view->setSizes(sizes);
        }
        update();
    }

    void update() {
        if (!m_isSeen || !m_workspace.plan())
            return;
        if (!m_why.isEmpty())
            return showNothing(m_why);
        const Graph& graph = *m_workspace.plan()->graph;
        const LutMappingsView::Sizes sizes = m_view->sizes();
        upmem::LutLayer layer;
        if (const auto lookUp = lookUpOf(graph, m_op)) {
            layer = lookUp->layer;
            layer.dpus = sizes.dpus;
            layer.tasklets = sizes.tasklets;
            m_view->setDecisions([this](const upmem::LutChoice& choice) { return whyNot(choice); }, inForce(),
                                 true);
        } else {
            const auto product = lut::ProductLayer::of(graph, m_op, sizes.length);
            if (!product)
                return showNothing(text(product.error().text()));
            layer = {product->rows(), product->padded() / sizes.length,
                     sizes.centroids, product->features(),
                     sizes.dpus,      sizes.tasklets};
            m_view->setDecisions(
                [](const upmem::LutChoice&) {
                    return LutMappingsView::tr(
                        "to decide it, convert the operator first (pass look_up_tables)");
                },
                {}, false);
        }
        if (m_layer && *m_layer == keyOf(layer))
            return;
        m_layer = keyOf(layer);
        start(layer);
    }

    Override decisionOf(const upmem::LutChoice& choice) const {
        return {m_workspace.plan()->graph->op(m_op).name, "lut", upmem::text(choice)};
    }
    QString whyNot(const upmem::LutChoice& choice) const {
        const auto legal = m_workspace.check(decisionOf(choice));
        return legal ? QString() : text(legal.error().message);
    }
    /// The mapping of the plan.
    std::optional<upmem::LutChoice> inForce() const {
        const Plan& plan = *m_workspace.plan();
        const OpPlan& op = plan.opPlan(m_op);
        if (op.onHost() || !op.space || !op.draft)
            return std::nullopt;
        const auto tile = upmem::tileOf(op.space->kernel(), op.space->summarize(*op.draft),
                                        upmem::machineOf(*plan.target).timing);
        if (!tile || !tile->tile.lookUps())
            return std::nullopt;
        const auto& [layer, mapping] = *tile->tile.lookUps();
        return upmem::LutChoice{mapping, layer.tasklets};
    }

    void start(const upmem::LutLayer& layer) {
        abandon();
        m_view->setStale(true);
        if (!m_view->landscape())
            m_view->setEmptyText(LutMappingsView::tr("No mappings yet"),
                                 LutMappingsView::tr("They are being worked out."));
        m_task = m_workspace.tasks()->start(
            LutMappingsView::tr("Mappings of look-up tables"),
            [this, layer](const TaskContext& task) -> std::function<void()> {
                auto found = lutLandscape(layer, task);
                return [this, found = std::move(found)] {
                    m_task = 0;
                    if (!found) {
                        m_view->setLandscape(nullptr);
                        return m_view->setEmptyText(LutMappingsView::tr("No mappings to show"),
                                                    text(found.error().text()));
                    }
                    m_view->setLandscape(std::make_shared<const LutLandscape>(*found));
                };
            },
            [this] {
                if (!std::exchange(m_task, 0))
                    return; // given up here, see abandon()
                m_layer.reset();
                m_view->setLandscape(nullptr);
                m_view->setEmptyText(LutMappingsView::tr("No mappings to show"),
                                     LutMappingsView::tr("Working them out was cancelled."));
            });
    }

    Workspace& m_workspace;
    LutMappingsView* m_view;
    LutCalibration* m_calibration;
    bool m_isSeen = false;
    QString m_why; ///< Why there is nothing to show; empty: there is.
    std::vector<std::pair<OpId, QString>> m_ops;
    std::shared_ptr<const Target> m_target;
    OpId m_op;
    std::optional<LayerKey> m_layer; ///< That is shown, or will be.
    int m_task = 0;
};

} // namespace

LutMappingsView::LutMappingsView(Workspace& workspace, QWidget* parent) : LutMappingsView(parent) {
    new LutMappings(workspace, this);
}

} // namespace pim::views
