// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/drafts_model.h"

#include "core/base/number_text.h"
#include "core/compile/compare.h"
#include "views/common/core_words.h"
#include "views/common/origin_style.h"
#include "views/common/palette.h"
#include "views/models/draft_board.h"

#include <QFont>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

QString partText(const Exploration& exploration, const Draft& draft, int set) {
    const DraftPart& part = draft.parts[static_cast<std::size_t>(set)];
    const DimensionSet& dimensions = exploration.space->sets()[static_cast<std::size_t>(set)];
    const Mapping& mapping = dimensions.mappings[static_cast<std::size_t>(part.mapping)];
    return QStringLiteral("%1 × %2  %3")
        .arg(part.groups)
        .arg(part.cores)
        .arg(QString::fromStdString(mapping.text));
}

int coresOf(const Draft& draft) {
    int cores = 1;
    for (const DraftPart& part : draft.parts)
        cores *= part.groups * part.cores;
    return cores;
}

} // namespace

void DraftsModel::setExploration(std::shared_ptr<const Exploration> exploration) {
    beginResetModel();
    const bool sameShape = exploration && m_exploration &&
                           exploration->space->sets().size() == m_exploration->space->sets().size();
    m_exploration = std::move(exploration);
    if (!sameShape)
        m_sortColumn = -1;
    rebuild();
    endResetModel();
}

void DraftsModel::setBoard(const DraftBoard* board) {
    if (m_board)
        disconnect(m_board, nullptr, this, nullptr);
    m_board = board;
    if (board)
        connect(board, &DraftBoard::changed, this, [this] {
            if (m_exploration && (m_sortColumn == column(Simulated) || m_sortColumn == column(Error))) {
                const int sorted = std::exchange(m_sortColumn, -1);
                sort(sorted, m_sortOrder);
            } else if (rowCount() > 0) {
                emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
            }
        });
}

void DraftsModel::setShowRejected(bool show) {
    if (show == m_showRejected)
        return;
    beginResetModel();
    m_showRejected = show;
    rebuild();
    endResetModel();
}

void DraftsModel::setFilter(std::function<bool(const Row&)> accepts) {
    beginResetModel();
    m_accepts = std::move(accepts);
    rebuild();
    endResetModel();
}

void DraftsModel::setCurrent(std::optional<Draft> draft) {
    m_current = std::move(draft);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1),
                         {Qt::FontRole, Qt::DisplayRole});
}

void DraftsModel::sort(int column, Qt::SortOrder order) {
    if (column == m_sortColumn && order == m_sortOrder)
        return;
    emit layoutAboutToBeChanged();
    const QModelIndexList before = persistentIndexList();
    std::vector<std::size_t> positions;
    for (const QModelIndex& persistent : before)
        positions.push_back(positionAt(persistent.row()));
    m_sortColumn = column;
    m_sortOrder = order;
    rebuild();
    for (qsizetype i = 0; i < before.size(); ++i) {
        const auto row = std::find(m_rows.begin(), m_rows.end(), positions[static_cast<std::size_t>(i)]);
        changePersistentIndex(before[i], row == m_rows.end() ? QModelIndex()
                                                             : index(static_cast<int>(row - m_rows.begin()),
                                                                     before[i].column()));
    }
    emit layoutChanged();
}

void DraftsModel::rebuild() {
    m_rows.clear();
    if (!m_exploration)
        return;
    const std::size_t kept = m_exploration->drafts.size();
    const std::size_t all = kept + (m_showRejected ? m_exploration->rejected.size() : 0);
    const double best = kept > 0 ? m_exploration->costs.front().totalNs() : 0;
    for (std::size_t position = 0; position < all; ++position) {
        const CostSplit* cost = costOf(position);
        if (!m_accepts ||
            m_accepts(Row{draftOf(position), cost, cost && best > 0 ? cost->totalNs() / best : 0}))
            m_rows.push_back(static_cast<std::uint32_t>(position));
    }
    if (m_sortColumn < 0 || m_sortColumn >= columnCount())
        return;
    std::vector<double> keys(all);
    for (const std::uint32_t position : m_rows)
        keys[position] = sortKey(position, m_sortColumn);
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    const std::size_t priced = m_exploration->costs.size();
    std::stable_sort(m_rows.begin(), m_rows.end(), [&](std::uint32_t a, std::uint32_t b) {
        if ((a < priced) != (b < priced))
            return a < priced; // rejected ones always come last
        return descending ? keys[a] > keys[b] : keys[a] < keys[b];
    });
}

