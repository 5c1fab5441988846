// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Lines of a text file, plain or gzip, one at a time: memory does not grow with the file.
#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace pim {

class LineReader {
public:
    /// \param longestLine bytes; longer lines are refused.
    /// \param what "a trace": for the hint to a file that is something else.
    /// Error::Io if it cannot be opened.
    static Result<LineReader> open(std::string file, std::size_t longestLine, std::string what);
    LineReader(LineReader&&) noexcept;
    LineReader& operator=(LineReader&&) noexcept;
    ~LineReader();

    /// The next line without its line feed, alive until the next call; false at the end.
    /// Error::InvalidFile with the line: too long, damaged or cut compressed data; Error::Io.
    Result<bool> next(std::string_view& line);
    std::int64_t number() const; ///< Of the line next() gave; the first is 1.
    std::string where() const;   ///< "file:12"

private:
    struct State;
    explicit LineReader(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

/// What a message shows of text that may be anything: short and printable.
std::string shownText(std::string_view text);

} // namespace pim
