// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/timeline_rows.h"

#include "views/common/core_words.h"

#include <QJsonArray>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

constexpr double kGroupGap = 5;    ///< Between groups of tracks.
constexpr double kLeastSmall = 16; ///< A bus beside a thousand arrays stays readable.
constexpr std::size_t kSmallGroup = 8;
constexpr double kTallest = 44, kTallestZoomed = 90, kTallestPinned = 28;
constexpr double kMostPinned = 0.6; ///< Of the room; where more is pinned, all of it scrolls.

QJsonArray jsonOf(const std::vector<std::string>& names) {
    QJsonArray made;
    for (const std::string& name : names)
        made.append(QString::fromStdString(name));
    return made;
}

std::vector<std::string> namesOf(const QJsonValue& json) {
    std::vector<std::string> made;
    for (const QJsonValue name : json.toArray())
        made.push_back(name.toString().toStdString());
    return made;
}

/// Sorts by position in \p order; what it does not name keeps its place among its own kind, behind.
template <class Item, class NameOf>
void sortBy(const std::vector<std::string>& order, std::vector<Item>& items, const NameOf& nameOf) {
    if (order.empty())
        return;
    std::map<std::string, std::size_t> place;
    for (std::size_t i = 0; i < order.size(); ++i)
        place.try_emplace(order[i], i);
    const auto placeOf = [&](const Item& item) {
        const auto found = place.find(nameOf(item));
        return found == place.end() ? order.size() : found->second;
    };
    std::stable_sort(items.begin(), items.end(),
                     [&](const Item& a, const Item& b) { return placeOf(a) < placeOf(b); });
}

/// Swaps \p at with its neighbour. \returns whether there is one.
template <class List>
bool swapWithNeighbour(List& list, std::size_t at, std::size_t first, bool up) {
    if (at >= list.size() || (up ? at <= first : at + 1 >= list.size()))
        return false;
    std::swap(list[at], list[up ? at - 1 : at + 1]);
    return true;
}

} // namespace

QJsonObject LaneArrangement::json() const {
    QJsonObject made;
    QJsonArray pins;
    for (const auto& [group, name] : pinned)
        pins.append(QJsonArray{QString::fromStdString(group), QString::fromStdString(name)});
    QJsonObject orders, fold;
    for (const auto& [group, names] : lanes)
        orders.insert(QString::fromStdString(group), jsonOf(names));
    for (const auto& [group, folded] : folds)
        fold.insert(QString::fromStdString(group), folded);
    if (!pins.isEmpty())
        made.insert(QStringLiteral("pinned"), pins);
    if (!groups.empty())
        made.insert(QStringLiteral("groups"), jsonOf(groups));
    if (!orders.isEmpty())
        made.insert(QStringLiteral("lanes"), orders);
    if (!fold.isEmpty())
        made.insert(QStringLiteral("folds"), fold);
    made.insert(QStringLiteral("folds_others"), foldsOthers);
    if (!filter.isEmpty())
        made.insert(QStringLiteral("filter"), filter);
    return made;
}

LaneArrangement LaneArrangement::fromJson(const QJsonObject& json) {
    LaneArrangement made;
    for (const QJsonValue pin : json.value(QStringLiteral("pinned")).toArray())
        if (const QJsonArray pair = pin.toArray(); pair.size() == 2)
            made.pinned.emplace_back(pair[0].toString().toStdString(), pair[1].toString().toStdString());
    made.groups = namesOf(json.value(QStringLiteral("groups")));
    const QJsonObject orders = json.value(QStringLiteral("lanes")).toObject();
    for (auto it = orders.begin(); it != orders.end(); ++it)
        made.lanes[it.key().toStdString()] = namesOf(it.value());
    const QJsonObject fold = json.value(QStringLiteral("folds")).toObject();
    for (auto it = fold.begin(); it != fold.end(); ++it)
        made.folds[it.key().toStdString()] = it.value().toBool();
    made.foldsOthers = json.value(QStringLiteral("folds_others")).toBool();
    made.filter = json.value(QStringLiteral("filter")).toString();
    return made;
}

void TimelineRows::setTimeline(const Timeline* timeline) {
    m_timeline = timeline;
    arrange();
}

void TimelineRows::setArrangement(LaneArrangement arrangement) {
    m_wanted = std::move(arrangement);
    arrange();
}

void TimelineRows::setFilter(const QString& filter) {
    m_wanted.filter = filter.simplified();
    arrange();
}

bool TimelineRows::isPinned(std::size_t track) const {
    const TimelineTrack& lane = m_timeline->tracks[track];
    return std::find(m_wanted.pinned.begin(), m_wanted.pinned.end(),
                     LaneArrangement::Lane(lane.group, lane.name)) != m_wanted.pinned.end();
}

void TimelineRows::setPinned(std::size_t track, bool pinned) {
    if (pinned == isPinned(track))
        return;
    const LaneArrangement::Lane lane(m_timeline->tracks[track].group, m_timeline->tracks[track].name);
    if (pinned)
        m_wanted.pinned.push_back(lane);
    else
        std::erase(m_wanted.pinned, lane);
    arrange();
}

