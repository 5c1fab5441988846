// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dual_mode/segment_editor.h"

#include "core/base/number_text.h"
#include "views/common/empty_state.h"
#include "views/common/flow_layout.h"
#include "views/common/icons.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/plot_export.h"
#include "views/common/text.h"
#include "views/dual_mode/segment_canvas.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QToolButton>

namespace pim::views {
namespace {

QString csvOf(const SegmentPicture& picture) {
    QString csv = csvLine({QStringLiteral("segment"), QStringLiteral("piece"), QStringLiteral("op"),
                           QStringLiteral("compute_arrays"), QStringLiteral("memory_arrays"),
                           QStringLiteral("segment_cycles"), QStringLiteral("intra_cycles"),
                           QStringLiteral("write_back_cycles"), QStringLiteral("switch_cycles"),
                           QStringLiteral("rewrite_cycles"), QStringLiteral("to_memory"),
                           QStringLiteral("to_compute")}) +
                  QLatin1Char('\n');
    for (std::size_t i = 0; i < picture.segments.size(); ++i) {
        const SegmentBar& s = picture.segments[i];
        for (int p = s.first; p <= s.last; ++p) {
            const PieceBar& piece = picture.pieces[static_cast<std::size_t>(p)];
            csv +=
                csvLine({QString::number(i + 1), piece.name(), piece.opName, QString::number(piece.compute),
                         QString::number(piece.memory), exactNumber(s.cycles()), exactNumber(s.intra),
                         exactNumber(s.writeBack), exactNumber(s.switching), exactNumber(s.rewrite),
                         QString::number(s.toMemory), QString::number(s.toCompute)}) +
                QLatin1Char('\n');
        }
    }
    return csv;
}

} // namespace

SegmentEditor::SegmentEditor(QWidget* parent)
    : QWidget(parent), m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("table"))),
      m_page(new QWidget), m_headline(new LineLabel), m_canvas(new SegmentCanvas), m_panel(new QWidget),
      m_piece(new LineLabel), m_compute(new QSpinBox), m_memory(new QSpinBox), m_split(new QToolButton),
      m_join(new QToolButton), m_reset(new QToolButton), m_verdict(new QLabel) {
    setObjectName(QStringLiteral("SegmentEditor"));
    setAccessibleName(tr("Segments of the network"));
    m_empty->setText(tr("This plan has no segments"),
                     tr("Choose a target whose arrays switch between compute and memory, such as dynaplasia; "
                        "the segments of the network appear here."));

    m_headline->setTextFormat(Qt::RichText);
    m_headline->setContentsMargins(12, 5, 6, 3);
    m_headline->setAccessibleName(tr("Total"));
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_headline);
    layout->addWidget(m_canvas, 1);
    buildPanel(m_panel);
    layout->addWidget(m_panel);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_page);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(m_pages);
    installPlotExport(m_canvas, {QStringLiteral("segments"), [this] { return m_canvas->contentSize(); },
                                 [this](QPainter& painter) { m_canvas->paintAll(painter); },
                                 [this] { return csvOf(m_canvas->picture()); }});

    connect(m_canvas, &SegmentCanvas::decisionRequested, this, &SegmentEditor::decisionRequested);
    connect(m_canvas, &SegmentCanvas::decisionCleared, this, &SegmentEditor::decisionCleared);
    connect(m_canvas, &SegmentCanvas::stepBegan, this, &SegmentEditor::stepBegan);
    connect(m_canvas, &SegmentCanvas::stepEnded, this, &SegmentEditor::stepEnded);
    connect(m_canvas, &SegmentCanvas::verdictChanged, this,
            [this](const QString& verdict) { setVerdict(verdict, !verdict.isEmpty()); });
    connect(m_canvas, &SegmentCanvas::selectionChanged, this, [this] {
        setVerdict({}, false);
        updatePanel();
        if (const PieceBar* piece = selected(); piece && piece->op >= 0)
            emit opSelected(OpId(piece->op));
    });
    setPicture({});
}

