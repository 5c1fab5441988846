// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/numeric/machine.h"

#include "core/numeric/kernels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace pim {

namespace {

/// What the machine does between looking whether it was stopped.
constexpr std::int64_t kInstructionsAtOnce = 1 << 16;

std::uint64_t transferKey(std::uint32_t from, std::uint32_t to, std::uint32_t index) {
    return (std::uint64_t(from) << 48) ^ (std::uint64_t(to) << 32) ^ index;
}

} // namespace

template <class Number>
CrossbarMachine<Number>::CrossbarMachine(const CrossbarJob& job, const CrossbarRunOptions& options)
    : m_job(job), m_options(options), m_unit(job.network, job.numbers),
      m_globals(job.copies.empty() ? 1 : std::size_t(std::max(2, *std::ranges::max_element(job.copies))),
                CellMemory<Number>(job.chip.globalBytes / job.chip.activationBytes() * job.chip.chips())),
      m_hostDone(job.network.layers.size()) {
    for (const auto& instructions : job.program.cores)
        m_cores.push_back(
            {CellMemory<Number>(job.chip.localBytes / job.chip.activationBytes()), 0, &instructions});
    for (std::size_t layer = 0; layer < job.mapAddress.size(); ++layer)
        if (job.mapAddress[layer] != CrossbarJob::kNowhere)
            m_maps.emplace_back(job.mapAddress[layer], layer);
    std::ranges::sort(m_maps);
    if constexpr (!std::is_floating_point_v<Number>)
        if (options.expected)
            m_check = std::make_unique<ResultCheck>(job.network, *options.expected);
}

template <class Number>
std::size_t CrossbarMachine<Number>::bufferOf(std::size_t layer, std::int64_t sample) const {
    return m_job.copies.empty() ? 0 : std::size_t(sample % m_job.copies[layer]);
}

/// What lies in no map is read in the round in which it was written.
template <class Number>
CellMemory<Number>& CrossbarMachine<Number>::globalOf(const Instruction& in, std::uint32_t address) {
    if (m_inFlight == 0)
        return m_globals.front();
    const auto after =
        std::ranges::upper_bound(m_maps, address, {}, &std::pair<std::uint32_t, std::size_t>::first);
    if (after == m_maps.begin())
        return m_globals.front();
    const auto [begin, layer] = *std::prev(after);
    if (address >= begin + std::uint64_t(m_job.network.layers[layer].out.elements()))
        return m_globals.front();
    return m_globals[bufferOf(layer, sampleOf(in))];
}

template <class Number>
void CrossbarMachine<Number>::putMap(LayerId layer, std::span<const Number> map, std::int64_t sample) {
    const auto at = layer.index();
    if (m_job.mapAddress[at] != CrossbarJob::kNowhere)
        m_globals[bufferOf(at, sample)].write(m_job.mapAddress[at], map, 1);
}

template <class Number>
std::vector<Number> CrossbarMachine<Number>::takeMap(LayerId number, std::int64_t sample) const {
    const CrossbarLayer& layer = m_job.network.at(number);
    std::vector<Number> map(std::size_t(layer.out.elements()));
    const std::uint32_t address = m_job.mapAddress[number.index()];
    if (address != CrossbarJob::kNowhere)
        return m_globals[bufferOf(number.index(), sample)].read(address, map, 1) ? map
                                                                                 : std::vector<Number>();
    const auto* concat = layer.template as<ConcatWork>();
    if (!concat || concat->axis != ConcatAxis::Channels)
        return {};
    std::int64_t at = 0;
    for (const LayerId input : layer.inputs) {
        const std::vector<Number> part = takeMap(input, sample);
        if (part.empty())
            return {};
        const std::int64_t channels = m_job.network.layers[input.index()].out.channels;
        for (std::int64_t pixel = 0; pixel < layer.out.pixels(); ++pixel)
            std::copy_n(part.begin() + pixel * channels, channels,
                        map.begin() + pixel * layer.out.channels + at);
        at += channels;
    }
    return map;
}

