// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/hardware/draft_editor.h"

#include "core/base/number_text.h"
#include "views/common/choice_box.h"
#include "views/common/line_label.h"
#include "views/common/palette.h"
#include "views/common/text_label.h"
#include "views/hardware/hardware_spot.h"

#include <QDrag>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QPainter>
#include <QPointer>
#include <QVBoxLayout>

namespace pim::views {
namespace {

constexpr int kChipWidth = 150; ///< Sets of many loops have long names; the tool tip has all of it.

/// A dimension set to take hold of, with the mouse or with Ctrl+X.
class DimensionChip : public QWidget {
public:
    DimensionChip(int set, const QString& label, const QString& tip, std::function<void()> cut)
        : m_set(set), m_label(label), m_cut(std::move(cut)) {
        setToolTip(tip);
        setAccessibleName(QObject::tr("Dimension %1").arg(label));
        setAccessibleDescription(
            QObject::tr("Cut it, choose a place in the floorplan with the arrow keys, and paste"));
        setCursor(Qt::OpenHandCursor);
        setFocusPolicy(Qt::StrongFocus);
        setFixedHeight(fontMetrics().height() + 8);
        setMinimumWidth(std::min(kChipWidth, fontMetrics().horizontalAdvance(label) + 24));
        setMaximumWidth(kChipWidth);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const QColor fill = color(Role::Accent);
        painter.setPen(hasFocus() ? QPen(color(Role::Selection), 2) : Qt::NoPen);
        painter.setBrush(fill);
        painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), height() / 2.0, height() / 2.0);
        painter.setPen(textOn(fill));
        painter.drawText(rect(), Qt::AlignCenter,
                         fontMetrics().elidedText(m_label, Qt::ElideMiddle, width() - 12));
    }
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride &&
            static_cast<QKeyEvent*>(event)->matches(QKeySequence::Cut)) {
            event->accept();
            return true;
        }
        return QWidget::event(event);
    }
    void keyPressEvent(QKeyEvent* event) override {
        if (event->matches(QKeySequence::Cut))
            m_cut();
        else
            QWidget::keyPressEvent(event);
    }
    void focusInEvent(QFocusEvent*) override { update(); }
    void focusOutEvent(QFocusEvent*) override { update(); }
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
    std::function<void()> m_cut;
    QPoint m_pressed;
};

/// "passed over, rule 3: …": legal, but not what the search would take.
QString remarkOf(const SplitValue& value) {
    const QString reason = QString::fromStdString(value.reason);
    return value.legal && value.rule != PruneRule::Kept
               ? QObject::tr("the search passes it over (%1): %2")
                     .arg(QString::fromUtf8(name(value.rule).data(), qsizetype(name(value.rule).size())),
                          reason)
               : reason;
}

} // namespace

