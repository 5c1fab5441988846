// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/campaign_watcher.h"

#include "core/base/jobs.h"
#include "views/models/workspace.h"
#include "views/sweep/sweep_runner.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPointer>
#include <QStandardPaths>

#include <algorithm>
#include <mutex>
#include <optional>
#include <utility>

namespace pim::views {
namespace {

constexpr qint64 kLeastPauseMs = 1000, kMostPauseMs = 30'000;
constexpr qint64 kRest = 4; ///< Times as long as a look took: a slow folder is not asked without end.

} // namespace

/// What a look works on, whether or not anybody still waits for it.
struct CampaignWatcher::Shared {
    std::mutex mutex; ///< One look at a time.
    std::optional<CampaignWatch> watch;
    std::stop_source stop;
};

CampaignWatcher::CampaignWatcher(Workspace& workspace, QObject* parent)
    : QObject(parent), m_workspace(workspace) {
    m_next.setSingleShot(true);
    connect(&m_next, &QTimer::timeout, this, &CampaignWatcher::look);
    connect(&m_process, &QProcess::stateChanged, this, [this](QProcess::ProcessState state) {
        if (state == QProcess::NotRunning && isOpen())
            m_next.start(0);
        emit changed();
    });
    connect(&m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        // Stopped by us or with points that failed is no failure of the process.
        const QString said = QString::fromUtf8(m_process.readAllStandardError()).trimmed();
        constexpr int kCancelled = 130;
        if (status == QProcess::NormalExit && code != 0 && code != kCancelled)
            emit m_workspace.failed(tr("The campaign is not computed here"), said.section(u'\n', -1));
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit m_workspace.failed(
                tr("The campaign is not computed here"),
                tr("%1 cannot be started: %2").arg(m_process.program(), m_process.errorString()));
    });
}

CampaignWatcher::~CampaignWatcher() {
    blockSignals(true);
    m_process.disconnect(this);
    if (m_shared)
        m_shared->stop.request_stop();
    if (isComputing()) {
        constexpr int kPatienceMs = 3000;
        m_process.terminate();
        m_process.waitForFinished(kPatienceMs);
    }
}

void CampaignWatcher::close() {
    if (m_shared)
        m_shared->stop.request_stop();
    pause();
    m_next.stop();
    m_shared.reset();
    m_folder.clear();
    m_info = {};
    m_status = {};
    m_points.clear();
    m_problem.clear();
    m_isRead = false;
    emit changed();
}

void CampaignWatcher::open(const QString& folder) {
    close();
    m_folder = QDir::cleanPath(folder);
    m_shared = std::make_shared<Shared>();
    emit changed();
    look();
}

void CampaignWatcher::look() {
    if (!m_shared)
        return;
    m_next.stop();
    m_looks.start(
        [self = QPointer<CampaignWatcher>(this), shared = m_shared, folder = m_folder.toStdString()] {
            const std::unique_lock lock(shared->mutex, std::try_to_lock);
            if (!lock) // the look that is under way tells
                return;
            QElapsedTimer clock;
            clock.start();
            std::optional<SweepInfo> info;
            const auto fresh = [&]() -> Result<std::vector<SweepPoint>> {
                if (!shared->watch) {
                    PIM_TRY(shared->watch, CampaignWatch::open(folder));
                    const Campaign& campaign = shared->watch->campaign();
                    info.emplace();
                    info->name = campaign.folder.filename().string();
                    info->modelName = campaign.modelName;
                    info->modelPath = campaign.modelPath.string();
                    info->targetId = campaign.setup.request.target->id;
                    info->axes = campaign.setup.axes;
                }
                return shared->watch->look({shared->stop.get_token(), {}});
            };
            auto found = fresh();
            const CampaignStatus status = shared->watch ? shared->watch->status() : CampaignStatus();
            const std::optional<Error> problem = shared->watch ? shared->watch->problem() : std::nullopt;
            QMetaObject::invokeMethod(
                qApp,
                [self, shared, info, found = std::move(found), status, problem,
                 took = clock.elapsed()]() mutable {
                    if (!self || self->m_shared != shared)
                        return;
                    if (info)
                        self->m_info = *info;
                    self->m_problem = problem ? QString::fromStdString(problem->text()) : QString();
                    self->take(std::move(found), status, took);
                },
                Qt::QueuedConnection);
        });
}

