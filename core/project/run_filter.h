// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which runs of a history are wanted, as a person types it: words, and terms such as "target:attacc
/// faster:1ms".
#include "core/project/project.h"

#include <optional>
#include <string>
#include <vector>

namespace pim {

/// Every word and every term must hold; upper and lower case are the same. A term of a text is "contains".
///   model: target: host: variant: label: version:   text
///   since:2026-05-01  until:2026-05-31              UTC dates, both included
///   faster:1.5ms  slower:200us                      total time; units ns, us, µs, ms, s
///   run:12                                          its number
///   is:simulated  is:predicted  is:best             best: see bestRuns()
class RunFilter {
public:
    /// Error::Usage names the term that is wrong and what is possible. Quotes keep blanks together.
    static Result<RunFilter> parse(std::string_view text);
    bool isEmpty() const { return m_terms.empty(); }
    bool passes(const RunInfo& run, bool isBest) const;
    /// The runs that pass, in the same order.
    std::vector<RunInfo> apply(std::vector<RunInfo> runs) const;

private:
    struct Term {
        enum class Kind { Word, Text, Since, Until, Faster, Slower, Run, Origin, Best };
        Kind kind = Kind::Word;
        std::string RunInfo::*field = nullptr; ///< Of Text.
        std::string text;
        double number = 0;
        pim::Origin origin = pim::Origin::Predicted;
    };
    static Result<Term> term(std::string_view key, const std::string& value);
    std::vector<Term> m_terms;
};

/// "1.5 ms", "200us" -> nanoseconds. Error::Usage.
Result<double> parseTime(std::string_view text);

} // namespace pim
