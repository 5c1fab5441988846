// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/welcome_page.h"

#include "app/studio/settings.h"
#include "views/common/icons.h"

#include <QCommandLinkButton>
#include <QDir>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

namespace pim::studio {

WelcomePage::WelcomePage(Settings& settings, QWidget* parent) : QWidget(parent), m_settings(settings), m_recent(new QListWidget) {
    setObjectName(QStringLiteral("WelcomePage"));
    setAccessibleName(tr("Welcome"));
    auto* title = new QLabel(tr("PIM Studio"));
    QFont large = title->font();
    large.setPointSizeF(large.pointSizeF() * 1.9);
    large.setBold(true);
    title->setFont(large);
    auto* lead = new QLabel(tr("Open a neural network, choose a processing-in-memory machine, and see where the time goes, why, and what else could be done."));
    lead->setWordWrap(true);
    auto* open = new QPushButton(views::icon(QStringLiteral("open")), tr("Open Model or Project…"));
    open->setAccessibleName(tr("Open a model or a project"));
    open->setDefault(true);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openRequested);
    auto* drop = new QLabel(tr("or drop an .onnx or .pimproj file anywhere on this window"));
    drop->setForegroundRole(QPalette::PlaceholderText);

    const auto heading = [&](const QString& text) {
        auto* label = new QLabel(text);
        QFont bold = label->font();
        bold.setBold(true);
        label->setFont(bold);
        return label;
    };

    m_recent->setAccessibleName(tr("Recent files"));
    m_recent->setFrameShape(QFrame::NoFrame);
    m_recent->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_recent->setTextElideMode(Qt::ElideMiddle);
    connect(m_recent, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        if (const QString path = item->data(Qt::UserRole).toString(); !path.isEmpty())
            emit fileChosen(path);
    });
    connect(m_recent, &QListWidget::itemClicked, m_recent, &QListWidget::itemActivated);
    connect(&settings, &Settings::recentFilesChanged, this, &WelcomePage::fillRecent);
    fillRecent();

    auto* samples = new QWidget;
    auto* sampleColumn = new QVBoxLayout(samples);
    sampleColumn->setContentsMargins(0, 0, 0, 0);
    sampleColumn->setSpacing(4);
    for (const Sample& sample : findSamples()) {
        auto* button = new QCommandLinkButton(sample.title, sample.summary);
        button->setIcon(views::icon(QStringLiteral("graph")));
        button->setAccessibleName(tr("Open the sample %1").arg(sample.title));
        button->setAccessibleDescription(sample.summary);
        button->setObjectName(QStringLiteral("sample/") + sample.id);
        connect(button, &QPushButton::clicked, this, [this, sample] { emit sampleChosen(sample); });
        sampleColumn->addWidget(button);
    }
    sampleColumn->addStretch(1);
    auto* sampleScroll = new QScrollArea;
    sampleScroll->setWidget(samples);
    sampleScroll->setWidgetResizable(true);
    sampleScroll->setFrameShape(QFrame::NoFrame);
    sampleScroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    sampleScroll->setAccessibleName(tr("Sample projects"));

    auto* left = new QVBoxLayout;
    left->addWidget(title);
    left->addWidget(lead);
    left->addSpacing(12);
    left->addWidget(open, 0, Qt::AlignLeft);
    left->addWidget(drop);
    left->addSpacing(18);
    left->addWidget(heading(tr("Recent files")));
    left->addWidget(m_recent, 1);
    auto* right = new QVBoxLayout;
    right->addWidget(heading(tr("Samples")));
    right->addWidget(sampleScroll, 1);
    auto* inner = new QHBoxLayout;
    inner->setSpacing(40);
    inner->addLayout(left, 4);
    inner->addLayout(right, 5);
    auto* sheet = new QWidget;
    sheet->setLayout(inner);
    sheet->setMaximumWidth(1200);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(40, 32, 40, 24);
    row->addStretch(1);
    row->addWidget(sheet, 100);
    row->addStretch(1);
}

void WelcomePage::fillRecent() {
    m_recent->clear();
    for (const QString& path : m_settings.recentFiles()) {
        const QFileInfo file(path);
        const bool there = file.exists();
        auto* item = new QListWidgetItem(views::icon(there ? QStringLiteral("open") : QStringLiteral("warning")),
                                         there ? tr("%1\n%2").arg(file.fileName(), QDir::toNativeSeparators(file.path()))
                                               : tr("%1 (missing)\n%2").arg(file.fileName(), QDir::toNativeSeparators(file.path())));
        item->setData(Qt::UserRole, path);
        item->setToolTip(there ? path : tr("%1 is not there any more").arg(path));
        if (!there)
            item->setForeground(palette().placeholderText());
        m_recent->addItem(item);
    }
    if (m_recent->count() == 0) {
        auto* item = new QListWidgetItem(tr("Files you open are listed here"));
        item->setFlags(Qt::NoItemFlags);
        m_recent->addItem(item);
    }
}

} // namespace pim::studio
