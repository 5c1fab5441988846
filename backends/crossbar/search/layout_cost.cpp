// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/search/layout_cost.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pim {
namespace {

constexpr double kTicksPerNs = 1024; // times are summed as whole numbers
/// Links of a mesh are never all busy: X-Y routes meet in the middle. About half of them work when the
/// busiest one does.
constexpr double kMeshEvenness = 0.5;
/// Cores that work in order hide about half of their vector work behind products. Measured likewise.
constexpr double kInOrderVectorPart = 0.5;
/// Of a local memory one map may take for later rounds: several share what kept_rows.h allows.
constexpr double kKeptPart = 0.0625;
/// Of what does not limit, in the objective.
constexpr double kSlackWeight = 0.05;

std::int64_t ticks(double ns) {
    return std::llround(ns * kTicksPerNs);
}

/// Products of an array group that span windows, for the windows of a strip; HT deals pixels out in tiles, as
/// square as they can be. See InputPieces.
double piecesOf(const CrossbarLayer& layer, Unfolding unfolding, const MapPart& strip, bool tiled) {
    const PixelWindow& w = layer.matrix()->window;
    const auto read = [](double windows, int size, int kernel, int stride, int dilation) {
        return std::min(
            {(windows - 1) * stride + (kernel - 1) * dilation + 1, windows * kernel, double(size)});
    };
    const bool byRow = unfolding == Unfolding::RowAcrossWindows;
    const double windows = double(strip.area()) / MapPart::kColumnParts;
    double height = strip.yEnd - strip.yBegin;
    if (tiled && !byRow)
        height = std::clamp(std::sqrt(windows), windows / layer.out.width, double(layer.out.height));
    const double width = windows / height,
                 rows = read(height, layer.in.height, w.kernelY, w.strideY, w.dilationY);
    return rows * (byRow ? width : read(width, layer.in.width, w.kernelX, w.strideX, w.dilationX));
}

} // namespace

CrossbarLayoutCost::CrossbarLayoutCost(const CrossbarLayout& layout, CrossbarMode mode)
    : m_layout(&layout), m_model(&layout.model()), m_mode(mode) {
    const std::size_t layers = m_model->network->layers.size();
    const auto chips = std::size_t(m_model->chip->chips());
    m_shares.resize(layers);
    m_readers.resize(layers);
    m_parts.resize(layers);
    m_lanes.assign(layers, std::vector<Traffic>(chips));
    m_products.assign(std::size_t(m_model->cores()), 0);
    m_vectorTicks.assign(std::size_t(m_model->cores()), 0);
    m_chips.resize(chips);
    for (const MatrixId entry : m_model->allEntries())
        computeMatrix(entry);
    for (std::size_t vector = 0; vector < m_model->vectors.size(); ++vector)
        computeVector(int(vector));
    for (const LayerId layer : FirstIds<LayerId>(std::int64_t(layers)))
        computeLanes(layer);
}

void CrossbarLayoutCost::addPart(LayerId layer, int sign) {
    const Part& part = m_parts[layer.index()];
    for (const auto& [core, count] : part.products)
        m_products[core.index()] += sign * count;
    for (const auto& [core, count] : part.vectorTicks)
        m_vectorTicks[core.index()] += sign * count;
    for (std::size_t chip = 0; chip < part.gather.size(); ++chip)
        m_chips[chip].add(part.gather[chip], sign);
}

int CrossbarLayoutCost::hops(CoreId from, CoreId to) const {
    const CrossbarChip& chip = *m_model->chip;
    if (chip.connection != CrossbarConnection::Mesh)
        return 1;
    const int a = from.value % chip.coresPerChip(), b = to.value % chip.coresPerChip();
    return std::max(1, std::abs(a % chip.coresX - b % chip.coresX) +
                           std::abs(a / chip.coresX - b / chip.coresX));
}

void CrossbarLayoutCost::countTransfer(Traffic& traffic, CoreId from, CoreId to, std::int64_t bytes) const {
    if (m_model->chip->chipOf(from) != m_model->chip->chipOf(to))
        traffic.off += bytes;
    traffic.direct += bytes * hops(from, to);
}

