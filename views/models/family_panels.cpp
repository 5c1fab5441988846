// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/family_panels.h"

#include "core/base/result.h"

#include <QCoreApplication>

#include <algorithm>

namespace pim::views {
namespace {

struct FamilyWords {
    Q_DECLARE_TR_FUNCTIONS(pim::views::FamilyWords)
};

} // namespace

FamilyPanels::FamilyPanels()
    : layoutKey(QStringLiteral("-plain")), columns(plainColumns()),
      whyText(FamilyWords::tr("Why This &Draft")),
      whyTip(FamilyWords::tr("Why this draft? Drafts, tiles, hardware")), cellColors{Role::OnPim},
      partsHeading(FamilyWords::tr("Parts of the op")) {}

void FamilyList::add(FamilyPanels family) {
    for (const FamilyPanels& known : m_families) {
        PIM_ASSERT(known.layoutKey != family.layoutKey, "layouts of two families have one name");
        for (const std::string& backend : family.backends)
            PIM_ASSERT(std::ranges::find(known.backends, backend) == known.backends.end(),
                       "two families have one backend");
    }
    m_families.push_back(std::move(family));
}

const FamilyPanels& FamilyList::of(std::string_view backend) const {
    const auto found = std::ranges::find_if(m_families, [&](const FamilyPanels& family) {
        return std::ranges::find(family.backends, backend) != family.backends.end();
    });
    return found == m_families.end() ? m_plain : *found;
}

} // namespace pim::views