bool TimelineRows::moveLane(std::size_t track, bool up) {
    const TimelineTrack& lane = m_timeline->tracks[track];
    if (isPinned(track)) {
        const auto at = std::find(m_wanted.pinned.begin(), m_wanted.pinned.end(),
                                  LaneArrangement::Lane(lane.group, lane.name));
        if (!swapWithNeighbour(m_wanted.pinned, std::size_t(at - m_wanted.pinned.begin()), 0, up))
            return false;
        arrange();
        return true;
    }
    if (lane.heads || m_lanesIn[lane.group] == 1)
        return moveGroup(track, up);
    const int row = rowOf(track);
    const Group* group = row < 0 ? nullptr : groupOfRow(std::size_t(row));
    if (!group)
        return false;
    std::vector<std::uint32_t> order(m_rows.begin() + std::ptrdiff_t(group->first),
                                     m_rows.begin() + std::ptrdiff_t(group->first + group->count));
    // The heading stays first.
    const std::size_t first = m_timeline->tracks[order.front()].heads ? 1 : 0;
    if (!swapWithNeighbour(order, std::size_t(row) - group->first, first, up))
        return false;
    std::vector<std::string>& names = m_wanted.lanes[lane.group];
    names.clear();
    for (const std::uint32_t each : order)
        names.push_back(m_timeline->tracks[each].name);
    arrange();
    return true;
}

bool TimelineRows::moveGroup(std::size_t track, bool up) {
    std::vector<std::string> order;
    for (const Group& group : m_groups)
        if (!group.isPinned)
            order.push_back(group.name);
    const auto at = std::find(order.begin(), order.end(), m_timeline->tracks[track].group);
    if (!swapWithNeighbour(order, std::size_t(at - order.begin()), 0, up))
        return false;
    m_wanted.groups = std::move(order);
    arrange();
    return true;
}

void TimelineRows::setFolded(const std::string& group, bool folded) {
    if (folded == isFolded(group))
        return;
    m_wanted.folds[group] = folded;
    arrange();
}

void TimelineRows::setAllFolded(bool folded) {
    m_wanted.folds.clear();
    m_wanted.foldsOthers = folded;
    arrange();
}

bool TimelineRows::isFolded(const std::string& group) const {
    const auto found = m_wanted.folds.find(group);
    return found == m_wanted.folds.end() ? m_wanted.foldsOthers : found->second;
}

bool TimelineRows::isAnyFolded() const {
    return m_timeline &&
           std::any_of(m_timeline->tracks.begin(), m_timeline->tracks.end(),
                       [&](const TimelineTrack& track) { return track.heads && isFolded(track.group); });
}

bool TimelineRows::canFold(std::size_t track) const {
    const auto found = m_lanesIn.find(m_timeline->tracks[track].group);
    return m_timeline->tracks[track].heads && found != m_lanesIn.end() && found->second > 1;
}

bool TimelineRows::headIsPinned(const std::string& group) const {
    return std::any_of(
        m_wanted.pinned.begin(), m_wanted.pinned.end(), [&](const LaneArrangement::Lane& lane) {
            return lane.first == group && std::any_of(m_timeline->tracks.begin(), m_timeline->tracks.end(),
                                                      [&](const TimelineTrack& track) {
                                                          return track.heads && track.group == group &&
                                                                 track.name == lane.second;
                                                      });
        });
}

void TimelineRows::countGroups() {
    m_lanesIn.clear();
    m_canFold = false;
    for (const TimelineTrack& track : m_timeline->tracks)
        if (!track.hidden)
            ++m_lanesIn[track.group];
    for (std::size_t track = 0; track < m_timeline->tracks.size() && !m_canFold; ++track)
        m_canFold = !m_timeline->tracks[track].hidden && canFold(track);
}

std::vector<std::uint32_t> TimelineRows::shownLanes() const {
    const QStringList words = m_wanted.filter.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    std::vector<std::uint32_t> made;
    for (std::size_t track = 0; track < m_timeline->tracks.size(); ++track) {
        const TimelineTrack& lane = m_timeline->tracks[track];
        if (lane.hidden)
            continue;
        const QString name =
            QString::fromStdString(lane.group + '\n' + lane.name) + QLatin1Char('\n') + coreWord(lane.name);
        if (std::all_of(words.begin(), words.end(),
                        [&](const QString& word) { return name.contains(word, Qt::CaseInsensitive); }))
            made.push_back(std::uint32_t(track));
    }
    return made;
}