/// One core of the replicas of a worker.
struct CrossbarLayoutCost::Member {
    CoreId core;
    int groups = 0;
    std::pair<int, int> channels{1 << 30, 0}, columns{1 << 30, 0};
};
struct CrossbarLayoutCost::Worker : StripWorker {
    std::vector<Member> members; // the core of results first
};

/// Replicas that lie in the same cores work together.
std::vector<CrossbarLayoutCost::Worker> CrossbarLayoutCost::workersOf(MatrixId entry) const {
    const CrossbarLayoutLayer& layer = m_model->layers[entry.index()];
    const auto groups = std::size_t(layer.groups);
    std::map<std::vector<CoreId>, int> seen; // cores of the groups -> replicas that lie so
    for (const ReplicaId replica : FirstIds<ReplicaId>(m_layout->replicas(entry))) {
        const auto cores = m_layout->replica(entry, replica);
        ++seen[{cores.begin(), cores.end()}];
    }
    std::vector<Worker> workers;
    for (const auto& [cores, replicas] : seen) {
        Worker& worker = workers.emplace_back();
        worker.weight = replicas;
        for (std::size_t group = 0; group < groups; ++group) {
            auto member = std::ranges::find(worker.members, cores[group], &Member::core);
            if (member == worker.members.end())
                member = worker.members.insert(member, Member{cores[group]});
            ++member->groups;
            const auto& channels = layer.groupChannels[group];
            const auto& columns = layer.groupColumns[group];
            member->channels = {std::min(member->channels.first, channels.first),
                                std::max(member->channels.second, channels.second)};
            member->columns = {std::min(member->columns.first, columns.first),
                               std::max(member->columns.second, columns.second)};
        }
        std::ranges::stable_sort(worker.members,
                                 [](const Member& a, const Member& b) { return a.groups > b.groups; });
        worker.core = worker.members.front().core;
    }
    std::ranges::stable_sort(workers, {}, &Worker::core);
    return workers;
}

/// HT: of a layer with a fused pool what strips of the pool need.
std::vector<MapPart> CrossbarLayoutCost::stripsOfMatrix(const CrossbarLayoutLayer& layer,
                                                        const std::vector<Worker>& workers) const {
    std::vector<StripWorker> plain(workers.begin(), workers.end());
    if (!highThroughput() || !layer.pool.valid())
        return stripsOf(m_model->network->at(layer.layer).out, plain);
    const CrossbarFlow& pool = m_model->flows[layer.pool.index()];
    for (StripWorker& worker : plain)
        worker.weight = 1;
    std::vector<MapPart> strips;
    for (const MapPart& strip : stripsOf(m_model->network->at(pool.to).out, plain))
        strips.push_back(pool.needs(strip));
    return strips;
}

void CrossbarLayoutCost::computeMatrix(MatrixId entry) {
    const CrossbarLayoutLayer& layer = m_model->layers[entry.index()];
    const CrossbarChip& chip = *m_model->chip;
    const std::vector<Worker> workers = workersOf(entry);
    auto& shares = m_shares[layer.layer.index()];
    auto& readers = m_readers[layer.layer.index()];
    Part& part = m_parts[layer.layer.index()];
    addPart(layer.layer, -1);
    shares.clear();
    readers.clear();
    part = {};
    part.gather.resize(m_chips.size());
    const std::vector<MapPart> strips = stripsOfMatrix(layer, workers);
    for (std::size_t i = 0; i < workers.size(); ++i) {
        const Worker& worker = workers[i];
        const std::int64_t windows = (strips[i].area() + MapPart::kColumnParts / 2) / MapPart::kColumnParts;
        if (windows == 0)
            continue;
        shares.push_back({worker.core, strips[i]});
        const CrossbarLayer& shape = m_model->network->layers[layer.layer.index()];
        const double products = layer.spans
                                    ? piecesOf(shape, layer.partition->unfolding, strips[i], highThroughput())
                                    : double(windows);
        const double ofPhase = products / layer.phases;
        part.slowestTicks = std::max(part.slowestTicks, ticks(ofPhase / worker.weight * chip.mvmNs));
        for (const Member& member : worker.members) {
            part.products.emplace_back(member.core, std::int64_t(products * member.groups / layer.phases));
            part.slowestTicks = std::max(part.slowestTicks, ticks(ofPhase * member.groups * chip.mvmIssueNs));
            part.vectorTicks.emplace_back(
                member.core, ticks(double(windows) * layer.vectorNs * member.groups / layer.groups));
            readers.push_back({member.core, strips[i], member.channels.first, member.channels.second});
            if (&member == &worker.members.front())
                continue;
            const auto bytes = std::llround(layer.columnBytes *
                                            (member.columns.second - member.columns.first) * double(windows));
            countTransfer(part.gather[std::size_t(chip.chipOf(worker.core))], member.core, worker.core,
                          bytes);
        }
    }
    addPart(layer.layer, 1);
}

