// SPDX-License-Identifier: GPL-3.0-or-later
// Reads the text form of a flow:
//
//   flow      = "cim-flow 1"  "network" fields  tensor*  op*  piece*  block*
//   tensor    = "tensor" number fields      op = "op" number fields      piece = "piece" number fields
//   numbers from 0 on block     = "parallel" string "{" operator* "}" operator  = "CM.switch" "(" ("TOM" |
//   "TOC") "," "[" arrays "]" ")"  |  word fields          words: see fields.h fields    = "(" [key "=" value
//   ("," key "=" value)*] ")"            each key at most once, in any order value     = number | string |
//   word | number "/" number | number "+" number ["/" number "x" number]
//             | "[" [number ("," number)*] "]" | "[" arrays "]"
//   arrays    = [range ("," range)*]        range = number ["-" number]
//   string    = '"' … '"' with \" \\ and \xHH       white space separates, # starts a comment to the end of
//   the line
//
// Blocks do not nest, so no text can exhaust the stack.
#include "backends/dual_mode/flow/fields.h"
#include "core/base/text_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

namespace pim {
namespace {

class Parser {
public:
    Parser(std::string_view text, std::string_view fileName)
        : m_scan(text, fileName, {.digitFirst = true, .dots = true}), m_fileName(fileName) {}

    Result<DualModeFlow> parse() {
        if (m_scan.word() != "cim" || !m_scan.take('-') || m_scan.word() != "flow")
            return m_scan.error("the text does not start with \"cim-flow\"");
        PIM_TRY(const std::int64_t version, number());
        if (version != 1)
            return m_scan.error(
                fmt::format("the text has version {}, this program reads version 1", version));
        PIM_CHECK(m_scan.expectWord("network"));
        PIM_CHECK(arguments());
        flow_text::header(*this, m_flow);
        PIM_CHECK(endArguments());
        PIM_CHECK(table("tensor", m_flow.tensors));
        PIM_CHECK(table("op", m_flow.ops));
        PIM_CHECK(table("piece", m_flow.pieces));
        while (!m_scan.atEnd())
            PIM_CHECK(block());
        if (auto checked = checkFlow(m_flow); !checked) {
            Error wrong = std::move(checked).error();
            wrong.where = fmt::format("{}: {}", m_fileName, wrong.where);
            return tl::unexpected<Error>(std::move(wrong));
        }
        return std::move(m_flow);
    }

    // ---- what fields() calls; the first error is kept and returned by endArguments() ----

    void field(std::string_view key, std::string& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, m_scan.string());
            return {};
        });
    }
    void field(std::string_view key, std::int64_t& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, number());
            return {};
        });
    }
    void field(std::string_view key, int& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(value, smallNumber());
            return {};
        });
    }
    void field(std::string_view key, bool& value) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(const std::int64_t given, number());
            if (given != 0 && given != 1)
                return m_scan.error(fmt::format("found {}, expected 0 or 1", given));
            value = given == 1;
            return {};
        });
    }
    template <class Tag>
    void field(std::string_view key, Id<Tag>& id) {
        field(key, id.value);
    }
    void field(std::string_view key, FlowTensorKind& kind) { choice(key, flow_text::kTensorKinds, kind); }
    void field(std::string_view key, SumRole& role) { choice(key, flow_text::kSumRoles, role); }
    void field(std::string_view key, FlowPace& pace) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(pace.lead, number());
            PIM_CHECK(m_scan.expect('/'));
            PIM_TRY(pace.of, number());
            return {};
        });
    }
    void field(std::string_view key, ByteRuns& runs) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(runs.begin, number());
            PIM_CHECK(m_scan.expect('+'));
            PIM_TRY(runs.run, number());
            if (m_scan.take('/')) {
                PIM_TRY(runs.stride, number());
                PIM_CHECK(m_scan.expect('x'));
                PIM_TRY(runs.count, number());
            }
            return {};
        });
    }
    void field(std::string_view key, ArrayList& list) {
        read(key, [&]() -> Result<void> { return arrays(list); });
    }
    template <class Number>
    void field(std::string_view key, std::vector<Number>& numbers) {
        read(key, [&]() -> Result<void> {
            PIM_CHECK(m_scan.expect('['));
            if (m_scan.take(']'))
                return {};
            do {
                if constexpr (std::is_same_v<Number, int>) {
                    PIM_TRY(const int value, smallNumber());
                    numbers.push_back(value);
                } else {
                    PIM_TRY(const std::int64_t value, number());
                    numbers.push_back(value);
                }
            } while (m_scan.take(','));
            return m_scan.expect(']');
        });
    }
    void range(std::string_view key, std::int64_t& begin, std::int64_t& length) {
        read(key, [&]() -> Result<void> {
            PIM_TRY(begin, number());
            PIM_CHECK(m_scan.expect('+'));
            PIM_TRY(length, number());
            return {};
        });
    }

