// SPDX-License-Identifier: GPL-3.0-or-later
// What the user can decide about an op or the network, each value with its verdict.
#include "core/base/number_text.h"
#include "core/drafts/core_memory.h"
#include "core/drafts/opwise_planner.h"
#include "core/plan/legal_values.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

/// Constant or cache: the only tensors that may be there before the network runs.
bool mayStay(const OpPlan& op, std::size_t tensor) {
    const KernelTensor& kernelTensor = op.space->kernel().tensors[tensor];
    return kernelTensor.constant || kernelTensor.cache;
}

OverrideField placementField(const OpPlan& op, const std::string& hostId) {
    return {
        "placement",
        "Placement",
        name(op.placement),
        op.placementOverridden,
        {{"host", true, op.hostKnown ? fmt::format("{} on {}", timeText(op.hostNs), hostId) : "cost unknown"},
         {"pim", true, op.pimCost ? timeText(op.pimCost->totalNs()) + " on PIM" : std::string()}}};
}

/// The types that the units of the cores take, each once.
OverrideField typeField(const Plan& plan, const std::string& op, DataType current) {
    OverrideField field{"dtype", "Element type", std::string(name(current)), false, {}};
    field.overridden = plan.overrides.find(op, "dtype") != nullptr;
    if (const Level* core = plan.target->level("core"))
        for (const Unit& unit : core->units)
            for (const DataType type : unit.types)
                if (std::none_of(field.values.begin(), field.values.end(),
                                 [&](const auto& v) { return v.value == name(type); }))
                    field.values.push_back({std::string(name(type)), true, unit.name});
    return field;
}

/// Do the ops the user placed on PIM fit, with \p changed taking what is said here?
Result<void> checkPinned(const Plan& plan, const OpPlan& changed, const Override& decision,
                         const CoreFill& ofChanged) {
    if (plan.coreBytes <= 0)
        return {};
    CoreFill fill = ofChanged;
    for (const OpPlan& op : plan.ops)
        if (op.op != changed.op && op.placementOverridden && !op.onHost() &&
            plan.overrides.find(plan.graph->op(op.op).name, "placement"))
            fill.add(op);
    if (fill.bytes() > plan.coreBytes)
        return fail(ErrorCode::IllegalOverride, overfullText(fill.bytes(), plan.coreBytes), placeOf(decision),
                    kOverfullHint);
    return {};
}

bool isPinnedToPim(const Plan& plan, const OpPlan& op) {
    const std::string* const placement = plan.overrides.find(plan.graph->op(op.op).name, "placement");
    return placement && *placement == "pim";
}

/// Did the user decide about draft or code of the op?
bool isDraftDecided(const Plan& plan, const OpPlan& op, std::span<const std::string_view> codeFields) {
    return op.draftOverridden ||
           !codeDecisions(plan.overrides, plan.graph->op(op.op).name, codeFields).empty();
}

} // namespace

std::vector<OverrideField> OpwiseBackend::networkFields(const Plan& plan) const {
    const std::string* const placement = plan.overrides.find({}, "placement");
    std::vector<OverrideField> fields{
        {"placement",
         "Placement of all ops",
         placement ? *placement : "op by op",
         placement != nullptr,
         {{"host", true, timeText(plan.hostOnlyNs)}, {"pim", true, "all that PIM can run and has room for"}}},
        typeField(plan, {}, plan.computeType)};
    for (OverrideField& field : fields)
        field = judged(*this, plan, {}, std::move(field));
    return fields;
}

