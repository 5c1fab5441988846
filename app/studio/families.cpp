// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/families.h"

#include "backends/host/roofline_host.h"
#include "views/cinm/cinm_panels.h"
#include "views/crossbar/crossbar_panels.h"
#include "views/dram_pim/dram_pim_panels.h"
#include "views/dual_mode/dual_mode_panels.h"
#include "views/upmem/upmem_panels.h"

namespace pim::studio {

views::FamilyList families() {
    views::FamilyList list;
    list.add(views::dramPimPanels());
    list.add(views::dualModePanels());
    list.add(views::crossbarPanels());
    list.add(views::upmemPanels());
    list.add(views::cinmPanels());
    return list;
}

std::shared_ptr<const HostModel> hostModel() {
    return std::make_shared<const RooflineHost>();
}

} // namespace pim::studio
