// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/dram_pim/fixed_mapping.h"

#include <algorithm>
#include <cmath>

namespace pim::dram {
namespace {

/// The sets of a kernel by what a published mapping calls them.
struct Roles {
    std::vector<int> heads;   ///< Batches and heads with data of their own.
    std::vector<int> batches; ///< Batches that share the matrix.
    std::vector<int> matrix;  ///< First tensor dimension, second, ….
};

/// The one set of a dimension; -1 where it has several (a sum of variables) or does not exist.
int setOf(const TilingSpace& space, int tensor, std::size_t dim) {
    const DimRef wanted{tensor, static_cast<int>(dim)};
    int found = -1;
    for (std::size_t s = 0; s < space.sets().size(); ++s) {
        const auto& dims = space.sets()[s].dims;
        if (std::find(dims.begin(), dims.end(), wanted) == dims.end())
            continue;
        if (found >= 0)
            return -1;
        found = static_cast<int>(s);
    }
    return found;
}

bool isResident(const KernelTensor& tensor) {
    return tensor.role == TensorRole::Input && (tensor.constant || tensor.cache);
}

/// Resident operand of the highest rank, else the first input of the highest rank.
int matrixOf(const Kernel& kernel) {
    int best = -1;
    const auto rankOf = [&kernel](int t) {
        const KernelTensor& tensor = kernel.tensors[static_cast<std::size_t>(t)];
        return std::pair(isResident(tensor), tensor.shape.size());
    };
    for (int t = 0; t < std::ssize(kernel.tensors); ++t)
        if (kernel.tensors[static_cast<std::size_t>(t)].role != TensorRole::Output &&
            (best < 0 || rankOf(t) > rankOf(best)))
            best = t;
    return best;
}

bool contains(const std::vector<int>& sets, int set) {
    return std::find(sets.begin(), sets.end(), set) != sets.end();
}

Roles rolesOf(const TilingSpace& space, int matrix) {
    const Kernel& kernel = space.kernel();
    const std::size_t rank = kernel.tensors[static_cast<std::size_t>(matrix)].shape.size();
    Roles roles;
    for (std::size_t d = 0; d + 1 < rank; ++d) {
        const int set = setOf(space, matrix, d);
        bool shared = set >= 0;
        for (int t = 0; t < std::ssize(kernel.tensors) && shared; ++t)
            shared = isResident(kernel.tensors[static_cast<std::size_t>(t)]) || setOf(space, t, d) == set;
        if (!shared)
            break;
        roles.heads.push_back(set);
    }
    for (std::size_t d = 0; d < rank; ++d)
        if (const int set = setOf(space, matrix, d);
            set >= 0 && !contains(roles.heads, set) && !contains(roles.matrix, set))
            roles.matrix.push_back(set);
    for (int t = 0; t < std::ssize(kernel.tensors); ++t) {
        const KernelTensor& tensor = kernel.tensors[static_cast<std::size_t>(t)];
        for (std::size_t d = 0; tensor.role != TensorRole::Input && d < tensor.shape.size(); ++d) {
            const int set = setOf(space, t, d);
            if (set < 0 || contains(roles.matrix, set))
                break;
            if (!contains(roles.heads, set) && !contains(roles.batches, set))
                roles.batches.push_back(set);
        }
    }
    return roles;
}

std::int64_t lengthOf(const TilingSpace& space, int set) {
    const DimRef dim = space.sets()[static_cast<std::size_t>(set)].mappings.front().dim;
    return space.kernel()
        .tensors[static_cast<std::size_t>(dim.tensor)]
        .shape[static_cast<std::size_t>(dim.dim)];
}

/// Gives \p sets, outermost first, as many of \p groups as they have indices. \returns what is left.
std::int64_t spread(Draft& draft, const TilingSpace& space, const std::vector<int>& sets,
                    std::int64_t groups) {
    for (const int set : sets) {
        const std::int64_t taken = std::clamp<std::int64_t>(lengthOf(space, set), 1, groups);
        draft.parts[static_cast<std::size_t>(set)].groups = static_cast<int>(taken);
        groups /= taken;
    }
    return groups;
}

std::int64_t product(const TilingSpace& space, const std::vector<int>& sets) {
    std::int64_t length = 1;
    for (const int set : sets)
        length *= lengthOf(space, set);
    return length;
}

Result<Roles> checkedRoles(const TilingSpace& space) {
    const int matrix = matrixOf(space.kernel());
    Roles roles = matrix < 0 ? Roles() : rolesOf(space, matrix);
    if (roles.matrix.empty())
        return fail(ErrorCode::Unsupported,
                    "the published mapping needs an operand with a dimension of its own", space.kernel().name,
                    "search for a mapping instead");
    return roles;
}

Draft emptyDraft(const TilingSpace& space) {
    Draft draft;
    draft.parts.resize(space.sets().size());
    return draft;
}

} // namespace

Result<Draft> attAccMapping(const TilingSpace& space, const Target& target) {
    PIM_TRY(const Roles roles, checkedRoles(space));
    const TilingResources& machine = space.resources();
    const std::int64_t stacks = std::clamp<std::int64_t>(target.instances("device"), 1, machine.groups);
    const std::int64_t banksPerCore =
        std::max<std::int64_t>(1, std::llround(target.numberOr("organisation.banksPerCore", 1)));
    const std::int64_t banksPerGroup =
        std::max<std::int64_t>(1, std::llround(target.numberOr("organisation.banks", 4)));
    const std::int64_t bankGroups = std::clamp<std::int64_t>(
        machine.coresPerGroup * banksPerCore / banksPerGroup, 1, machine.coresPerGroup);

    Draft draft = emptyDraft(space);
    DraftPart& first = draft.parts[static_cast<std::size_t>(roles.matrix[0])];
    const bool headsFillStacks = product(space, roles.heads) >= stacks;
    std::int64_t left = headsFillStacks ? machine.groups : machine.groups / stacks;
    left = spread(draft, space, roles.heads, left);
    spread(draft, space, roles.batches, left);
    if (!headsFillStacks)
        first.groups = static_cast<int>(stacks);
    first.cores = static_cast<int>(roles.matrix.size() > 1 ? bankGroups : machine.coresPerGroup);
    if (roles.matrix.size() > 1)
        draft.parts[static_cast<std::size_t>(roles.matrix[1])].cores =
            static_cast<int>(machine.coresPerGroup / bankGroups);
    PIM_CHECK(space.check(draft));
    return draft;
}

Result<Draft> aimMapping(const TilingSpace& space, const Target&) {
    PIM_TRY(const Roles roles, checkedRoles(space));
    const TilingResources& machine = space.resources();
    Draft draft = emptyDraft(space);
    const std::int64_t left = spread(draft, space, roles.heads, machine.groups);
    spread(draft, space, {roles.matrix[0]}, left);
    draft.parts[static_cast<std::size_t>(roles.matrix[0])].cores = machine.coresPerGroup;
    PIM_CHECK(space.check(draft));
    return draft;
}

} // namespace pim::dram
