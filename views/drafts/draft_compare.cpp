// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/drafts/draft_compare.h"

#include "core/base/number_text.h"
#include "core/compile/explain.h"
#include "views/common/empty_state.h"
#include "views/common/line_label.h"
#include "views/common/origin_style.h"
#include "views/common/palette.h"
#include "views/common/table_view.h"
#include "views/common/text.h"
#include "views/models/workspace.h"

#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

/// Written with its sign: the second cue beside colour.
QString withSign(double value, const std::string& absolute) {
    return value == 0 ? QStringLiteral("0")
                      : (value < 0 ? QStringLiteral("−") : QStringLiteral("+")) + text(absolute);
}

QString sideText(const BoardDraft& draft) {
    const CostSplit* cost = draft.cost();
    const QString price = cost ? figureHtml(draft.origin(), timeText(cost->totalNs()))
                               : CompareView::tr("rejected, never priced");
    return QStringLiteral("<b>%1</b> &nbsp;<code>%2</code>%3")
        .arg(price, draft.text().toHtmlEscaped(),
             draft.asPlanned ? CompareView::tr(" &nbsp;(as planned among its neighbours)") : QString());
}

} // namespace

void DraftDeltaModel::setDeltas(std::vector<FactDelta> deltas, Origin originA, Origin originB) {
    beginResetModel();
    m_deltas = std::move(deltas);
    m_origins[0] = originA;
    m_origins[1] = originB;
    resort();
    endResetModel();
}

void DraftDeltaModel::sort(int column, Qt::SortOrder order) {
    beginResetModel();
    m_sortColumn = column;
    m_sortOrder = order;
    resort();
    endResetModel();
}

std::optional<double> DraftDeltaModel::exact(const FactDelta& delta, int column) const {
    switch (column) {
    case OfA:
        return delta.a;
    case OfB:
        return delta.b;
    case Delta:
        return delta.a && delta.b ? std::optional(delta.delta()) : std::nullopt;
    case Relative:
        return delta.relative();
    default:
        return std::nullopt;
    }
}

void DraftDeltaModel::resort() {
    const auto position = [](const FactDelta& delta) { return delta.info - factInfos().data(); };
    const auto key = [&](const FactDelta& delta) {
        const auto value = exact(delta, m_sortColumn);
        return value ? m_sortColumn >= Delta ? std::abs(*value) : *value : -HUGE_VAL;
    };
    const bool byUnit = m_sortColumn != Figure && m_sortColumn != Relative;
    const bool descending = m_sortOrder == Qt::DescendingOrder;
    std::stable_sort(m_deltas.begin(), m_deltas.end(), [&](const FactDelta& x, const FactDelta& y) {
        if (byUnit && x.info->unit != y.info->unit)
            return x.info->unit < y.info->unit;
        const double a = m_sortColumn == Figure ? static_cast<double>(position(x)) : key(x);
        const double b = m_sortColumn == Figure ? static_cast<double>(position(y)) : key(y);
        return a != b ? (descending ? a > b : a < b) : position(x) < position(y);
    });
}

int DraftDeltaModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_deltas.size());
}
int DraftDeltaModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QString DraftDeltaModel::shown(const FactDelta& delta, int column) const {
    const auto value = exact(delta, column);
    if (column == Figure)
        return text(delta.info->label);
    if (!value)
        return QStringLiteral("–");
    if (column == Relative)
        return withSign(*value, percentText(std::abs(*value)));
    if (column == Delta)
        return withSign(*value, factText(delta.info->unit, std::abs(*value)));
    const bool isTime = delta.info->unit == FactUnit::Time;
    return figureText(isTime ? m_origins[column == OfA ? 0 : 1] : Origin::Simulated,
                      factText(delta.info->unit, *value));
}

