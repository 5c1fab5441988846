// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The language of searches for ops: `conv1 type:Conv shape:64x* attr:kernel_shape=3 placement:pim
/// cost:>1ms`. The search line of the graph and `pimc inspect --find` speak it.
#include "core/compile/op_figures.h"
#include "core/graph/blocks.h"

#include <functional>
#include <string_view>

namespace pim {

/// Words that all must match. A plain word must occur in the name or be the type; case does not count (of
/// ASCII letters), `*` and `?` stand for letters, `"…"` keeps blanks, a `-` before a key turns it round.
/// Keys:
/// - name, type, class, block (a repeated part), dtype, shape (of an output: extents next to one another, `*`
///   for any), attr (`attr:strides`, `attr:kernel_shape=3x3`), placement or on (host, pim);
/// - cost or time, energy, moved, bytes, rearranged, error, macs, ai: `>`, `>=`, `<`, `<=` or `=` and a
/// number
///   with an optional unit (ns us ms s, pJ nJ uJ mJ J, k M G T, B KiB MiB GiB, %).
class OpQuery {
public:
    /// Error::Usage says what is allowed.
    static Result<OpQuery> parse(std::string_view text);

    bool isEmpty() const { return m_tests.empty(); }
    bool needsPlan() const { return m_needsPlan; }
    bool needsSimulation() const { return m_needsSimulation; }
    /// In graph order; none for an empty query. What is not known matches no key but a turned one.
    std::vector<OpId> find(const OpFigureSource& source, const BlockTree* blocks) const;

    struct Subject {
        const OpFigureSource& source;
        const BlockTree* blocks; ///< May be null: then no op is in a block.
        OpId id;
        const Op& op() const { return source.graph.op(id); }
    };
    using Test = std::function<bool(const Subject&)>;

private:
    std::vector<Test> m_tests;
    bool m_needsPlan = false, m_needsSimulation = false;
};

} // namespace pim