private:
    // ---- tokens ----

    Result<std::int64_t> number() {
        PIM_TRY(const std::uint64_t value, m_scan.number(flow_text::kMaxNumber));
        return static_cast<std::int64_t>(value);
    }
    Result<int> smallNumber() {
        PIM_TRY(const std::int64_t value, number());
        if (value > std::numeric_limits<int>::max())
            return m_scan.error(fmt::format("{} is greater than {}", value, std::numeric_limits<int>::max()));
        return static_cast<int>(value);
    }
    Result<void> arrays(ArrayList& list) {
        PIM_CHECK(m_scan.expect('['));
        if (m_scan.take(']'))
            return {};
        do {
            PIM_TRY(const int first, smallNumber());
            int last = first;
            if (m_scan.take('-')) {
                PIM_TRY(last, smallNumber());
                if (last < first)
                    return m_scan.error(fmt::format("the range {}-{} goes backwards", first, last));
            }
            // Kept in canonical form: neighbours are one range.
            if (!list.ranges.empty() && list.ranges.back().last + std::int64_t(1) == first)
                list.ranges.back().last = last;
            else
                list.ranges.push_back({first, last});
        } while (m_scan.take(','));
        return m_scan.expect(']');
    }

    // ---- fields ----

    struct Argument {
        std::string_view key;
        std::size_t at; ///< Of the value.
        bool used = false;
    };

    /// "(" key "=" value, … ")": notes where the values stand; fields() reads them afterwards.
    Result<void> arguments() {
        m_arguments.clear();
        m_failed.reset();
        PIM_CHECK(m_scan.expect('('));
        if (!m_scan.take(')')) {
            do {
                const std::string_view key = m_scan.peekWord();
                if (key.empty())
                    return m_scan.unexpected("a key");
                for (const Argument& other : m_arguments)
                    if (other.key == key)
                        return m_scan.error(fmt::format("\"{}\" stands there twice", key));
                m_scan.advance(key.size());
                PIM_CHECK(m_scan.expect('='));
                m_scan.skipSpace();
                m_arguments.push_back({key, m_scan.at()});
                PIM_CHECK(skipValue());
            } while (m_scan.take(','));
            PIM_CHECK(m_scan.expect(')'));
        }
        m_after = m_scan.at();
        return {};
    }
    Result<void> skipValue() {
        if (!m_scan.atEnd() && m_scan.peek() == '"')
            return m_scan.string().map([](auto&&) {});
        if (m_scan.take('[')) {
            m_scan.moveTo(std::min(m_scan.text().find(']', m_scan.at()), m_scan.text().size()));
            return m_scan.expect(']');
        }
        while (!m_scan.atEnd() && m_scan.peek() != ',' && m_scan.peek() != ')' && m_scan.peek() != '(' &&
               m_scan.peek() != '=')
            m_scan.advance();
        return {};
    }
    template <class Read>
    void read(std::string_view key, Read&& readValue) {
        for (Argument& argument : m_arguments)
            if (argument.key == key && !m_failed) {
                argument.used = true;
                m_scan.moveTo(argument.at);
                Result<void> done = readValue();
                if (done && !m_scan.atEnd() && m_scan.peek() != ',' && m_scan.peek() != ')')
                    done = m_scan.unexpected("',' or ')'");
                if (!done)
                    m_failed = std::move(done).error();
            }
    }
    template <std::size_t N, class Enum>
    void choice(std::string_view key, const std::string_view (&words)[N], Enum& value) {
        read(key, [&]() -> Result<void> {
            const std::string_view given = m_scan.peekWord();
            for (std::size_t i = 0; i < N; ++i)
                if (words[i] == given) {
                    value = static_cast<Enum>(i);
                    m_scan.advance(given.size());
                    return {};
                }
            return m_scan.unexpected(fmt::format("one of {}", fmt::join(words, ", ")));
        });
    }
    Result<void> endArguments() {
        if (m_failed)
            return tl::unexpected<Error>(*std::exchange(m_failed, std::nullopt));
        for (const Argument& argument : m_arguments)
            if (!argument.used) {
                return m_scan.errorAt(
                    static_cast<std::size_t>(argument.key.data() - m_scan.text().data()),
                    fmt::format("nothing here has the field \"{}\"", argument.key.substr(0, 40)));
            }
        m_scan.moveTo(m_after);
        return {};
    }

    // ---- grammar ----

    template <class T>
    Result<void> table(std::string_view what, std::vector<T>& entries) {
        while (m_scan.peekWord() == what) {
            m_scan.advance(what.size());
            PIM_TRY(const std::int64_t given, number());
            if (given != std::int64_t(entries.size()))
                return m_scan.error(
                    fmt::format("found {} {}, expected {} {}", what, given, what, entries.size()));
            PIM_CHECK(arguments());
            flow_text::fields(*this, entries.emplace_back());
            PIM_CHECK(endArguments());
        }
        return {};
    }
    Result<void> block() {
        if (m_scan.peekWord() != "parallel")
            return m_scan.unexpected("\"parallel\" or the end of the text");
        m_scan.word();
        FlowBlock& one = m_flow.blocks.emplace_back();
        PIM_TRY(one.name, m_scan.string());
        PIM_CHECK(m_scan.expect('{'));
        while (!m_scan.take('}')) {
            const std::string_view what = m_scan.peekWord();
            FlowOperator& o = one.operators.emplace_back();
            if (what == "CM.switch") {
                m_scan.word();
                PIM_CHECK(m_scan.expect('('));
                const std::string_view to = m_scan.peekWord();
                if (to != "TOM" && to != "TOC")
                    return m_scan.unexpected("\"TOM\" or \"TOC\"");
                m_scan.word();
                o.kind = to == "TOM" ? FlowKind::SwitchToMemory : FlowKind::SwitchToCompute;
                PIM_CHECK(m_scan.expect(','));
                m_scan.skipSpace();
                PIM_CHECK(arrays(o.arrays));
                PIM_CHECK(m_scan.expect(')'));
                continue;
            }
            const auto kind = std::find_if(std::begin(flow_text::kKinds), std::end(flow_text::kKinds),
                                           [&](const auto& known) { return known.word == what; });
            if (kind == std::end(flow_text::kKinds))
                return m_scan.unexpected(what == "parallel" ? "an operator (blocks do not nest)"
                                                            : "an operator or '}'");
            m_scan.word();
            o.kind = kind->kind;
            PIM_CHECK(arguments());
            flow_text::fields(*this, o);
            PIM_CHECK(endArguments());
        }
        return {};
    }

    TextScanner m_scan;
    std::string_view m_fileName;
    std::size_t m_after = 0; ///< Behind the statement being read.
    std::vector<Argument> m_arguments;
    std::optional<Error> m_failed;
    DualModeFlow m_flow;
};

} // namespace

Result<DualModeFlow> parseFlow(std::string_view text, std::string_view fileName) {
    return Parser(text, fileName).parse();
}

} // namespace pim