template <class Number>
void CrossbarMachine<Number>::skip(CoreId number) {
    if (m_job.stage.empty())
        return;
    for (Core& core = m_cores[number.index()]; !atEnd(core); ++core.next) {
        const CrossbarInstruction& in = (*core.instructions)[core.next];
        // What is written is the same for every sample: the zeros of padding.
        if (in.layer >= m_job.stage.size() || in.opcode == CrossbarOpcode::Write)
            return;
        const std::int64_t sample = m_inFlight > 0 ? sampleOf(in) : 0;
        if (m_inFlight > 0 ? sample >= 0 && sample < m_inFlight
                           : m_job.stage[in.layer] + roundsBehind(in) == m_stage)
            return;
    }
}

template <class Number>
Result<void> CrossbarMachine<Number>::run(int stage, const TaskContext& task) {
    m_stage = stage;
    return round(task);
}

template <class Number>
Result<void> CrossbarMachine<Number>::runInFlight(std::int64_t round, std::int64_t samples,
                                                  const TaskContext& task) {
    m_round = round;
    m_inFlight = samples;
    // The host takes what the rounds before computed.
    for (std::size_t i = 0; i < m_job.network.layers.size(); ++i) {
        m_hostDone[i] = true;
        const std::int64_t sample = round - m_job.stage[i];
        if (m_job.network.layers[i].template as<HostWork>() && sample >= 0 && sample < samples)
            PIM_CHECK(runHostLayer(LayerId(i), sample));
    }
    return this->round(task);
}

template <class Number>
Result<void> CrossbarMachine<Number>::round(const TaskContext& task) {
    for (std::size_t c = 0; c < m_cores.size(); ++c) {
        m_cores[c].next = 0;
        skip(CoreId(c));
    }
    for (bool running = true; running;) {
        bool moved = false;
        running = false;
        for (std::size_t c = 0; c < m_cores.size(); ++c) {
            while (!atEnd(m_cores[c])) {
                PIM_TRY(const bool done, step(CoreId(c)));
                if (!done)
                    break;
                moved = true;
                ++m_cores[c].next;
                skip(CoreId(c));
                if ((++counts.instructions % kInstructionsAtOnce) == 0) {
                    task.report("running the program", counts.instructions,
                                std::int64_t(m_job.program.size()));
                    if (task.cancelled())
                        return TaskContext::cancelledError("the run");
                }
            }
            running = running || !atEnd(m_cores[c]);
        }
        if (!moved && running) {
            PIM_TRY(const bool helped, runHost());
            if (!helped)
                return deadlock();
        }
    }
    PIM_CHECK(runHost());
    return {};
}

template <class Number>
const CrossbarInstruction& CrossbarMachine<Number>::current(CoreId core) const {
    return (*m_cores[core.index()].instructions)[m_cores[core.index()].next];
}

template <class Number>
std::string CrossbarMachine<Number>::where(CoreId core) const {
    const CrossbarInstruction& in = current(core);
    return fmt::format("core {}, instruction {} ({}{}{}) of layer \"{}\"", core.value,
                       m_cores[core.index()].next, name(in.opcode),
                       in.opcode == CrossbarOpcode::Vec ? " " : "",
                       in.opcode == CrossbarOpcode::Vec ? name(in.vec) : "",
                       in.layer < m_job.network.layers.size() ? m_job.network.layers[in.layer].name : "?");
}

template <class Number>
tl::unexpected<Error> CrossbarMachine<Number>::broken(CoreId core, std::string why) const {
    return fail(ErrorCode::InvalidFile, std::move(why), where(core));
}

template <class Number>
tl::unexpected<Error> CrossbarMachine<Number>::deadlock() const {
    int waiting = 0;
    CoreId first;
    for (std::size_t c = 0; c < m_cores.size(); ++c)
        if (!atEnd(m_cores[c])) {
            ++waiting;
            first = first.valid() ? first : CoreId(c);
        }
    const CrossbarInstruction& in = current(first);
    const std::string what = in.opcode == CrossbarOpcode::Recv
                                 ? fmt::format("transfer {} from core {}", in.index, in.peer)
                                 : fmt::format("global element {}, which nobody stored", in.src1);
    return broken(first, fmt::format("{} cores wait for each other; this one for {}", waiting, what));
}

