// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_model.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"

#include <QDateTime>
#include <QLocale>

#include <cmath>

namespace pim::views {
namespace {

QString text(const std::string& s) {
    return QString::fromStdString(s);
}

QString localTime(const std::string& utc) {
    QDateTime time = QDateTime::fromString(text(utc), Qt::ISODate);
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : text(utc);
}

int alignment(bool isNumber) {
    return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

int runAlignment(int column) {
    return alignment(column == RunsModel::Id || column == RunsModel::Total || column == RunsModel::Speedup ||
                     column == RunsModel::OverrideCount || column == RunsModel::CompileTime);
}

int deltaAlignment(int column) {
    return alignment(column >= DeltaModel::TimeA && column <= DeltaModel::Relative);
}

struct Header {
    const char *shown, *exact, *tip;
};

QVariant headerText(const Header& header, int role, QString (*translate)(const char*)) {
    switch (role) {
    case Qt::DisplayRole:
        return translate(header.shown);
    case Qt::EditRole:
        return QString::fromLatin1(header.exact);
    case Qt::ToolTipRole:
        return translate(header.tip);
    default:
        return {};
    }
}

} // namespace

QString signedTimeText(double ns) {
    if (ns == 0)
        return text(timeText(0));
    return (ns > 0 ? QStringLiteral("+") : QStringLiteral("−")) + text(timeText(std::abs(ns)));
}

// --- runs
// -------------------------------------------------------------------------------------------------------

void RunsModel::setRuns(std::vector<RunInfo> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    m_overrides.clear();
    for (const RunInfo& run : m_runs)
        m_overrides.push_back(overrideCount(run));
    endResetModel();
}

const RunInfo* RunsModel::run(int row) const {
    return row >= 0 && row < rowCount() ? &m_runs[static_cast<std::size_t>(row)] : nullptr;
}

int RunsModel::rowOf(std::int64_t id) const {
    for (std::size_t i = 0; i < m_runs.size(); ++i)
        if (m_runs[i].id == id)
            return static_cast<int>(i);
    return -1;
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunInfo* run = this->run(index.row());
    if (!index.isValid() || !run)
        return {};
    const int column = index.column();
    const int overrides = m_overrides[static_cast<std::size_t>(index.row())];
    const double speedup = run->totalNs > 0 ? run->hostOnlyNs / run->totalNs : 0;
    if (role == Qt::TextAlignmentRole)
        return runAlignment(column);
    if (role == Qt::ToolTipRole) {
        if (column == Total)
            return tr("%1 ns, %2")
                .arg(run->totalNs, 0, 'g', 17)
                .arg(run->origin == Origin::Simulated ? tr("simulated") : tr("predicted"));
        if (column == Model)
            return text(run->modelPath);
        if (column == Speedup)
            return tr("All ops on %1: %2").arg(text(run->host), text(timeText(run->hostOnlyNs)));
        return {};
    }
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    const bool exact = role == Qt::EditRole;
    switch (column) {
    case Id:
        return static_cast<qlonglong>(run->id);
    case Started:
        return exact ? text(run->startedUtc) : localTime(run->startedUtc);
    case Model:
        return run->bindings.empty()
                   ? text(run->modelName)
                   : QStringLiteral("%1 (%2)").arg(text(run->modelName), text(run->bindings));
    case Target:
        return text(run->targetId);
    case Total:
        return exact ? QVariant(run->totalNs) : QVariant(text(timeText(run->totalNs)));
    case Speedup:
        if (exact)
            return speedup;
        return speedup > 0 ? tr("%1 over %2").arg(text(ratioText(speedup)), text(run->host))
                           : QStringLiteral("–");
    case OverrideCount:
        return exact ? QVariant(overrides)
                     : QVariant(overrides < 0 ? tr("unreadable") : QString::number(overrides));
    case Variant:
        return text(run->variant);
    case Label:
        return text(run->label.empty() ? run->note : run->label);
    case CompileTime:
        return exact ? QVariant(run->compileMs) : QVariant(text(timeText(run->compileMs * 1e6)));
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const Header kHeaders[ColumnCount] = {
        {QT_TR_NOOP("Run"), "run", QT_TR_NOOP("Number of the run in the project")},
        {QT_TR_NOOP("Started"), "started_utc", QT_TR_NOOP("Local time")},
        {QT_TR_NOOP("Model"), "model", QT_TR_NOOP("Model and bound dimensions")},
        {QT_TR_NOOP("Target"), "target", QT_TR_NOOP("Hardware target")},
        {QT_TR_NOOP("Total"), "total_ns", QT_TR_NOOP("Time of the network")},
        {QT_TR_NOOP("Speed-up over host only"), "speedup_over_host_only",
         QT_TR_NOOP("Against all ops on the host named")},
        {QT_TR_NOOP("Overrides"), "overrides", QT_TR_NOOP("Decisions of the user")},
        {QT_TR_NOOP("Variant"), "variant", QT_TR_NOOP("Named set of overrides")},
        {QT_TR_NOOP("Label"), "label", QT_TR_NOOP("Label or note of the run")},
        {QT_TR_NOOP("Compiled in"), "compile_ms", QT_TR_NOOP("Time the compile took")},
    };
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return runAlignment(section);
    return headerText(kHeaders[section], role, [](const char* s) { return tr(s); });
}

// --- deltas
// -----------------------------------------------------------------------------------------------------

void DeltaModel::setOps(std::vector<OpDelta> ops) {
    beginResetModel();
    m_ops = std::move(ops);
    m_largest = m_ops.empty() ? 0 : std::abs(m_ops.front().deltaNs());
    endResetModel();
}

const OpDelta* DeltaModel::op(int row) const {
    return row >= 0 && row < rowCount() ? &m_ops[static_cast<std::size_t>(row)] : nullptr;
}

int DeltaModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_ops.size());
}

int DeltaModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant DeltaModel::data(const QModelIndex& index, int role) const {
    const OpDelta* op = this->op(index.row());
    if (!index.isValid() || !op)
        return {};
    const int column = index.column();
    const double delta = op->deltaNs();
    const bool inBoth = !op->placementA.isEmpty() && !op->placementB.isEmpty();
    if (role == Qt::TextAlignmentRole)
        return deltaAlignment(column);
    if ((role == Qt::BackgroundRole || role == Qt::ForegroundRole) && column == Delta && m_largest > 0 &&
        delta != 0) {
        // The square root keeps small differences visible beside a large one.
        const QColor back = diverging(std::copysign(std::sqrt(std::abs(delta) / m_largest), delta));
        return role == Qt::BackgroundRole ? back : textOn(back);
    }
    const bool exact = role == Qt::EditRole || role == kSortRole;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && !exact)
        return {};
    if (role == Qt::ToolTipRole && column != Why)
        return {};
    switch (column) {
    case Name:
        return op->name;
    case Type:
        return op->type;
    case Placement:
        if (!inBoth)
            return op->placementA.isEmpty() ? tr("only in B") : tr("only in A");
        return op->placementA == op->placementB
                   ? op->placementA
                   : QStringLiteral("%1 → %2").arg(op->placementA, op->placementB);
    case TimeA:
        return exact ? QVariant(op->a.totalNs())
                     : QVariant(op->placementA.isEmpty() ? QStringLiteral("–")
                                                         : text(timeText(op->a.totalNs())));
    case TimeB:
        return exact ? QVariant(op->b.totalNs())
                     : QVariant(op->placementB.isEmpty() ? QStringLiteral("–")
                                                         : text(timeText(op->b.totalNs())));
    case Delta:
        return role == kSortRole ? QVariant(std::abs(delta))
               : exact           ? QVariant(delta)
                                 : QVariant(signedTimeText(delta));
    case Relative: {
        const double share = op->a.totalNs() > 0 ? delta / op->a.totalNs() : 0;
        if (exact)
            return share;
        return inBoth && op->a.totalNs() > 0
                   ? (share > 0 ? QStringLiteral("+") : QString()) + text(percentText(share))
                   : QStringLiteral("–");
    }
    case Why:
        return delta == 0 && op->placementA == op->placementB ? tr("no change")
                                                              : text(explainDifference(op->a, op->b));
    default:
        return {};
    }
}

QVariant DeltaModel::headerData(int section, Qt::Orientation orientation, int role) const {
    static const Header kHeaders[ColumnCount] = {
        {QT_TR_NOOP("Op"), "name", QT_TR_NOOP("Name of the op")},
        {QT_TR_NOOP("Type"), "type", QT_TR_NOOP("Kind of op")},
        {QT_TR_NOOP("On"), "placement", QT_TR_NOOP("Placement in A and B")},
        {QT_TR_NOOP("A"), "a_ns", QT_TR_NOOP("Time in run A")},
        {QT_TR_NOOP("B"), "b_ns", QT_TR_NOOP("Time in run B")},
        {QT_TR_NOOP("Δ"), "delta_ns", QT_TR_NOOP("B minus A; sorts by size")},
        {QT_TR_NOOP("Δ %"), "delta_share", QT_TR_NOOP("Δ over A")},
        {QT_TR_NOOP("Why"), "why", QT_TR_NOOP("Which parts changed")},
    };
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    if (role == Qt::TextAlignmentRole)
        return deltaAlignment(section);
    return headerText(kHeaders[section], role, [](const char* s) { return tr(s); });
}

} // namespace pim::views
