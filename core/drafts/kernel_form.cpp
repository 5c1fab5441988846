// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/kernel_form.h"

#include <fmt/format.h>

#include <algorithm>

namespace pim {
namespace {

bool runsOver(const TensorAccess& access, int loop) {
    return std::any_of(access.index.begin(), access.index.end(), [loop](const AffineExpr& expr) {
        return std::any_of(expr.terms.begin(), expr.terms.end(),
                           [loop](const AffineTerm& term) { return term.loop == loop; });
    });
}

} // namespace

std::string kernelForm(const Kernel& kernel, const std::vector<Residency>& residency) {
    std::string form(name(kernel.body));
    if (!kernel.function.empty())
        form += " " + kernel.function;
    for (const TensorAccess& access : kernel.accesses) {
        form += access.isWrite ? " w[" : " [";
        for (std::size_t l = 0; l < kernel.loops.size(); ++l)
            if (runsOver(access, static_cast<int>(l)))
                form += std::to_string(l);
        form += residency[static_cast<std::size_t>(access.tensor)] == Residency::Resident ? "]r" : "]";
    }
    return form;
}

std::string kernelSizes(const Kernel& kernel) {
    std::string sizes;
    for (const Loop& loop : kernel.loops)
        sizes += fmt::format("{}{}={}", sizes.empty() ? "" : " ", loop.name, loop.extent);
    return sizes;
}

} // namespace pim