QVariant DraftDeltaModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const FactDelta& delta = at(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return shown(delta, column);
    case Qt::EditRole: {
        if (column == Figure)
            return text(delta.info->key);
        const auto value = exact(delta, column);
        return value ? QVariant(*value) : QVariant();
    }
    case Qt::ToolTipRole: {
        const auto value = exact(delta, column);
        return column == Figure || !value ? text(delta.info->meaning) : QString::number(*value, 'g', 17);
    }
    case Qt::TextAlignmentRole:
        return int((column == Figure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    case Qt::FontRole:
        return column == OfA || column == OfB
                   ? originFont(delta.info->unit == FactUnit::Time ? m_origins[column - OfA]
                                                                   : Origin::Simulated,
                                QFont())
                   : QFont();
    case Qt::DecorationRole: {
        // A swatch in the colours of the maps: the same sign, the same side.
        const auto relative = column == Delta ? exact(delta, Relative) : std::nullopt;
        return relative && *relative != 0 ? QVariant(diverging(std::clamp(*relative, -1.0, 1.0)))
                                          : QVariant();
    }
    default:
        return {};
    }
}

QVariant DraftDeltaModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= ColumnCount)
        return {};
    static const char* const kShown[ColumnCount] = {QT_TR_NOOP("Figure"), QT_TR_NOOP("A"), QT_TR_NOOP("B"),
                                                    QT_TR_NOOP("Δ"), QT_TR_NOOP("Δ %")};
    static const char* const kExact[ColumnCount] = {"fact", "a", "b", "delta", "relative_delta"};
    static const char* const kTips[ColumnCount] = {
        QT_TR_NOOP("What is measured; times in ns, sizes in bytes, shares of 1 when copied"),
        QT_TR_NOOP("Of draft A"), QT_TR_NOOP("Of draft B"),
        QT_TR_NOOP("B less A; sorts by size without its sign"),
        QT_TR_NOOP("Difference over A; sorts by size without its sign")};
    if (role == Qt::DisplayRole)
        return tr(kShown[section]);
    if (role == Qt::EditRole)
        return QString::fromLatin1(kExact[section]);
    return role == Qt::ToolTipRole ? QVariant(tr(kTips[section])) : QVariant();
}

CompareView::CompareView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_board(DraftBoard::of(workspace)), m_rules(loadAdvice()),
      m_model(new DraftDeltaModel(this)), m_table(new TableView), m_a(new LineLabel), m_b(new LineLabel),
      m_badge(new QLabel), m_keep(new QPushButton(tr("Keep as A"))),
      m_release(new QPushButton(tr("Draft in Force"))), m_swap(new QPushButton(tr("Swap"))),
      m_words(new QTextBrowser), m_splitter(new QSplitter), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("compare"))) {
    setObjectName(QStringLiteral("CompareView"));
    setAccessibleName(tr("Two drafts compared"));
    auto* sides = new QGridLayout;
    sides->setColumnStretch(1, 1);
    const std::pair<QLabel*, QString> rows[] = {{m_a, tr("A")}, {m_b, tr("B")}};
    for (int row = 0; row < 2; ++row) {
        auto* letter = new QLabel(QStringLiteral("<b>%1</b>").arg(rows[row].second));
        sides->addWidget(letter, row, 0);
        rows[row].first->setTextFormat(Qt::RichText);
        rows[row].first->setAccessibleName(tr("Draft %1").arg(rows[row].second));
        sides->addWidget(rows[row].first, row, 1);
    }
    m_release->setToolTip(tr("A is the draft in force again"));
    m_keep->setToolTip(tr("Keep the draft that is B now as A; select another one to be B"));
    m_swap->setToolTip(tr("B becomes A, and A becomes the selected draft"));
    sides->addWidget(m_release, 0, 2);
    sides->addWidget(m_swap, 0, 3);
    sides->addWidget(m_keep, 1, 2, 1, 2);
    for (QPushButton* button : {m_keep, m_release, m_swap})
        button->setAccessibleName(button->text());
    m_badge->setWordWrap(true);
    m_badge->setAccessibleName(tr("Whether the two can be compared"));

    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setAlternatingRowColors(true);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(DraftDeltaModel::Delta, Qt::DescendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 6);
    m_table->setAccessibleName(tr("Differences of the two drafts"));
    m_table->setExportName(QStringLiteral("drafts-compared"));
    m_words->setOpenLinks(false);
    m_words->setFrameShape(QFrame::NoFrame);
    m_words->setAccessibleName(tr("Why B is slower or faster, and advice"));
    connect(m_words, &QTextBrowser::anchorClicked, this,
            [this](const QUrl& url) { emit helpRequested(url.path()); });
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(m_table);
    m_splitter->addWidget(m_words);
    m_splitter->setStretchFactor(0, 3);
    m_splitter->setStretchFactor(1, 2);
    m_pages->addWidget(m_splitter);
    m_pages->addWidget(m_empty);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 4, 6, 4);
    layout->setSpacing(4);
    layout->addLayout(sides);
    layout->addWidget(m_badge);
    layout->addWidget(m_pages, 1);
    connect(&m_board, &DraftBoard::comparedChanged, this, &CompareView::rebuild);
    connect(m_keep, &QPushButton::clicked, this, [this] { m_board.keepA(m_board.b()); });
    connect(m_release, &QPushButton::clicked, this, [this] { m_board.keepA(std::nullopt); });
    connect(m_swap, &QPushButton::clicked, this, [this] {
        const auto a = m_board.a(), b = m_board.b();
        if (!a || !b)
            return;
        m_board.keepA(b);
        Selection selection = m_workspace.selection();
        selection.draft = a->draft;
        m_workspace.select(selection);
    });
    rebuild();
}

