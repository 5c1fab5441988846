// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Words of core that stand alone in the window (names of resources, stages, decisions, kinds of work) in its language.
/// Sentences are those of core_sentences.h; keywords that people type, and names out of models and targets stay as they are.
#include <QString>

#include <string_view>

namespace pim::views {

/// \p word as it is where it has no translation. "Residency of W" keeps the name.
QString coreWord(std::string_view word);

/// A title in the middle of a sentence: in lower case, except in languages that write their nouns with capitals.
QString amidSentence(const QString& title);

} // namespace pim::views
