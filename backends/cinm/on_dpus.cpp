// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/on_dpus.h"

#include "backends/host/roofline_host.h"
#include "backends/upmem/host_code.h"
#include "backends/upmem/op_code.h"
#include "backends/upmem/tasklet/c_code.h"
#include "core/ir/dialect.h"
#include "core/kernel/parse.h"

#include <fmt/format.h>

namespace pim::cinm {

namespace {

using namespace ir;

/// Elements that some machine computes with; empty: none.
std::string_view elementName(Scalar element) {
    switch (element) {
    case Scalar::I8:
    case Scalar::I16:
    case Scalar::I32:
    case Scalar::F16:
    case Scalar::BF16:
    case Scalar::F32:
        return name(element);
    default:
        return {};
    }
}

std::string gemmText(const std::vector<UnitLoop>& loops, std::string_view type, bool vector) {
    const std::int64_t m = loops[0].extent, n = loops[1].extent, k = loops[2].extent;
    if (vector)
        return fmt::format("def gemv(A[{0}][{1}]: {2}, B[{1}]: {2}, C[{0}]: {2}):\n"
                           "    for m in range({0}):\n"
                           "        for k in range({1}):\n"
                           "            C[m] += A[m][k] * B[k]\n",
                           m, k, type);
    return fmt::format("def gemm(A[{0}][{1}]: {3}, B[{1}][{2}]: {3}, C[{0}][{2}]: {3}):\n"
                       "    for m in range({0}):\n"
                       "        for n in range({2}):\n"
                       "            for k in range({1}):\n"
                       "                C[m][n] += A[m][k] * B[k][n]\n",
                       m, k, n, type);
}

/// Of one operand. Empty: DPUs have no instruction for it.
std::string mapText(std::string_view kind, std::int64_t count, std::string_view type) {
    if (kind != "not" && kind != "popCount")
        return {};
    return fmt::format(
        "def map_{0}(A[{1}]: {2}, C[{1}]: {2}):\n    for i in range({1}):\n        C[i] = {3}(A[i])\n", kind,
        count, type, kind == "not" ? "bitnot" : "popcount");
}

/// Empty: DPUs have no instruction for it.
std::string mapText(std::string_view kind, std::int64_t count, std::string_view type, bool scalar) {
    const std::string b = scalar ? "B[0]" : "B[i]";
    std::string value;
    if (kind == "add" || kind == "sub" || kind == "mul")
        value = fmt::format("A[i] {} {}", kind == "add" ? '+' : kind == "sub" ? '-' : '*', b);
    else if (kind == "max" || kind == "min")
        value = fmt::format("{}(A[i], {})", kind, b);
    else if (kind == "and" || kind == "or" || kind == "xor")
        value = fmt::format("bit{}(A[i], {})", kind, b);
    else if (kind == "div" && type.starts_with('i'))
        value = fmt::format("intdiv(A[i], {})", b);
    else
        return {};
    return fmt::format(
        "def map_{}(A[{}]: {}, B[{}]: {}, C[{}]: {}):\n    for i in range({}):\n        C[i] = {}\n", kind,
        count, type, scalar ? 1 : count, type, count, type, count, value);
}

std::string foldText(std::string_view kind, const std::vector<UnitLoop>& loops, std::string_view type) {
    std::string fold;
    if (kind == "add")
        fold = "+= X[r][i]";
    else if (kind == "max" || kind == "min")
        fold = fmt::format("= {}(Y[r], X[r][i])", kind);
    else if (kind == "and" || kind == "or" || kind == "xor")
        fold = fmt::format("= bit{}(Y[r], X[r][i])", kind);
    else
        return {};
    return fmt::format("def reduce(X[{0}][{1}]: {2}, Y[{0}]: {2}):\n    for r in range({0}):\n"
                       "        for i in range({1}):\n            Y[r] {3}\n",
                       loops[0].extent, loops[1].extent, type, fold);
}

std::vector<std::int32_t> wholeNumbers(const Array& array) {
    std::vector<std::int32_t> numbers;
    numbers.reserve(static_cast<std::size_t>(array.count()));
    for (const std::int64_t value : intsOf(array))
        numbers.push_back(static_cast<std::int32_t>(value));
    return numbers;
}

/// Rows of what a reduction folds, as foldText() has them.
Array foldedLast(const Operation& op, const Array& in) {
    const auto named = intsOf(op, "dimensions");
    Array turned = in;
    turned.extents.clear();
    turned.strides.clear();
    for (const bool folds : {false, true})
        for (std::size_t d = 0; d < in.extents.size(); ++d)
            if (folds ==
                (named.empty() || std::ranges::find(named, static_cast<std::int64_t>(d)) != named.end())) {
                turned.extents.push_back(in.extents[d]);
                turned.strides.push_back(in.strides[d]);
            }
    return turned.compact();
}

/// The draft in which every set of dimensions is cut as \p mapping cuts its loop.
Draft draftOf(const TilingSpace& space, const UnitMapping& mapping, const std::vector<std::size_t>& loopOf) {
    Draft draft;
    for (const DimensionSet& set : space.sets()) {
        const auto& cut = mapping.loops[loopOf[static_cast<std::size_t>(set.loops.front())]];
        draft.parts.push_back({static_cast<int>(cut.devices), static_cast<int>(cut.units), 0});
    }
    return draft;
}

UnitMapping mappingOf(const TilingSpace& space, const Draft& draft, const std::vector<UnitLoop>& loops,
                      const std::vector<std::size_t>& loopOf) {
    UnitMapping mapping;
    for (const UnitLoop& loop : loops)
        mapping.loops.push_back({loop.extent, 1, 1});
    for (std::size_t s = 0; s < draft.parts.size(); ++s) {
        const int kernelLoop =
            space.sets()[s].mappings[static_cast<std::size_t>(draft.parts[s].mapping)].loop;
        const std::size_t loop = loopOf[static_cast<std::size_t>(kernelLoop)];
        auto& cut = mapping.loops[loop];
        cut.tile = space.tileLength(draft, static_cast<int>(s));
        cut.units = draft.parts[s].cores;
        const std::int64_t boxes = (loops[loop].extent + cut.tile - 1) / cut.tile;
        cut.devices = (boxes + cut.units - 1) / cut.units; // those with work
    }
    return mapping;
}

/// Loops of the kernel by their place among those of the op: a product with a vector has no n.
std::vector<std::size_t> loopsOf(const Operation& op) {
    return op.def->name == "cinm.gemv" ? std::vector<std::size_t>{0, 2} : std::vector<std::size_t>{0, 1, 2};
}

} // namespace

Result<Kernel> kernelOf(const Module& module, const Operation& op, const std::vector<bool>& constant) {
    const std::string_view name = shortName(op);
    const std::vector<UnitLoop> loops = unitLoops(module, op);
    const Scalar element = *module.type(module.operand(op, 0)).element();
    const std::string_view type = elementName(element);
    if (type.empty())
        return fail(ErrorCode::Unsupported, fmt::format("no machine computes in {}", ir::name(element)));
    std::string text;
    if (name == "gemm" || name == "gemv")
        text = gemmText(loops, type, name == "gemv");
    else if (name == "reduce")
        text = foldText(textOr(op, "op", {}), loops, type);
    else if (op.operandCount == 2 && loops.size() == 1)
        text = mapText(name == "mergePartial" ? textOr(op, "op", {}) : name, loops[0].extent, type,
                       module.type(module.operand(op, 1)).isScalar());
    else if (op.operandCount == 1 && loops.size() == 1)
        text = mapText(name, loops[0].extent, type);
    if (text.empty())
        return fail(ErrorCode::Unsupported,
                    fmt::format("there is no kernel for {}{}", op.def->name,
                                name == "reduce" ? fmt::format(" by {}", textOr(op, "op", {})) : ""));
    PIM_TRY(Kernel kernel, parseKernel(text));
    for (std::size_t t = 0; t < kernel.tensors.size() && t < constant.size(); ++t)
        kernel.tensors[t].constant = constant[t] && kernel.tensors[t].role == TensorRole::Input;
    return kernel;
}

Dpus::Dpus(std::shared_ptr<const Target> target, DpuSpread spread)
    : m_target(std::move(target)), m_spread(spread), m_backend(std::make_shared<const RooflineHost>()),
      m_machine(upmem::machineOf(*m_target)) {}

DpuWork Dpus::even(const Module& module, const Operation& op, std::string why) const {
    DpuWork work;
    work.loops = unitLoops(module, op);
    work.mapping = spreadEvenly(work.loops, m_machine.dpus, m_machine.tasklets);
    work.whyNoKernel = std::move(why);
    constexpr std::int64_t kMramBytes = std::int64_t{64} << 20;
    const std::int64_t bytes = unitBytes(module, op, work.mapping);
    if (bytes > kMramBytes / work.mapping.units()) {
        work.fits = false;
        work.whyNoKernel += fmt::format("; {} tasklets with {} B each do not fit the {} B of a DPU",
                                        work.mapping.units(), bytes, kMramBytes);
    }
    return work;
}

Result<DpuWork> Dpus::programmed(const Module& module, const Operation& op, const std::vector<bool>& constant,
                                 const TaskContext& task) const {
    auto program = programOf(module, op, m_machine);
    if (!program)
        return even(module, op, program.error().message);
    DpuWork work = even(module, op, {});
    if (!work.fits)
        return work;
    PIM_TRY(work.price, priceOf(*program, m_machine, constant, task));
    work.program = std::move(*program);
    return work;
}

Result<DpuWork> Dpus::searched(Kernel kernel, const Module& module, const Operation& op,
                               const TaskContext& task) const {
    CompileOptions options;
    options.computeType = kernel.tensors.front().dtype;
    DpuWork work = even(module, op, {});
    const std::vector<std::size_t> loopOf = loopsOf(op);
    PIM_TRY(const DraftStudy study, m_backend.study(kernel, m_target, options));
    work.space = study.space;
    Draft spread = draftOf(*study.space, work.mapping, loopOf);
    if (kernel.body == BodyKind::Mac)
        spread.code = "vectors=1"; // no row of one operand serves several of the other
    if (study.space->check(spread)) {
        const KernelPrice price = study.pricer->price(spread, study.space->summarize(spread));
        if (upmem::tileOf(study.space->kernel(), study.space->summarize(spread), m_machine.timing)) {
            work.evenNs = price.totalNs();
            work.draft = spread;
            work.price = price;
        }
    }
    if (m_spread == DpuSpread::Even && work.evenNs)
        return work;
    PIM_TRY(const DraftChoice choice, m_backend.choose(std::move(kernel), *m_target, options, nullptr, task));
    work.space = choice.space;
    work.draft = choice.draft;
    work.price = choice.price;
    work.mapping = mappingOf(*choice.space, choice.draft, work.loops, loopOf);
    return work;
}

Result<std::shared_ptr<const DpuWork>> Dpus::place(const Module& module, const Operation& op,
                                                   const std::vector<bool>& constant,
                                                   const TaskContext& task) {
    if (isProgram(op)) {
        PIM_TRY(DpuWork work, programmed(module, op, constant, task));
        return std::make_shared<const DpuWork>(std::move(work));
    }
    auto kernel = kernelOf(module, op, constant);
    if (!kernel)
        return std::make_shared<const DpuWork>(even(module, op, kernel.error().message));
    std::string key = kernel->text();
    for (const KernelTensor& tensor : kernel->tensors)
        key += tensor.constant ? "c" : "-";
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    auto work = searched(std::move(*kernel), module, op, task);
    if (!work && work.error().code != ErrorCode::Unsupported)
        return tl::unexpected<Error>(std::move(work).error());
    auto made =
        std::make_shared<const DpuWork>(work ? std::move(*work) : even(module, op, work.error().message));
    m_known.emplace(std::move(key), made);
    return made;
}

Attributes kernelAttributes(const DpuWork& work, const Target& target) {
    if (work.program)
        return {{"kernel", text(work.program->name)}};
    if (!work.space)
        return {{"kernel", text("none: " + work.whyNoKernel)}};
    const Kernel& kernel = work.space->kernel();
    const DraftSummary draft = work.space->summarize(work.draft);
    const auto tile = upmem::tileOf(kernel, draft, upmem::machineOf(target).timing);
    Attributes attributes{{"kernel", text(kernel.name)}};
    if (!tile)
        return attributes;
    const upmem::Tile& of = tile->tile;
    attributes = {{"dma_bytes", integer(of.dmaBytes())},
                  {"draft", text(work.space->draftText(work.draft))},
                  {"kernel", text(kernel.name)},
                  {"mram_bytes", integer(of.mramBytes())},
                  {"wram_bytes", integer(of.wramBytes())}};
    if (tile->held >= 0) {
        const auto held =
            static_cast<std::size_t>(kernel.accesses[static_cast<std::size_t>(tile->held)].tensor);
        attributes.insert(attributes.begin() + 2, {"held", text(kernel.tensors[held].name)});
    }
    return attributes;
}

std::optional<std::int64_t> wramBytes(const DpuWork& work, const Target& target) {
    if (!work.space)
        return std::nullopt;
    const auto tile = upmem::tileOf(work.space->kernel(), work.space->summarize(work.draft),
                                    upmem::machineOf(target).timing);
    return tile ? std::optional(tile->tile.wramBytes()) : std::nullopt;
}

Result<std::optional<upmem::DpuShare>> runOnEngine(Interpreter& at, const Operation& op, const DpuWork& work,
                                                   const Target& target, std::int64_t instructions,
                                                   const TaskContext& task) {
    const Module& module = at.module();
    const Type out = module.type(op.firstResult);
    const upmem::DpuTiming timing = upmem::machineOf(target).timing;
    if (work.program)
        return runProgram(at, op, *work.program, timing, instructions, task);
    if (!work.space || isFloat(*out.element()))
        return std::nullopt;
    PIM_TRY(const upmem::Arrangement arrangement, upmem::Arrangement::of(work.space, work.draft, timing));
    upmem::KernelNumbers numbers;
    for (std::size_t n = 0; n + 1 < arrangement.kernel().tensors.size(); ++n) {
        const Type& type = module.type(module.operand(op, n));
        if (type.isScalar())
            numbers.push_back({static_cast<std::int32_t>(at.operand(op, n).i)});
        else
            numbers.push_back(wholeNumbers(shortName(op) == "reduce" ? foldedLast(op, at.array(op, n))
                                                                     : at.array(op, n).compact()));
    }
    numbers.emplace_back();
    PIM_TRY(const upmem::DpuShare share,
            upmem::runOnDpus(arrangement, numbers, timing, {.instructions = instructions}, task));
    std::vector<std::int64_t> values(numbers.back().begin(), numbers.back().end());
    if (op.def->name == "cinm.gemm" && op.operandCount > 2) {
        const std::vector<std::int64_t> plus = intsOf(at.array(op, 2));
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] += plus[i];
    }
    at.set(op, arrayOf(std::span<const std::int64_t>(values), *out.element(), out.extents()));
    return share;
}