std::vector<OverrideField> OpwiseBackend::overrideFields(const Plan& plan, OpId op) const {
    if (!op.valid())
        return networkFields(plan);
    if (op.index() >= plan.ops.size())
        return {};
    const OpPlan& planned = plan.opPlan(op);
    const std::string& opName = plan.graph->op(op).name;
    std::vector<OverrideField> fields{placementField(planned, plan.target->host.id)};
    if (planned.space && planned.draft) {
        fields.push_back({"draft",
                          "Draft",
                          std::string(withoutCode(planned.space->draftText(*planned.draft))),
                          planned.draftOverridden,
                          {}});
        fields.push_back(typeField(plan, opName, planned.space->kernel().tensors.front().dtype));
        for (OverrideField& field : codeChoices(*planned.space, *planned.draft, *plan.target)) {
            field.overridden = plan.overrides.find(opName, field.field) != nullptr;
            fields.push_back(std::move(field));
        }
        for (std::size_t t = 0; t < planned.tensors.size(); ++t) {
            const TensorPlan& tensor = planned.tensors[t];
            // A product of a tensor with itself has it twice; it is decided about once.
            const auto isSame = [&](const TensorPlan& other) { return other.name == tensor.name; };
            if (std::any_of(planned.tensors.begin(), planned.tensors.begin() + std::ptrdiff_t(t), isSame))
                continue;
            if (tensor.tensor.valid() && planned.space->kernel().tensors[t].role == TensorRole::Input)
                fields.push_back({"residency/" + tensor.name,
                                  "Residency of " + tensor.name,
                                  tensor.residency == Residency::Resident ? "resident" : "streamed",
                                  tensor.overridden,
                                  {{"resident", true, "loaded once, before the network runs"},
                                   {"streamed", true, "moved in the kernel"}}});
        }
    }
    for (OverrideField& field : fields)
        field = judged(*this, plan, opName, std::move(field));
    return fields;
}

Result<std::int64_t> OpwiseBackend::checkDraft(const TilingSpace& space, const Draft& draft,
                                               const Target& target, const std::vector<Residency>& residency,
                                               const CodePasses& passes) const {
    const auto code = codeBytes(space, draft, target, residency, passes);
    if (!code)
        return fail(ErrorCode::IllegalOverride,
                    "there are no commands for this draft: " + code.error().message, space.kernel().name,
                    code.error().hint);
    const std::int64_t bytes = *code > 0 ? *code : space.summarize(draft).bytesPerCore;
    const std::int64_t capacity = space.resources().coreBytes;
    if (capacity > 0 && bytes > capacity)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("the draft needs {} of a core, which has {}",
                                bytesText(static_cast<double>(bytes)),
                                bytesText(static_cast<double>(capacity))),
                    space.kernel().name, "split it over more groups or cores");
    return bytes;
}

Result<void> OpwiseBackend::checkDraftDecision(const Plan& plan, const OpPlan& op,
                                               const Override& decision) const {
    const auto misplaced = [&](const Error& error) {
        return fail(ErrorCode::IllegalOverride, error.message, placeOf(decision), error.hint);
    };
    auto draft = op.space->draftFromText(decision.value);
    if (!draft)
        return misplaced(draft.error());
    draft->code.clear(); // decided field by field
    const std::vector<Residency> residency = residencyOf(op.tensors);
    const CodeDecisions code = codeDecisions(plan.overrides, decision.op, codeFields());
    return checkCode(plan, op, decision,
                     {*op.space, *plan.target, residency, std::move(*draft), true, code, true});
}

Result<void> OpwiseBackend::checkCode(const Plan& plan, const OpPlan& op, const Override& decision,
                                      const CodeQuestion& question) const {
    const auto misplaced = [&](const Error& error) {
        return fail(ErrorCode::IllegalOverride, error.message, placeOf(decision), error.hint);
    };
    const auto draft = question.decisions.empty() ? Result<Draft>(question.draft) : decided(question);
    if (!draft)
        return misplaced(draft.error());
    const auto bytes = checkDraft(*op.space, *draft, *plan.target, question.residency, plan.codePasses);
    if (!bytes)
        return misplaced(bytes.error());
    if (!isPinnedToPim(plan, op))
        return {};
    CoreFill fill;
    OpPlan changed = op;
    changed.draft = *draft;
    (op.keptCoreBytes > 0 ? changed.keptCoreBytes : changed.passingCoreBytes) = *bytes;
    fill.add(changed);
    return checkPinned(plan, op, decision, fill);
}

