// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/code_demands.h"

#include "core/base/parse_number.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::upmem {
namespace {

constexpr std::string_view kHold = "hold-", kReread = "reread-";

class DemandReader {
public:
    explicit DemandReader(const Kernel& kernel) : m_kernel(kernel) {}

    Result<void> read(const std::string& field, const std::string& value) {
        if (std::ranges::find(kCodeFields, field) == kCodeFields.end())
            return wrong(field, fmt::format("\"{}\" is nothing that can be decided about a DPU", field),
                         fmt::format("fields: {}", fmt::join(kCodeFields, ", ")));
        if ((field == "lut") != m_kernel.gathers() && field != "dpus" && field != "tasklets")
            return field == "lut"
                       ? wrong(field, "it looks nothing up in tables, so it has no mapping of look-ups",
                               "convert it first: pass look_up_tables")
                       : wrong(field, "it looks up in tables; their mapping says how they go through WRAM",
                               "decide \"lut\"");
        if (field == "lut")
            return lookUps(value);
        if (field == "order")
            return order(value);
        PIM_TRY(const std::int64_t number, wholeNumber(field, value));
        if (field == "dpus")
            m_demands.dpus = int(number);
        else if (field == "tasklets")
            return tasklets(number);
        else if (field == "dma")
            return dma(number);
        else if (m_kernel.body != BodyKind::Mac)
            return noProduct(field);
        else if (field == "vectors")
            m_demands.tile.vectors = number;
        else if (field == "rows")
            m_demands.tile.rows = number;
        else
            m_demands.tile.chunk = number;
        return {};
    }

    CodeDemands take() { return std::move(m_demands); }

private:
    static tl::unexpected<Error> wrong(const std::string& field, std::string message, std::string hint) {
        return fail(ErrorCode::IllegalOverride, std::move(message), field, std::move(hint));
    }

    static Result<std::int64_t> wholeNumber(const std::string& field, const std::string& value) {
        constexpr std::int64_t kMost = 1 << 20;
        const auto number = parseNumber<std::int64_t>(value);
        if (!number || *number < 1 || *number > kMost)
            return wrong(
                field,
                fmt::format("{} = \"{}\"; allowed are whole numbers from 1 to {}", field, value, kMost),
                "take one of these");
        return *number;
    }

    static tl::unexpected<Error> noProduct(const std::string& field) {
        return wrong(field, "it is no product: its elements go through WRAM once, in DMAs of one size",
                     "decide the size of a DMA, DPUs or tasklets");
    }

    Result<void> tasklets(std::int64_t number) {
        if (number > kMaxTasklets)
            return wrong("tasklets", fmt::format("{} tasklets; a DPU has 1 to {}", number, kMaxTasklets),
                         "11 keep its pipeline full, 16 are usual");
        m_demands.tasklets = int(number);
        return {};
    }

    Result<void> lookUps(const std::string& value) {
        auto choice = parseLutChoice(value);
        if (!choice)
            return wrong("lut", choice.error().message, choice.error().hint);
        m_demands.tile.lookUps = *choice;
        return {};
    }

    Result<void> dma(std::int64_t bytes) {
        if (bytes < kLeastDmaBytes || bytes > kMostDmaBytes || bytes % kDmaAlignment != 0)
            return wrong("dma",
                         fmt::format("a DMA of {} B; a DPU moves {} to {} B at once, in multiples of {} B",
                                     bytes, kLeastDmaBytes, kMostDmaBytes, kDmaAlignment),
                         "take one of these");
        m_demands.tile.dmaBytes = bytes;
        return {};
    }

    Result<void> order(const std::string& value) {
        if (m_kernel.body != BodyKind::Mac)
            return noProduct("order");
        std::string known;
        for (std::size_t at = 0; at < m_kernel.accesses.size(); ++at)
            for (const bool again : {false, true}) {
                if (m_kernel.accesses[at].isWrite ||
                    m_kernel.tensors[std::size_t(m_kernel.accesses[at].tensor)].role != TensorRole::Input)
                    continue;
                const std::string text = orderText(m_kernel, int(at), again);
                if (text == value) {
                    m_demands.held = m_kernel.tensors[std::size_t(m_kernel.accesses[at].tensor)].name;
                    m_demands.tile.readsVectorsAgain = again;
                    return {};
                }
                known += (known.empty() ? "" : ", ") + text;
            }
        return wrong("order", fmt::format("\"{}\" is no order of its loops; allowed: {}", value, known),
                     "take one of these");
    }

    const Kernel& m_kernel;
    CodeDemands m_demands;
};

} // namespace

std::string orderText(const Kernel& kernel, int heldAccess, bool readsVectorsAgain) {
    const TensorAccess& access = kernel.accesses[std::size_t(heldAccess)];
    return std::string(readsVectorsAgain ? kReread : kHold) + kernel.tensors[std::size_t(access.tensor)].name;
}

Result<CodeDemands> readDemands(const Kernel& kernel, const std::map<std::string, std::string>& decisions) {
    DemandReader reader(kernel);
    std::string text;
    for (const auto& [field, value] : decisions) {
        PIM_CHECK(reader.read(field, value));
        if (field != "dpus" && field != "tasklets")
            text += fmt::format("{}{}={}", text.empty() ? "" : ", ", field, value);
    }
    CodeDemands demands = reader.take();
    demands.tileText = std::move(text);
    return demands;
}

Result<CodeDemands> readDemands(const Kernel& kernel, std::string_view code) {
    std::map<std::string, std::string> decisions;
    while (!code.empty()) {
        const std::string_view one = code.substr(0, code.find(','));
        code.remove_prefix(std::min(code.size(), one.size() + 1));
        while (code.starts_with(' '))
            code.remove_prefix(1);
        const std::size_t equals = one.find('=');
        if (equals == std::string_view::npos)
            return fail(ErrorCode::IllegalOverride,
                        fmt::format("\"{}\" decides nothing; expected a field, \"=\" and a value", one), {},
                        "\"dma=512, vectors=8\"");
        decisions.emplace(one.substr(0, equals), one.substr(equals + 1));
    }
    return readDemands(kernel, decisions);
}

} // namespace pim::upmem