void CrossbarLayoutCost::computeVector(int index) {
    const CrossbarVectorLayer& layer = m_model->vectors[std::size_t(index)];
    const CrossbarLayer& shape = m_model->network->layers[layer.layer.index()];
    auto& shares = m_shares[layer.layer.index()];
    auto& readers = m_readers[layer.layer.index()];
    Part& part = m_parts[layer.layer.index()];
    addPart(layer.layer, -1);
    shares.clear();
    readers.clear();
    part = {};
    std::vector<StripWorker> workers;
    if (layer.home.valid()) {
        const auto& home = m_shares[m_model->layers[layer.home.index()].layer.index()];
        if (layer.alike && highThroughput())
            shares = home;
        else
            for (const StripShare& share : home)
                workers.push_back({share.core, 1});
    } else {
        for (const CoreId core : FirstIds<CoreId>(std::min(m_model->cores(), shape.out.width)))
            workers.push_back({core, 1});
    }
    if (layer.alone)
        workers.resize(std::min<std::size_t>(1, workers.size()));
    const std::vector<MapPart> strips =
        workers.empty() ? std::vector<MapPart>() : stripsOf(shape.out, workers);
    for (std::size_t i = 0; i < workers.size(); ++i)
        shares.push_back({workers[i].core, strips[i]});
    for (const StripShare& share : shares) {
        readers.push_back({share.core, share.part, 0, 1 << 30});
        const std::int64_t work = ticks(double(share.part.area()) / MapPart::kColumnParts * layer.vectorNs);
        part.vectorTicks.emplace_back(share.core, work);
        part.slowestTicks = std::max(part.slowestTicks, work);
    }
    addPart(layer.layer, 1);
}

void CrossbarLayoutCost::computeLanes(LayerId layer) {
    auto& lanes = m_lanes[layer.index()];
    for (std::size_t chip = 0; chip < lanes.size(); ++chip) {
        m_chips[chip].add(lanes[chip], -1);
        lanes[chip] = {};
    }
    const CrossbarChip& chip = *m_model->chip;
    const PixelMap& map = m_model->network->layers[layer.index()].out;
    struct Lane {
        CoreId core;
        MapPart part;
        int channelBegin = 0, channelEnd = 0;
    };
    // Readers in one core share what is there; it grows to hold all they need.
    std::vector<Lane> all;
    for (const FlowId index : m_model->flowsFrom[layer.index()]) {
        const CrossbarFlow& flow = m_model->flows[index.index()];
        if (flow.local && highThroughput())
            continue;
        for (const Reader& reader : m_readers[flow.to.index()]) {
            const int begin = std::max(0, reader.channelBegin - flow.channelAt);
            const int end = std::min(map.channels, reader.channelEnd - flow.channelAt);
            if (const MapPart part = flow.needs(reader.part); begin < end && part.area() > 0)
                all.push_back({reader.core, part, begin, end});
        }
    }
    std::ranges::stable_sort(all, {}, &Lane::core);
    const bool global = m_model->inGlobalMemory[layer.index()];
    std::int64_t loaded = 0;
    for (std::size_t i = 0; i < all.size();) {
        Lane lane = all[i];
        for (++i; i < all.size() && all[i].core == lane.core; ++i) {
            lane.part = {
                std::min(lane.part.xBegin, all[i].part.xBegin), std::max(lane.part.xEnd, all[i].part.xEnd),
                std::min(lane.part.yBegin, all[i].part.yBegin), std::max(lane.part.yEnd, all[i].part.yEnd)};
            lane.channelBegin = std::min(lane.channelBegin, all[i].channelBegin);
            lane.channelEnd = std::max(lane.channelEnd, all[i].channelEnd);
        }
        const std::int64_t pixelBytes =
            std::int64_t(lane.channelEnd - lane.channelBegin) * chip.activationBytes();
        Traffic& traffic = lanes[std::size_t(chip.chipOf(lane.core))];
        if (highThroughput() || global) {
            const std::int64_t bytes = lane.part.area() * pixelBytes / MapPart::kColumnParts -
                                       keptBytes(layer, lane.core, lane.part, pixelBytes);
            traffic.load += bytes;
            loaded += bytes;
        }
        if (global || (highThroughput() && chip.chips() == 1))
            continue;
        for (const StripShare& share : m_shares[layer.index()]) {
            if (share.core == lane.core)
                continue;
            const std::int64_t bytes = share.part.meet(lane.part).area() * pixelBytes / MapPart::kColumnParts;
            if (!highThroughput())
                countTransfer(traffic, share.core, lane.core, bytes);
            else if (chip.chipOf(share.core) != chip.chipOf(lane.core))
                traffic.off += bytes;
        }
    }
    // What nobody loads is not stored either.
    const std::int64_t mapBytes = map.elements() * chip.activationBytes();
    if (highThroughput() && !all.empty() && !global && !m_model->mustStore[layer.index()] &&
        loaded < mapBytes)
        for (Traffic& traffic : lanes)
            traffic.store -= (mapBytes - loaded) / std::int64_t(lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i)
        m_chips[i].add(lanes[i], 1);
}

