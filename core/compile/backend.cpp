// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compile/backend.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {

Result<std::vector<std::string>> Backend::writeData(const Plan&, const std::filesystem::path&,
                                                    const TaskContext&) const {
    return std::vector<std::string>();
}

Result<std::shared_ptr<const Simulation>> Backend::simulate(const Plan&, const TaskContext&) const {
    return fail(ErrorCode::Unsupported,
                fmt::format("the backend {} has no simulator; its times are predicted", id()));
}

Result<std::vector<SimulatedDraft>> Backend::simulateDrafts(const Exploration&, std::span<const std::size_t>,
                                                            int, const TaskContext&) const {
    return fail(ErrorCode::Unsupported, fmt::format("the backend {} does not simulate single drafts", id()));
}

Result<std::shared_ptr<const CommandTrace>> Backend::trace(const Plan&, OpId, const TaskContext&) const {
    return fail(ErrorCode::Unsupported, fmt::format("the backend {} has no DRAM commands with times", id()));
}

Result<std::vector<std::vector<float>>> Backend::execute(const Plan&, OpId, std::vector<std::vector<float>>,
                                                         int, const TaskContext&) const {
    return fail(ErrorCode::Unsupported,
                fmt::format("the backend {} does not run its commands op by op on numbers", id()));
}

Result<MemoryLayout> Backend::layout(const Plan&, const TaskContext&) const {
    return MemoryLayout{};
}

Result<std::shared_ptr<const OpPlaces>> Backend::places(const Plan&, OpId) const {
    return fail(ErrorCode::Unsupported,
                fmt::format("the backend {} does not lay out tensors over DRAM banks", id()));
}

void BackendList::add(std::unique_ptr<Backend> backend) {
    m_backends.push_back(std::move(backend));
}

Result<const Backend*> BackendList::find(std::string_view id) const {
    const auto at =
        std::find_if(m_backends.begin(), m_backends.end(), [id](const auto& b) { return b->id() == id; });
    if (at != m_backends.end())
        return at->get();
    std::string known;
    for (const auto& backend : m_backends)
        known += fmt::format("{}{}", known.empty() ? "" : ", ", backend->id());
    return fail(ErrorCode::NotFound, fmt::format("there is no backend \"{}\"; there are: {}", id, known));
}

} // namespace pim
