// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/column_order.h"

#include <QHeaderView>
#include <QTableView>

namespace pim::views {

void showFirst(QTableView& table, const std::vector<int>& columns) {
    QHeaderView* header = table.horizontalHeader();
    for (int column = 0; column < header->count(); ++column) // as the model has them
        header->moveSection(header->visualIndex(column), column);
    for (int place = 0; place < std::ssize(columns); ++place)
        header->moveSection(header->visualIndex(columns[static_cast<std::size_t>(place)]), place);
}

} // namespace pim::views