void SegmentEditor::buildPanel(QWidget* into) {
    auto* row = new QHBoxLayout(into);
    row->setContentsMargins(12, 4, 8, 5);
    row->setSpacing(8);
    m_piece->setTextFormat(Qt::RichText);
    m_piece->setAccessibleName(tr("Chosen piece"));
    row->addWidget(m_piece, 3);
    auto* fields = new FlowLayout; // a large font needs two lines
    row->addLayout(fields);
    const auto box = [&](QSpinBox* spin, const QString& name, const QString& tip, const QString& field) {
        auto* label = new QLabel(name);
        label->setBuddy(spin);
        spin->setAccessibleName(name);
        spin->setToolTip(tip);
        spin->setKeyboardTracking(false);
        spin->setMinimumWidth(72);
        fields->addWidget(label);
        fields->addWidget(spin);
        connect(spin, &QSpinBox::valueChanged, this, [this, field](int value) { request(field, value); });
    };
    box(m_compute, tr("Compute arrays"), tr("Exactly this many arrays of the piece compute"),
        QStringLiteral("compute arrays/"));
    box(m_memory, tr("Memory arrays"), tr("Exactly this many arrays hold its inputs and output"),
        QStringLiteral("memory arrays/"));
    const auto button = [&](QToolButton* tool, const QString& name, const QString& tip) {
        tool->setText(name);
        tool->setToolTip(tip);
        tool->setAccessibleName(name);
        fields->addWidget(tool);
    };
    button(m_split, tr("Split before"), tr("A segment starts with this piece (S or Insert)"));
    button(m_join, tr("Join"),
           tr("No segment starts with this piece: it runs with the one before (Delete on a border)"));
    button(m_reset, tr("Reset"), tr("Let the compiler decide about this piece again (Backspace)"));
    m_verdict->setWordWrap(true);
    m_verdict->setAccessibleName(tr("Verdict"));
    row->addWidget(m_verdict, 2);
    connect(m_split, &QToolButton::clicked, this,
            [this] { m_canvas->requestSplit(m_canvas->selectedPiece()); });
    connect(m_join, &QToolButton::clicked, this,
            [this] { m_canvas->requestJoin(m_canvas->selectedPiece()); });
    connect(m_reset, &QToolButton::clicked, this,
            [this] { m_canvas->requestReset(m_canvas->selectedPiece()); });
}

const PieceBar* SegmentEditor::selected() const {
    const int piece = m_canvas->selectedPiece();
    return piece < 0 ? nullptr : &m_canvas->picture().pieces[static_cast<std::size_t>(piece)];
}

void SegmentEditor::setPlan(const DualModePlan* plan, const Graph* graph, bool isStale) {
    setPicture(plan ? segmentPicture(*plan, graph) : SegmentPicture(), isStale);
}

void SegmentEditor::setPicture(SegmentPicture picture, bool isStale) {
    m_isStale = isStale;
    m_pages->setCurrentWidget(picture.segments.empty() ? static_cast<QWidget*>(m_empty) : m_page);
    {
        const QSignalBlocker quiet(m_canvas); // a new plan is no choice of the user
        m_canvas->setPicture(std::move(picture));
    }
    updateHeadline();
    updatePanel();
}

void SegmentEditor::setCheck(std::function<QString(const QString&, const QString&, const QString&)> check) {
    m_check = check;
    m_canvas->setCheck(std::move(check));
}

void SegmentEditor::setVerdict(const QString& verdict, bool isBad) {
    m_verdictIsBad = isBad;
    m_verdict->setText(verdict);
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, color(isBad ? Role::Bad : Role::Good));
    m_verdict->setPalette(colors);
}

void SegmentEditor::setSelectedOp(OpId op) {
    const SegmentPicture& picture = m_canvas->picture();
    if (const PieceBar* piece = selected(); piece && op.valid() && piece->op == op.value)
        return; // one of its pieces is chosen already
    const QSignalBlocker quiet(m_canvas);
    int found = -1;
    for (std::size_t i = 0; i < picture.pieces.size() && op.valid() && found < 0; ++i)
        if (picture.pieces[i].op == op.value)
            found = static_cast<int>(i);
    m_canvas->setSelectedPiece(found);
    updatePanel();
}

