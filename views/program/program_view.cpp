// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/program/program_view.h"

#include "core/base/number_text.h"
#include "core/plan/command_facet.h"
#include "views/common/empty_state.h"
#include "views/models/op_source.h"
#include "views/models/workspace.h"
#include "views/program/program_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <QVBoxLayout>

#include <algorithm>

namespace pim::views {
namespace {

/// More is of no use on a screen; the bundle has all of it.
constexpr qsizetype kShownCharacters = 2'000'000;

QString qs(const std::string& text) {
    return QString::fromStdString(text);
}

Result<std::shared_ptr<const void>> listingOf(const Backend& backend, const Plan& plan, OpId op,
                                              const TaskContext& task) {
    PIM_TRY(const std::vector<CodeFile> files, backend.lower(plan, op, task));
    if (files.empty())
        return fail(ErrorCode::Unsupported, "has no commands", plan.graph->op(op).name);
    const CodeFile& file = files.front();
    auto listing = std::make_shared<ProgramListing>();
    listing->name = qs(file.name);
    listing->summary = qs(file.summary);
    listing->text = qs(file.text);
    if (listing->text.size() > kShownCharacters)
        listing->text =
            listing->text.left(kShownCharacters) + ProgramView::tr("\n… export the bundle for the rest");
    listing->lines = programLines(listing->text.toStdString());
    if (const auto program = parseProgram(file.text, file.name))
        for (const Opcode& opcode : program->opcodes)
            listing->meanings[opcode.name] = opcode.meaning;
    if (const CommandFacet* const commands = backend.commands())
        if (auto places = commands->places(plan, op))
            listing->places = std::move(*places);
    return std::shared_ptr<const void>(std::move(listing));
}

/// First group of "groups 0-79" or "group 3", and the last.
std::pair<int, int> groupsOf(const std::string& unit) {
    const QStringList parts = qs(unit).section(u' ', -1).split(u'-');
    return {parts.first().toInt(), parts.last().toInt()};
}

/// The tensor a line moves and its first element; -1: none.
struct Moved {
    int tensor = -1;
    std::int64_t first = -1, last = -1;
};
Moved movedBy(const ProgramListing& listing, const ProgramLine& line, int group) {
    const OperandRange *tensor = line.operand("tensor"), *burst = line.operand("burst");
    if (!listing.places || !tensor || !burst || tensor->first < 0 ||
        std::size_t(tensor->first) >= listing.places->tensors.size())
        return {};
    std::array<std::int64_t, kPimLanes> lanes{};
    listing.places->operands->elements(int(tensor->first), group, burst->first, lanes);
    Moved moved{int(tensor->first)};
    for (const std::int64_t element : lanes)
        if (element >= 0) {
            moved.first = moved.first < 0 ? element : std::min(moved.first, element);
            moved.last = std::max(moved.last, element);
        }
    return moved;
}

std::vector<std::int64_t> indicesOf(const Shape& shape, std::int64_t element) {
    std::vector<std::int64_t> indices(shape.size());
    for (std::size_t d = shape.size(); d-- > 0; element /= shape[d])
        indices[d] = element % shape[d];
    return indices;
}

bool holds(const std::vector<IndexRun>& runs, std::int64_t index) {
    return std::any_of(runs.begin(), runs.end(), [index](const IndexRun& run) {
        const std::int64_t at = index - run.begin;
        return at >= 0 && at % run.step == 0 && at / run.step < run.count;
    });
}

QString elementText(const PlacedTensor& tensor, std::int64_t element) {
    QStringList parts;
    for (const std::int64_t index : indicesOf(tensor.shape, element))
        parts.append(QString::number(index));
    return QStringLiteral("%1[%2]").arg(qs(tensor.name), parts.join(QStringLiteral(", ")));
}

int groupOf(const ProgramLine& line, int wanted) {
    const auto [first, last] = groupsOf(line.unit);
    return wanted >= first && wanted <= last ? wanted : first;
}

} // namespace

std::optional<CorePlace> tileOf(const ProgramListing& listing, const OpPlan& plan, int at, int wanted) {
    if (at < 0 || std::size_t(at) >= listing.lines.size() || !plan.space || !plan.draft)
        return std::nullopt;
    const ProgramLine& line = listing.lines[std::size_t(at)];
    if (line.kind != ProgramLine::Kind::Command)
        return std::nullopt;
    const int group = groupOf(line, wanted);
    const Moved moved = movedBy(listing, line, group);
    const auto tensors = std::ssize(plan.space->kernel().tensors);
    if (moved.first < 0 || moved.tensor >= tensors)
        return std::nullopt;
    const auto indices = indicesOf(listing.places->tensors[std::size_t(moved.tensor)].shape, moved.first);
    for (int core = 0; core < plan.space->resources().coresPerGroup; ++core) {
        const CoreTile tile = plan.space->tile(*plan.draft, group, core);
        const auto& dims = tile.data[std::size_t(moved.tensor)];
        bool all = tile.iterations > 0;
        for (std::size_t d = 0; all && d < dims.size(); ++d)
            all = holds(dims[d], indices[d]);
        if (all)
            return CorePlace{group, core};
    }
    return std::nullopt;
}

QString lineText(const ProgramListing& listing, int at, int wanted) {
    if (at < 0 || std::size_t(at) >= listing.lines.size())
        return {};
    const ProgramLine& line = listing.lines[std::size_t(at)];
    QStringList parts;
    switch (line.kind) {
    case ProgramLine::Kind::Other:
        return {};
    case ProgramLine::Kind::Phase:
        return ProgramView::tr("Phase %1: all groups finish it before any starts the next")
            .arg(qs(line.phase));
    case ProgramLine::Kind::Stream:
        return ProgramView::tr("Phase %1 in %2").arg(qs(line.phase), qs(line.unit));
    case ProgramLine::Kind::Loop:
        return ProgramView::tr("A loop, entered %1 times in each of %2")
            .arg(qs(exactText(line.turns)), qs(line.unit));
    case ProgramLine::Kind::Command:
        break;
    }
    const auto meaning = listing.meanings.find(line.opcode);
    parts << qs(line.opcode) +
                 (meaning == listing.meanings.end() ? QString() : QStringLiteral(": ") + qs(meaning->second));
    parts << ProgramView::tr("%1 × in each of %2, phase %3")
                 .arg(qs(exactText(line.turns)), qs(line.unit), qs(line.phase));
    QStringList operands;
    for (const OperandRange& operand : line.operands)
        if (operand.name != "tensor" && operand.name != "burst")
            operands << (operand.low == operand.high
                             ? QStringLiteral("%1 %2").arg(qs(operand.name)).arg(operand.low)
                             : QStringLiteral("%1 %2…%3")
                                   .arg(qs(operand.name))
                                   .arg(operand.low)
                                   .arg(operand.high));
    if (!operands.isEmpty())
        parts << operands.join(QStringLiteral(", "));
    const int group = groupOf(line, wanted);
    if (const Moved moved = movedBy(listing, line, group); moved.tensor >= 0) {
        const PlacedTensor& tensor = listing.places->tensors[std::size_t(moved.tensor)];
        parts << (moved.first < 0
                      ? ProgramView::tr("first burst in group %1: padding of %2")
                            .arg(group)
                            .arg(qs(tensor.name))
                      : ProgramView::tr("first burst in group %1: %2 … %3")
                            .arg(group)
                            .arg(elementText(tensor, moved.first), elementText(tensor, moved.last)));
    }
    return parts.join(QStringLiteral(" · "));
}

ProgramView::ProgramView(Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_workspace(workspace), m_text(new ProgramText),
      m_empty(new EmptyState(QStringLiteral("search"))), m_page(new QWidget), m_phases(new QComboBox),
      m_summary(new QLabel), m_facts(new QLabel) {
    setObjectName(QStringLiteral("ProgramView"));
    setAccessibleName(tr("Program"));
    m_text->setAccessibleName(tr("Commands of the selected op"));
    m_phases->setAccessibleName(tr("Go to phase"));
    m_phases->setToolTip(tr("Go to a phase of the program"));
    m_summary->setAccessibleName(tr("Command counts"));
    m_facts->setAccessibleName(tr("What the current line does"));
    for (QLabel* label : {m_summary, m_facts}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    auto* head = new QHBoxLayout;
    head->addWidget(m_summary, 1);
    head->addWidget(m_phases);
    auto* column = new QVBoxLayout(m_page);
    column->setContentsMargins(6, 4, 0, 4);
    column->addLayout(head);
    column->addWidget(m_text, 1);
    column->addWidget(m_facts);
    auto* pages = new QStackedLayout(this);
    pages->addWidget(m_empty);
    pages->addWidget(m_page);

    auto* source = new OpSource(
        workspace, tr("Generating the commands of %1"),
        [](const Backend& backend, const std::shared_ptr<const Plan>& plan, OpId op,
           const TaskContext& task) { return listingOf(backend, *plan, op, task); },
        this);
    connect(this, &ProgramView::seenChanged, source, &OpSource::setWanted);
    connect(source, &OpSource::changed, this, [this, source] {
        if (source->isStale())
            return m_page->setEnabled(false); // the older one stays until the next is there
        m_plan = source->plan();
        m_op = source->op();
        showListing(source->result<ProgramListing>(), source->note());
    });
    connect(m_text, &QPlainTextEdit::cursorPositionChanged, this, &ProgramView::takeLine);
    connect(&workspace, &Workspace::selectionChanged, this, [this] {
        m_facts->setText(m_listing
                             ? lineText(*m_listing, m_text->currentLine(), m_workspace.selection().group)
                             : QString());
    });
    connect(m_phases, &QComboBox::activated, this, [this](int index) {
        m_text->goToLine(m_phases->itemData(index).toInt());
        m_text->setFocus();
    });
    showListing(nullptr, source->note());
}

QString ProgramView::facts() const {
    return m_facts->text();
}

QString ProgramView::summary() const {
    return m_summary->text();
}

void ProgramView::setSeen(bool seen) {
    emit seenChanged(seen);
}

void ProgramView::showListing(std::shared_ptr<const ProgramListing> listing, const QString& note) {
    m_page->setEnabled(true);
    auto* pages = static_cast<QStackedLayout*>(layout());
    m_listing = nullptr; // the cursor moves while the text changes: that leads nowhere
    m_text->setPlainText(listing ? listing->text : QString());
    m_listing = std::move(listing);
    m_phases->clear();
    m_facts->clear();
    pages->setCurrentWidget(m_listing ? m_page : static_cast<QWidget*>(m_empty));
    if (!m_listing) {
        m_empty->setText(tr("No commands to show"), note);
        return;
    }
    m_summary->setText(QStringLiteral("%1 — %2").arg(m_listing->name, m_listing->summary));
    for (std::size_t i = 0; i < m_listing->lines.size(); ++i)
        if (m_listing->lines[i].kind == ProgramLine::Kind::Phase)
            m_phases->addItem(tr("phase %1").arg(qs(m_listing->lines[i].phase)), int(i));
    m_phases->setVisible(m_phases->count() > 0);
    if (m_phases->count() > 0)
        m_text->goToLine(m_phases->itemData(0).toInt());
}

void ProgramView::takeLine() {
    if (!m_listing || !m_plan)
        return;
    const int line = m_text->currentLine();
    const int group = m_workspace.selection().group;
    m_facts->setText(lineText(*m_listing, line, group));
    const ProgramLine* at =
        std::size_t(line) < m_listing->lines.size() ? &m_listing->lines[std::size_t(line)] : nullptr;
    std::vector<int> ofPhase;
    for (std::size_t i = 0; at && !at->phase.empty() && i < m_listing->lines.size(); ++i)
        if (m_listing->lines[i].phase == at->phase)
            ofPhase.push_back(int(i));
    m_text->setMarkedLines(std::move(ofPhase));
    if (!m_text->hasFocus() || m_workspace.plan() != m_plan || m_workspace.selection().op != m_op)
        return;
    if (const auto tile = tileOf(*m_listing, m_plan->opPlan(m_op), line, group)) {
        Selection wanted = m_workspace.selection();
        wanted.group = tile->group;
        wanted.core = tile->core;
        m_workspace.select(wanted);
    }
}

} // namespace pim::views