template <class Number>
Result<bool> CrossbarMachine<Number>::step(CoreId core) {
    const Instruction& in = current(core);
    if (in.layer >= m_job.network.layers.size())
        return broken(core, fmt::format("layer {} of {}", in.layer, m_job.network.layers.size()));
    switch (in.opcode) {
    case CrossbarOpcode::Mvm:
        PIM_CHECK(product(core, in));
        return true;
    case CrossbarOpcode::Vec:
        PIM_CHECK(vector(core, in));
        return true;
    case CrossbarOpcode::Copy:
        PIM_CHECK(copy(core, in));
        return true;
    case CrossbarOpcode::Write:
        PIM_CHECK(write(core, in.dst, std::vector<Number>(in.length, Number(std::int32_t(in.src2))),
                        wideResult(in)));
        return true;
    case CrossbarOpcode::Load:
        return load(core, in);
    case CrossbarOpcode::Store:
        PIM_CHECK(store(core, in));
        return true;
    case CrossbarOpcode::Send:
        PIM_CHECK(send(core, in));
        return true;
    case CrossbarOpcode::Recv:
        return receive(core, in);
    }
    return broken(core, "it is no instruction");
}

template <class Number>
Result<std::vector<Number>> CrossbarMachine<Number>::read(CoreId core, std::uint64_t address,
                                                          std::size_t count, bool wide) const {
    std::vector<Number> values(count);
    const CellMemory<Number>& local = m_cores[core.index()].local;
    if (local.read(address, values, width(wide)))
        return values;
    const std::int64_t missing = local.firstMissing(address, count * std::size_t(width(wide)));
    if (missing >= 0)
        return broken(core, fmt::format("it reads local element {}, which nobody wrote (of {} from {} on)",
                                        address + std::uint64_t(missing), count * std::size_t(width(wide)),
                                        address));
    return broken(core, fmt::format("it reads {} {} from local element {} on, but others lie there", count,
                                    wide ? "accumulators" : "elements", address));
}

template <class Number>
Result<void> CrossbarMachine<Number>::write(CoreId core, std::uint64_t address,
                                            std::span<const Number> values, bool wide) {
    CellMemory<Number>& local = m_cores[core.index()].local;
    if (!local.fits(address, values.size() * std::size_t(width(wide))))
        return broken(core, fmt::format("it writes local elements {} to {}, the core has {}", address,
                                        address + values.size() * std::size_t(width(wide)), local.limit()));
    local.write(address, values, width(wide));
    return {};
}

template <class Number>
Number CrossbarMachine<Number>::wrapped(Number value) const {
    if constexpr (std::is_floating_point_v<Number>)
        return value;
    else
        return fixed::wrap(value, m_job.numbers.accumulatorBits);
}

template <class Number>
Result<const typename CrossbarMachine<Number>::Group*> CrossbarMachine<Number>::group(CoreId core,
                                                                                      std::uint32_t number) {
    Group& group = m_groups[number];
    if (group.weights)
        return &group;
    if (int(number) >= m_job.mapping.arrayGroups())
        return broken(core, fmt::format("array group {} of {}", number, m_job.mapping.arrayGroups()));
    const CrossbarMapping::Place place = m_job.mapping.place(ArrayGroupId(number));
    const LayerMapping& entry = m_job.mapping.at(place.entry);
    if (entry.core(place.replica, place.group) != CoreId(core))
        return broken(core, fmt::format("array group {} lies in core {}", number,
                                        entry.core(place.replica, place.group).value));
    auto& shared = m_weights[(std::uint64_t(place.entry.index()) << 32) + place.group.index()];
    if (!shared) {
        const std::size_t layer = entry.partition.layer.index();
        shared = std::make_shared<const GroupWeights>(groupWeights(
            m_job.network.layers[layer], m_job.numbers.layers[layer], entry.partition, place.group));
    }
    group.weights = shared;
    if (!m_job.numbers.real && (m_options.bitByBit || !m_options.device.exact())) {
        DeviceOptions device = m_options.device;
        const CellCode code = cellCode(m_job.chip, m_job.numbers.weightBits);
        if (m_options.bitByBit && device.exact())
            device.adcBits = exactAdcBits(code, entry.partition.arrayRows, m_job.chip.dacBits);
        group.cells = std::make_unique<ArrayCells>(
            *shared, code, device, ArrayGroupId(number),
            ArrayCells::Inputs{entry.partition.arrayRows, m_job.chip.dacBits, m_job.numbers.activationBits});
    }
    return &group;
}

