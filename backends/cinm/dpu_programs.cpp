// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/dpu_programs.h"

#include "backends/upmem/host_run.h"
#include "core/ir/dialect.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace pim::cinm {

namespace {

using namespace ir;

constexpr std::int64_t kHistogramDepth = 12; ///< Bits of the values that PrIM's HST-L takes.
constexpr int kSampledDpus = 4;
constexpr std::int64_t kLeastElements = 64; ///< Of a DPU: with less, its tasklets have nothing to do.

std::int64_t ceilDiv(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

tl::unexpected<Error> none(std::string why) {
    return fail(ErrorCode::Unsupported, std::move(why));
}

/// Nothing: DPUs have no instructions for it.
std::optional<upmem::Element> elementOf(Scalar element) {
    switch (element) {
    case Scalar::I8:
        return upmem::Element::I8;
    case Scalar::I16:
        return upmem::Element::I16;
    case Scalar::I32:
        return upmem::Element::I32;
    case Scalar::I64:
        return upmem::Element::I64;
    default:
        return std::nullopt;
    }
}

const Type& operandType(const Module& module, const Operation& op, std::size_t n = 0) {
    return module.type(module.operand(op, n));
}

/// DPUs with work and what some have where \p count things are dealt out, at least \p least to each.
/// \param sampled DPUs that are run for the price: of those whose time hangs on their numbers, the slowest counts.
void dealOut(DpuProgram& program, std::int64_t count, std::int64_t least, int sampled = 1) {
    program.options.size = count;
    program.options.dpus =
        static_cast<int>(std::clamp<std::int64_t>(ceilDiv(count, least), 1, program.options.dpus));
    program.slice = program.options;
    program.slice.dpus = std::min(sampled, program.options.dpus);
    program.slice.size = std::min(count, ceilDiv(count, program.options.dpus) * program.slice.dpus);
    program.dpus = program.options.dpus;
}

Result<void> histogram(DpuProgram& program, const Module& module, const Operation& op) {
    const std::int64_t bins = module.type(op.firstResult).count();
    if (operandType(module, op).element() != Scalar::I32 || integerOr(op, "depth", 0) != kHistogramDepth ||
        !std::has_single_bit(static_cast<std::uint64_t>(bins)) || bins < 2 || bins > 1 << kHistogramDepth)
        return none(fmt::format(
            "there is a kernel for histograms of i32 with values of {} bits and a power of two of bins alone",
            kHistogramDepth));
    program.name = "HST-L";
    program.options.second = bins;
    dealOut(program, operandType(module, op).count(), kLeastElements);
    return {};
}

/// Rows of what is scanned, and their length.
std::pair<std::int64_t, std::int64_t> scannedRows(const Module& module, const Operation& op) {
    const Type& type = operandType(module, op);
    const std::int64_t length = type.extents()[static_cast<std::size_t>(integerOr(op, "dimension", 0))];
    return {type.count() / length, length};
}

Result<void> scan(DpuProgram& program, const Module& module, const Operation& op) {
    constexpr std::array<std::pair<std::string_view, upmem::ValueKind>, 7> kFolds{
        {{"add", upmem::ValueKind::Add},
         {"mul", upmem::ValueKind::Mul},
         {"min", upmem::ValueKind::Min},
         {"max", upmem::ValueKind::Max},
         {"and", upmem::ValueKind::And},
         {"or", upmem::ValueKind::Or},
         {"xor", upmem::ValueKind::Xor}}};
    for (const auto& [name, fold] : kFolds)
        if (name == textOr(op, "op", {}))
            program.options.fold = fold;
    const auto [rows, length] = scannedRows(module, op);
    program.name = "SCAN";
    program.options.size = length;
    program.options.second = rows;
    program.slice = program.options;
    program.slice.dpus = 1;
    const std::int64_t sharers = program.options.dpus / rows;
    const std::int64_t slice = std::max(ceilDiv(length, std::max<std::int64_t>(sharers, 1)), kLeastElements);
    if (sharers > 1 && slice < length) { // two of the DPUs of a row
        program.dpus = static_cast<int>(rows * ceilDiv(length, slice));
        program.options.dpus = program.dpus;
        program.slice.dpus = 2;
        program.slice.second = 1;
        program.slice.size = std::min(length, 2 * slice);
    } else {
        const std::int64_t each = ceilDiv(rows, program.options.dpus);
        program.dpus = program.options.dpus = static_cast<int>(ceilDiv(rows, each));
        program.slice.second = each;
    }
    return {};
}

Result<void> similar(DpuProgram& program, const Module& module, const Operation& op) {
    const Shape& table = operandType(module, op).extents();
    const std::string_view metric = textOr(op, "metric", {});
    if (metric != "dot" && metric != "l2")
        return none(fmt::format("there is a kernel for products and distances, none for {}", metric));
    program.name = metric == "dot" ? "SIM-DOT" : "SIM-L2";
    program.options.second = table[1];
    program.options.third = module.type(op.firstResult).count();
    dealOut(program, table[0], program.options.third, kSampledDpus);
    return {};
}

Result<void> describe(DpuProgram& program, const Module& module, const Operation& op) {
    const std::string_view name = shortName(op);
    if (name == "histogram")
        return histogram(program, module, op);
    const auto type = elementOf(*operandType(module, op).element());
    if (!type || (*type == upmem::Element::I64 && name != "scan"))
        return none(fmt::format("there is no kernel for {} in {}", op.def->name,
                                ir::name(*operandType(module, op).element())));
    program.options.type = type;
    if (name == "scan")
        return scan(program, module, op);
    if (name == "simSearch")
        return similar(program, module, op);
    if (name == "topk") {
        program.name = "TOPK";
        program.options.second = module.type(op.firstResult).count();
        dealOut(program, operandType(module, op).count(), std::max(kLeastElements, program.options.second),
                kSampledDpus);
        return {};
    }
    program.name = "MAJ";
    program.options.second = operandType(module, op).extents()[0];
    constexpr std::int64_t kColumnsOfTasklet = 8; // written in one DMA
    dealOut(program, operandType(module, op).extents()[1], kColumnsOfTasklet);
    return {};
}

/// Dimension \p from moved to the end, or the last one to \p to; a view.
Array moved(const Array& array, std::size_t from, std::size_t to) {
    Array turned = array;
    for (auto* const list : {&turned.extents, &turned.strides}) {
        const std::int64_t taken = (*list)[from];
        list->erase(list->begin() + static_cast<std::ptrdiff_t>(from));
        list->insert(list->begin() + static_cast<std::ptrdiff_t>(to), taken);
    }
    return turned;
}

std::size_t lastOf(const Array& array) {
    return array.extents.size() - 1;
}

/// Operand \p n as the program has it: rows that are scanned or voted on are its last dimension.
Array asInput(Interpreter& at, const Operation& op, std::size_t n) {
    const Array& array = at.array(op, n);
    if (shortName(op) == "scan")
        return moved(array, static_cast<std::size_t>(integerOr(op, "dimension", 0)), lastOf(array)).compact();
    if (shortName(op) == "majority")
        return moved(array, 0, lastOf(array)).compact();
    return array.compact();
}

Array fromBytes(const std::vector<std::byte>& bytes, Scalar element, Shape extents) {
    Array made = Array::make(element, extents);
    std::memcpy(made.bytes->data(), bytes.data(), made.bytes->size());
    return made;
}

/// No sum on the way to a score of a table is beyond 32 bits.
bool scoresFit(Interpreter& at, const Operation& op) {
    const std::vector<std::int64_t> table = intsOf(at.array(op, 0)), query = intsOf(at.array(op, 1));
    const bool isDistance = textOr(op, "metric", {}) == "l2";
    for (std::size_t row = 0; row < table.size(); row += query.size()) {
        double most = 0;
        for (std::size_t d = 0; d < query.size(); ++d) {
            const auto a = static_cast<double>(table[row + d]), b = static_cast<double>(query[d]);
            most += isDistance ? (a - b) * (a - b) : std::abs(a * b);
        }
        if (most > std::numeric_limits<std::int32_t>::max())
            return false;
    }
    return true;
}

/// Both results of topk and simSearch, from pairs of a value and its place.
void setPairs(Interpreter& at, const Operation& op, const std::vector<std::byte>& bytes, std::int64_t sign) {
    const std::vector<std::int64_t> pairs =
        intsOf(fromBytes(bytes, Scalar::I32, {static_cast<std::int64_t>(bytes.size() / 4)}));
    std::vector<std::int64_t> values, places;
    for (std::size_t i = 0; i < pairs.size(); i += 2) {
        values.push_back(sign * pairs[i]);
        places.push_back(pairs[i + 1]);
    }
    const Shape extents{static_cast<std::int64_t>(values.size())};
    at.set(op, arrayOf(std::span<const std::int64_t>(values), at.array(op, 0).element, extents), 0);
    at.set(op, arrayOf(std::span<const std::int64_t>(places), Scalar::I32, extents), 1);
}

void setResults(Interpreter& at, const Operation& op, const upmem::HostData& outputs) {
    const Type& type = at.module().type(op.firstResult);
    const std::string_view name = shortName(op);
    if (name == "topk" || name == "simSearch")
        return setPairs(at, op, outputs.at("best"), textOr(op, "metric", {}) == "l2" ? -1 : 1);
    if (name != "scan")
        return at.set(op, fromBytes(outputs.at(name == "majority" ? "majority" : "histogram"),
                                    *type.element(), type.extents()));
    const auto dimension = static_cast<std::size_t>(integerOr(op, "dimension", 0));
    const Array turned = moved(at.array(op, 0), dimension, lastOf(at.array(op, 0)));
    const Array sums = fromBytes(outputs.at("sums"), turned.element, turned.extents);
    at.set(op, moved(sums, lastOf(sums), dimension).compact());
}

} // namespace

bool isProgram(const Operation& op) {
    constexpr std::array<std::string_view, 5> kPrograms{"histogram", "scan", "topk", "simSearch", "majority"};
    return std::ranges::find(kPrograms, shortName(op)) != kPrograms.end();
}

Result<DpuProgram> programOf(const Module& module, const Operation& op, const upmem::Machine& machine) {
    DpuProgram program;
    program.options.dpus = machine.dpus;
    program.options.tasklets = machine.tasklets;
    PIM_CHECK(describe(program, module, op));
    // Lists of the largest elements may be too long for so many tasklets.
    for (;; --program.options.tasklets) {
        program.slice.tasklets = program.options.tasklets;
        PIM_TRY(const upmem::BenchmarkCase one, upmem::makeBenchmark(program.name, program.slice));
        const auto fits = one.code->checkSizes(one.sizes, one.tasklets);
        if (fits)
            return program;
        if (program.options.tasklets == 1)
            return none(fits.error().message);
    }
}

Result<KernelPrice> priceOf(DpuProgram& program, const upmem::Machine& machine,
                            const std::vector<bool>& constant, const TaskContext& task) {
    using upmem::Direction, upmem::TransferKind;
    PIM_TRY(const upmem::BenchmarkCase one, upmem::makeBenchmark(program.name, program.slice));
    PIM_TRY(const upmem::HostRun run, upmem::runOnEngine({one.host, *one.code, one.sizes, one.tasklets},
                                                         one.inputs, machine.timing, task));
    program.instructions =
        static_cast<double>(run.instructions) / one.host.dpus * static_cast<double>(program.dpus);
    KernelPrice price;
    price.computeNs = static_cast<double>(run.cycles) * machine.timing.cycleNs();
    for (std::size_t i = 0; i < one.host.inputs.size(); ++i) {
        const upmem::HostInput& input = one.host.inputs[i];
        const bool same = input.split == upmem::HostInput::Split::Copies;
        if (i < constant.size() && constant[i])
            continue;
        price.busInputNs += machine.link.transferNs(
            {Direction::ToDpu, same && program.dpus > 1 ? TransferKind::Broadcast : TransferKind::Parallel,
             input.slice * bytesOf(input.type), program.dpus});
    }
    for (const upmem::HostOutput& output : one.host.outputs)
        price.busOutputNs += machine.link.transferNs(
            {Direction::FromDpu, TransferKind::Parallel, output.slice * bytesOf(output.type), program.dpus});
    price.modeSwitchNs = one.host.rounds * machine.link.launchNs;
    return price;
}

Result<upmem::BenchmarkCase> caseOf(const DpuProgram& program) {
    return upmem::makeBenchmark(program.name, program.options);
}

Result<std::optional<upmem::DpuShare>> runProgram(Interpreter& at, const Operation& op,
                                                  const DpuProgram& program, const upmem::DpuTiming& timing,
                                                  std::int64_t instructions, const TaskContext& task) {
    constexpr double kTimes = 10; // half a minute at most
    if (program.instructions > kTimes * static_cast<double>(instructions) ||
        (shortName(op) == "simSearch" && !scoresFit(at, op)))
        return std::nullopt;
    PIM_TRY(upmem::BenchmarkCase made, caseOf(program));
    for (std::size_t n = 0; n < made.host.inputs.size(); ++n) {
        const Array input = asInput(at, op, n);
        auto& bytes = made.inputs.at(made.host.inputs[n].name);
        PIM_ASSERT(bytes.size() == input.bytes->size(), "the program is made for the op");
        bytes = *input.bytes;
    }
    PIM_TRY(const upmem::HostRun run, upmem::runOnEngine({made.host, *made.code, made.sizes, made.tasklets},
                                                         made.inputs, timing, task));
    setResults(at, op, run.outputs);
    upmem::DpuShare share;
    share.dpus = share.onEngine = made.host.dpus;
    share.instructions = run.instructions;
    return share;
}

} // namespace pim::cinm