Result<std::vector<CodeFile>> codeOf(const DpuWork& work, const Target& target, const std::string& name) {
    if (work.program) {
        PIM_TRY(const upmem::BenchmarkCase made, caseOf(*work.program));
        const std::string title = fmt::format("{} on {} DPUs", name, made.host.dpus);
        PIM_TRY(const upmem::CCode dpu, upmem::cCode(*made.code, made.sizes, made.tasklets, title));
        PIM_TRY(std::string host, upmem::hostCode(made.host, *made.code, made.sizes, made.tasklets));
        return std::vector<CodeFile>{{name + ".dpu.c", dpu.text, {}, {}},
                                     {name + ".host.c", std::move(host), {}, {}}};
    }
    if (!work.space)
        return fail(ErrorCode::Unsupported, work.whyNoKernel, name);
    const Kernel& kernel = work.space->kernel();
    const DraftSummary draft = work.space->summarize(work.draft);
    PIM_TRY(upmem::KernelTile tile, upmem::tileOf(kernel, draft, upmem::machineOf(target).timing));
    if (!upmem::computes(tile.tile.shape().type))
        return fail(ErrorCode::Unsupported,
                    fmt::format("{} is computed by a library of soft floats, for which no code is written",
                                pim::name(tile.tile.shape().type)),
                    name);
    const upmem::OpProgram program =
        upmem::opProgram(kernel, draft, std::move(tile), static_cast<int>(draft.groupsUsed));
    const upmem::Tile& of = program.tile.tile;
    const int tasklets = of.shape().tasklets();
    PIM_TRY(const upmem::CCode dpu, upmem::cCode(of.code(), of.sizes(), tasklets,
                                                 fmt::format("{} on {} DPUs", name, draft.groupsUsed)));
    PIM_TRY(std::string host, upmem::hostCode(program.host, of.code(), of.sizes(), tasklets));
    return std::vector<CodeFile>{{name + ".dpu.c", dpu.text, {}, {}},
                                 {name + ".host.c", std::move(host), {}, {}}};
}

} // namespace pim::cinm
