// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/welcome_page.h"

#include "app/studio/help_library.h"
#include "app/studio/settings.h"
#include "app/studio/target_picture.h"
#include "views/common/icons.h"
#include "views/models/family_panels.h"
#include "views/models/workspace.h"

#include <QApplication>
#include <QClipboard>
#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace pim::studio {
namespace {

constexpr int kNewsShown = 4;
constexpr QSize kTargetPicture(46, 34);
constexpr int kWidest = 1480;

QLabel* heading(const QString& text) {
    auto* label = new QLabel(text);
    QFont bold = label->font();
    bold.setBold(true);
    label->setFont(bold);
    return label;
}

QFrame* card(const QString& title, QWidget* content) {
    auto* frame = new QFrame;
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    frame->setBackgroundRole(QPalette::Base);
    auto* column = new QVBoxLayout(frame);
    column->setContentsMargins(10, 8, 6, 6);
    column->setSpacing(4);
    column->addWidget(heading(title));
    column->addWidget(content, 1);
    return frame;
}

void makeFlat(QListWidget* list) {
    list->setFrameShape(QFrame::NoFrame);
    list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    list->setContextMenuPolicy(Qt::CustomContextMenu);
}

/// Picture, name, and the beginning of the summary below it.
class MachineDelegate final : public QStyledItemDelegate {
public:
    MachineDelegate(const views::Workspace& workspace, QObject* parent)
        : QStyledItemDelegate(parent), m_workspace(workspace) {}

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyleOptionViewItem item(option);
        initStyleOption(&item, index);
        const QString name = std::exchange(item.text, QString());
        QApplication::style()->drawControl(QStyle::CE_ItemViewItem, &item, painter, item.widget);
        const bool chosen = item.state & QStyle::State_Selected;
        const auto& targets = m_workspace.catalog().targets();
        if (static_cast<std::size_t>(index.row()) >= targets.size())
            return;
        QRectF picture(QPointF(item.rect.left() + 5, item.rect.center().y() - kTargetPicture.height() / 2.0),
                       kTargetPicture);
        if (chosen) // cells have no contrast with the colour of a selection
            painter->fillRect(picture.adjusted(-2, -2, 2, 2), item.palette.base());
        const Target& target = *targets[static_cast<std::size_t>(index.row())];
        paintTarget(*painter, picture, target, m_workspace.families().of(target.backend).cellColors);
        const QRect text = item.rect.adjusted(kTargetPicture.width() + 16, 4, -4, -4);
        const int line = item.fontMetrics.height();
        painter->setPen(item.palette.color(chosen ? QPalette::HighlightedText : QPalette::Text));
        painter->setFont(item.font);
        painter->drawText(QRect(text.left(), text.top(), text.width(), line), Qt::AlignVCenter,
                          item.fontMetrics.elidedText(name, Qt::ElideRight, text.width()));
        if (!chosen)
            painter->setPen(views::color(views::Role::Muted));
        const QString summary = index.data(Qt::UserRole + 1).toString();
        painter->drawText(QRect(text.left(), text.top() + line + 2, text.width(), line), Qt::AlignVCenter,
                          item.fontMetrics.elidedText(summary, Qt::ElideRight, text.width()));
    }
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
        return {100, std::max(kTargetPicture.height() + 8, 2 * option.fontMetrics.height() + 10)};
    }

private:
    const views::Workspace& m_workspace;
};

} // namespace

WelcomePage::WelcomePage(Settings& settings, views::Workspace& workspace, QWidget* parent)
    : QWidget(parent), m_settings(settings), m_workspace(workspace), m_recent(new QListWidget),
      m_removeMissing(new QToolButton), m_machines(new QListWidget) {
    setObjectName(QStringLiteral("WelcomePage"));
    setAccessibleName(tr("Welcome"));
    setProperty(kHelpTopicProperty, QStringLiteral("overview"));
    auto* right = new QVBoxLayout;
    right->setSpacing(12);
    right->addWidget(buildMachines(), 3);
    right->addWidget(buildNews(), 0);
    auto* columns = new QHBoxLayout;
    columns->setSpacing(16);
    columns->addWidget(buildStart(), 30);
    columns->addWidget(buildSamples(), 36);
    columns->addLayout(right, 34);
    auto* sheet = new QWidget;
    sheet->setLayout(columns);
    columns->setContentsMargins(0, 0, 0, 0);
    sheet->setMaximumWidth(kWidest);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(24, 20, 24, 16);
    row->addStretch(1);
    row->addWidget(sheet, 1000);
    row->addStretch(1);
    connect(&workspace, &views::Workspace::targetChanged, this, &WelcomePage::markTarget);
    connect(&settings, &Settings::recentFilesChanged, this, &WelcomePage::fillRecent);
    fillRecent();
    markTarget();
}