template <class Number>
Result<void> CrossbarMachine<Number>::product(CoreId core, const Instruction& in) {
    PIM_TRY(const Group* group, this->group(core, in.index));
    const GroupWeights& weights = *group->weights;
    if (in.length != std::uint32_t(weights.rows) || in.src2 != std::uint32_t(weights.columns))
        return broken(
            core, fmt::format(
                      "it gives {} values and asks for {} results, array group {} has {} rows and {} columns",
                      in.length, in.src2, in.index, weights.rows, weights.columns));
    PIM_TRY(const auto rows, read(core, in.src1, std::size_t(weights.rows), false));
    std::vector<Number> sums(static_cast<std::size_t>(weights.columns));
    if constexpr (std::is_floating_point_v<Number>) {
        for (int j = 0; j < weights.columns; ++j) {
            const float* column = weights.real.data() + std::ptrdiff_t(j) * weights.stride;
            double sum = 0;
            for (int i = 0; i < weights.rows; ++i)
                sum += rows[std::size_t(i)] * double(column[i]);
            sums[std::size_t(j)] = sum;
        }
    } else {
        multiplyFixed(*group, rows, sums);
    }
    ++counts.products;
    return write(core, in.dst, sums, true);
}

template <class Number>
void CrossbarMachine<Number>::multiplyFixed(const Group& group, std::span<const Number> rows,
                                            std::span<Number> sums) const {
    const GroupWeights& weights = *group.weights;
    std::vector<std::int16_t> input(static_cast<std::size_t>(weights.stride));
    std::transform(rows.begin(), rows.end(), input.begin(), [](Number value) { return std::int16_t(value); });
    const int bits = m_job.numbers.accumulatorBits;
    if (group.cells) {
        std::vector<std::int64_t> exact(sums.size());
        group.cells->multiply(input.data(), exact.data());
        std::transform(exact.begin(), exact.end(), sums.begin(),
                       [&](std::int64_t sum) { return Number(fixed::wrap(sum, bits)); });
    } else if (bits <= 32) {
        std::vector<std::int32_t> narrow(sums.size());
        integerProduct({input.data(), 1, weights.fixed.data(), weights.columns, weights.stride, narrow.data(),
                        weights.columns},
                       false);
        std::transform(narrow.begin(), narrow.end(), sums.begin(),
                       [&](std::int64_t sum) { return Number(fixed::wrap(sum, bits)); });
    } else {
        for (std::size_t j = 0; j < sums.size(); ++j) {
            std::int64_t sum = 0;
            for (int i = 0; i < weights.rows; ++i)
                sum += std::int64_t(input[std::size_t(i)]) * weights.weight(i, int(j));
            sums[j] = Number(fixed::wrap(sum, bits));
        }
    }
}

template <class Number>
Result<void> CrossbarMachine<Number>::copy(CoreId core, const Instruction& in) {
    if (in.length < in.pieces() || in.length % in.pieces() != 0)
        return broken(core, fmt::format("it copies {} values in {} pieces", in.length, in.pieces()));
    const std::uint32_t each = in.length / in.pieces();
    for (std::uint32_t piece = 0; piece < in.pieces(); ++piece) {
        PIM_TRY(const auto values,
                read(core, in.src1 + std::uint64_t(piece) * in.src2, each, wideSource(in)));
        PIM_CHECK(write(core, in.dst + std::uint64_t(piece) * each * std::uint64_t(width(wideResult(in))),
                        values, wideResult(in)));
    }
    return {};
}