/// HT: of what a core reads of a map, the part it computed itself stays in it where its memory has room.
std::int64_t CrossbarLayoutCost::keptBytes(LayerId layer, CoreId core, const MapPart& part,
                                           std::int64_t pixelBytes) const {
    std::int64_t area = 0;
    if (highThroughput())
        for (const StripShare& share :
             std::ranges::equal_range(m_shares[layer.index()], core, {}, &StripShare::core))
            area += share.part.meet(part).area();
    const std::int64_t bytes = area * pixelBytes / MapPart::kColumnParts;
    return double(bytes) <= kKeptPart * double(m_model->chip->localBytes) ? bytes : 0;
}

void CrossbarLayoutCost::update(MatrixId entry) {
    computeMatrix(entry);
    std::vector<LayerId> changed{
        m_model->layers[entry.index()].layer}; // whose maps lie or are read elsewhere
    for (const int vector : m_model->homeVectors[entry.index()]) {
        computeVector(vector);
        changed.push_back(m_model->vectors[std::size_t(vector)].layer);
    }
    std::vector<LayerId> touched = changed;
    for (const LayerId layer : changed)
        for (const FlowId flow : m_model->flowsTo[layer.index()])
            touched.push_back(m_model->flows[flow.index()].from);
    std::ranges::sort(touched);
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    for (const LayerId layer : touched)
        computeLanes(layer);
}

double CrossbarLayoutCost::vectorNs(CoreId core) const {
    return double(m_vectorTicks[core.index()]) / kTicksPerNs;
}

double CrossbarLayoutCost::productNs(CoreId core) const {
    return double(m_products[core.index()]) * m_model->chip->mvmIssueNs;
}

double CrossbarLayoutCost::busyNs(CoreId core) const {
    return productNs(core) + (m_model->chip->inOrder ? kInOrderVectorPart * vectorNs(core) : 0);
}

CrossbarLayoutCost::ChipTimes CrossbarLayoutCost::chipTimes(std::size_t index) const {
    const CrossbarChip& chip = *m_model->chip;
    const Traffic& traffic = m_chips[index];
    const double stored =
        double(highThroughput() ? m_model->storedBytes : m_model->outputBytes) / chip.chips();
    ChipTimes times;
    times.globalNs = (double(traffic.load + traffic.store) + stored) / chip.globalBytesPerNs;
    if (chip.connection == CrossbarConnection::SharedMemory) {
        times.globalNs += 2 * double(traffic.direct) / chip.globalBytesPerNs; // stored and loaded
    } else {
        double network = chip.connectionBytesPerNs;
        if (chip.connection == CrossbarConnection::Mesh) {
            const int links = 2 * ((chip.coresX - 1) * chip.coresY + chip.coresX * (chip.coresY - 1));
            network *= kMeshEvenness * std::max(1, links);
        }
        times.networkNs = double(traffic.direct) / network;
    }
    if (chip.chips() > 1)
        times.offNs = double(traffic.off) / chip.offChipBytesPerNs;
    return times;
}