QWidget* WelcomePage::buildStart() {
    auto* title = new QLabel(tr("PIM Studio"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.9);
    large.setBold(true);
    title->setFont(large);
    auto* lead = new QLabel(tr("Open a neural network, choose a processing-in-memory machine, and see where "
                               "the time goes, why, and what could be done about it."));
    lead->setWordWrap(true);
    auto* open = new QPushButton(views::icon(QStringLiteral("open")), tr("Open Model or Project…"));
    open->setAccessibleName(tr("Open a model or a project"));
    open->setToolTip(tr("Open a model or a project (Ctrl+O)"));
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    auto* tour = new QPushButton(tr("Take the Tour"));
    tour->setObjectName(QStringLiteral("TakeTheTour"));
    tour->setAccessibleName(tr("Take the tour of five steps"));
    tour->setToolTip(tr("Five steps through the window, in a minute"));
    connect(tour, &QPushButton::clicked, this, &WelcomePage::tourRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open);
    buttons->addWidget(tour);
    buttons->addStretch(1);
    auto* drop = new QLabel(tr("or drop an .onnx or .pimproj file anywhere on this window"));
    drop->setForegroundRole(QPalette::PlaceholderText);
    drop->setWordWrap(true);

    m_recent->setAccessibleName(tr("Recent files"));
    makeFlat(m_recent);
    m_recent->setTextElideMode(Qt::ElideMiddle);
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        if (const QString path = item->data(Qt::UserRole).toString(); !path.isEmpty())
            emit fileChosen(path);
    });
    connect(m_recent, &QListWidget::itemClicked, m_recent, &QListWidget::itemActivated);
    connect(m_recent, &QWidget::customContextMenuRequested, this, &WelcomePage::showRecentMenu);
    connect(new QShortcut(QKeySequence(Qt::Key_Delete), m_recent, nullptr, nullptr, Qt::WidgetShortcut),
            &QShortcut::activated, this, [this] { removeRecent(m_recent->currentItem()); });
    m_removeMissing->setText(tr("Remove missing"));
    m_removeMissing->setAutoRaise(true);
    m_removeMissing->setToolTip(
        tr("Remove files that no longer exist from the list (Del removes a single one)"));
    m_removeMissing->setAccessibleName(tr("Remove missing files from the list"));
    connect(m_removeMissing, &QToolButton::clicked, this, [this] {
        for (const QString& path : m_settings.recentFiles())
            if (!QFileInfo::exists(path))
                m_settings.removeRecentFile(path);
    });
    auto* head = new QHBoxLayout;
    head->addWidget(heading(tr("Recent files")));
    head->addStretch(1);
    head->addWidget(m_removeMissing);

    auto* frame = new QFrame;
    frame->setFrameShape(QFrame::StyledPanel);
    frame->setAutoFillBackground(true);
    frame->setBackgroundRole(QPalette::Base);
    auto* inner = new QVBoxLayout(frame);
    inner->setContentsMargins(10, 8, 6, 6);
    inner->addLayout(head);
    inner->addWidget(m_recent, 1);
    auto* column = new QWidget;
    auto* left = new QVBoxLayout(column);
    left->setContentsMargins(0, 0, 0, 0);
    left->addWidget(title);
    left->addWidget(lead);
    left->addSpacing(8);
    left->addLayout(buttons);
    left->addWidget(drop);
    left->addSpacing(8);
    left->addWidget(frame, 1);
    return column;
}

QWidget* WelcomePage::buildSamples() {
    auto* samples = new QWidget;
    auto* column = new QVBoxLayout(samples);
    column->setContentsMargins(0, 0, 4, 0);
    column->setSpacing(2);
    for (const Sample& sample : findSamples()) {
        auto* button = new QCommandLinkButton(sample.title, sample.summary);
        button->setIcon(views::icon(QStringLiteral("graph")));
        button->setAccessibleName(tr("Open the sample %1").arg(sample.title));
        button->setAccessibleDescription(sample.summary);
        button->setObjectName(QStringLiteral("sample/") + sample.id);
        connect(button, &QPushButton::clicked, this, [this, sample] { emit sampleChosen(sample); });
        column->addWidget(button);
    }
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(samples);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setAccessibleName(tr("Sample projects"));
    scroll->viewport()->setBackgroundRole(QPalette::Base);
    samples->setBackgroundRole(QPalette::Base);
    return card(tr("Samples: one click, nothing to download"), scroll);
}

