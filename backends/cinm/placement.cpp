// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/placement.h"

#include "backends/host/roofline.h"
#include "core/base/number_text.h"
#include "core/ir/dialect.h"
#include "core/ir/outline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace pim::cinm {

namespace {

using namespace ir;

std::int64_t timesOf(const Module& module, const Operation& op) {
    std::int64_t times = 1;
    for (RegionId region = op.parent; region.valid();) {
        const Operation& owner = module.operation(module.region(region).owner);
        if (owner.def->name == "scf.for")
            times *= turnsOf(module, owner).value_or(1);
        region = owner.parent;
    }
    return times;
}

std::string nameOf(const Module& module, OperationId id) {
    const auto& names = module.location(module.operation(id)).graphOps;
    return names.empty() ? fmt::format("{} #{}", module.operation(id).def->name, id.value) : names.front();
}

bool isProduct(const Operation& op) {
    return op.def->name == "cinm.gemm" || op.def->name == "cinm.gemv";
}

GemmShape shapeOf(const Module& module, const Operation& op) {
    const Type& left = module.type(module.operand(op, 0));
    return {left.extents()[0], left.extents()[1],
            op.def->name == "cinm.gemv" ? 1 : module.type(op.firstResult).extents()[1]};
}

std::string workOf(const Module& module, const Operation& op) {
    if (isProduct(op)) {
        const GemmShape shape = shapeOf(module, op);
        return fmt::format("{} {} x {} x {}", shortName(op), shape.m, shape.k, shape.n);
    }
    return fmt::format("{} {}", shortName(op),
                       fmt::join(module.type(module.operand(op, 0)).extents(), " x "));
}

TileWork onTiles(const GemmShape& shape, Scalar element, const FlowOptions& options) {
    TileWork work;
    work.choice = memristor::searchMapping(shape, options.size, options.tiles, options.goal, options.wish,
                                           options.device, bytesOf(element));
    TileMapping usual;
    usual.size = options.size;
    usual.tiles = options.tiles;
    work.baseline = memristor::countsOf(shape, usual);
    work.writes = memristor::writesFormula(shape, work.choice.mapping);
    return work;
}

/// Arithmetic and traffic, whichever takes longer. Integers are computed as fast as floats of their width, where the host says
/// nothing of them.
double onHostNs(const Module& module, const Operation& op, const Host& host) {
    const Type& in = module.type(module.operand(op, 0));
    DataType type = dataTypeOf(*in.element());
    if (!host.peakFlopsPerNs.contains(type))
        type = bytesOf(*in.element()) <= 2 && host.peakFlopsPerNs.contains(DataType::F16) ? DataType::F16
                                                                                          : DataType::F32;
    if (isProduct(op)) {
        const GemmShape shape = shapeOf(module, op);
        return gemmCost(host, {double(shape.m), double(shape.n), double(shape.k)}, type).ns;
    }
    double bytes = 0;
    for (const ValueId operand : module.operands(op))
        bytes += static_cast<double>(module.type(operand).bytes());
    for (std::uint32_t r = 0; r < op.resultCount; ++r)
        bytes += static_cast<double>(module.type(Module::result(op, r)).bytes());
    return streamCost(host, bytes, static_cast<double>(in.count()), type).ns;
}

/// Where the ops of a program run.
class Placement {
public:
    Placement(const Module& module, const FlowOptions& options, const TaskContext& task)
        : m_module(module), m_options(options), m_task(task) {
        const std::string& target = options.target;
        m_asksTiles = target != "upmem" || pinsTo(name(Machine::Tiles));
        m_asksDpus = options.dpus && (target != "memristor" || pinsTo(name(Machine::Dpus)));
        if (m_asksDpus)
            m_dpus.emplace(options.dpus, options.spread);
        const auto arguments = module.regionOf(module.operation(module.functions().front()));
        for (std::uint32_t a = 0; a < arguments.argumentCount; ++a)
            if (a < options.constantArguments.size() && options.constantArguments[a])
                m_constant.insert(Module::argument(arguments, a));
    }