DraftEditor::DraftEditor(QWidget* parent) : QWidget(parent), m_strategy(new ChoiceBox), m_use(new TextLabel) {
    setObjectName(QStringLiteral("DraftEditor"));
    setAccessibleName(tr("Editor of the draft"));
    m_strategy->setAccessibleName(tr("Indices a core holds"));
    m_strategy->setMinimumContentsLength(14);
    m_strategy->setToolTip(
        tr("Where a core needs indices with gaps: hold the whole range, or only the needed indices"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 2, 6, 2);
    layout->setSpacing(4);
    auto* foot = new QHBoxLayout;
    auto* label = new QLabel(tr("Indices"));
    label->setBuddy(m_strategy);
    foot->addWidget(label);
    foot->addWidget(m_strategy);
    foot->addStretch(1);
    layout->addLayout(foot);
    layout->addWidget(m_use); // beside the choice it had no room in a narrow panel
    connect(m_strategy, &ChoiceBox::chosen, this, [this](const QString& value) {
        change([&](Draft& draft) {
            draft.strategy =
                value == tr("exact set") ? IndexStrategy::ExactSet : IndexStrategy::ExpandedRange;
        });
    });
    setVisible(false);
}

void DraftEditor::setDraft(std::shared_ptr<const TilingSpace> space, const std::optional<Draft>& draft,
                           std::int64_t coreBytes) {
    const bool rebuild = space != m_space;
    m_space = std::move(space);
    m_draft = draft;
    m_coreBytes = coreBytes;
    setVisible(m_space && m_draft);
    if (!m_space || !m_draft)
        return;
    if (rebuild)
        buildRows();
    showNumbers();
}

ChoiceBox* DraftEditor::counts(int set, SplitLevel level) const {
    const Row& row = m_rows[static_cast<std::size_t>(set)];
    return level == SplitLevel::Groups ? row.groups : row.cores;
}

QString DraftEditor::dimensionName(int set) const {
    QStringList loops;
    for (const int loop : m_space->sets()[static_cast<std::size_t>(set)].loops) {
        const Loop& variable = m_space->kernel().loops[static_cast<std::size_t>(loop)];
        loops << QStringLiteral("%1 (%2)").arg(QString::fromStdString(variable.name)).arg(variable.extent);
    }
    return loops.join(QStringLiteral(", "));
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
    for (std::size_t s = 0; s < m_space->sets().size(); ++s) {
        const int set = static_cast<int>(s);
        const QString label = dimensionName(set);
        Row row;
        row.chip =
            new DimensionChip(set, label,
                              tr("%1\n%2\nDrag it, or cut it (%3) and paste it: on a device or group over "
                                 "groups, on a core over cores")
                                  .arg(label, QString::fromStdString(m_space->sets()[s].text),
                                       QKeySequence(QKeySequence::Cut).toString(QKeySequence::NativeText)),
                              [this, set] { emit cutRequested(set); });
        row.groups = new ChoiceBox;
        row.cores = new ChoiceBox;
        row.mapping = new ChoiceBox;
        row.groups->setAccessibleName(tr("Groups for %1").arg(label));
        row.cores->setAccessibleName(tr("Cores of a group for %1").arg(label));
        row.mapping->setAccessibleName(tr("Representative mapping of %1").arg(label));
        row.mapping->setMinimumContentsLength(6);
        connect(row.groups, &ChoiceBox::chosen, this, [this, s](const QString& value) {
            change([&](Draft& draft) { draft.parts[s].groups = value.toInt(); });
        });
        connect(row.cores, &ChoiceBox::chosen, this, [this, s](const QString& value) {
            change([&](Draft& draft) { draft.parts[s].cores = value.toInt(); });
        });
        connect(row.mapping, &ChoiceBox::chosen, this, [this, s](const QString& value) {
            const auto& mappings = m_space->sets()[s].mappings;
            for (std::size_t m = 0; m < mappings.size(); ++m)
                if (QString::fromStdString(mappings[m].text) == value)
                    change([&](Draft& draft) { draft.parts[s].mapping = static_cast<int>(m); });
        });
        row.tile = new LineLabel;
        row.tile->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0000…")));
        int at = 0;
        for (QWidget* widget :
             std::initializer_list<QWidget*>{row.chip, row.groups, row.cores, row.mapping, row.tile})
            m_grid->addWidget(widget, set + 1, at++);
        m_rows.push_back(row);
    }
    m_grid->setColumnStretch(4, 1);
    static_cast<QVBoxLayout*>(layout())->insertWidget(0, m_area);
}

void DraftEditor::showNumbers() {
    const Draft draft = *m_draft;
    const auto listed = [](const std::vector<SplitValue>& values) {
        std::vector<Choice> choices;
        for (const SplitValue& value : values)
            choices.push_back({QString::number(value.count), value.legal, remarkOf(value)});
        return choices;
    };
    const auto splits = [this, draft, listed](int set, SplitLevel level) {
        if (!m_judge.splits)
            return std::vector<Choice>{};
        const QPointer<ChoiceBox> box = counts(set, level);
        return listed(m_judge.splits(draft, set, level,
                                     [this, box, draft, listed](const std::vector<SplitValue>& values) {
                                         if (box && m_draft == draft)
                                             box->setVerdicts(listed(values));
                                     }));
    };
    const auto judged = [this](const QString& value, const Draft& changed) {
        const auto legal = m_judge.check ? m_judge.check(changed) : Result<void>();
        return Choice{value, legal.has_value(),
                      legal ? QString() : QString::fromStdString(legal.error().message)};
    };
    for (std::size_t s = 0; s < m_rows.size(); ++s) {
        const int set = static_cast<int>(s);
        const DraftPart& part = draft.parts[s];
        const auto [groups, cores] = m_space->available(draft, set);
        m_rows[s].groups->setChoices([splits, set] { return splits(set, SplitLevel::Groups); },
                                     QString::number(part.groups));
        m_rows[s].cores->setChoices([splits, set] { return splits(set, SplitLevel::Cores); },
                                    QString::number(part.cores));
        m_rows[s].groups->setToolTip(
            tr("The other dimensions leave %1 of %2 groups").arg(groups).arg(m_space->resources().groups));
        m_rows[s].cores->setToolTip(tr("The other dimensions leave %1 of %2 cores per group")
                                        .arg(cores)
                                        .arg(m_space->resources().coresPerGroup));
        const auto& mappings = m_space->sets()[s].mappings;
        m_rows[s].mapping->setChoices(
            [&mappings, judged, draft, s] {
                std::vector<Choice> choices;
                for (std::size_t m = 0; m < mappings.size(); ++m) {
                    Draft changed = draft;
                    changed.parts[s].mapping = static_cast<int>(m);
                    choices.push_back(judged(QString::fromStdString(mappings[m].text), changed));
                }
                return choices;
            },
            QString::fromStdString(mappings[static_cast<std::size_t>(part.mapping)].text));
        m_rows[s].mapping->setToolTip(tr("The dimension that is cut; the others of its set follow"));
        const qint64 length = m_space->tileLength(draft, set);
        m_rows[s].tile->setText(
            length == 1 ? tr("1 element") : tr("%1 elements").arg(QString::fromStdString(exactText(length))));
    }
    m_strategy->setChoices(
        [judged, draft] {
            Draft ranges = draft, exact = draft;
            ranges.strategy = IndexStrategy::ExpandedRange;
            exact.strategy = IndexStrategy::ExactSet;
            return std::vector<Choice>{judged(tr("expanded range"), ranges), judged(tr("exact set"), exact)};
        },
        draft.strategy == IndexStrategy::ExactSet ? tr("exact set") : tr("expanded range"));
    const DraftSummary summary = m_space->summarize(draft);
    QString use = tr("%1 of %2 groups, %3 of %4 cores per group, %5 of tiles per core")
                      .arg(summary.groupsUsed)
                      .arg(m_space->resources().groups)
                      .arg(summary.coresUsed)
                      .arg(m_space->resources().coresPerGroup)
                      .arg(QString::fromStdString(bytesText(static_cast<double>(summary.bytesPerCore))));
    if (m_coreBytes > 0)
        use += tr(" of %1").arg(QString::fromStdString(bytesText(static_cast<double>(m_coreBytes))));
    m_use->setText(use);
}

void DraftEditor::change(const std::function<void(Draft&)>& how) {
    if (!m_draft)
        return;
    Draft draft = *m_draft;
    how(draft);
    if (!(draft == *m_draft))
        emit edited(draft);
}

} // namespace pim::views
