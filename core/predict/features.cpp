// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/features.h"

#include "core/base/hash.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pim {
namespace {

constexpr int kLoops = 4, kTensors = 4; // of a kernel; further ones are seen in the sums only
constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

constexpr const char* kMachine[][3] = {
    // name in the target, unit, meaning
    {"timing.tCK", "ns", "clock"},
    {"timing.nCCDS", "cycles", "burst to burst of different bank groups"},
    {"timing.nCCDL", "cycles", "burst to burst of a bank group"},
    {"timing.nCCDAB", "cycles", "command to command of all banks"},
    {"timing.nRP", "cycles", "closing a row"},
    {"timing.nRCDRD", "cycles", "opening a row for reading"},
    {"timing.nFAW", "cycles", "window of four activations"},
    {"timing.nRFC", "cycles", "refresh"},
    {"timing.nREFI", "cycles", "refresh to refresh"},
    {"organisation.rowBytes", "B", "row of a bank"},
    {"organisation.banksPerCore", "1", "banks of a core"},
};

float log2Of(double value) {
    return static_cast<float>(std::log2(std::max(value, 1e-3)));
}

/// Of the last, partly filled unit.
float lastShare(double amount, double unit) {
    const double rest = std::fmod(amount, unit);
    return static_cast<float>(rest == 0 ? 1 : rest / unit);
}

std::vector<FeatureInfo> makeList() {
    std::vector<FeatureInfo> list{
        {"kernel.body", "1", "kind of body: 0 multiply-add, 1 elementwise, 2 reduction, 3 attention"},
        {"kernel.iterations", "log2", "iterations of the nest"},
        {"price.total", "log2 ns", "formula: all parts"},
        {"price.input", "share", "formula: operands brought in"},
        {"price.compute", "share", "formula: units at work"},
        {"price.output", "share", "formula: results brought back"},
        {"price.mode", "share", "formula: mode switches"},
        {"price.computeNs", "log2 ns", "formula: units at work"},
        {"draft.groups", "log2", "groups with work"},
        {"draft.cores", "log2", "cores with work in the fullest group"},
        {"draft.groupsUsed", "share", "of the groups of the machine"},
        {"draft.coresUsed", "share", "of the cores of a group"},
        {"draft.coresOfFour", "1", "cores with work, modulo 4: units that serve four banks"},
        {"draft.iterations", "log2", "iterations of the busiest core"},
        {"draft.padding", "share", "iterations that all used cores do beyond those of the kernel"},
        {"draft.uniform", "1", "all working cores have equal tiles"},
        {"draft.bytes", "log2 B", "memory of a core"},
        {"draft.scorePartialCores", "log2", "attention: cores that share a score"},
        {"draft.scorePartialGroups", "log2", "attention: groups that share a score"},
        {"draft.results", "log2", "iterations of loops of the result, on one core"},
        {"draft.resultsOf16", "1", "the same, modulo 16 accumulators"},
        {"draft.summed", "log2", "iterations of summed loops, on one core"},
        {"draft.summedBursts", "log2", "the same in bursts, lanes padded"},
        {"draft.lanes", "share", "lanes of the last burst in use"},
        {"draft.rows", "log2", "rows that all bursts of a core fill"},
        {"draft.lastRow", "share", "of the last row in use"},
    };
    for (int l = 0; l < kLoops; ++l) {
        list.push_back({fmt::format("loop{}.tile", l), "log2", "iterations of one core"});
        list.push_back({fmt::format("loop{}.parts", l), "log2", "pieces of the loop"});
        list.push_back({fmt::format("loop{}.last", l), "share", "of the last piece in use"});
        list.push_back({fmt::format("loop{}.lanes", l), "share", "of the last 16 iterations in use"});
    }
    for (int t = 0; t < kTensors; ++t) {
        const std::string who = t == 0 ? "output" : fmt::format("input{}", t);
        list.push_back({who + ".tile", "log2 B", "of the core with the largest tile"});
        list.push_back({who + ".group", "log2 B", "different bytes of a group"});
        list.push_back({who + ".copyCores", "log2", "cores with the same tile"});
        list.push_back({who + ".copyGroups", "log2", "groups with the same tiles"});
        list.push_back({who + ".run", "log2 B", "longest stretch in the order of the host"});
        list.push_back({who + ".burst", "share", "of the last burst in use"});
        list.push_back({who + ".row", "share", "of the last row in use"});
        list.push_back({who + ".resident", "1", "there before the kernel starts"});
    }
    list.push_back({"output.partialCores", "log2", "cores with partial results of an element"});
    list.push_back({"output.partialGroups", "log2", "groups with partial results of an element"});
    list.push_back({"machine.groups", "log2", "groups"});
    list.push_back({"machine.cores", "log2", "cores of a group"});
    list.push_back({"machine.lanes", "1", "elements of one operation"});
    for (const auto& [name, unit, meaning] : kMachine)
        list.push_back({std::string("machine.") + name, unit, meaning});
    return list;
}

bool drives(const TensorAccess& access, int loop) {
    return std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

/// Puts one value after the other.
class Row {
public:
    explicit Row(std::span<float> values) : m_values(values) {}
    void add(float value) { m_values[m_at++] = value; }
    void addLog(double value) { add(log2Of(value)); }
    void addNone(int count) {
        for (int i = 0; i < count; ++i)
            add(kNone);
    }
    std::span<float> rest(std::size_t count) {
        m_at += count;
        return m_values.subspan(m_at - count, count);
    }
    bool full() const { return m_at == m_values.size(); }

private:
    std::span<float> m_values;
    std::size_t m_at = 0;
};

constexpr std::size_t kOfTensor = 8;

} // namespace

const std::vector<FeatureInfo>& draftFeatureList() {
    static const std::vector<FeatureInfo> list = makeList();
    return list;
}

const std::string& draftFeatureHash() {
    static const std::string hash = [] {
        Sha256 sum;
        for (const FeatureInfo& feature : draftFeatureList())
            sum.add(feature.name + "\n" + feature.unit + "\n" + feature.meaning + "\n");
        return sum.hex();
    }();
    return hash;
}

DraftFeatures::DraftFeatures(const TilingSpace& space, const Target& target,
                             const std::vector<Residency>& residency)
    : m_space(space) {
    const Kernel& kernel = space.kernel();
    for (const Residency r : residency)
        m_resident.push_back(r == Residency::Resident);
    const auto place = [this](int tensor) {
        if (std::find(m_tensors.begin(), m_tensors.end(), tensor) == m_tensors.end())
            m_tensors.push_back(tensor);
    };
    for (const bool written : {true, false})
        for (const TensorAccess& access : kernel.accesses)
            if (access.isWrite == written)
                place(access.tensor);
    for (std::size_t l = 0; l < kernel.loops.size(); ++l)
        m_isSummed.push_back(
            std::none_of(kernel.accesses.begin(), kernel.accesses.end(), [l](const TensorAccess& access) {
                return access.isWrite && drives(access, static_cast<int>(l));
            }));
    m_groups = space.resources().groups;
    m_cores = space.resources().coresPerGroup;
    m_lanes = std::max(1, space.resources().simdLanes);
    m_burstBytes = std::max(1.0, target.numberOr("organisation.accessBytes", 32));
    m_rowBytes = std::max(1.0, target.numberOr("organisation.rowBytes", 1024));
    m_machine = {log2Of(m_groups), log2Of(m_cores), static_cast<float>(m_lanes)};
    for (const auto& entry : kMachine)
        m_machine.push_back(static_cast<float>(target.numberOr(entry[0], kNone)));
}

void DraftFeatures::writeShare(const TensorShare& share, int tensor, std::span<float> values) const {
    const KernelTensor& kernelTensor = m_space.kernel().tensors[static_cast<std::size_t>(tensor)];
    const auto element = static_cast<double>(bytesOf(kernelTensor.dtype));
    const double tile = static_cast<double>(share.tileElements) * element;
    Row row(values);
    row.addLog(tile);
    row.addLog(static_cast<double>(share.groupElements) * element);
    row.addLog(static_cast<double>(share.coresPerCopy));
    row.addLog(static_cast<double>(share.groupsPerCopy));
    row.addLog(static_cast<double>(share.contiguousElements) * element);
    row.add(lastShare(tile, m_burstBytes));
    row.add(lastShare(tile, m_rowBytes));
    row.add(m_resident[static_cast<std::size_t>(tensor)] ? 1 : 0);
}

void DraftFeatures::write(const Draft&, const DraftSummary& draft, const KernelPrice& price,
                          std::span<float> values) const {
    const Kernel& kernel = m_space.kernel();
    Row row(values);
    row.add(static_cast<float>(kernel.body));
    const auto iterations = static_cast<double>(kernel.iterations());
    row.addLog(iterations);
    const double total = price.totalNs();
    row.addLog(total);
    for (const double part : {price.busInputNs, price.computeNs, price.busOutputNs, price.modeSwitchNs})
        row.add(static_cast<float>(total > 0 ? part / total : 0));
    row.addLog(price.computeNs);
    const auto groups = static_cast<double>(draft.groupsUsed), cores = static_cast<double>(draft.coresUsed);
    row.addLog(groups);
    row.addLog(cores);
    row.add(static_cast<float>(groups / m_groups));
    row.add(static_cast<float>(cores / m_cores));
    row.add(static_cast<float>(draft.coresUsed % 4));
    row.addLog(static_cast<double>(draft.iterationsPerCore));
    row.add(static_cast<float>(static_cast<double>(draft.iterationsPerCore) * groups * cores /
                               std::max(1.0, iterations)));
    row.add(draft.uniform ? 1 : 0);
    row.addLog(static_cast<double>(draft.bytesPerCore));
    row.addLog(static_cast<double>(draft.scorePartialCores));
    row.addLog(static_cast<double>(draft.scorePartialGroups));

    double results = 1, summed = 1;
    for (std::size_t l = 0; l < m_isSummed.size(); ++l)
        (m_isSummed[l] ? summed : results) *=
            static_cast<double>(std::max<std::int64_t>(1, draft.loopTile[l]));
    const double bursts = std::ceil((summed > 1 ? summed : results) / m_lanes);
    const double all = summed > 1 ? bursts * results : bursts;
    row.addLog(results);
    row.add(static_cast<float>(std::fmod(results, 16)));
    row.addLog(summed);
    row.addLog(bursts);
    row.add(lastShare(summed > 1 ? summed : results, m_lanes));
    row.addLog(std::ceil(all * m_burstBytes / m_rowBytes));
    row.add(lastShare(all * m_burstBytes, m_rowBytes));

    for (std::size_t l = 0; l < kLoops; ++l) {
        if (l >= kernel.loops.size()) {
            row.addNone(4);
            continue;
        }
        const auto extent = static_cast<double>(kernel.loops[l].extent);
        const auto tile = static_cast<double>(std::max<std::int64_t>(1, draft.loopTile[l]));
        row.addLog(tile);
        row.addLog(std::ceil(extent / tile));
        row.add(lastShare(extent, tile));
        row.add(lastShare(tile, 16));
    }
    for (std::size_t t = 0; t < kTensors; ++t) {
        if (t < m_tensors.size())
            writeShare(draft.tensors[static_cast<std::size_t>(m_tensors[t])], m_tensors[t],
                       row.rest(kOfTensor));
        else
            row.addNone(kOfTensor);
    }
    const TensorShare& output = draft.tensors[static_cast<std::size_t>(m_tensors.front())];
    row.addLog(static_cast<double>(output.partialCores));
    row.addLog(static_cast<double>(output.partialGroups));
    for (const float value : m_machine)
        row.add(value);
    PIM_ASSERT(row.full(), "features written and listed");
}

PriceTerms DraftFeatures::terms(const DraftSummary& draft, const KernelPrice& price) const {
    PriceTerms terms{price.busInputNs, price.computeNs, price.busOutputNs, price.modeSwitchNs, 1};
    for (std::size_t t = 0; t < std::min<std::size_t>(kTensors, m_tensors.size()); ++t) {
        const auto tensor = static_cast<std::size_t>(m_tensors[t]);
        const double bursts =
            static_cast<double>(bytesOf(m_space.kernel().tensors[tensor].dtype)) / m_burstBytes;
        const TensorShare& share = draft.tensors[tensor];
        const double tile = std::ceil(static_cast<double>(share.tileElements) * bursts);
        double* const own = &terms[5 + 3 * t];
        own[0] = tile;
        own[1] = static_cast<double>(share.groupElements) * bursts;
        own[2] = tile * static_cast<double>(draft.coresUsed);
    }
    return terms;
}

} // namespace pim
