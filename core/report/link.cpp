// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/link.h"

#include "core/base/parse_number.h"
#include "core/base/utf8.h"
#include "core/report/clean_text.h"

#include <fmt/format.h>

namespace pim {
namespace {

constexpr std::string_view kScheme = "pim:";
// longer than any path and draft; keeps a hostile link from costing anything
constexpr std::size_t kLongest = 16384;
constexpr const char* kForm = "a link reads pim:///FOLDER/NAME.pimproj#run/12/op/NAME/draft/TEXT";

bool isUnreserved(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-._~").find(c) != std::string_view::npos;
}

std::string encoded(std::string_view text, std::string_view alsoKept = {}) {
    std::string result;
    for (const char c : text) {
        if (isUnreserved(c) || alsoKept.find(c) != std::string_view::npos)
            result += c;
        else
            result += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return result;
}

tl::unexpected<Error> refuse(std::string what, std::string_view text) {
    constexpr std::size_t kShown = 120;
    return fail(
        ErrorCode::Usage, std::move(what),
        cleanText(text.size() > kShown ? std::string(withinBytes(text, kShown)) + "…" : std::string(text)),
        kForm);
}

int hexDigit(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

Result<std::string> decoded(std::string_view text) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '%') {
            result += text[i];
            continue;
        }
        const int high = i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = i + 2 < text.size() ? hexDigit(text[i + 2]) : -1;
        if (high < 0 || low < 0)
            return refuse("a % is not followed by two hexadecimal digits", text);
        result += static_cast<char>(high * 16 + low);
        i += 2;
    }
    // Names of ops may hold line ends and tabs; what is no text at all was not written by us.
    if (result.find('\0') != std::string::npos || cleanText(result) != result)
        return refuse("it holds characters that are no text", text);
    return result;
}

Result<std::filesystem::path> projectOf(std::string_view text) {
    if (text.starts_with("//"))
        text.remove_prefix(2);
    if (text.find('?') != std::string_view::npos)
        return refuse("it holds a \"?\", which no link of ours has", text);
    PIM_TRY(const std::string path, decoded(text));
    if (path.empty())
        return refuse("it names no project", text);
    if (path.find_first_of("\n\r\t") != std::string::npos)
        return refuse("the path of the project holds a line end or a tab", text);
    return std::filesystem::path(path);
}

Result<std::int64_t> runOf(std::string_view text) {
    const auto run = parsePositive<std::int64_t>(text);
    if (!run)
        return refuse("the number of the run is not a whole number from 1 on", text);
    return *run;
}

} // namespace

bool isLink(std::string_view text) {
    if (text.size() < kScheme.size())
        return false;
    for (std::size_t i = 0; i < kScheme.size(); ++i)
        if ((text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i]) != kScheme[i])
            return false;
    return true;
}

std::string formatLink(const RunLink& link) {
    std::string text =
        (link.project.is_absolute() ? "pim://" : "pim:") + encoded(link.project.generic_string(), "/");
    if (link.run > 0)
        text += fmt::format("#run/{}", link.run);
    if (link.run > 0 && !link.op.empty())
        text += "/op/" + encoded(link.op);
    if (link.run > 0 && !link.op.empty() && !link.draft.empty())
        text += "/draft/" + encoded(link.draft);
    return text;
}

Result<RunLink> parseLink(std::string_view text) {
    if (!isLink(text))
        return refuse("it does not begin with \"pim:\"", text);
    if (text.size() > kLongest)
        return refuse(fmt::format("it has {} characters; at most {} are taken", text.size(), kLongest), text);
    const std::string_view rest = text.substr(kScheme.size());
    const std::size_t hash = rest.find('#');
    RunLink link;
    PIM_TRY(link.project, projectOf(rest.substr(0, hash)));
    if (hash == std::string_view::npos || hash + 1 == rest.size())
        return link;

    // Keys come in one order, each with one value.
    constexpr std::string_view kKeys[] = {"run", "op", "draft"};
    std::string_view fragment = rest.substr(hash + 1);
    for (const std::string_view key : kKeys) {
        if (fragment.empty())
            return link;
        if (!fragment.starts_with(key) || fragment.size() <= key.size() || fragment[key.size()] != '/')
            return refuse(fmt::format("\"{}/…\" is expected behind \"{}\"", key, key == "run" ? "#" : "/"),
                          text);
        fragment.remove_prefix(key.size() + 1);
        const std::size_t slash = fragment.find('/');
        PIM_TRY(const std::string value, decoded(fragment.substr(0, slash)));
        if (value.empty())
            return refuse(fmt::format("there is nothing behind \"{}/\"", key), text);
        fragment = slash == std::string_view::npos ? std::string_view() : fragment.substr(slash + 1);
        if (slash != std::string_view::npos && fragment.empty())
            return refuse("it ends in a slash", text);
        if (key == "run") {
            PIM_TRY(link.run, runOf(value));
        } else {
            (key == "op" ? link.op : link.draft) = value;
        }
    }
    if (!fragment.empty())
        return refuse("there is more behind the draft", text);
    return link;
}

} // namespace pim