double DraftsModel::sortKey(std::size_t position, int column) const {
    const Draft& draft = draftOf(position);
    if (column < setCount()) {
        const DraftPart& part = draft.parts[static_cast<std::size_t>(column)];
        return part.groups * 1e8 + part.cores * 1e3 + part.mapping;
    }
    const auto which = static_cast<Figure>(column - setCount());
    if (which == Strategy)
        return static_cast<double>(draft.strategy);
    if (which == Cores)
        return coresOf(draft);
    const CostSplit* cost = costOf(position);
    if (which == Memory) {
        const auto shapes = m_board ? m_board->shapes() : nullptr;
        return shapes && shapes->exploration == m_exploration
                   ? shapes->bytesPerCore[position]
                   : static_cast<double>(m_exploration->space->summarize(draft).bytesPerCore);
    }
    if (which == Verdict || which == Needed || which == Available)
        return cost ? 0
                    : static_cast<double>(
                          m_exploration->rejected[position - m_exploration->drafts.size()].rule);
    if (!cost)
        return HUGE_VAL;
    switch (which) {
    case Input:
        return cost->inputNs;
    case Compute:
        return cost->computeNs;
    case Output:
        return cost->outputNs;
    case Switch:
        return cost->modeSwitchNs;
    case Learned:
        return learned(position).value_or(cost->totalNs());
    case Simulated:
    case Error: {
        const SimulatedDraft* known = simulated(position);
        const double unknown = m_sortOrder == Qt::DescendingOrder ? -HUGE_VAL : HUGE_VAL;
        return !known               ? unknown
               : which == Simulated ? known->cost.totalNs()
                                    : known->cost.totalNs() / cost->totalNs() - 1;
    }
    default:
        return cost->totalNs();
    }
}

int DraftsModel::setCount() const {
    return m_exploration ? static_cast<int>(m_exploration->space->sets().size()) : 0;
}

int DraftsModel::keptCount() const {
    return m_exploration ? static_cast<int>(m_exploration->drafts.size()) : 0;
}

const Draft& DraftsModel::draftOf(std::size_t position) const {
    const std::size_t kept = m_exploration->drafts.size();
    return position < kept ? m_exploration->drafts[position] : m_exploration->rejected[position - kept].draft;
}

const CostSplit* DraftsModel::costOf(std::size_t position) const {
    return position < m_exploration->costs.size() ? &m_exploration->costs[position] : nullptr;
}

const SimulatedDraft* DraftsModel::simulated(std::size_t position) const {
    const SimulatedDraft* known =
        m_board && position < m_exploration->costs.size() ? m_board->simulated(position) : nullptr;
    return known && known->problem.empty() ? known : nullptr;
}

PruneRule DraftsModel::ruleAt(int row) const {
    return isRejected(row) && draftAt(row)
               ? m_exploration->rejected[positionAt(row) - m_exploration->drafts.size()].rule
               : PruneRule::Kept;
}

const Draft* DraftsModel::draftAt(int row) const {
    return row >= 0 && row < rowCount() ? &draftOf(positionAt(row)) : nullptr;
}

const CostSplit* DraftsModel::costAt(int row) const {
    return row >= 0 && row < rowCount() ? costOf(positionAt(row)) : nullptr;
}

int DraftsModel::rowOf(const Draft& draft) const {
    for (std::size_t row = 0; row < m_rows.size(); ++row)
        if (draftOf(m_rows[row]) == draft)
            return static_cast<int>(row);
    return -1;
}

int DraftsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int DraftsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_exploration ? 0 : setCount() + FigureCount;
}

QVariant DraftsModel::data(const QModelIndex& index, int role) const {
    const Draft* draft = draftAt(index.row());
    if (!draft || !index.isValid())
        return {};
    switch (role) {
    case Qt::ForegroundRole:
        return isRejected(index.row()) ? QVariant(color(Role::Muted)) : QVariant();
    case Qt::FontRole: {
        const int figure = index.column() - setCount();
        const bool predicted = figure == Total || figure == Learned || (figure >= VsBest && figure <= Switch);
        QFont font = originFont(predicted ? m_exploration->origin : Origin::Simulated, QFont());
        font.setBold(m_current && *draft == *m_current);
        return font;
    }
    case Qt::TextAlignmentRole:
        return index.column() < setCount() || index.column() >= column(Strategy)
                   ? QVariant(int(Qt::AlignLeft | Qt::AlignVCenter))
                   : QVariant(int(Qt::AlignRight | Qt::AlignVCenter));
    default:
        break;
    }
    if (index.column() >= setCount())
        return figure(index.row(), static_cast<Figure>(index.column() - setCount()), role);
    const DraftPart& part = draft->parts[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole || role == Qt::EditRole)
        return partText(*m_exploration, *draft, index.column());
    if (role == Qt::ToolTipRole)
        return tr("%1\n%2 groups, %3 cores per group; each core gets %4 of the dimension")
            .arg(QString::fromStdString(
                m_exploration->space->sets()[static_cast<std::size_t>(index.column())].text))
            .arg(part.groups)
            .arg(part.cores)
            .arg(m_exploration->space->tileLength(*draft, index.column()));
    return {};
}

