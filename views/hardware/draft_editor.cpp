// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/draft_editor.h"

#include "core/base/number_text.h"
#include "views/common/palette.h"
#include "views/hardware/floorplan.h"

#include <QComboBox>
#include <QDrag>
#include <QGridLayout>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QSpinBox>
#include <QVBoxLayout>

namespace pim::views {
namespace {

/// A dimension set to take hold of.
class DimensionChip : public QWidget {
public:
    DimensionChip(int set, const QString& label, const QString& tip) : m_set(set), m_label(label) {
        setToolTip(tip);
        setAccessibleName(QObject::tr("Dimension %1").arg(label));
        setCursor(Qt::OpenHandCursor);
        setFixedHeight(fontMetrics().height() + 8);
        setMinimumWidth(fontMetrics().horizontalAdvance(label) + 24);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor fill = color(Role::Accent);
        painter.setPen(Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), height() / 2.0, height() / 2.0);
        painter.setPen(textOn(fill));
        painter.drawText(rect(), Qt::AlignCenter, m_label);
    }
    void mousePressEvent(QMouseEvent* event) override { m_pressed = event->pos(); }
    void mouseMoveEvent(QMouseEvent* event) override {
        if (!(event->buttons() & Qt::LeftButton) || (event->pos() - m_pressed).manhattanLength() < 6)
            return;
        auto* drag = new QDrag(this);
        auto* mime = new QMimeData;
        mime->setData(QLatin1String(kMimeDimension), QByteArray::number(m_set));
        drag->setMimeData(mime);
        drag->setPixmap(grab());
        drag->exec(Qt::CopyAction);
    }

private:
    int m_set;
    QString m_label;
    QPoint m_pressed;
};

} // namespace

DraftEditor::DraftEditor(QWidget* parent) : QWidget(parent), m_strategy(new QComboBox), m_use(new QLabel) {
    setObjectName(QStringLiteral("DraftEditor"));
    setAccessibleName(tr("Editor of the draft"));
    m_strategy->addItem(tr("expanded range"), int(IndexStrategy::ExpandedRange));
    m_strategy->addItem(tr("exact set"), int(IndexStrategy::ExactSet));
    m_strategy->setAccessibleName(tr("Indices a core holds"));
    m_strategy->setToolTip(tr("Where a core needs indices with gaps: hold the whole range, or only the indices needed"));
    m_use->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->setSpacing(4);
    auto* foot = new QHBoxLayout;
    auto* label = new QLabel(tr("Indices"));
    label->setBuddy(m_strategy);
    foot->addWidget(label);
    foot->addWidget(m_strategy);
    foot->addWidget(m_use, 1);
    layout->addLayout(foot);
    connect(m_strategy, qOverload<int>(&QComboBox::activated), this, &DraftEditor::takeNumbers);
    setVisible(false);
}

void DraftEditor::setDraft(std::shared_ptr<const TilingSpace> space, const std::optional<Draft>& draft) {
    const bool rebuild = space != m_space;
    m_space = std::move(space);
    m_draft = draft;
    setVisible(m_space && m_draft);
    if (!m_space || !m_draft)
        return;
    if (rebuild)
        buildRows();
    showNumbers();
}

QSpinBox* DraftEditor::spin(int set, SplitLevel level) const {
    const Row& row = m_rows[static_cast<std::size_t>(set)];
    return level == SplitLevel::Groups ? row.groups : row.cores;
}