void CampaignWatcher::take(Result<std::vector<SweepPoint>> fresh, const CampaignStatus& status,
                           qint64 tookMs) {
    m_status = status;
    if (!fresh && m_info.axes.empty()) { // no campaign at all
        const QString folder = m_folder, why = QString::fromStdString(fresh.error().text());
        close();
        return emit m_workspace.failed(tr("\"%1\" cannot be opened").arg(QDir(folder).dirName()), why);
    }
    m_isRead = true;
    if (fresh)
        std::ranges::move(*fresh, std::back_inserter(m_points));
    if (!isComplete())
        m_next.start(int(std::clamp(kRest * tookMs, kLeastPauseMs, kMostPauseMs)));
    emit changed();
}

std::function<Result<SweepSetup>(const TaskContext&)> CampaignWatcher::setup() const {
    return [folder = m_folder.toStdString()](const TaskContext& task) -> Result<SweepSetup> {
        PIM_TRY(Campaign campaign, readCampaign(folder));
        PIM_CHECK(loadCampaignModels(campaign, task));
        return std::move(campaign.setup);
    };
}

void CampaignWatcher::plan(std::vector<SweepAxis> axes, const QString& folder) {
    if (!m_workspace.importedModel() || !m_workspace.target())
        return;
    const QPointer<CampaignWatcher> self(this);
    m_workspace.tasks()->start(
        tr("Planning a campaign"),
        [self, folder, setup = sweepSetup(m_workspace, std::move(axes)), catalog = m_workspace.catalog(),
         backends = &m_workspace.backends(),
         host = otherHost(m_workspace)](const TaskContext& task) mutable -> std::function<void()> {
            const auto plan = [&]() -> Result<void> {
                PIM_CHECK(prepareSweep(*backends, setup, catalog, host, task));
                PIM_CHECK(planCampaign(setup, folder.toStdString()));
                return {};
            };
            return [self, folder, done = plan()] {
                if (!self)
                    return;
                if (done)
                    return self->open(folder);
                emit self->m_workspace.failed(tr("The campaign is not planned"),
                                              QString::fromStdString(done.error().text()));
            };
        });
}

void CampaignWatcher::compute() {
    if (!isOpen() || isComputing() || isComplete())
        return;
    QString program = m_program;
    if (program.isEmpty()) {
        const QFileInfo beside(QCoreApplication::applicationDirPath() + QStringLiteral("/pimc"));
        program = beside.isExecutable() ? beside.filePath()
                                        : QStandardPaths::findExecutable(QStringLiteral("pimc"));
    }
    if (program.isEmpty())
        return emit m_workspace.failed(
            tr("The campaign is not computed here"),
            tr("There is no program pimc beside this one, nor in a folder of PATH."));
    const QStringList words{QStringLiteral("sweep"), QStringLiteral("run"), m_folder,
                            QStringLiteral("--jobs"), QString::number(jobs())};
    m_process.setStandardOutputFile(QProcess::nullDevice());
    m_process.start(program, words);
}

void CampaignWatcher::pause() {
    if (isComputing())
        m_process.terminate();
}

bool CampaignWatcher::canMerge() const {
    return isComplete() && m_workspace.project();
}

void CampaignWatcher::merge() {
    if (!canMerge())
        return;
    const QPointer<CampaignWatcher> self(this);
    m_workspace.tasks()->start(
        tr("Merging %1").arg(QDir(m_folder).dirName()),
        [self, folder = m_folder.toStdString(),
         project = m_workspace.project()->file()](const TaskContext& task) -> std::function<void()> {
            const auto merge = [&]() -> Result<std::int64_t> {
                PIM_TRY(Campaign campaign, readCampaign(folder));
                PIM_CHECK(loadCampaignModels(campaign, task));
                PIM_TRY(const auto file, Project::open(project));
                PIM_TRY(const std::int64_t id, file->findOrAddSweep(campaign.setup));
                PIM_CHECK(file->addSweepPoints(id, [&](const auto& add) -> Result<void> {
                    PIM_CHECK(readCampaignPoints(campaign, add, task));
                    return {};
                }));
                return id;
            };
            return [self, done = merge()] {
                if (!self)
                    return;
                if (!done)
                    return emit self->m_workspace.failed(tr("The campaign is not merged"),
                                                         QString::fromStdString(done.error().text()));
                emit self->merged(*done);
            };
        });
}

} // namespace pim::views
