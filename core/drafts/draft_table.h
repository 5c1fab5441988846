// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Best drafts that simulation has found, kept from one run of the program to the next [DCC §IV-D: lookup
/// table of best drafts]. Flow: question of a search -> known? its answer : drafts -> prices -> simulation ->
/// the answer, known from then on. An answer is taken only where code, machine and everything else that it
/// depends on are the same, and is then what the search would find, to the bit.
#include "core/drafts/opwise.h"

#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pim {

/// What a search asked and what it found.
struct KnownDraft {
    std::string question; ///< SHA-256 of all that the answer depends on beside the code.
    std::string code;     ///< codeVersion() of the program that found it.
    std::string targetId, targetHash;
    std::string form;        ///< What runs over what, without sizes: kernelForm().
    std::string sizes;       ///< "b=1 n=4096 k=1024"
    std::string kernel;      ///< Kernel::text()
    std::string residency;   ///< One word a kernel tensor: "streamed resident streamed".
    std::string optionsJson; ///< Those that a search of drafts depends on.

    std::string draft;                     ///< TilingSpace::draftText()
    KernelPrice price;                     ///< Simulated, without the host's memory.
    DraftCheck check;                      ///< What else was found on the way.
    std::int64_t enumerated = 0, kept = 0; ///< Drafts there were, and those that the rules left.

    std::string foundUtc; ///< ISO 8601; empty until a project has it. Not part of the answer.

    /// SHA-256 of all but \ref foundUtc: what was changed outside the program is not believed.
    std::string digest() const;
};

/// What a project knew when it was opened, and what searches have found since. Thread-safe.
class DraftTable {
public:
    /// Answers of other code are left out.
    explicit DraftTable(std::vector<KnownDraft> known = {});

    std::optional<KnownDraft> find(const std::string& question) const;
    void put(KnownDraft found);
    /// The answer cannot be true for the question: it is forgotten.
    void refuse(const std::string& question);

    std::vector<KnownDraft> found() const; ///< Put since it was made, by question.
    std::int64_t refused() const;

private:
    mutable std::mutex m_mutex;
    std::map<std::string, KnownDraft> m_known;
    std::map<std::string, KnownDraft> m_found;
    std::int64_t m_refused = 0;
};

} // namespace pim