void DraftEditor::buildRows() {
    delete m_area;
    m_rows.clear();
    m_area = new QWidget;
    m_grid = new QGridLayout(m_area);
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(3);
    int column = 0;
    for (const QString& head : {tr("Dimension"), tr("Groups"), tr("Cores"), tr("Mapping"), tr("A core gets")})
        m_grid->addWidget(new QLabel(QStringLiteral("<small>%1</small>").arg(head)), 0, column++);
    const Kernel& kernel = m_space->kernel();
    for (std::size_t s = 0; s < m_space->sets().size(); ++s) {
        const DimensionSet& set = m_space->sets()[s];
        QStringList loops;
        for (const int loop : set.loops) {
            const Loop& variable = kernel.loops[static_cast<std::size_t>(loop)];
            loops << QStringLiteral("%1 (%2)").arg(QString::fromStdString(variable.name)).arg(variable.extent);
        }
        Row row;
        const QString label = loops.join(QStringLiteral(", "));
        row.chip = new DimensionChip(static_cast<int>(s), label,
                                     tr("%1\nDrag onto a device: over groups; onto a core: over cores").arg(QString::fromStdString(set.text)));
        row.groups = new QSpinBox;
        row.cores = new QSpinBox;
        row.groups->setAccessibleName(tr("Groups for %1").arg(label));
        row.cores->setAccessibleName(tr("Cores for %1").arg(label));
        for (QSpinBox* box : {row.groups, row.cores}) {
            box->setKeyboardTracking(false);
            connect(box, qOverload<int>(&QSpinBox::valueChanged), this, &DraftEditor::takeNumbers);
        }
        row.mapping = new QComboBox;
        row.mapping->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        row.mapping->setMinimumContentsLength(6);
        row.mapping->setAccessibleName(tr("Representative mapping of %1").arg(label));
        for (const Mapping& mapping : set.mappings)
            row.mapping->addItem(QString::fromStdString(mapping.text));
        connect(row.mapping, qOverload<int>(&QComboBox::activated), this, &DraftEditor::takeNumbers);
        row.tile = new QLabel;
        const int at = static_cast<int>(s) + 1;
        m_grid->addWidget(row.chip, at, 0);
        m_grid->addWidget(row.groups, at, 1);
        m_grid->addWidget(row.cores, at, 2);
        m_grid->addWidget(row.mapping, at, 3);
        m_grid->addWidget(row.tile, at, 4);
        m_rows.push_back(row);
    }
    m_grid->setColumnStretch(4, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_area);
}

void DraftEditor::showNumbers() {
    m_filling = true;
    for (std::size_t s = 0; s < m_rows.size(); ++s) {
        const DraftPart& part = m_draft->parts[s];
        const auto [groups, cores] = m_space->available(*m_draft, static_cast<int>(s));
        m_rows[s].groups->setRange(1, std::max(groups, part.groups));
        m_rows[s].cores->setRange(1, std::max(cores, part.cores));
        m_rows[s].groups->setToolTip(tr("1 … %1: what the other dimensions leave of %2 groups").arg(groups).arg(m_space->resources().groups));
        m_rows[s].cores->setToolTip(tr("1 … %1: what the other dimensions leave of %2 cores a group").arg(cores).arg(m_space->resources().coresPerGroup));
        m_rows[s].groups->setValue(part.groups);
        m_rows[s].cores->setValue(part.cores);
        m_rows[s].mapping->setCurrentIndex(part.mapping);
        m_rows[s].tile->setText(QString::number(m_space->tileLength(*m_draft, static_cast<int>(s))));
    }
    m_strategy->setCurrentIndex(m_strategy->findData(int(m_draft->strategy)));
    const DraftSummary summary = m_space->summarize(*m_draft);
    m_use->setText(tr("%1 of %2 groups, %3 of %4 cores a group, %5 a core")
                       .arg(summary.groupsUsed)
                       .arg(m_space->resources().groups)
                       .arg(summary.coresUsed)
                       .arg(m_space->resources().coresPerGroup)
                       .arg(QString::fromStdString(bytesText(static_cast<double>(summary.bytesPerCore)))));
    m_filling = false;
}

void DraftEditor::takeNumbers() {
    if (m_filling || !m_draft)
        return;
    Draft draft = *m_draft;
    for (std::size_t s = 0; s < m_rows.size(); ++s)
        draft.parts[s] = {m_rows[s].groups->value(), m_rows[s].cores->value(), m_rows[s].mapping->currentIndex()};
    draft.strategy = static_cast<IndexStrategy>(m_strategy->currentData().toInt());
    if (!(draft == *m_draft))
        emit edited(draft);
}

Result<Draft> DraftEditor::spread(const TilingSpace& space, const Draft& draft, int set, SplitLevel level) {
    const auto [groups, cores] = space.available(draft, set);
    Draft changed = draft;
    DraftPart& part = changed.parts[static_cast<std::size_t>(set)];
    // More pieces than elements would leave cores idle.
    const bool overGroups = level == SplitLevel::Groups;
    const std::int64_t length = space.tileLength(draft, set) * (overGroups ? part.groups : part.cores);
    (overGroups ? part.groups : part.cores) = static_cast<int>(std::max<std::int64_t>(1, std::min<std::int64_t>(overGroups ? groups : cores, length)));
    if (auto legal = space.check(changed); !legal)
        return tl::unexpected<Error>(legal.error());
    return changed;
}

} // namespace pim::views