QVariant DraftsModel::figure(int row, Figure which, int role) const {
    const Draft& draft = *draftAt(row);
    const CostSplit* cost = costAt(row);
    // EditRole is what a copy or a CSV file gets: plain, unrounded numbers.
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole && role != Qt::EditRole)
        return {};
    switch (which) {
    case Strategy:
        return draft.strategy == IndexStrategy::ExactSet ? tr("exact set") : tr("expanded");
    case Cores:
        return coresOf(draft);
    case Memory: {
        const auto bytes = static_cast<qint64>(m_exploration->space->summarize(draft).bytesPerCore);
        return role == Qt::EditRole ? QVariant(bytes)
               : role == Qt::ToolTipRole
                   ? QVariant(tr("%1 B in the fullest core").arg(QString::fromStdString(exactText(bytes))))
                   : QVariant(QString::fromStdString(bytesText(static_cast<double>(bytes))));
    }
    case Verdict: {
        if (cost)
            return m_current && *m_current == draft ? tr("in force")
                   : positionAt(row) == 0           ? tr("best")
                                                    : QString();
        return coreWord(name(ruleAt(row)));
    }
    case Needed:
    case Available: {
        const auto lack = cost ? std::nullopt : shortfall(*m_exploration->space, draft, ruleAt(row));
        if (!lack)
            return !cost && role == Qt::ToolTipRole
                       ? QVariant(tr("Another draft stands for it: select it to see which"))
                       : QVariant(QString());
        return QString::fromStdString(which == Needed ? lack->needed : lack->available);
    }
    default:
        break;
    }
    if (!cost)
        return role == Qt::ToolTipRole ? QVariant(tr("Rejected before it was priced"))
               : role == Qt::EditRole  ? QVariant(QString())
                                       : QVariant(QStringLiteral("–"));
    if (which == Learned)
        return learnedFigure(row, role);
    return which == Simulated || which == Error ? simulatedFigure(row, which, role)
                                                : timeFigure(row, which, role);
}

QVariant DraftsModel::simulatedFigure(int row, Figure which, int role) const {
    const SimulatedDraft* simulated = simulatedAt(row);
    if (!simulated) {
        const SimulatedDraft* failed = m_board ? m_board->simulated(positionAt(row)) : nullptr;
        if (role == Qt::ToolTipRole)
            return failed ? QString::fromStdString(failed->problem) : tr("Not simulated yet");
        return role == Qt::EditRole ? QString() : failed ? tr("failed") : QStringLiteral("–");
    }
    const double ns = simulated->cost.totalNs(), error = ns / costAt(row)->totalNs() - 1;
    if (role == Qt::EditRole)
        return which == Simulated ? ns : error;
    if (role == Qt::ToolTipRole)
        return tr("%1 ns simulated, %2 ns predicted")
            .arg(ns, 0, 'g', 17)
            .arg(costAt(row)->totalNs(), 0, 'g', 17);
    if (which == Simulated)
        return QString::fromStdString(timeText(ns));
    return QString::fromStdString((error < 0 ? "−" : "+") + percentText(std::abs(error)));
}

std::optional<double> DraftsModel::learned(std::size_t position) const {
    const std::vector<double>& all = m_exploration->predictedNs;
    return position < all.size() ? std::optional(all[position]) : std::nullopt;
}

QVariant DraftsModel::learnedFigure(int row, int role) const {
    const std::optional<double> ns = learned(positionAt(row));
    if (!ns)
        return role == Qt::ToolTipRole
                   ? QVariant(
                         tr("No learned predictor ranks drafts of this kernel: see Model › Draft Ranking"))
               : role == Qt::EditRole ? QVariant(QString())
                                      : QVariant(QStringLiteral("–"));
    if (role == Qt::EditRole)
        return *ns;
    if (role == Qt::ToolTipRole)
        return tr("%1 ns by the learned predictor, %2 ns by the formula")
            .arg(*ns, 0, 'g', 17)
            .arg(costAt(row)->totalNs(), 0, 'g', 17);
    return figureText(Origin::Predicted, timeText(*ns));
}

