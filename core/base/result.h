// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The one error type of the product. Whatever can go wrong because of the outside world (files, models, edits,
/// cancel) is a Result; a mistake in our own code is PIM_ASSERT.
#include <tl/expected.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pim {

/// What kind of thing went wrong; decides the exit code of `pimc` and the icon in the IDE.
enum class ErrorCode : std::uint8_t {
    InvalidFile,     ///< Not what it claims to be: truncated, wrong format, wrong version.
    InvalidModel,    ///< A readable model that makes no sense: cycle, missing tensor, impossible shape.
    InvalidTarget,   ///< A target description that fails its schema or contradicts itself.
    InvalidKernel,   ///< Kernel text that does not parse, or a loop nest that is not affine.
    IllegalOverride, ///< A decision of the user that the target or the op does not allow.
    Unsupported,     ///< Legal, but nothing here can do it.
    NotFound,        ///< A named object that does not exist.
    Io,              ///< The operating system refused: permission, disk full.
    Database,        ///< The project file cannot be read or written.
    Usage,           ///< Wrong words on a command line.
    Cancelled,       ///< The user stopped it.
    Internal,        ///< Our own mistake.
};

std::string_view name(ErrorCode code);

/// One message for one failure.
struct Error {
    ErrorCode code = ErrorCode::Internal;
    /// What went wrong, with the numbers seen and allowed; lower-case start, no final period.
    std::string message;
    std::string where; ///< The object: file, `file:line:column`, node "Conv_12", JSON path; may be empty.
    std::string hint;  ///< What to do about it; may be empty.

    /// `where: message. hint` on one line.
    std::string text() const;
};

/// A value, or what went wrong. Not to be dropped: who wants neither asks or hands it on.
template <class T>
class [[nodiscard]] Result : public tl::expected<T, Error> {
public:
    using tl::expected<T, Error>::expected;
    Result() = default;
    /// What map() and its like return.
    Result(tl::expected<T, Error> other) : tl::expected<T, Error>(std::move(other)) {}
};

[[nodiscard]] inline tl::unexpected<Error> fail(ErrorCode code, std::string message, std::string where = {},
                                                std::string hint = {}) {
    return tl::unexpected<Error>(Error{code, std::move(message), std::move(where), std::move(hint)});
}

enum class Severity : std::uint8_t { Note, Warning, Error };

/// One line of the Problems list: found while going on, as opposed to an Error, which ends the work.
struct Diagnostic {
    Severity severity = Severity::Warning;
    std::string object;  ///< What it is about, as the user knows it (node name, JSON path).
    std::string message; ///< Same rules as Error::message.
    std::string hint;
};
using Diagnostics = std::vector<Diagnostic>;

[[noreturn]] void assertionFailed(const char* condition, const char* message, const char* file, int line);

} // namespace pim

/// A condition only our own mistake can break. Never on input data. On in every build: it throws
/// std::logic_error, which `pimc` reports as a bug (exit code 2) and the IDE as an internal error.
#define PIM_ASSERT(condition, message)                                                                       \
    ((condition) ? (void)0 : ::pim::assertionFailed(#condition, message, __FILE__, __LINE__))

/// `PIM_TRY(value, expression)`: declares \p value from a Result or returns its error to the caller.
#define PIM_TRY_CONCAT2(a, b) a##b
#define PIM_TRY_CONCAT(a, b) PIM_TRY_CONCAT2(a, b)
#define PIM_TRY(declaration, expression)                                                                     \
    auto PIM_TRY_CONCAT(pimTry, __LINE__) = (expression);                                                    \
    if (!PIM_TRY_CONCAT(pimTry, __LINE__))                                                                   \
        return tl::unexpected<::pim::Error>(std::move(PIM_TRY_CONCAT(pimTry, __LINE__)).error());            \
    declaration = std::move(*PIM_TRY_CONCAT(pimTry, __LINE__))
/// The same for a Result whose value is not wanted.
#define PIM_CHECK(expression)                                                                                \
    if (auto PIM_TRY_CONCAT(pimTry, __LINE__) = (expression); !PIM_TRY_CONCAT(pimTry, __LINE__))             \
    return tl::unexpected<::pim::Error>(std::move(PIM_TRY_CONCAT(pimTry, __LINE__)).error())