template <class Number>
Result<bool> CrossbarMachine<Number>::load(CoreId core, const Instruction& in) {
    std::vector<Number> values(in.length);
    const int cells = width(wideSource(in));
    const CellMemory<Number>& global = globalOf(in, in.src1);
    if (!global.read(in.src1, values, cells)) {
        if (global.firstMissing(in.src1, in.length * std::uint64_t(cells)) < 0)
            return broken(core,
                          fmt::format("it loads {} values from global element {} on, but others lie there",
                                      in.length, in.src1));
        ++counts.loadWaits;
        return false;
    }
    PIM_CHECK(write(core, in.dst, values, wideResult(in)));
    return true;
}

template <class Number>
Result<void> CrossbarMachine<Number>::store(CoreId core, const Instruction& in) {
    PIM_TRY(const auto values, read(core, in.src1, in.length, wideSource(in)));
    CellMemory<Number>& global = globalOf(in, in.dst);
    if (!global.fits(in.dst, values.size() * std::size_t(width(wideResult(in)))))
        return broken(core, fmt::format("it stores to global elements {} to {}, the chip has {}", in.dst,
                                        in.dst + in.length, global.limit()));
    global.write(in.dst, values, width(wideResult(in)));
    return {};
}

template <class Number>
Result<void> CrossbarMachine<Number>::send(CoreId core, const Instruction& in) {
    if (in.peer >= m_cores.size())
        return broken(core, fmt::format("core {} of {}", in.peer, m_cores.size()));
    PIM_TRY(auto values, read(core, in.src1, in.length, wideSource(in)));
    m_transfers[transferKey(std::uint32_t(core.value), in.peer, in.index)].push_back(std::move(values));
    ++counts.transfers;
    return {};
}

template <class Number>
Result<bool> CrossbarMachine<Number>::receive(CoreId core, const Instruction& in) {
    const auto transfer = m_transfers.find(transferKey(in.peer, std::uint32_t(core.value), in.index));
    if (transfer == m_transfers.end())
        return false;
    std::vector<Number> values = std::move(transfer->second.front());
    transfer->second.pop_front();
    if (transfer->second.empty())
        m_transfers.erase(transfer);
    if (values.size() != in.length)
        return broken(core, fmt::format("it takes {} values of transfer {}, {} were sent", in.length,
                                        in.index, values.size()));
    PIM_CHECK(write(core, in.dst, values, wideResult(in)));
    return true;
}

/// Layers of the host whose inputs are complete. \returns was there one?
template <class Number>
Result<bool> CrossbarMachine<Number>::runHost() {
    bool any = false;
    for (std::size_t i = 0; i < m_job.network.layers.size(); ++i) {
        if (m_hostDone[i] || !m_job.network.layers[i].template as<HostWork>())
            continue;
        PIM_TRY(const bool done, runHostLayer(LayerId(i), 0));
        m_hostDone[i] = done;
        any = any || done;
    }
    return any;
}

template <class Number>
Result<bool> CrossbarMachine<Number>::runHostLayer(LayerId number, std::int64_t sample) {
    for (const LayerId input : m_job.network.at(number).inputs)
        if (takeMap(input, sample).empty())
            return false;
    const auto mapOf = [&](LayerId input) {
        const auto held = takeMap(input, sample);
        std::vector<double> map(held.size());
        std::transform(held.begin(), held.end(), map.begin(), [&](Number value) {
            if constexpr (std::is_floating_point_v<Number>)
                return double(value);
            else
                return m_job.numbers.toHost(input, value);
        });
        return map;
    };
    PIM_TRY(const auto made, hostLayer(m_job.network, number, mapOf));
    std::vector<Number> held(made.size());
    std::transform(made.begin(), made.end(), held.begin(), [&](double value) {
        if constexpr (std::is_floating_point_v<Number>)
            return value;
        else
            return m_job.numbers.fromHost(number, value);
    });
    putMap(number, held, sample);
    return true;
}

template class CrossbarMachine<std::int64_t>;
template class CrossbarMachine<double>;

} // namespace pim
