// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which tracks of a timeline have a row, in which order and how high: what the user pinned, moved, folded
/// and filtered, applied to the tracks there are. Knows nothing of time. Positions are in pixels from the top
/// of the rows.
#include "core/timeline/timeline.h"

#include <QJsonObject>
#include <QString>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pim::views {

/// What the user decided about the lanes, by names: it outlives the timeline it was decided on. Names that
/// are not there count as nothing.
struct LaneArrangement {
    using Lane = std::pair<std::string, std::string>;      ///< Group and name.
    std::vector<Lane> pinned;                              ///< Stand above all others, in this order.
    std::vector<std::string> groups;                       ///< Order of groups, where it was changed.
    std::map<std::string, std::vector<std::string>> lanes; ///< Order in a group, where it was changed.
    std::map<std::string, bool> folds;                     ///< Groups folded or unfolded one by one.
    bool foldsOthers = false;                              ///< All groups that folds does not name.
    QString filter; ///< Words; a lane is shown if its name or that of its group has all of them.
    friend bool operator==(const LaneArrangement&, const LaneArrangement&) = default;

    QJsonObject json() const;
    static LaneArrangement fromJson(const QJsonObject& json); ///< What makes no sense counts as nothing.
};

class TimelineRows {
public:
    /// Rows that stand together.
    struct Group {
        std::string name;
        std::size_t first = 0, count = 0; ///< In rows().
        int head = -1; ///< Track that stands for the others when they are folded; -1: none.
        bool isPinned = false;
        double top = 0, height = 0; ///< Unscrolled; height of one row.
    };
    struct Sizes {
        double room = 0, leastRow = 0, zoom = 1;
    };

    /// Null: none. The arrangement stays.
    void setTimeline(const Timeline* timeline);
    const LaneArrangement& arrangement() const { return m_wanted; }
    void setArrangement(LaneArrangement arrangement);
    void setFilter(const QString& filter);
    void setPinned(std::size_t track, bool pinned);
    bool isPinned(std::size_t track) const;
    /// Among the pinned, in its group, or, for one that heads its group or is all of it, the whole group.
    /// \returns whether there was a place to go to.
    bool moveLane(std::size_t track, bool up);
    bool moveGroup(std::size_t track, bool up);
    void setFolded(const std::string& group, bool folded);
    void setAllFolded(bool folded);
    bool isFolded(const std::string& group) const;
    bool isAnyFolded() const;
    bool canFold() const { return m_canFold; }
    bool canFold(std::size_t track) const; ///< It heads others.

    const std::vector<Group>& groups() const { return m_groups; }
    const std::vector<std::uint32_t>& rows() const { return m_rows; }   ///< Track of each row.
    const std::vector<std::uint32_t>& lanes() const { return m_lanes; } ///< Those folded away too.
    int rowOf(std::size_t track) const;                                 ///< -1: it has none now.
    /// Lanes between two of them, both included, in the order they are shown.
    std::vector<std::uint32_t> between(std::size_t track, std::size_t other) const;

    /// Works out places. \returns the zoom used: no row gets higher than a person wants.
    double place(const Sizes& sizes);
    double contentHeight() const;
    double pinnedHeight() const { return m_pinnedHeight; } ///< What does not scroll; 0: everything does.
    /// Where rows of the group may be seen.
    double clipTop(const Group& group) const { return group.isPinned ? 0 : m_pinnedHeight; }
    double top(const Group& group, double scroll) const {
        return group.top - (group.isPinned && m_pinnedHeight > 0 ? 0 : scroll);
    }
    const Group* groupOfRow(std::size_t row) const;
    int trackAt(double y, double scroll) const; ///< -1: none.

private:
    void arrange();
    std::vector<std::uint32_t> shownLanes() const;
    void countGroups();
    bool headIsPinned(const std::string& group) const;

    const Timeline* m_timeline = nullptr;
    LaneArrangement m_wanted;
    std::vector<Group> m_groups;
    std::vector<std::uint32_t> m_rows, m_lanes;
    std::vector<std::int32_t> m_rowOf;
    std::map<std::string, std::size_t> m_lanesIn; ///< All lanes of a group, hidden by the filter or not.
    bool m_canFold = false;
    double m_pinnedHeight = 0;
};

} // namespace pim::views
