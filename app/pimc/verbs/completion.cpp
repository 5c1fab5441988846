// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/completion.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/file_text.h"
#include "core/base/paths.h"

#include <CLI/CLI.hpp>

namespace pim::cli {
namespace {

/// One line for each word, its sentence after a tabulator; "<file>" where files are possible, too.
std::string linesOf(const Completion& completion) {
    std::string text = completion.files ? "<file>\n" : "";
    for (const CompletionWord& each : completion.words)
        text += each.about.empty() ? each.word + "\n" : each.word + "\t" + each.about + "\n";
    return text;
}

} // namespace

Action completionVerb(CLI::App& verb, const BackendList&) {
    auto shell = std::make_shared<std::string>();
    verb.add_option("SHELL", *shell, "bash, zsh or fish")->required()->type_name("bash|zsh|fish");
    verb.footer("The Debian package and `cmake --install` put it in place. Where neither was used:\n"
                "Examples:\n"
                "  source <(pimc completion bash)              the same for zsh\n"
                "  pimc completion fish | source");
    // The scripts ask `pimc completion words pimc WORD ...` at every press of the key: the last word is being typed.
    verb.prefix_command();
    return [shell, &verb](Session& session) -> Result<void> {
        const std::vector<std::string> words = verb.remaining();
        if (*shell == "words" && !words.empty())
            return session.print(linesOf(complete(*verb.get_parent(), std::span(words).subspan(1), session)));
        if (!words.empty())
            return fail(ErrorCode::Usage, "one shell is expected, nothing after it", words.front());
        if (*shell != "bash" && *shell != "zsh" && *shell != "fish")
            return fail(ErrorCode::Usage, "there is no completion for this shell", *shell,
                        "there are bash, zsh and fish");
        PIM_TRY(const std::string script, fileText(resourceDir() / "completion" / ("pimc." + *shell)));
        return session.print(script);
    };
}

} // namespace pim::cli