void CompareView::setRules(AdviceRules rules) {
    m_rules = std::move(rules);
    rebuild();
}

/// All columns of the table are worth more than its height.
void CompareView::resizeEvent(QResizeEvent* event) {
    constexpr int kBesideEachOther = 760;
    m_splitter->setOrientation(width() < kBesideEachOther ? Qt::Vertical : Qt::Horizontal);
    QWidget::resizeEvent(event);
}

QString CompareView::words() const {
    return m_words->toPlainText();
}
bool CompareView::isComparing() const {
    return m_pages->currentIndex() == 0;
}

void CompareView::refuse(const QString& what, const QString& hint) {
    m_model->setDeltas({}, Origin::Predicted, Origin::Predicted);
    m_words->clear();
    m_empty->setText(what, hint);
    m_pages->setCurrentIndex(1);
}

void CompareView::rebuild() {
    const auto a = m_board.a(), b = m_board.b();
    const QString none = QStringLiteral("–");
    m_a->setText(a ? sideText(*a) : none);
    m_b->setText(b ? sideText(*b) : none);
    m_a->setToolTip(a ? a->text() : QString());
    m_b->setToolTip(b ? b->text() : QString());
    m_release->setEnabled(m_board.isAKept());
    m_keep->setEnabled(b.has_value());
    m_badge->clear();
    if (!a || !b) {
        m_swap->setEnabled(false);
        return refuse(tr("Nothing to compare"),
                      tr("Select an op that can run on PIM; then select a draft of it to be B."));
    }
    QStringList differences;
    for (const std::string& difference : draftDifferences(*a->space, *a->target, *b->space, *b->target))
        differences << text(difference);
    m_swap->setEnabled(differences.isEmpty() && !(a->draft == b->draft));
    if (!differences.isEmpty()) {
        m_badge->setText(tr("✗ not the same work"));
        return refuse(tr("These two cannot be compared: %1.").arg(differences.join(QStringLiteral("; "))),
                      tr("Press Draft in Force to compare within the selected op, or choose another A."));
    }
    m_badge->setText(
        a->op == b->op
            ? tr("✓ same op and target: %1 on %2").arg(b->op, text(b->target->id))
            : tr("✓ same kernel and target: %1 and %2 on %3").arg(a->op, b->op, text(b->target->id)));
    if (a->draft == b->draft)
        return refuse(tr("A and B are the same draft"),
                      tr("Select another draft in the table or the scatter to be B."));
    // Like is compared with like: simulated only where both are.
    BoardDraft sideA = *a, sideB = *b;
    if (!(sideA.simulated && sideB.simulated))
        sideA.simulated = sideB.simulated = std::nullopt;
    const Facts factsA = sideA.facts(), factsB = sideB.facts();
    m_model->setDeltas(factDeltas(factsA, factsB), sideA.origin(), sideB.origin());
    m_pages->setCurrentIndex(0);
    m_table->fitColumns(190);
    showWords(sideA, sideB, factsA, factsB);
}

void CompareView::showWords(const BoardDraft& a, const BoardDraft& b, const Facts& factsA,
                            const Facts& factsB) {
    QString html;
    if (a.cost() && b.cost()) {
        const Explanation why = explainCosts(*a.cost(), *b.cost(), factsA, factsB);
        html += QStringLiteral("<p><b>%1</b> %2</p><ul>")
                    .arg(text(why.headline).toHtmlEscaped(),
                         b.origin() == Origin::Simulated ? tr("(simulated)") : tr("<i>(predicted)</i>"));
        for (const ExplainedPart& part : why.parts)
            html += QStringLiteral("<li>%1</li>").arg(text(part.text).toHtmlEscaped());
        html += QStringLiteral("</ul>");
        if (a.asPlanned != b.asPlanned)
            html += tr("<p>One of the two is priced among its neighbours in the plan, the other alone.</p>");
    } else {
        html += tr("<p>A rejected draft was never priced: only its shape can be compared.</p>");
    }
    if (const auto advice = advise(m_rules.rules, factsB, &factsA); !advice.empty()) {
        html += tr("<p><b>About B</b></p><ul>");
        for (const Advice& one : advice)
            html += QStringLiteral("<li>%1 %2</li>")
                        .arg(text(one.text).toHtmlEscaped(),
                             one.help.empty() ? QString()
                                              : tr("<a href=\"help:%1\">More</a>").arg(text(one.help)));
        html += QStringLiteral("</ul>");
    }
    for (const Diagnostic& problem : m_rules.problems)
        html += tr("<p>Rules left out: %1: %2. %3</p>")
                    .arg(text(problem.object).toHtmlEscaped(), text(problem.message).toHtmlEscaped(),
                         text(problem.hint).toHtmlEscaped());
    m_words->setHtml(html);
}

} // namespace pim::views
