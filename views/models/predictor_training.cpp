// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/predictor_training.h"

#include "core/base/file_io.h"
#include "core/predict/kernel_families.h"
#include "core/predict/shipped.h"
#include "views/models/workspace.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QPointer>

#include <cmath>

namespace pim::views {
namespace {

const QString kTrainingState = QStringLiteral("predictor");
constexpr int kMostTrained = 1000; ///< Sizes of a kind, and rounds times ten.

QStringList allKinds() {
    QStringList kinds;
    for (const KernelFamily& family : kernelFamilies())
        kinds << QString::fromUtf8(family.id.data(), qsizetype(family.id.size()));
    return kinds;
}

const OpwiseBackend* opwiseOf(const Workspace& workspace) {
    return workspace.target() ? dynamic_cast<const OpwiseBackend*>(workspace.backendOf(*workspace.target()))
                              : nullptr;
}

QStringList wordsOf(const QString& shapes) {
    QString spaced = shapes;
    spaced.replace(u',', u' ');
    return spaced.split(u' ', Qt::SkipEmptyParts);
}

/// Families that the machine has no units for are said once, not once a size.
QStringList inWords(const Diagnostics& problems) {
    std::map<std::pair<QString, QString>, int> counts;
    for (const Diagnostic& problem : problems)
        ++counts[{QString::fromStdString(problem.object), QString::fromStdString(problem.message)}];
    QStringList said;
    for (const auto& [what, count] : counts)
        said << PredictorTraining::tr("%1: left out, %2 of its sizes: %3")
                    .arg(what.first)
                    .arg(count)
                    .arg(what.second);
    return said;
}

QString wrongWith(const Result<std::vector<Kernel>>& kernels) {
    if (kernels)
        return {};
    const Error& error = kernels.error();
    return QString::fromStdString(error.where.empty() ? error.message : error.where + " " + error.message) +
           QStringLiteral(": ") + QString::fromStdString(error.hint) + u'.';
}

} // namespace

PredictorTraining::PredictorTraining(Workspace& workspace) : QObject(&workspace), m_workspace(workspace) {
    m_request.kinds = allKinds();
    connect(&workspace, &Workspace::viewStatesLoaded, this, &PredictorTraining::takeDocument);
    connect(&workspace, &Workspace::targetChanged, this, [this] {
        stop();
        m_problem.clear();
        m_notes.clear();
        m_curves.clear();
        if (const auto known = trained())
            for (const auto& [form, learned] : known->model().forms)
                m_curves[form] = learned.curve;
        emit stateChanged();
    });
    connect(&workspace, &Workspace::planChanged, this, &PredictorTraining::requestChanged);
    connect(&DraftRanking::of(workspace), &DraftRanking::changed, this, &PredictorTraining::stateChanged);
    takeDocument();
}

PredictorTraining& PredictorTraining::of(Workspace& workspace) {
    if (auto* const there = workspace.findChild<PredictorTraining*>(QString(), Qt::FindDirectChildrenOnly))
        return *there;
    return *new PredictorTraining(workspace);
}

void PredictorTraining::takeDocument() {
    const QJsonObject state = m_workspace.viewState(kTrainingState);
    TrainingRequest request;
    request.kinds = allKinds();
    if (state.contains(u"kinds")) {
        request.kinds.clear();
        for (const QJsonValue& kind : state[u"kinds"].toArray())
            if (allKinds().contains(kind.toString()))
                request.kinds << kind.toString();
    }
    request.sizes = std::clamp(state[u"sizes"].toInt(request.sizes), 1, kMostTrained);
    request.rounds = std::clamp(state[u"rounds"].toInt(request.rounds), 1, 10 * kMostTrained);
    request.shapes = state[u"shapes"].toString();
    request.ofModel = state[u"ops"].toBool();
    request.seed = state[u"seed"].toString().toULongLong();
    if (request == m_request)
        return;
    m_request = request;
    emit requestChanged();
}

void PredictorTraining::setRequest(const TrainingRequest& request) {
    if (request == m_request)
        return;
    m_request = request;
    m_workspace.setViewState(kTrainingState,
                             {{QStringLiteral("kinds"), QJsonArray::fromStringList(request.kinds)},
                              {QStringLiteral("sizes"), request.sizes},
                              {QStringLiteral("rounds"), request.rounds},
                              {QStringLiteral("shapes"), request.shapes},
                              {QStringLiteral("ops"), request.ofModel},
                              {QStringLiteral("seed"), QString::number(request.seed)}});
    emit requestChanged();
}

Result<std::vector<Kernel>> PredictorTraining::kernels() const {
    std::vector<Kernel> kernels;
    for (const QString& kind : m_request.kinds) {
        PIM_TRY(const KernelFamily* family, findKernelFamily(kind.toStdString()));
        for (const KernelSize size : kernelSizes(*family, m_request.sizes, 0)) {
            PIM_TRY(Kernel kernel, makeKernel(*family, size));
            kernels.push_back(std::move(kernel));
        }
    }
    for (const QString& shape : wordsOf(m_request.shapes)) {
        PIM_TRY(Kernel kernel, kernelOfShape(shape.toStdString()));
        kernels.push_back(std::move(kernel));
    }
    if (const auto plan = m_workspace.plan(); m_request.ofModel && plan)
        std::ranges::move(kernelsOf(*plan), std::back_inserter(kernels));
    if (kernels.empty())
        return fail(ErrorCode::Usage, "nothing is chosen to learn from", {},
                    "tick a kind of kernel, write shapes, or take the ops of the network");
    return kernels;
}

QString PredictorTraining::whyNot() const {
    if (!m_workspace.target())
        return tr("Choose a target first.");
    if (!opwiseOf(m_workspace))
        return tr("%1 has no drafts, so there is nothing to predict.")
            .arg(QString::fromStdString(m_workspace.target()->id));
    if (m_request.ofModel && (!m_workspace.plan() || m_workspace.plan()->target != m_workspace.target()))
        return tr("The ops of the network are known once it is planned.");
    if (m_request.ofModel)
        return wrongWith(kernels());
    if (!m_judged || m_judged->first != m_request) // takes the parsing of all kernels, and every view asks
        m_judged.emplace(m_request, wrongWith(kernels()));
    return m_judged->second;
}

QStringList PredictorTraining::commandLine() const {
    if (!whyNot().isEmpty())
        return {};
    QStringList words{QStringLiteral("pimc"), QStringLiteral("predictor"), QStringLiteral("train"),
                      QStringLiteral("--target"), QString::fromStdString(m_workspace.target()->id)};
    if (!m_request.kinds.isEmpty())
        words << QStringLiteral("--kernels") << m_request.kinds.join(u',') << QStringLiteral("--sizes")
              << QString::number(m_request.sizes);
    if (const QStringList shapes = wordsOf(m_request.shapes); !shapes.isEmpty())
        words << QStringLiteral("--shapes") << shapes.join(u',');
    if (m_request.ofModel)
        words << QStringLiteral("--model") << m_workspace.modelPath();
    for (const std::string& pass : m_workspace.options().passes.leftOut)
        words << QStringLiteral("--no-code-pass") << QString::fromStdString(pass);
    return words << QStringLiteral("--rounds") << QString::number(m_request.rounds)
                 << QStringLiteral("--seed") << QString::number(m_request.seed);
}

void PredictorTraining::start() {
    auto chosen = kernels();
    if (const QString why = whyNot(); !why.isEmpty() || !chosen) {
        m_problem = why;
        return emit stateChanged();
    }
    stop();
    m_problem.clear();
    m_notes.clear();
    m_curves.clear();
    CompileOptions options = m_workspace.options();
    options.predictor = nullptr;
    options.predictorVersion.clear();
    TrainOptions how;
    how.seed = m_request.seed;
    how.booster.rounds = m_request.rounds;
    const std::int64_t mine = ++m_started;
    // Told from the threads that train, heard on this one.
    how.onRound = [self = QPointer(this), mine](const TrainingRound& round) {
        const auto take = [self, mine, form = std::string(round.form), trained = round.trained,
                           heldOut = round.heldOut] {
            if (!self || self->m_started != mine)
                return;
            LearningCurve& curve = self->m_curves[form];
            curve.trained.push_back(trained);
            if (!std::isnan(heldOut))
                curve.heldOut.push_back(heldOut);
            emit self->stepped();
        };
        if (self)
            QMetaObject::invokeMethod(self, take, Qt::QueuedConnection);
    };
    m_task = m_workspace.tasks()->start(
        tr("Training a predictor for %1").arg(QString::fromStdString(m_workspace.target()->id)),
        [this, mine, how, options, kernels = std::move(*chosen), target = m_workspace.target(),
         backend = opwiseOf(m_workspace)](const TaskContext& task) -> std::function<void()> {
            Diagnostics problems;
            const auto train = [&]() -> Result<std::shared_ptr<const LearnedPredictor>> {
                PIM_TRY(const auto samples, gatherSamples({*backend, target, options}, kernels, how,
                                                          HoldOut::Some, &problems, task));
                task.report("growing trees");
                return trainPredictor(*target, options.passes, samples, how, task);
            };
            auto trained = train();
            return [this, mine, trained = std::move(trained), problems] {
                if (mine == m_started)
                    finish(trained, problems);
            };
        },
        [this, mine] {
            if (mine != m_started)
                return;
            m_task = 0;
            emit stateChanged();
        });
    emit stepped();
    emit stateChanged();
}

void PredictorTraining::stop() {
    if (const int task = std::exchange(m_task, 0)) {
        ++m_started;
        m_workspace.tasks()->cancel(task);
        emit stateChanged();
    }
}

void PredictorTraining::finish(const Result<std::shared_ptr<const LearnedPredictor>>& trained,
                               const Diagnostics& problems) {
    m_task = 0;
    m_notes = inWords(problems);
    if (trained) {
        m_trained[(*trained)->model().targetHash] = *trained;
        m_curves.clear();
        for (const auto& [form, learned] : (*trained)->model().forms)
            m_curves[form] = learned.curve;
    } else if (trained.error().code != ErrorCode::Cancelled) {
        m_problem = QString::fromStdString(trained.error().text());
        emit m_workspace.failed(
            tr("No predictor was trained: %1").arg(QString::fromStdString(trained.error().message)),
            m_problem);
    }
    emit stepped();
    emit stateChanged();
}

std::shared_ptr<const LearnedPredictor> PredictorTraining::trained() const {
    const auto at = m_workspace.target() ? m_trained.find(m_workspace.target()->hash) : m_trained.end();
    return at == m_trained.end() ? nullptr : at->second;
}

std::shared_ptr<const LearnedPredictor> PredictorTraining::shown() const {
    if (auto here = trained())
        return here;
    // Where the machine's own ranks what it ranks better, all that it has learned is shown.
    if (auto inForce = DraftRanking::of(m_workspace).inForce(); inForce && !inForce->model().withinSizes)
        return inForce;
    const auto target = m_workspace.target();
    if (!target)
        return nullptr;
    if (m_shippedOf != target->hash) {
        m_shippedOf = target->hash;
        m_shipped = predictorFor(*target, nullptr);
    }
    return m_shipped;
}

Result<void> PredictorTraining::save(const QString& file) const {
    const auto predictor = shown();
    if (!predictor)
        return fail(ErrorCode::Usage, "there is no predictor yet", file.toStdString(), "train one");
    return replaceFile(file.toStdString(), predictor->bytes());
}

void PredictorTraining::use() {
    if (auto here = trained())
        DraftRanking::of(m_workspace).use(std::move(here), tr("the predictor trained"));
}

} // namespace pim::views
