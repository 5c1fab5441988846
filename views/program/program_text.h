// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Commands as text to read, with colours for words, opcodes and numbers.
#include "views/common/line_text.h"

namespace pim::views {

class ProgramText : public LineText {
    Q_OBJECT
public:
    explicit ProgramText(QWidget* parent = nullptr);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
};

} // namespace pim::views