QVariant DraftsModel::timeFigure(int row, Figure which, int role) const {
    const CostSplit& cost = *costAt(row);
    const double best = m_exploration->costs.front().totalNs();
    if (which == VsBest) {
        const double ratio = best > 0 ? cost.totalNs() / best : 1;
        return role == Qt::EditRole ? QVariant(ratio)
                                    : QVariant(figureText(m_exploration->origin, ratioText(ratio)));
    }
    double ns = 0;
    switch (which) {
    case Input:
        ns = cost.inputNs;
        break;
    case Compute:
        ns = cost.computeNs;
        break;
    case Output:
        ns = cost.outputNs;
        break;
    case Switch:
        ns = cost.modeSwitchNs;
        break;
    default:
        ns = cost.totalNs();
        break;
    }
    if (role == Qt::EditRole)
        return ns;
    if (role == Qt::ToolTipRole)
        return tr("%1 ns, %2").arg(ns, 0, 'g', 17).arg(coreWord(name(m_exploration->origin)));
    return figureText(m_exploration->origin, timeText(ns));
}

QVariant DraftsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(section + 1) : QVariant();
    if (section < setCount()) {
        const DimensionSet& set = m_exploration->space->sets()[static_cast<std::size_t>(section)];
        if (role == Qt::ToolTipRole)
            return tr("Dimension set %1\ngroups × cores, representative mapping")
                .arg(QString::fromStdString(set.text));
        if (role == Qt::DisplayRole && !set.loops.empty()) {
            QStringList loops;
            for (const int loop : set.loops)
                loops << QString::fromStdString(
                    m_exploration->space->kernel().loops[static_cast<std::size_t>(loop)].name);
            return loops.join(QStringLiteral(", "));
        }
        return {};
    }
    static const struct {
        const char* text;
        const char* tip;
    } kFigures[FigureCount] = {
        {QT_TR_NOOP("Total"), QT_TR_NOOP("All parts (predicted)")},
        {QT_TR_NOOP("Learned"),
         QT_TR_NOOP("All parts, as the learned predictor sees them; – where none ranks such kernels")},
        {QT_TR_NOOP("Simulated"),
         QT_TR_NOOP("All parts, from running the commands; – where it was not simulated")},
        {QT_TR_NOOP("Off"), QT_TR_NOOP("Simulated over predicted, less 1: how far the prediction is off")},
        {QT_TR_NOOP("To best"), QT_TR_NOOP("Total over the total of the best draft of this op")},
        {QT_TR_NOOP("Input"), QT_TR_NOOP("Rearrangement of streamed inputs (predicted)")},
        {QT_TR_NOOP("Compute"), QT_TR_NOOP("PIM units busy (predicted)")},
        {QT_TR_NOOP("Output"), QT_TR_NOOP("Rearrangement of outputs, partial results merged (predicted)")},
        {QT_TR_NOOP("Switch"), QT_TR_NOOP("Entering and leaving PIM mode (predicted)")},
        {QT_TR_NOOP("Cores"), QT_TR_NOOP("Cores the draft allocates over all groups")},
        {QT_TR_NOOP("Memory"), QT_TR_NOOP("Tiles of all tensors in the fullest core")},
        {QT_TR_NOOP("Indices"),
         QT_TR_NOOP("What a core holds where the indices it needs are not contiguous")},
        {QT_TR_NOOP("Verdict"), QT_TR_NOOP("In force, best, or the rule that removed the draft")},
        {QT_TR_NOOP("Needs"), QT_TR_NOOP("What a rejected draft would need")},
        {QT_TR_NOOP("There is"), QT_TR_NOOP("What the machine has instead")},
    };
    const auto& entry = kFigures[section - setCount()];
    if (role == Qt::DisplayRole)
        return tr(entry.text);
    if (role == Qt::EditRole) {
        const auto which = static_cast<Figure>(section - setCount());
        const bool isTime =
            which == Total || which == Learned || which == Simulated || (which >= Input && which <= Switch);
        if (which == Memory)
            return tr("%1 (B)").arg(tr(entry.text));
        return isTime ? tr("%1 (ns)").arg(tr(entry.text)) : tr(entry.text);
    }
    if (role == Qt::ToolTipRole)
        return tr(entry.tip);
    return {};
}

} // namespace pim::views