    Result<std::vector<PlacedOp>> run() {
        std::vector<PlacedOp> ops;
        for (std::size_t i = 0; i < m_module.size(); ++i) {
            const OperationId id(static_cast<std::int64_t>(i));
            const Operation& op = m_module.operation(id);
            if (unitLoops(m_module, op).empty() || (!m_asksDpus && !isProduct(op)))
                continue;
            if (m_task.cancelled())
                return TaskContext::cancelledError("placing ops");
            m_task.report("placing ops", static_cast<std::int64_t>(i),
                          static_cast<std::int64_t>(m_module.size()));
            PIM_TRY(PlacedOp placed, place(id));
            ops.push_back(std::move(placed));
        }
        return ops;
    }

private:
    bool pinsTo(std::string_view machine) const {
        return std::ranges::any_of(m_options.pins, [&](const auto& pin) { return pin.second == machine; });
    }

    Result<PlacedOp> place(OperationId id) {
        const Operation& op = m_module.operation(id);
        PlacedOp placed;
        placed.op = id;
        placed.name = nameOf(m_module, id);
        placed.work = workOf(m_module, op);
        placed.times = timesOf(m_module, op);
        if (m_options.dpus)
            placed.hostNs = onHostNs(m_module, op, m_options.dpus->host);
        std::string noTiles = "tiles multiply matrices, nothing else", noDpus = "no DPUs are asked for";
        const Scalar element = *m_module.type(m_module.operand(op, 0)).element();
        if (m_asksTiles && isProduct(op)) {
            if (isFloat(element))
                noTiles = fmt::format("tiles hold integers, its elements are {}", ir::name(element));
            else
                placed.tiles = onTiles(shapeOf(m_module, op), element, m_options);
        }
        if (m_asksDpus) {
            PIM_TRY(placed.dpus, m_dpus->place(m_module, op, constants(op), m_task));
            noDpus = placed.dpus->whyNoKernel;
        }
        PIM_TRY(placed.others, m_others.price(m_module, op, constants(op), m_task));
        decide(placed, op, noTiles, noDpus);
        if (op.def->name == "cinm.transpose" && constants(op)[0] && placed.machine == Machine::Host) {
            placed.hostNs = 0;
            placed.reason = "moves a constant: done once, before the first run";
        }
        return placed;
    }

    /// Which operands are arguments that stay in memory, however they are shaped.
    std::vector<bool> constants(const Operation& op) const {
        std::vector<bool> constant;
        for (ValueId value : m_module.operands(op)) {
            while (m_module.value(value).op.valid()) {
                const Operation& from = m_module.operation(m_module.value(value).op);
                const bool same = from.def->name == "tensor.collapse_shape" ||
                                  from.def->name == "tensor.expand_shape" ||
                                  from.def->name == "cinm.transpose";
                if (!same)
                    break;
                value = m_module.operand(from, 0);
            }
            const ValueInfo& info = m_module.value(value);
            constant.push_back(
                m_constant.contains(value) ||
                (info.op.valid() && m_module.operation(info.op).def->name == "arith.constant"));
        }
        return constant;
    }

    void decide(PlacedOp& placed, const Operation& op, const std::string& noTiles,
                const std::string& noDpus) const {
        const auto put = [&](Machine machine, std::string reason) {
            placed.machine = machine;
            placed.reason = std::move(reason);
        };
        for (auto pin = m_options.pins.rbegin(); pin != m_options.pins.rend(); ++pin) {
            if (placed.name.find(pin->first) == std::string::npos)
                continue;
            if (const auto other = std::ranges::find(placed.others, pin->second, &OtherPrice::target);
                other != placed.others.end()) {
                if (!other->ns)
                    return put(Machine::Host,
                               fmt::format("wanted on {}, but it {}", other->target, other->why));
                placed.where = other->target;
                return put(Machine::Other, "the user wants it there");
            }
            if (pin->second == name(Machine::Tiles) && !placed.tiles)
                return put(Machine::Host, fmt::format("wanted on tiles, but {}", noTiles));
            if (pin->second == name(Machine::Dpus) &&
                (!placed.dpus || (!placed.dpus->hasKernel() && !placed.dpus->fits)))
                return put(Machine::Host, fmt::format("wanted on DPUs, but {}", noDpus));
            return put(pin->second == name(Machine::Tiles)  ? Machine::Tiles
                       : pin->second == name(Machine::Dpus) ? Machine::Dpus
                                                            : Machine::Host,
                       "the user wants it there");
        }
        if (m_options.target == "memristor")
            return placed.tiles ? put(Machine::Tiles, "a product of integers") : put(Machine::Host, noTiles);
        if (op.def->name == "cinm.transpose")
            return put(Machine::Host, "moves data alone: the host does it on the way");
        if (placed.dpus && !placed.dpus->hasKernel() && !placed.dpus->fits &&
            (m_options.target == "upmem" || m_options.target == "paper"))
            return put(Machine::Host, noDpus);
        if (m_options.target == "upmem")
            return put(Machine::Dpus, placed.dpus->hasKernel()
                                          ? "DPUs have a kernel for it"
                                          : fmt::format("{}: interpreted, its time is unknown", noDpus));
        if (m_options.target == "paper")
            return byThePaper(placed, op, put);
        byCost(placed, noTiles, noDpus, put);
    }

