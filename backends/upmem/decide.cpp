// SPDX-License-Identifier: GPL-3.0-or-later
// What the user decides about an op on DPUs: which values there are, and what they make of a draft.
#include "backends/upmem/code_demands.h"
#include "backends/upmem/grid_choice.h"
#include "backends/upmem/upmem.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace pim {
namespace {

using namespace upmem;
using ProductForm = TileShape::Form;

/// Numbers to offer: \p current, \p most, and powers of two times \p step between them.
std::vector<LegalValue> offered(std::int64_t current, std::int64_t most, std::int64_t step = 1) {
    std::set<std::int64_t> numbers{current, most};
    for (std::int64_t number = step; number <= most; number *= 2)
        numbers.insert(number);
    std::vector<LegalValue> values;
    for (const std::int64_t number : numbers)
        values.push_back({std::to_string(number), true, {}});
    return values;
}

OverrideField numberField(std::string field, std::string label, std::int64_t current,
                          std::vector<LegalValue> values) {
    return {std::move(field), std::move(label), std::to_string(current), false, std::move(values)};
}

/// Fields of the tile that is in force.
class TileFields {
public:
    TileFields(const Kernel& kernel, const KernelTile& tile) : m_kernel(kernel), m_tile(tile) {}

    std::vector<OverrideField> all() {
        if (m_tile.tile.lookUps()) {
            lookUps();
            return std::move(m_fields);
        }
        const TileShape& shape = m_tile.tile.shape();
        const TileBlocks& blocks = m_tile.tile.blocks();
        const std::int64_t bytes =
            m_tile.tile.dmaBytes() / (isProduct() ? blocks.pieceRows : 1) / blocks.chunk;
        if (isProduct()) {
            order();
            add(numberField("vectors", "Vectors in WRAM", blocks.vectors,
                            offered(blocks.vectors, shape.vectors)));
            add(numberField("rows", "Sums in WRAM, rows", blocks.rows, offered(blocks.rows, shape.outputs)));
            const std::int64_t row = std::min((shape.length + 7) / 8 * 8, kMostDmaBytes / bytes);
            add(numberField("chunk", "Elements at a time", blocks.chunk, offered(blocks.chunk, row, 8)));
        }
        add(numberField("dma", "DMA, bytes", m_tile.tile.dmaBytes(), dmas(blocks.chunk * bytes)));
        return std::move(m_fields);
    }

private:
    bool isProduct() const { return m_tile.tile.shape().form == ProductForm::Product; }
    void add(OverrideField field) { m_fields.push_back(std::move(field)); }

    /// Free text: there are thousands, the window maps them.
    void lookUps() {
        const auto& [layer, mapping] = *m_tile.tile.lookUps();
        add({"lut", "Mapping of look-ups", text(LutChoice{mapping, layer.tasklets}), false, {}});
    }

    void order() {
        OverrideField field{"order",
                            "Loop order",
                            orderText(m_kernel, m_tile.held, m_tile.tile.blocks().readsVectorsAgain),
                            false,
                            {}};
        for (const int access :
             {std::min(m_tile.held, m_tile.streamed), std::max(m_tile.held, m_tile.streamed)})
            for (const bool again : {false, true}) {
                const auto& nameOf = [&](int at) {
                    return m_kernel.tensors[std::size_t(m_kernel.accesses[std::size_t(at)].tensor)].name;
                };
                const std::string other = nameOf(m_tile.held + m_tile.streamed - access);
                field.values.push_back(
                    {orderText(m_kernel, access, again), true,
                     again ? fmt::format("rows of {} come chunk by chunk, anew for each block of {}",
                                         nameOf(access), other)
                           : fmt::format("rows of {} stay in WRAM while {} streams past", nameOf(access),
                                         other)});
            }
        add(std::move(field));
    }

    /// Powers of two, and as many whole chunks as a DMA has room for.
    std::vector<LegalValue> dmas(std::int64_t chunkBytes) const {
        constexpr std::int64_t kMultiples = 8;
        std::vector<LegalValue> values = offered(m_tile.tile.dmaBytes(), kMostDmaBytes, kLeastDmaBytes);
        for (std::int64_t n = 1; n <= kMultiples && n * chunkBytes <= kMostDmaBytes; ++n)
            values.push_back({std::to_string(n * chunkBytes), true, {}});
        std::ranges::sort(values, {}, [](const LegalValue& v) { return std::stoll(v.value); });
        const auto again = std::ranges::unique(values, {}, &LegalValue::value);
        values.erase(again.begin(), again.end());
        return values;
    }

