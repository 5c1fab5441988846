// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/cinm/elsewhere.h"

#include "backends/cinm/on_dpus.h"
#include "core/plan/draft_facet.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim::cinm {

Result<OtherPrice> OtherMachines::priceOn(const std::shared_ptr<const Target>& target,
                                          const ir::Module& module, const ir::Operation& op,
                                          const std::vector<bool>& constant, const TaskContext& task) {
    OtherPrice price{target->id, {}, {}};
    auto kernel = kernelOf(module, op, constant);
    if (!kernel) {
        price.why = kernel.error().message;
        return price;
    }
    std::string key = target->id + "\n" + kernel->text();
    for (const KernelTensor& tensor : kernel->tensors)
        key += tensor.constant ? "c" : "-";
    if (const auto known = m_known.find(key); known != m_known.end())
        return known->second;
    PIM_TRY(const Backend* const backend, m_backends->find(target->backend));
    const DraftFacet* const drafts = backend->drafts();
    CompileOptions options;
    const DataType wanted = options.computeType = kernel->tensors.front().dtype;
    if (!drafts) {
        price.why = "plans networks as a whole, not op by op";
    } else if (const auto exploration = drafts->exploreKernel(*kernel, target, options, task); !exploration) {
        if (exploration.error().code == ErrorCode::Cancelled)
            return tl::unexpected<Error>(exploration.error());
        price.why = exploration.error().message;
        if (constexpr std::string_view kPrefix = "PIM cannot run it: "; price.why.starts_with(kPrefix))
            price.why.erase(0, kPrefix.size()); // the target is named in front
    } else if (const DataType type = (*exploration)->space->kernel().tensors.front().dtype; type != wanted) {
        price.why = fmt::format("computes in {}, not in {}", name(type), name(wanted));
    } else if ((*exploration)->costs.empty()) {
        price.why = "has no room for it";
    } else {
        price.ns = (*exploration)->costs.front().totalNs();
    }
    m_known.emplace(std::move(key), price);
    return price;
}

Result<std::vector<OtherPrice>> OtherMachines::price(const ir::Module& module, const ir::Operation& op,
                                                     const std::vector<bool>& constant,
                                                     const TaskContext& task) {
    std::vector<OtherPrice> prices;
    for (const auto& target : m_targets) {
        PIM_TRY(OtherPrice price, priceOn(target, module, op, constant, task));
        prices.push_back(std::move(price));
    }
    return prices;
}

} // namespace pim::cinm
