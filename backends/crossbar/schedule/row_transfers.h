// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Rows that cores hand on to each other within a run of the program: which of a result go to which lanes, and when they go.
/// Flow: results of RowEngine -> [RowTransfers] -> transfers, which the drivers make when they see fit.
#include "backends/crossbar/schedule/program_writer.h"
#include "backends/crossbar/schedule/row_shares.h"

namespace pim {

/// Rows that wait to be sent. In HT those that are handed on within the round.
struct RowTransfer {
    LaneId from, to;
    int row = 0;
    ColumnSpan span;
    int channelBegin = 0, channelEnd = 0; ///< That were computed.
};

class RowTransfers {
public:
    RowTransfers(const ScheduleInput& in, const RowShares& shares, Lanes& lanes, ProgramWriter& writer)
        : m_in(in), m_shares(shares), m_lanes(lanes), m_writer(writer), m_unsent(shares.size()) {}

    /// Columns \p owned of the result of a job are there, for all cores that read them but do not compute them themselves.
    void sendOn(const RowJob& job, ColumnSpan owned);
    /// A job of the share has ended. What is handed on together is there, the results of a band of rows or, in LL, of a piece:
    /// core after core gets its part, so that two cores meet once.
    void handOn(ShareId share);
    /// Those that can be made.
    std::vector<RowTransfer>& ready() { return m_ready; }
    /// Emits one. \returns when it is there, by the clocks. Error::InvalidTarget.
    Result<double> exchange(const RowTransfer& transfer);

private:
    std::vector<ColumnSpan> notOwn(const RowJob& job, LaneId lane, ColumnSpan wanted) const;

    ScheduleInput m_in;
    const RowShares& m_shares;
    Lanes& m_lanes;
    ProgramWriter& m_writer;
    std::vector<std::vector<RowTransfer>> m_unsent; ///< [share] of rows that others are handed on with.
    std::vector<RowTransfer> m_ready;
};

} // namespace pim