/// Of the array group with most windows: it takes a new one only when it is done with the last.
double CrossbarLayoutCost::chainNs() const {
    std::int64_t most = 0;
    for (const CrossbarLayoutLayer& layer : m_model->layers)
        most = std::max(most, m_parts[layer.layer.index()].slowestTicks);
    return double(most) / kTicksPerNs;
}

CrossbarCost CrossbarLayoutCost::cost() const {
    const CrossbarChip& chip = *m_model->chip;
    CrossbarCost cost;
    for (const CoreId core : m_model->allCores()) {
        if (!cost.busiestCore.valid() || productNs(core) > cost.issueNs)
            cost.busiestCore = core;
        cost.issueNs = std::max(cost.issueNs, productNs(core));
        cost.vectorNs = std::max(cost.vectorNs, vectorNs(core));
    }
    std::int64_t direct = 0;
    double busy = 0;
    for (const CoreId core : m_model->allCores())
        busy = std::max(busy, busyNs(core));
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const ChipTimes times = chipTimes(i);
        cost.globalNs = std::max(cost.globalNs, times.globalNs);
        cost.networkNs = std::max(cost.networkNs, times.networkNs);
        cost.offChipNs = std::max(cost.offChipNs, times.offNs);
        cost.loadBytes += m_chips[i].load;
        cost.storeBytes += m_chips[i].store;
        direct += m_chips[i].direct;
        cost.offChipBytes += m_chips[i].off;
    }
    cost.networkBytes = direct;
    cost.storeBytes += highThroughput() ? m_model->storedBytes : m_model->outputBytes;
    // HT: cores meet to hand sums over, and issue nothing meanwhile.
    if (highThroughput())
        busy += cost.networkNs;
    cost.periodNs = std::max(
        {chainNs() + chip.mvmNs, busy, cost.vectorNs, cost.globalNs, cost.networkNs, cost.offChipNs});
    cost.energyPj = energyPj(cost, cost.periodNs);
    return cost;
}

double CrossbarLayoutCost::objective() const {
    const CrossbarCost now = cost();
    double power = 0; // a norm of the cores' loads: every core less busy counts, the busiest most
    for (const CoreId core : m_model->allCores()) {
        const double part = busyNs(core) / std::max(1.0, now.issueNs);
        const double square = part * part;
        power += square * square * square * square;
    }
    const double even = now.issueNs * std::pow(power / m_model->cores(), 1.0 / 8);
    return now.periodNs + kSlackWeight * (even + now.globalNs + now.networkNs + now.offChipNs);
}

double CrossbarLayoutCost::energyPj(const CrossbarCost& cost, double sampleNs) const {
    const CrossbarChip& chip = *m_model->chip;
    const CrossbarEnergy& energy = chip.energy;
    if (!energy.mvmPj)
        return 0;
    double sum = 0, arrays = 0;
    for (const CrossbarLayoutLayer& layer : m_model->layers)
        sum += double(layer.windows) * layer.crossbars * *energy.mvmPj;
    for (const auto& kind : m_model->capacity)
        for (const int count : kind)
            arrays += count;
    double vectorNsInAll = 0;
    for (const CoreId core : m_model->allCores())
        vectorNsInAll += vectorNs(core);
    sum += vectorNsInAll / chip.vectorNs * chip.vectorBytes * chip.vectorUnits *
           energy.vectorPjPerByte.value_or(0);
    sum += double(cost.loadBytes + cost.storeBytes) * energy.globalPjPerByte.value_or(0);
    sum += double(cost.networkBytes) * energy.networkPjPerByteHop.value_or(0);
    sum += double(cost.offChipBytes) * energy.offChipPjPerByte.value_or(0);
    // Milliwatts times nanoseconds are picojoules.
    sum += sampleNs *
           (arrays * energy.arrayLeakageMw.value_or(0) + chip.cores() * energy.coreLeakageMw.value_or(0) +
            chip.chips() * energy.chipLeakageMw.value_or(0));
    return sum;
}

} // namespace pim