    template <class Put>
    void byThePaper(const PlacedOp& placed, const Operation& op, const Put& put) const {
        if (!isProduct(op))
            return put(Machine::Dpus, "no product, so it goes to DPUs");
        const GemmShape shape = shapeOf(m_module, op);
        const std::int64_t least = std::min({shape.m, shape.k, shape.n});
        if (placed.tiles && least > m_options.threshold)
            return put(Machine::Tiles,
                       fmt::format("a product whose extents are all beyond {}", m_options.threshold));
        put(Machine::Dpus, placed.tiles ? fmt::format("a product with an extent of {}, not beyond {}", least,
                                                      m_options.threshold)
                                        : "a product of fractions, which tiles do not hold");
    }

    template <class Put>
    static void byCost(PlacedOp& placed, const std::string& noTiles, const std::string& noDpus,
                       const Put& put) {
        struct Offer {
            Machine machine;
            double ns;
            std::string name;
        };
        std::vector<Offer> offers{{Machine::Host, *placed.hostNs, "host"}};
        if (placed.dpus->hasKernel())
            offers.push_back({Machine::Dpus, placed.dpus->price.totalNs(), "upmem"});
        if (placed.tiles)
            offers.push_back({Machine::Tiles, placed.tiles->choice.wide.ns, "memristor"});
        std::string reason;
        for (const OtherPrice& other : placed.others) {
            if (other.ns)
                offers.push_back({Machine::Other, *other.ns, other.target});
            else
                reason += fmt::format("; {}: {}", other.target, other.why);
        }
        std::ranges::stable_sort(offers, {}, &Offer::ns);
        std::string ranked = fmt::format("{} {}", offers[0].name, timeText(offers[0].ns));
        for (std::size_t o = 1; o < offers.size(); ++o)
            ranked += fmt::format("{} {} {}", o == 1 ? ", against" : " and", offers[o].name,
                                  timeText(offers[o].ns));
        if (offers.size() == 1)
            ranked = fmt::format("only the host: {}; {}", noDpus, noTiles);
        if (offers[0].machine == Machine::Other)
            placed.where = offers[0].name;
        put(offers[0].machine, ranked + reason);
    }

    const Module& m_module;
    const FlowOptions& m_options;
    const TaskContext& m_task;
    bool m_asksTiles = false, m_asksDpus = false;
    std::optional<Dpus> m_dpus;
    OtherMachines m_others{m_options.backends, m_options.others};
    std::set<ValueId> m_constant;
};

} // namespace

std::string_view name(Machine machine) {
    static constexpr std::array<std::string_view, 4> kNames{"host", "memristor", "upmem", "elsewhere"};
    return kNames[static_cast<std::size_t>(machine)];
}

std::optional<double> PlacedOp::ns() const {
    if (machine == Machine::Tiles)
        return tiles->choice.wide.ns;
    if (machine == Machine::Host)
        return hostNs;
    if (machine == Machine::Other)
        return std::ranges::find(others, where, &OtherPrice::target)->ns;
    return dpus->hasKernel() ? std::optional(dpus->price.totalNs()) : std::nullopt;
}

std::string PlacedOp::machineText() const {
    return machine == Machine::Other ? where : std::string(cinm::name(machine));
}

std::string PlacedOp::mapping() const {
    if (machine == Machine::Tiles)
        return text(tiles->choice.mapping);
    return machine == Machine::Dpus ? text(dpus->mapping, dpus->loops) : std::string();
}

Result<std::vector<PlacedOp>> placeOps(const Module& cinm, const FlowOptions& options,
                                       const TaskContext& task) {
    if (cinm.functions().empty())
        return std::vector<PlacedOp>();
    return Placement(cinm, options, task).run();
}

} // namespace pim::cinm
