// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/crossbar/search/layout_cost.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace pim {
namespace {

constexpr double kTicksPerNs = 1024; // vector times are summed as whole numbers

/// Links of a mesh are never all busy: X-Y routes meet in the middle. About half of them work when the busiest one does.
constexpr double kMeshEvenness = 0.5;

std::int64_t ticks(double ns) { return std::llround(ns * kTicksPerNs); }

std::int64_t overlap(PixelSpan a, PixelSpan b) {
    return std::max<std::int64_t>(0, std::min(a.end, b.end) - std::max(a.begin, b.begin));
}

/// How many distinct channels the given groups of a layer read, as a part of all.
double channelShare(const CrossbarLayoutLayer& layer, std::vector<PixelSpan> spans) {
    std::ranges::sort(spans, {}, &PixelSpan::begin);
    std::int64_t covered = 0, reached = 0, wrapped = 0;
    for (const PixelSpan& span : spans) {
        wrapped = std::max(wrapped, span.end - layer.channels); // rows go on with the next place of the window
        covered += std::max<std::int64_t>(0, std::min<std::int64_t>(span.end, layer.channels) - std::max(span.begin, reached));
        reached = std::max(reached, span.end);
    }
    const std::int64_t before = spans.empty() ? 0 : spans.front().begin;
    covered += std::clamp<std::int64_t>(wrapped, 0, before);
    return std::min(1.0, double(covered) / std::max(1, layer.channels));
}

} // namespace

CrossbarLayoutCost::CrossbarLayoutCost(const CrossbarLayout& layout) : m_layout(&layout), m_model(&layout.model()) {
    const std::size_t layers = m_model->network->layers.size();
    const auto chips = std::size_t(m_model->chip->chips());
    m_shares.resize(layers);
    m_readers.resize(layers);
    m_parts.resize(layers);
    m_flows.assign(m_model->flows.size(), std::vector<Traffic>(chips));
    m_flowStores.assign(m_model->flows.size(), std::vector<std::int64_t>(chips, 0));
    m_products.assign(std::size_t(m_model->cores()), 0);
    m_vectorTicks.assign(std::size_t(m_model->cores()), 0);
    m_chips.resize(chips);
    m_gather.resize(chips);
    m_stores.assign(chips, 0);
    for (std::size_t entry = 0; entry < m_model->layers.size(); ++entry)
        computeMatrix(int(entry));
    for (std::size_t vector = 0; vector < m_model->vectors.size(); ++vector)
        computeVector(int(vector));
    for (std::size_t flow = 0; flow < m_model->flows.size(); ++flow)
        computeFlow(int(flow));
}

void CrossbarLayoutCost::addPart(int layer, int sign) {
    const Part& part = m_parts[std::size_t(layer)];
    for (const auto& [core, count] : part.products)
        m_products[std::size_t(core)] += sign * count;
    for (const auto& [core, count] : part.vectorTicks)
        m_vectorTicks[std::size_t(core)] += sign * count;
    for (std::size_t chip = 0; chip < part.gather.size(); ++chip)
        m_gather[chip].add(part.gather[chip], sign);
}

int CrossbarLayoutCost::hops(int from, int to) const {
    const CrossbarChip& chip = *m_model->chip;
    if (chip.connection != CrossbarConnection::Mesh)
        return 1;
    const int a = from % chip.coresPerChip(), b = to % chip.coresPerChip();
    return std::max(1, std::abs(a % chip.coresX - b % chip.coresX) + std::abs(a / chip.coresX - b / chip.coresX));
}

void CrossbarLayoutCost::countTransfer(Traffic& traffic, int from, int to, std::int64_t bytes) const {
    const CrossbarChip& chip = *m_model->chip;
    if (chip.chipOf(from) != chip.chipOf(to))
        traffic.off += bytes;
    traffic.load += bytes;
    traffic.direct += bytes * hops(from, to);
}

