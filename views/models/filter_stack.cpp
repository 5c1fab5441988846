// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/filter_stack.h"

#include <algorithm>

namespace pim::views {

bool FilterStack::passes(OpId op) const {
    return std::all_of(m_filters.begin(), m_filters.end(), [op](const OpFilter& filter) {
        return op.valid() && op.index() < filter.ops.size() && filter.ops[op.index()];
    });
}

void FilterStack::push(OpFilter filter) {
    std::erase_if(m_filters, [&](const OpFilter& old) { return old.text == filter.text; });
    m_filters.push_back(std::move(filter));
    emit changed();
}

void FilterStack::remove(int index) {
    if (index < 0 || std::size_t(index) >= m_filters.size())
        return;
    m_filters.erase(m_filters.begin() + index);
    emit changed();
}

void FilterStack::clear() {
    if (m_filters.empty())
        return;
    m_filters.clear();
    emit changed();
}

} // namespace pim::views