void SegmentEditor::request(const QString& what, int value) {
    const PieceBar* piece = selected();
    if (!piece)
        return;
    const QString field = what + piece->pieceText(), number = QString::number(value);
    if (m_check)
        if (const QString verdict = m_check(piece->opName, field, number); !verdict.isEmpty()) {
            setVerdict(verdict, true);
            return;
        }
    setVerdict({}, false);
    const QString op = piece->opName;
    emit decisionRequested(op, field, number);
}

void SegmentEditor::updateHeadline() {
    const SegmentPicture& p = m_canvas->picture();
    if (p.segments.empty()) {
        m_headline->clear();
        return;
    }
    const QString dot = QStringLiteral(" · ");
    QString line = tr("<b>%1 cycles</b>").arg(text(countText(p.cycles)));
    if (p.cycleNs > 0)
        line += tr(" (%1)").arg(text(timeText(p.cycles * p.cycleNs)));
    line += tr(" predicted");
    if (p.speedup > 0)
        line += dot + tr("<b>%1</b> over %2")
                          .arg(text(ratioText(p.speedup)),
                               p.baseline.isEmpty() ? tr("all arrays compute") : p.baseline.toHtmlEscaped());
    line +=
        dot + (p.segments.size() == 1
                   ? tr("1 segment")
                   : tr("%1 segments").arg(text(exactText(static_cast<std::int64_t>(p.segments.size())))));
    line += dot + (p.switches() == 1 ? tr("1 switch") : tr("%1 switches").arg(text(exactText(p.switches()))));
    line += dot + tr("%1 of array time in memory mode").arg(text(percentText(p.memoryShare)));
    if (m_isStale)
        line = QStringLiteral("<i>%1</i>").arg(tr("being recomputed")) + dot + line;
    m_headline->setText(line);
    m_headline->setToolTip(tr("%1 cycles").arg(exactNumber(p.cycles)));
}

void SegmentEditor::updatePanel() {
    const PieceBar* piece = selected();
    const int at = m_canvas->selectedPiece();
    const SegmentPicture& picture = m_canvas->picture();
    for (QWidget* widget : {static_cast<QWidget*>(m_compute), static_cast<QWidget*>(m_memory)})
        widget->setEnabled(piece != nullptr);
    const QSignalBlocker quietCompute(m_compute), quietMemory(m_memory);
    m_split->setEnabled(false);
    m_join->setEnabled(false);
    m_reset->setEnabled(false);
    if (!piece) {
        m_piece->setText(tr("Choose a piece,<br>or drag the border of a segment"));
        m_piece->setToolTip({});
        m_compute->setRange(0, 0);
        m_memory->setRange(0, 0);
        return;
    }
    const bool starts = picture.segments[static_cast<std::size_t>(picture.segmentOf(at))].first == at;
    const QString mark = QStringLiteral(" ✎");
    QFont bold = font();
    bold.setBold(true);
    // The end of a long name tells it apart from its neighbours.
    const QString name =
        QFontMetrics(bold).elidedText(piece->name(), Qt::ElideLeft, std::max(120, m_piece->width() - 4));
    m_piece->setText(tr("<b>%1</b><br>%2 of segment %3%4")
                         .arg(name.toHtmlEscaped(), starts ? tr("start") : tr("part"))
                         .arg(picture.segmentOf(at) + 1)
                         .arg(piece->startIsPinned || piece->joinIsPinned ? mark : QString()));
    m_piece->setToolTip(piece->name());
    m_compute->setRange(piece->leastCompute, picture.arrays);
    m_compute->setSingleStep(piece->computeStep);
    m_compute->setValue(piece->compute);
    m_compute->setSuffix(piece->computeIsPinned ? mark : QString());
    m_memory->setRange(0, std::max(0, picture.arrays - piece->leastCompute));
    m_memory->setValue(piece->memory);
    m_memory->setSuffix(piece->memoryIsPinned ? mark : QString());
    m_split->setEnabled(at > 0 && !starts);
    m_join->setEnabled(at > 0 && starts);
    m_reset->setEnabled(piece->computeIsPinned || piece->memoryIsPinned || piece->startIsPinned ||
                        piece->joinIsPinned);
}

void SegmentEditor::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    updatePanel();
}

void SegmentEditor::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        setVerdict(m_verdict->text(), m_verdictIsBad);
    QWidget::changeEvent(event);
}

} // namespace pim::views