Result<void> OpwiseBackend::checkResidency(const Plan& plan, const OpPlan& op,
                                           const Override& decision) const {
    const std::string tensor = decision.field.substr(10);
    for (std::size_t t = 0; t < op.tensors.size(); ++t) {
        if (op.tensors[t].name != tensor || op.space->kernel().tensors[t].role != TensorRole::Input)
            continue;
        const bool resident = decision.value == "resident";
        if (resident && !mayStay(op, t))
            return fail(
                ErrorCode::IllegalOverride,
                fmt::format(
                    "\"{}\" changes with every run, so it cannot lie in PIM before; allowed: streamed",
                    tensor),
                placeOf(decision));
        if (!isDraftDecided(plan, op, codeFields()))
            return {};
        // The draft is the user's as well: both together must be possible.
        std::vector<Residency> residency = residencyOf(op.tensors);
        residency[t] = resident ? Residency::Resident : Residency::Streamed;
        if (const auto bytes = checkDraft(*op.space, *op.draft, *plan.target, residency, plan.codePasses);
            !bytes)
            return fail(ErrorCode::IllegalOverride, bytes.error().message, placeOf(decision),
                        "reset its draft first");
        return {};
    }
    return fail(ErrorCode::IllegalOverride, fmt::format("it has no PIM operand \"{}\"", tensor),
                placeOf(decision));
}

Result<void> OpwiseBackend::checkType(const Plan& plan, const OpPlan& op, const Override& decision,
                                      DataType type) const {
    Kernel kernel = op.space->kernel();
    const DataType now = kernel.tensors.front().dtype;
    for (KernelTensor& tensor : kernel.tensors)
        if (tensor.dtype == now)
            tensor.dtype = type;
    if (const auto able = supports(kernel, *plan.target); !able)
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("PIM cannot run it in {}: {}", name(type), able.error().message),
                    placeOf(decision));
    if (!isDraftDecided(plan, op, codeFields()))
        return {};
    PIM_TRY(const auto space, TilingSpace::create(std::move(kernel), resources(*plan.target)));
    if (const auto bytes =
            checkDraft(*space, *op.draft, *plan.target, residencyOf(op.tensors), plan.codePasses);
        !bytes)
        return fail(ErrorCode::IllegalOverride, bytes.error().message, placeOf(decision),
                    "reset its draft first");
    return {};
}

Result<void> OpwiseBackend::checkOverride(const Plan& plan, const Override& decision) const {
    PIM_TRY(const OpDecisions read,
            readDecision(*plan.target, decision, codeFields())); // field and form of the value
    if (decision.op.empty())
        return {};
    const OpId id = plan.graph->findOp(decision.op);
    if (!id.valid())
        return fail(ErrorCode::IllegalOverride, fmt::format("the model has no op \"{}\"", decision.op),
                    placeOf(decision), "remove this decision, or take the name from `pimc inspect`");
    const OpPlan& op = plan.opPlan(id);
    if (read.placement == DeviceId::host() || (read.dtype && !op.space))
        return {};
    if (!op.space || !op.draft)
        return fail(ErrorCode::IllegalOverride, "PIM cannot run it: " + op.pimVerdict, placeOf(decision),
                    "leave it on the host");
    if (read.draft)
        return checkDraftDecision(plan, op, decision);
    if (read.dtype)
        return checkType(plan, op, decision, *read.dtype);
    if (!read.code.empty()) {
        Draft draft = *op.draft;
        draft.code.clear();
        const std::vector<Residency> residency = residencyOf(op.tensors);
        CodeDecisions code = codeDecisions(plan.overrides, decision.op, codeFields());
        code[decision.field] = decision.value;
        return checkCode(
            plan, op, decision,
            {*op.space, *plan.target, residency, std::move(draft), op.draftOverridden, code, true});
    }
    if (!read.placement)
        return checkResidency(plan, op, decision);
    CoreFill fill;
    fill.add(op);
    return checkPinned(plan, op, decision, fill);
}

} // namespace pim