    const Kernel& m_kernel;
    const KernelTile& m_tile;
    std::vector<OverrideField> m_fields;
};

/// The field of a decision about the tile, to blame where all together are impossible.
std::string blamed(const CodeDecisions& decisions) {
    for (const auto& [field, value] : decisions)
        if (field != "dpus" && field != "tasklets")
            return field;
    return decisions.begin()->first;
}

Result<void> checkMachine(const CodeDemands& demands, const Machine& machine) {
    const auto most = [](const char* field, std::optional<int> number, int has) -> Result<void> {
        if (!number || *number <= has)
            return {};
        return fail(ErrorCode::IllegalOverride,
                    fmt::format("{} = {}; the machine has 1 to {}", field, *number, has), field,
                    "take one of these, or a larger target");
    };
    PIM_CHECK(most("dpus", demands.dpus, machine.dpus));
    return most("tasklets", demands.tasklets, machine.tasklets);
}

/// Whole layer and machine allow the mapping, and so do other decisions.
Result<void> checkLutChoice(const Kernel& kernel, const CodeDemands& demands, const Machine& machine) {
    const LutChoice& choice = *demands.tile.lookUps;
    const auto refused = [](std::string why, std::string hint) {
        return fail(ErrorCode::IllegalOverride, std::move(why), "lut", std::move(hint));
    };
    LutLayer layer = lutLayerOf(kernel);
    layer.dpus = layer.rows / std::min(layer.rows, choice.mapping.split.rows) *
                 (layer.features / std::min(layer.features, choice.mapping.split.features));
    layer.tasklets = choice.tasklets;
    if (const auto checked = checkLayer(layer); !checked)
        return refused(checked.error().message, checked.error().hint);
    if (const auto refusal = refusalOf(layer, choice.mapping, LutReading::Strict))
        return refused(text(*refusal, layer, choice.mapping),
                       "take one that pimc lut-tune or LUT Mappings offer");
    if (layer.dpus > machine.dpus || choice.tasklets > machine.tasklets)
        return refused(fmt::format("it takes {} DPUs and {} tasklets; the machine has {} and {}", layer.dpus,
                                   choice.tasklets, machine.dpus, machine.tasklets),
                       "take larger sub-LUTs, or a larger target");
    if (demands.dpus.value_or(int(layer.dpus)) != layer.dpus ||
        demands.tasklets.value_or(int(choice.tasklets)) != choice.tasklets)
        return refused(fmt::format("it takes {} DPUs and {} tasklets, but other numbers are decided",
                                   layer.dpus, choice.tasklets),
                       "reset its dpus and tasklets first");
    return {};
}

/// The user's own draft stays as it is.
Result<void> checkGiven(const CodeDemands& demands, const DraftSummary& summary) {
    const auto same = [](const char* field, std::optional<int> number, std::int64_t has) -> Result<void> {
        if (!number || *number == has)
            return {};
        return fail(
            ErrorCode::IllegalOverride,
            fmt::format("{} = {}, but the draft that you decided gives work to {}", field, *number, has),
            field, "reset its draft first");
    };
    PIM_CHECK(same("dpus", demands.dpus, summary.groupsUsed));
    return same("tasklets", demands.tasklets, summary.coresUsed);
}

} // namespace

std::span<const std::string_view> UpmemBackend::codeFields() const {
    return kCodeFields;
}

std::vector<OverrideField> UpmemBackend::codeChoices(const TilingSpace& space, const Draft& draft,
                                                     const Target& target) const {
    const Machine machine = machineOf(target);
    const DraftSummary summary = space.summarize(draft);
    const auto tile = tileOf(space.kernel(), summary, machine.timing);
    if (!tile)
        return {};
    std::vector<LegalValue> tasklets;
    for (int number = 1; number <= machine.tasklets; ++number)
        tasklets.push_back({std::to_string(number), true, {}});
    std::vector<OverrideField> fields{
        numberField("dpus", "DPUs", summary.groupsUsed, offered(summary.groupsUsed, machine.dpus)),
        numberField("tasklets", "Tasklets of a DPU", summary.coresUsed, std::move(tasklets))};
    for (OverrideField& field : TileFields(space.kernel(), *tile).all())
        fields.push_back(std::move(field));
    return fields;
}

Result<std::string> UpmemBackend::codeText(const Kernel& kernel, const CodeDecisions& decisions) const {
    PIM_TRY(const CodeDemands demands, readDemands(kernel, decisions));
    return demands.tileText;
}

Result<Draft> UpmemBackend::decided(const CodeQuestion& question) const {
    const Kernel& kernel = question.space.kernel();
    const Machine machine = machineOf(question.target);
    PIM_TRY(const CodeDemands demands, readDemands(kernel, question.decisions));
    PIM_CHECK(checkMachine(demands, machine));
    Draft draft = question.draft;
    if (demands.tile.lookUps) {
        PIM_CHECK(checkLutChoice(kernel, demands, machine));
        if (!question.isGiven)
            draft = draftOf(question.space, *demands.tile.lookUps, std::move(draft));
    }
    draft.code = demands.tileText;
    DraftSummary summary = question.space.summarize(draft);
    if (question.isGiven)
        PIM_CHECK(checkGiven(demands, summary));
    auto tile = tileOf(kernel, summary, machine.timing);
    const bool isExact = demands.dpus.value_or(int(summary.groupsUsed)) == summary.groupsUsed &&
                         demands.tasklets.value_or(int(summary.coresUsed)) == summary.coresUsed;
    if (!question.isGiven && (!isExact || (!tile && (demands.dpus || demands.tasklets)))) {
        auto other = gridOf({question.space, question.target, question.residency, draft, demands.dpus,
                             demands.tasklets, question.asksOnlyWhether});
        if (!other) {
            if (other.error().where.empty())
                other.error().where = blamed(question.decisions);
            return other;
        }
        draft = std::move(*other);
        question.space.summarize(draft, summary);
        tile = tileOf(kernel, summary, machine.timing);
    }
    if (tile && computes(tile->tile.shape().type)) // the program must have room in IRAM
        if (const auto program = tile->tile.program(); !program)
            tile = tl::unexpected<Error>(program.error());
    if (!tile)
        return fail(ErrorCode::IllegalOverride, tile.error().message, blamed(question.decisions),
                    tile.error().hint);
    return draft;
}

} // namespace pim