QWidget* WelcomePage::buildMachines() {
    m_machines->setAccessibleName(tr("Machines to compile for"));
    makeFlat(m_machines);
    m_machines->setItemDelegate(new MachineDelegate(m_workspace, m_machines));
    for (const auto& target : m_workspace.catalog().targets()) {
        auto* item = new QListWidgetItem(QString::fromStdString(target->name), m_machines);
        item->setData(Qt::UserRole, QString::fromStdString(target->id));
        item->setData(Qt::UserRole + 1, QString::fromStdString(target->summary));
        item->setToolTip(QString::fromStdString(target->summary));
        item->setData(Qt::AccessibleDescriptionRole, QString::fromStdString(target->summary));
    }
    connect(m_machines, &QListWidget::itemSelectionChanged, this, [this] {
        if (const auto chosen = m_machines->selectedItems(); !chosen.isEmpty())
            m_workspace.setTarget(chosen.front()->data(Qt::UserRole).toString());
    });
    return card(tr("Compile for"), m_machines);
}

QWidget* WelcomePage::buildNews() {
    QStringList news;
    for (const QString& line : helpText(QStringLiteral("whats_new")).split(u'\n'))
        if (line.startsWith(QStringLiteral("- ")) && news.size() < kNewsShown)
            news.append(
                line.mid(2).remove(QStringLiteral("**")).remove(u'*').section(QStringLiteral(": "), 0, 0));
    auto* content = new QWidget;
    auto* column = new QVBoxLayout(content);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(3);
    for (const QString& line : news) {
        auto* label = new QLabel(QStringLiteral("• ") + line);
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        column->addWidget(label);
    }
    auto* more = new QToolButton;
    more->setText(tr("All of it…"));
    more->setAutoRaise(true);
    more->setAccessibleName(tr("Everything that is new"));
    more->setToolTip(tr("Opens the help page with everything that is new"));
    connect(more, &QToolButton::clicked, this, [this] { emit helpRequested(QStringLiteral("whats_new")); });
    column->addWidget(more, 0, Qt::AlignLeft);
    return card(tr("What is new"), content);
}

void WelcomePage::fillRecent() {
    m_recent->clear();
    bool isAnyMissing = false;
    for (const QString& path : m_settings.recentFiles()) {
        const QFileInfo file(path);
        const bool there = file.exists();
        isAnyMissing = isAnyMissing || !there;
        auto* item = new QListWidgetItem(
            views::icon(there ? QStringLiteral("open") : QStringLiteral("warning")),
            there ? tr("%1\n%2").arg(file.fileName(), QDir::toNativeSeparators(file.path()))
                  : tr("%1 (missing)\n%2").arg(file.fileName(), QDir::toNativeSeparators(file.path())));
        item->setData(Qt::UserRole, path);
        item->setToolTip(there ? path : tr("%1 no longer exists; Del removes it from the list").arg(path));
        if (!there)
            item->setForeground(palette().placeholderText());
        m_recent->addItem(item);
    }
    if (m_recent->count() == 0) {
        auto* item = new QListWidgetItem(tr("Files you open are listed here"));
        item->setFlags(Qt::NoItemFlags);
        m_recent->addItem(item);
    }
    m_removeMissing->setVisible(isAnyMissing);
}

void WelcomePage::removeRecent(const QListWidgetItem* item) {
    if (item)
        m_settings.removeRecentFile(item->data(Qt::UserRole).toString());
}

void WelcomePage::showRecentMenu(const QPoint& at) {
    const QListWidgetItem* item = m_recent->itemAt(at);
    const QString path = item ? item->data(Qt::UserRole).toString() : QString();
    if (path.isEmpty())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("&Open"), this, [this, path] { emit fileChosen(path); })
        ->setEnabled(QFileInfo::exists(path));
    menu->addAction(tr("&Copy Path"), this,
                    [path] { QApplication::clipboard()->setText(QDir::toNativeSeparators(path)); });
    menu->addAction(tr("&Remove from List"), this, [this, path] { m_settings.removeRecentFile(path); });
    menu->popup(m_recent->viewport()->mapToGlobal(at));
}

void WelcomePage::markTarget() {
    const auto target = m_workspace.target();
    if (!target)
        return;
    const QSignalBlocker quiet(m_machines);
    for (int i = 0; i < m_machines->count(); ++i)
        if (m_machines->item(i)->data(Qt::UserRole).toString() == QString::fromStdString(target->id) &&
            !m_machines->item(i)->isSelected()) {
            m_machines->setCurrentRow(i);
            m_machines->scrollToItem(m_machines->item(i));
        }
}

} // namespace pim::studio