void CrossbarLayoutCost::computeMatrix(int entry) {
    const CrossbarLayoutLayer& layer = m_model->layers[std::size_t(entry)];
    const CrossbarLayout& layout = *m_layout;
    const std::vector<int>& cores = layout.cores(entry);
    const int groups = layer.groups, replicas = layout.replicas(entry);
    std::map<int, std::vector<int>> heads; // core of the first group -> replicas
    for (int replica = 0; replica < replicas; ++replica)
        heads[cores[std::size_t(replica) * std::size_t(groups)]].push_back(replica);

    auto& shares = m_shares[std::size_t(layer.layer)];
    auto& readers = m_readers[std::size_t(layer.layer)];
    Part& part = m_parts[std::size_t(layer.layer)];
    addPart(layer.layer, -1);
    shares.clear();
    readers.clear();
    part = {};
    part.gather.resize(m_chips.size());
    std::int64_t before = 0;
    for (const auto& [head, mine] : heads) {
        const PixelSpan pixels = proportionalSpan(layer.windows, before, std::int64_t(mine.size()), replicas);
        before += std::int64_t(mine.size());
        shares.push_back({head, pixels});
        struct Piece {
            int replicas = 0, last = -1;
            std::int64_t products = 0, ticksOf = 0;
            std::vector<PixelSpan> channels;
        };
        std::map<int, Piece> pieces;
        for (std::size_t i = 0; i < mine.size(); ++i) {
            const std::int64_t windows = proportionalSpan(pixels.size(), std::int64_t(i), 1, std::int64_t(mine.size())).size();
            for (int group = 0; group < groups; ++group) {
                Piece& piece = pieces[cores[std::size_t(mine[i]) * std::size_t(groups) + std::size_t(group)]];
                piece.products += windows;
                if (piece.last != mine[i]) {
                    piece.last = mine[i];
                    ++piece.replicas;
                    piece.channels.clear(); // replicas are cut alike: the last one speaks for all
                }
                piece.channels.push_back(layer.groupChannels[std::size_t(group)]);
            }
        }
        for (auto& [core, piece] : pieces) {
            part.products.emplace_back(core, piece.products);
            part.vectorTicks.emplace_back(core, ticks(double(piece.products) * layer.vectorNs / groups));
            // Windows are dealt out in turn: with kernels wider than the stride a core still reads nearly every pixel.
            const double width = m_model->network->layers[std::size_t(layer.layer)].matrix()->window.kernelX;
            const double pixelShare = std::min(1.0, width * piece.replicas / double(mine.size()));
            readers.push_back({core, pixels, pixelShare * channelShare(layer, std::move(piece.channels))});
            if (core == head)
                continue;
            const auto bytes = std::llround(layer.gatherBytes * double(pixels.size()) * piece.replicas / double(mine.size()));
            countTransfer(part.gather[std::size_t(m_model->chip->chipOf(head))], core, head, bytes);
        }
    }
    addPart(layer.layer, 1);
}

void CrossbarLayoutCost::computeVector(int vector) {
    const CrossbarVectorLayer& layer = m_model->vectors[std::size_t(vector)];
    auto& shares = m_shares[std::size_t(layer.layer)];
    auto& readers = m_readers[std::size_t(layer.layer)];
    Part& part = m_parts[std::size_t(layer.layer)];
    addPart(layer.layer, -1);
    shares.clear();
    readers.clear();
    part = {};
    if (layer.owner < 0) {
        shares.push_back({0, {0, m_model->network->windows(layer.layer)}});
    } else {
        const std::int64_t all = m_model->network->windows(layer.layer);
        const std::int64_t source = m_model->network->windows(layer.owner);
        for (const PixelShare& share : m_shares[std::size_t(layer.owner)])
            if (const PixelSpan span{share.pixels.begin * all / source, share.pixels.end * all / source}; span.size() > 0)
                shares.push_back({share.core, span});
    }
    for (const PixelShare& share : shares) {
        readers.push_back({share.core, share.pixels, 1});
        part.vectorTicks.emplace_back(share.core, ticks(double(share.pixels.size()) * layer.vectorNs));
    }
    addPart(layer.layer, 1);
}

