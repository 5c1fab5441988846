// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/runs/runs_model.h"

#include "core/base/number_text.h"
#include "views/common/text.h"

#include <QDateTime>

#include <algorithm>

namespace pim::views {
namespace {

QString localTime(const std::string& utc) {
    QDateTime time = QDateTime::fromString(text(utc), Qt::ISODate);
    time.setTimeSpec(Qt::UTC);
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : text(utc);
}

int alignment(int column) {
    using R = RunsModel;
    const bool isNumber = column == R::Id || column == R::Total || column == R::Speedup ||
                          column == R::OverrideCount || column == R::CompileTime;
    return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
}

int overrideCount(const RunInfo& run) {
    if (run.overridesJson.empty())
        return 0;
    const auto overrides = Overrides::fromJson(run.overridesJson, {});
    return overrides ? static_cast<int>(overrides->size()) : -1;
}

} // namespace

void RunsModel::setRuns(std::vector<RunInfo> runs) {
    beginResetModel();
    m_runs = std::move(runs);
    m_best = bestRuns(m_runs);
    m_overrides.clear();
    for (const RunInfo& run : m_runs)
        m_overrides.push_back(overrideCount(run));
    endResetModel();
}

const RunInfo* RunsModel::run(int row) const {
    return row >= 0 && row < rowCount() ? &m_runs[static_cast<std::size_t>(row)] : nullptr;
}

int RunsModel::rowOf(std::int64_t id) const {
    const auto found =
        std::find_if(m_runs.begin(), m_runs.end(), [id](const RunInfo& run) { return run.id == id; });
    return found == m_runs.end() ? -1 : static_cast<int>(found - m_runs.begin());
}

bool RunsModel::isBest(std::int64_t id) const {
    return std::binary_search(m_best.begin(), m_best.end(), id);
}

int RunsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int RunsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags RunsModel::flags(const QModelIndex& index) const {
    const bool isText = index.column() == Label || index.column() == Note;
    return QAbstractTableModel::flags(index) |
           (m_isEditable && isText ? Qt::ItemIsEditable : Qt::NoItemFlags);
}

bool RunsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const RunInfo* run = this->run(index.row());
    if (!run || role != Qt::EditRole || !(flags(index) & Qt::ItemIsEditable))
        return false;
    const bool isLabel = index.column() == Label;
    if (text(isLabel ? run->label : run->note) == value.toString())
        return false;
    if (isLabel)
        emit labelTyped(run->id, value.toString());
    else
        emit noteTyped(run->id, value.toString());
    return true;
}

QString RunsModel::tip(const RunInfo& run, int column) const {
    switch (column) {
    case Total:
        return tr("%1 ns, %2")
            .arg(run.totalNs, 0, 'g', 17)
            .arg(run.origin == Origin::Simulated ? tr("simulated") : tr("predicted"));
    case Model:
        return text(run.modelPath);
    case Speedup:
        return tr("All ops on %1: %2").arg(text(run.host), text(timeText(run.hostOnlyNs)));
    case Best:
        return isBest(run.id) ? tr("The fastest run of %1 with these dimensions on %2")
                                    .arg(text(run.modelName), text(run.targetId))
                              : QString();
    case Label:
    case Note:
        return text(column == Label ? run.label : run.note);
    default:
        return {};
    }
}

QVariant RunsModel::data(const QModelIndex& index, int role) const {
    const RunInfo* run = this->run(index.row());
    if (!index.isValid() || !run)
        return {};
    const int column = index.column();
    if (role == Qt::TextAlignmentRole)
        return alignment(column);
    if (role == Qt::ToolTipRole)
        return tip(*run, column);
    if (role != Qt::DisplayRole && role != Qt::EditRole)
        return {};
    const int overrides = m_overrides[static_cast<std::size_t>(index.row())];
    const double speedup = run->totalNs > 0 ? run->hostOnlyNs / run->totalNs : 0;
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
    case Best:
        return exact ? QVariant(isBest(run->id) ? 1 : 0)
                     : QVariant(isBest(run->id) ? QStringLiteral("★") : QString());
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
        return text(run->label);
    case Note:
        return text(run->note);
    case CompileTime:
        return exact ? QVariant(run->compileMs) : QVariant(text(timeText(run->compileMs * 1e6)));
    default:
        return {};
    }
}

QVariant RunsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    struct Header {
        const char *shown, *exact, *tip;
    };
    static const Header kHeaders[ColumnCount] = {
        {QT_TR_NOOP("Run"), "run", QT_TR_NOOP("Number of the run in the project")},
        {QT_TR_NOOP("Started"), "started_utc", QT_TR_NOOP("Local time")},
        {QT_TR_NOOP("Model"), "model", QT_TR_NOOP("Model and values of its open dimensions")},
        {QT_TR_NOOP("Target"), "target", QT_TR_NOOP("The machine")},
        {QT_TR_NOOP("Best"), "best",
         QT_TR_NOOP("★ the fastest run of the same model, dimensions and target")},
        {QT_TR_NOOP("Total"), "total_ns", QT_TR_NOOP("Time of the whole network")},
        {QT_TR_NOOP("Speed-up"), "speedup_over_host", QT_TR_NOOP("Over all ops on the host")},
        {QT_TR_NOOP("Overrides"), "overrides", QT_TR_NOOP("Decisions of the user")},
        {QT_TR_NOOP("Variant"), "variant", QT_TR_NOOP("Named set of overrides")},
        {QT_TR_NOOP("Label"), "label", QT_TR_NOOP("Your label; F2 changes it")},
        {QT_TR_NOOP("Note"), "note", QT_TR_NOOP("Your note; F2 changes it")},
        {QT_TR_NOOP("Compile time"), "compile_ms", QT_TR_NOOP("How long compiling took")},
    };
    if (orientation != Qt::Horizontal || section < 0 || section >= ColumnCount)
        return {};
    switch (role) {
    case Qt::DisplayRole:
        return tr(kHeaders[section].shown);
    case Qt::EditRole:
        return QString::fromLatin1(kHeaders[section].exact);
    case Qt::ToolTipRole:
        return tr(kHeaders[section].tip);
    case Qt::TextAlignmentRole:
        return alignment(section);
    default:
        return {};
    }
}

FilteredRuns::FilteredRuns(RunsModel& runs, QObject* parent) : QSortFilterProxyModel(parent), m_runs(runs) {
    setSourceModel(&runs);
    setSortRole(Qt::EditRole);
}

void FilteredRuns::setFilter(RunFilter filter) {
    m_filter = std::move(filter);
    invalidateFilter();
}

const RunInfo* FilteredRuns::run(const QModelIndex& index) const {
    return index.isValid() ? m_runs.run(mapToSource(index).row()) : nullptr;
}

bool FilteredRuns::filterAcceptsRow(int row, const QModelIndex&) const {
    const RunInfo* run = m_runs.run(row);
    return run && m_filter.passes(*run, m_runs.isBest(run->id));
}

} // namespace pim::views
