// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/campaign_bar.h"

#include "core/base/number_text.h"

#include "views/common/line_label.h"
#include "views/common/text.h"
#include "views/sweep/campaign_watcher.h"

#include <QDir>
#include <QHBoxLayout>
#include <QProgressBar>
#include <QPushButton>
#include <QToolButton>

namespace pim::views {

CampaignBar::CampaignBar(CampaignWatcher& watcher, QWidget* parent)
    : QWidget(parent), m_watcher(watcher), m_folder(new LineLabel), m_progress(new QProgressBar),
      m_compute(new QPushButton), m_merge(new QPushButton(tr("&Merge into Project"))),
      m_close(new QToolButton) {
    setAccessibleName(tr("Campaign"));
    m_folder->setAccessibleName(tr("Folder of the campaign"));
    m_folder->setTextFormat(Qt::PlainText);
    m_progress->setAccessibleName(tr("How far the campaign is"));
    m_progress->setTextVisible(true);
    m_compute->setAccessibleName(tr("Compute the campaign here"));
    m_merge->setAccessibleName(tr("Merge the campaign into the project"));
    m_close->setText(tr("Close"));
    m_close->setAccessibleName(tr("Close the campaign"));
    m_close->setToolTip(
        tr("Stop looking at the folder; what is computed here stops after the points that are finished"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(6, 0, 6, 0);
    row->addWidget(m_folder, 1);
    row->addWidget(m_progress, 2);
    row->addWidget(m_compute);
    row->addWidget(m_merge);
    row->addWidget(m_close);
    connect(m_compute, &QPushButton::clicked, this, [this] {
        if (m_watcher.isComputing())
            m_watcher.pause();
        else
            m_watcher.compute();
    });
    connect(m_merge, &QPushButton::clicked, &watcher, &CampaignWatcher::merge);
    connect(m_close, &QToolButton::clicked, &watcher, &CampaignWatcher::close);
    connect(&watcher, &CampaignWatcher::changed, this, &CampaignBar::showState);
    showState();
}

void CampaignBar::showState() {
    setVisible(m_watcher.isOpen());
    if (!m_watcher.isOpen())
        return;
    const CampaignStatus& status = m_watcher.status();
    m_folder->setText(QDir(m_watcher.folder()).dirName());
    m_folder->setToolTip(QDir::toNativeSeparators(m_watcher.folder()));
    const std::int64_t size = m_watcher.info().size();
    m_progress->setRange(0, m_watcher.isRead() ? static_cast<int>(std::max<std::int64_t>(1, size)) : 0);
    m_progress->setValue(static_cast<int>(status.points));
    QString said = m_watcher.isComplete() ? tr("%1 points").arg(status.points)
                                          : tr("%1 of %2").arg(status.points).arg(size);
    if (status.failed > 0)
        said += tr(", %1 failed").arg(status.failed);
    if (status.leftOut > 0)
        said += tr(", %1 left out").arg(status.leftOut);
    if (!m_watcher.isComplete())
        said += status.running > 0
                    ? tr(" · claimed: %1 of %2 open chunks").arg(status.running).arg(status.open.size())
                    : tr(" · nobody computes");
    if (!m_watcher.problem().isEmpty())
        said += tr(" · not readable");
    m_progress->setFormat(said);
    QStringList tip{said};
    if (status.points > 0)
        tip << tr("%1 of one core so far, %2 a point")
                   .arg(text(timeText(status.seconds * 1e9)),
                        text(timeText(status.seconds * 1e9 / static_cast<double>(status.points))));
    if (status.damagedLines > 0)
        tip << tr("%1 lines were cut or changed and count for nothing").arg(status.damagedLines);
    if (!m_watcher.problem().isEmpty())
        tip << m_watcher.problem();
    m_progress->setToolTip(tip.join(u'\n'));
    const bool isComputing = m_watcher.isComputing();
    m_compute->setVisible(m_watcher.isRead() && (isComputing || !m_watcher.isComplete()));
    m_compute->setText(isComputing ? tr("&Pause") : tr("Compute &Here"));
    m_compute->setAccessibleName(isComputing ? tr("Pause computing the campaign here")
                                             : tr("Compute the campaign here"));
    m_compute->setToolTip(
        isComputing ? tr("Stop after the points that are finished; other processes go on")
                    : tr("Start pimc sweep run on this machine; it computes what nobody else computes"));
    m_merge->setEnabled(m_watcher.canMerge());
    m_merge->setToolTip(m_watcher.canMerge()     ? tr("Keep all points in the project")
                        : m_watcher.isComplete() ? tr("Save the project first: points are kept in its file")
                                                 : tr("Possible when all points are there"));
}

} // namespace pim::views