void TimelineRows::arrange() {
    m_groups.clear();
    m_rows.clear();
    m_lanes.clear();
    m_rowOf.clear();
    m_lanesIn.clear();
    m_canFold = false;
    if (!m_timeline)
        return;
    countGroups();
    struct Bunch {
        std::string name;
        std::vector<std::uint32_t> tracks;
    };
    std::vector<Bunch> bunches;
    std::map<std::string, std::size_t> known;
    std::map<LaneArrangement::Lane, std::uint32_t> pins;
    for (const std::uint32_t track : shownLanes()) {
        const TimelineTrack& lane = m_timeline->tracks[track];
        if (!m_wanted.pinned.empty() && isPinned(track)) {
            pins.try_emplace({lane.group, lane.name}, track);
            continue;
        }
        const auto [found, isNew] = known.try_emplace(lane.group, bunches.size());
        if (isNew)
            bunches.push_back({lane.group, {}});
        bunches[found->second].tracks.push_back(track);
    }
    sortBy(m_wanted.groups, bunches, [](const Bunch& bunch) { return bunch.name; });
    Group pinned;
    pinned.isPinned = true;
    for (const LaneArrangement::Lane& lane : m_wanted.pinned)
        if (const auto found = pins.find(lane); found != pins.end())
            m_rows.push_back(found->second);
    m_lanes = m_rows;
    pinned.count = m_rows.size();
    if (pinned.count > 0)
        m_groups.push_back(std::move(pinned));
    for (Bunch& bunch : bunches) {
        if (const auto order = m_wanted.lanes.find(bunch.name); order != m_wanted.lanes.end())
            sortBy(order->second, bunch.tracks,
                   [&](std::uint32_t track) { return m_timeline->tracks[track].name; });
        m_lanes.insert(m_lanes.end(), bunch.tracks.begin(), bunch.tracks.end());
        Group group{bunch.name, m_rows.size(), bunch.tracks.size(), -1, false, 0, 0};
        if (canFold(bunch.tracks.front()))
            group.head = int(bunch.tracks.front());
        // Who looks for a lane by name means the folded ones too.
        if (isFolded(bunch.name) && m_wanted.filter.isEmpty()) {
            if (group.head < 0 && headIsPinned(bunch.name))
                continue;
            if (group.head >= 0)
                group.count = 1;
        }
        m_rows.insert(m_rows.end(), bunch.tracks.begin(), bunch.tracks.begin() + std::ptrdiff_t(group.count));
        m_groups.push_back(std::move(group));
    }
    m_rowOf.assign(m_timeline->tracks.size(), -1);
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        m_rowOf[m_rows[row]] = std::int32_t(row);
}

int TimelineRows::rowOf(std::size_t track) const {
    return track < m_rowOf.size() ? m_rowOf[track] : -1;
}

std::vector<std::uint32_t> TimelineRows::between(std::size_t track, std::size_t other) const {
    auto from = std::find(m_lanes.begin(), m_lanes.end(), track);
    auto to = std::find(m_lanes.begin(), m_lanes.end(), other);
    if (from > to)
        std::swap(from, to);
    return {from, to == m_lanes.end() ? to : to + 1};
}

double TimelineRows::place(const Sizes& sizes) {
    std::size_t largest = 0;
    for (const Group& group : m_groups)
        largest = std::max(largest, group.count);
    const auto isSmall = [&](const Group& group) {
        return group.isPinned || (group.count <= kSmallGroup && largest > kSmallGroup);
    };
    double small = 0;
    std::size_t many = 0;
    for (const Group& group : m_groups) {
        if (isSmall(group))
            small += kLeastSmall * double(group.count);
        else
            many += group.count;
    }
    const double gaps = kGroupGap * double(std::max<std::size_t>(1, m_groups.size()) - 1);
    const double fitted =
        many > 0 ? std::clamp(std::max(sizes.room * 0.25, sizes.room - small - gaps) / double(many),
                              sizes.leastRow, kTallest)
                 : kLeastSmall;
    double tall = std::min(fitted * sizes.zoom, std::max(kTallestZoomed, fitted));
    const double zoom = std::max(1.0, tall / fitted);
    // Whole pixels where that costs little: rows of equal height look calm.
    if (tall - std::floor(tall) < 0.04 * tall)
        tall = std::floor(tall);
    double top = 0;
    m_pinnedHeight = 0;
    for (Group& group : m_groups) {
        group.height = group.isPinned   ? std::clamp(tall, kLeastSmall, kTallestPinned)
                       : isSmall(group) ? std::max(kLeastSmall, tall)
                                        : tall;
        group.top = top;
        top += group.height * double(group.count) + kGroupGap;
        if (group.isPinned && top <= sizes.room * kMostPinned)
            m_pinnedHeight = top;
    }
    return zoom;
}

double TimelineRows::contentHeight() const {
    return m_groups.empty() ? 0
                            : m_groups.back().top + m_groups.back().height * double(m_groups.back().count);
}

const TimelineRows::Group* TimelineRows::groupOfRow(std::size_t row) const {
    for (const Group& group : m_groups)
        if (row >= group.first && row < group.first + group.count)
            return &group;
    return nullptr;
}

int TimelineRows::trackAt(double y, double scroll) const {
    for (const Group& group : m_groups) {
        const double from = top(group, scroll);
        if (y >= clipTop(group) && y >= from && y < from + group.height * double(group.count))
            return int(
                m_rows[group.first + std::min(group.count - 1, std::size_t((y - from) / group.height))]);
    }
    return -1;
}

} // namespace pim::views