void CrossbarLayoutCost::computeFlow(int index) {
    const CrossbarFlow& flow = m_model->flows[std::size_t(index)];
    const CrossbarChip& chip = *m_model->chip;
    auto& traffic = m_flows[std::size_t(index)];
    auto& stores = m_flowStores[std::size_t(index)];
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        m_chips[i].add(traffic[i], -1);
        m_stores[i] -= stores[i];
        traffic[i] = {};
        stores[i] = 0;
    }
    const bool global = m_model->inGlobalMemory[std::size_t(flow.from)];
    const auto& sources = m_shares[std::size_t(flow.from)];
    for (const Reader& reader : readersOf(flow.to)) {
        const PixelSpan needs = flow.needs(reader.pixels);
        const double bytesOfPixel = flow.pixelBytes * flow.density * reader.share;
        const auto to = std::size_t(chip.chipOf(reader.core));
        if (global) {
            traffic[to].forced += std::llround(bytesOfPixel * double(needs.size()));
            continue;
        }
        auto source = std::ranges::upper_bound(sources, needs.begin, {}, [](const PixelShare& s) { return s.pixels.end; });
        for (; source != sources.end() && source->pixels.begin < needs.end; ++source) {
            if (source->core == reader.core)
                continue;
            const auto bytes = std::llround(bytesOfPixel * double(overlap(needs, source->pixels)));
            countTransfer(traffic[to], source->core, reader.core, bytes);
            stores[std::size_t(chip.chipOf(source->core))] += bytes;
        }
    }
    // Stored once, however many cores read it.
    const auto all = std::llround(flow.pixelBytes * double(flow.source.pixels()));
    for (std::size_t i = 0; i < traffic.size(); ++i) {
        stores[i] = std::min<std::int64_t>(stores[i], all);
        m_chips[i].add(traffic[i], 1);
        m_stores[i] += stores[i];
    }
}

void CrossbarLayoutCost::recomputeOwned(int layer, std::vector<int>& touched) {
    touched.push_back(layer);
    for (const int vector : m_model->ownedVectors[std::size_t(layer)]) {
        computeVector(vector);
        recomputeOwned(m_model->vectors[std::size_t(vector)].layer, touched);
    }
}

void CrossbarLayoutCost::update(int entry) {
    computeMatrix(entry);
    std::vector<int> touched, flows;
    recomputeOwned(m_model->layers[std::size_t(entry)].layer, touched);
    for (const int layer : touched) {
        flows.insert(flows.end(), m_model->flowsFrom[std::size_t(layer)].begin(), m_model->flowsFrom[std::size_t(layer)].end());
        flows.insert(flows.end(), m_model->flowsTo[std::size_t(layer)].begin(), m_model->flowsTo[std::size_t(layer)].end());
    }
    std::ranges::sort(flows);
    flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
    for (const int flow : flows)
        computeFlow(flow);
}

double CrossbarLayoutCost::vectorNs(int core) const {
    return double(m_vectorTicks[std::size_t(core)]) / kTicksPerNs;
}

double CrossbarLayoutCost::productNs(int core) const {
    return double(m_products[std::size_t(core)]) * m_model->chip->mvmIssueNs;
}

CrossbarLayoutCost::ChipTimes CrossbarLayoutCost::chipTimes(std::size_t index) const {
    const CrossbarChip& chip = *m_model->chip;
    const Traffic& traffic = m_chips[index];
    const Traffic& gather = m_gather[index];
    // The network's input is in flows; its output is stored once, by all chips together.
    const double output = m_model->outputBytes / chip.chips();
    ChipTimes times;
    times.forcedBytes = double(traffic.forced) + output;
    times.globalBytes = double(traffic.load + m_stores[index]);
    times.networkBytes = double(traffic.direct);
    times.gatherBytes = double(gather.direct);
    const double global = chip.globalBytesPerNs;
    if (chip.connection == CrossbarConnection::SharedMemory) {
        times.globalNs = (times.forcedBytes + times.globalBytes + 2 * times.gatherBytes) / global;
    } else {
        double network = chip.connectionBytesPerNs;
        if (chip.connection == CrossbarConnection::Mesh) {
            const int links = 2 * ((chip.coresX - 1) * chip.coresY + chip.coresX * (chip.coresY - 1));
            network *= kMeshEvenness * std::max(1, links);
        }
        // What may go either way is split so that both are done at the same time.
        const double forcedNs = times.forcedBytes / global, gatherNs = times.gatherBytes / network;
        const double globalNs = times.globalBytes / global, networkNs = times.networkBytes / network;
        const double sum = globalNs + networkNs;
        times.direct = sum > 0 ? std::clamp((globalNs + forcedNs - gatherNs) / sum, 0.0, 1.0) : 0;
        times.globalNs = forcedNs + (1 - times.direct) * globalNs;
        times.networkNs = gatherNs + times.direct * networkNs;
    }
    if (chip.chips() > 1)
        times.offNs = double(traffic.off + gather.off) / chip.offChipBytesPerNs;
    return times;
}

CrossbarCost CrossbarLayoutCost::cost() const {
    const CrossbarChip& chip = *m_model->chip;
    CrossbarCost cost;
    for (int core = 0; core < m_model->cores(); ++core) {
        if (cost.busiestCore < 0 || productNs(core) > cost.issueNs)
            cost.busiestCore = core;
        cost.issueNs = std::max(cost.issueNs, productNs(core));
        cost.vectorNs = std::max(cost.vectorNs, vectorNs(core));
    }
    double chainNs = 0;
    for (std::size_t entry = 0; entry < m_model->layers.size(); ++entry) {
        const std::int64_t replicas = std::max(1, m_layout->replicas(int(entry)));
        chainNs = std::max(chainNs, double((m_model->layers[entry].windows + replicas - 1) / replicas) * chip.mvmNs);
    }
    for (std::size_t i = 0; i < m_chips.size(); ++i) {
        const ChipTimes times = chipTimes(i);
        cost.globalNs = std::max(cost.globalNs, times.globalNs);
        cost.networkNs = std::max(cost.networkNs, times.networkNs);
        cost.offChipNs = std::max(cost.offChipNs, times.offNs);
        cost.loadBytes += std::llround((1 - times.direct) * double(m_chips[i].load)) + m_chips[i].forced;
        cost.storeBytes += std::llround((1 - times.direct) * double(m_stores[i]));
        cost.networkBytes += std::llround(times.direct * times.networkBytes + times.gatherBytes);
        cost.offChipBytes += m_chips[i].off + m_gather[i].off;
    }
    cost.storeBytes += std::llround(m_model->outputBytes);
    cost.periodNs = std::max({cost.issueNs, cost.vectorNs, chainNs, cost.globalNs, cost.networkNs, cost.offChipNs}) + chip.mvmNs;
    cost.energyPj = energyPj(cost);
    return cost;
}

double CrossbarLayoutCost::energyPj(const CrossbarCost& cost) const {
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
    for (int core = 0; core < m_model->cores(); ++core)
        vectorNsInAll += vectorNs(core);
    sum += vectorNsInAll / chip.vectorNs * chip.vectorBytes * chip.vectorUnits * energy.vectorPjPerByte.value_or(0);
    sum += double(cost.loadBytes + cost.storeBytes) * energy.globalPjPerByte.value_or(0);
    sum += double(cost.networkBytes) * energy.networkPjPerByteHop.value_or(0);
    sum += double(cost.offChipBytes) * energy.offChipPjPerByte.value_or(0);
    // Milliwatts times nanoseconds are picojoules.
    sum += cost.periodNs * (arrays * energy.arrayLeakageMw.value_or(0) + chip.cores() * energy.coreLeakageMw.value_or(0) +
                            chip.chips() * energy.chipLeakageMw.value_or(0));
    return sum;
}

} // namespace pim
