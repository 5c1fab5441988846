// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/models/lut_calibration.h"

#include "views/common/text.h"

#include <fmt/format.h>

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QPointer>
#include <QSettings>
#include <QStandardPaths>

#include <mutex>
#include <utility>

namespace pim::views {
namespace {

const QString kStateName = QStringLiteral("lut");
const QString kFolders = QStringLiteral("lutFolders");
constexpr int kFoldersKept = 8;
constexpr std::size_t kOutcomesKept = 60;   ///< Figures.
constexpr std::size_t kEvaluationsKept = 4; ///< With centroids and tables.
constexpr std::int64_t kRowsKept = 400;     ///< Of each layer, for pictures.

bool hasSamples(const QDir& folder) {
    return folder.exists(QStringLiteral("test_x.npy")) && folder.exists(QStringLiteral("calib_x.npy"));
}

QJsonObject jsonOf(const OptionTexts& texts) {
    QJsonObject json;
    for (const auto& [key, value] : texts)
        json[text(key)] = text(value);
    return json;
}

/// What a project says that is no longer understood is left out.
OptionTexts optionsOf(const QJsonObject& json) {
    OptionTexts texts;
    for (auto entry = json.begin(); entry != json.end(); ++entry)
        (void)lut::conversionTable().set(texts, entry.key().toStdString(),
                                         entry.value().toString().toStdString());
    return texts;
}

QJsonObject jsonOf(const LutOutcome& outcome) {
    QJsonArray curve, layers;
    for (const lut::CalibrationStep& step : outcome.curve)
        curve.append(QJsonArray{step.step, step.loss, step.agreement});
    for (const LutLayerFigures& layer : outcome.layers)
        layers.append(QJsonObject{{QStringLiteral("op"), text(layer.name)},
                                  {QStringLiteral("v"), qint64(layer.length)},
                                  {QStringLiteral("ct"), qint64(layer.centroids)},
                                  {QStringLiteral("codebooks"), qint64(layer.codebooks)},
                                  {QStringLiteral("features"), qint64(layer.features)},
                                  {QStringLiteral("unused"), qint64(layer.unused)},
                                  {QStringLiteral("error"), layer.error}});
    return {{QStringLiteral("options"), jsonOf(outcome.options)},
            {QStringLiteral("rules"), outcome.rules},
            {QStringLiteral("samples"), qint64(outcome.samples)},
            {QStringLiteral("dense"), outcome.dense},
            {QStringLiteral("accuracy"), outcome.converted},
            {QStringLiteral("logitError"), outcome.meanLogitError},
            {QStringLiteral("cpuSeconds"), outcome.cpuSeconds},
            {QStringLiteral("curve"), curve},
            {QStringLiteral("layers"), layers}};
}

LutOutcome outcomeOf(const QJsonObject& json) {
    LutOutcome outcome;
    outcome.options = optionsOf(json.value(QStringLiteral("options")).toObject());
    outcome.rules = json.value(QStringLiteral("rules")).toString();
    outcome.samples = json.value(QStringLiteral("samples")).toInteger();
    outcome.dense = json.value(QStringLiteral("dense")).toDouble();
    outcome.converted = json.value(QStringLiteral("accuracy")).toDouble();
    outcome.meanLogitError = json.value(QStringLiteral("logitError")).toDouble();
    outcome.cpuSeconds = json.value(QStringLiteral("cpuSeconds")).toDouble();
    for (const QJsonValue& step : json.value(QStringLiteral("curve")).toArray())
        outcome.curve.push_back(
            {step.toArray().at(0).toInt(), step.toArray().at(1).toDouble(), step.toArray().at(2).toDouble()});
    for (const QJsonValue& value : json.value(QStringLiteral("layers")).toArray()) {
        const QJsonObject layer = value.toObject();
        const auto number = [&](const char* key) { return layer.value(QLatin1String(key)).toInteger(); };
        outcome.layers.push_back({layer.value(QStringLiteral("op")).toString().toStdString(), number("v"),
                                  number("ct"), number("codebooks"), number("features"), number("unused"),
                                  layer.value(QStringLiteral("error")).toDouble()});
    }
    return outcome;
}

Result<lut::Evaluation> evaluated(const std::filesystem::path& model, const std::filesystem::path& folder,
                                  const lut::EvaluationOptions& options, const TaskContext& task) {
    PIM_TRY(const lut::DataSet set, lut::openDataSet(folder));
    PIM_TRY(const lut::Samples test, lut::readSamples(set, "test"));
    PIM_TRY(const auto classifier, lut::Classifier::open(model, set, test, task));
    return lut::evaluate(classifier, set, test, options, task);
}

} // namespace

std::int64_t LutOutcome::tableBytes() const {
    const auto known = lut::conversionTable().read(options);
    const std::int64_t width = known && known->int8 ? 1 : 4;
    std::int64_t bytes = 0;
    for (const LutLayerFigures& layer : layers)
        bytes += layer.codebooks * layer.centroids * layer.features * width;
    return bytes;
}

LutSizes LutOutcome::sizes() const {
    LutSizes sizes;
    for (const LutLayerFigures& layer : layers)
        sizes[layer.name] = {layer.length, layer.centroids};
    return sizes;
}

QString LutOutcome::text() const {
    const auto& table = lut::conversionTable();
    QStringList parts;
    for (const OptionInfo& info : table.infos())
        if (info.key == "v" || info.key == "ct" || info.key == "method" || options.contains(info.key))
            parts << QStringLiteral("%1=%2").arg(views::text(info.key),
                                                 views::text(table.value(options, info.key)));
    return parts.join(u',');
}

LutCalibration* LutCalibration::of(Workspace& workspace) {
    if (auto* known = workspace.findChild<LutCalibration*>(QString(), Qt::FindDirectChildrenOnly))
        return known;
    return new LutCalibration(workspace);
}

LutCalibration::LutCalibration(Workspace& workspace)
    : QObject(&workspace), m_workspace(workspace), m_turn(std::make_shared<std::mutex>()) {
    connect(&workspace, &Workspace::viewStatesLoaded, this, &LutCalibration::takeDocument);
    connect(&workspace, &Workspace::graphChanged, this, [this] {
        m_ops.clear();
        emit askedChanged();
    });
    takeDocument();
}

/// Another document: its figures, and where its samples seem to be.
void LutCalibration::takeDocument() {
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
    const QJsonObject state = m_workspace.viewState(kStateName);
    m_ops.clear();
    m_steps.clear();
    m_dense.reset();
    m_problem.clear();
    m_outcomes.clear();
    m_folder = state.value(QStringLiteral("folder")).toString();
    m_options = optionsOf(state.value(QStringLiteral("options")).toObject());
    m_rules = state.value(QStringLiteral("rules")).toString();
    for (const QJsonValue& outcome : state.value(QStringLiteral("outcomes")).toArray())
        m_outcomes.push_back(outcomeOf(outcome.toObject()));
    m_shown = static_cast<int>(m_outcomes.size()) - 1;
    if (m_folder.isEmpty() && !m_workspace.modelPath().isEmpty())
        if (const QDir beside = QFileInfo(m_workspace.modelPath()).dir(); hasSamples(beside))
            m_folder = beside.path();
    emit askedChanged();
    emit outcomesChanged();
    emit stepped();
    emit stateChanged();
}

void LutCalibration::keep() {
    QJsonArray outcomes;
    for (const LutOutcome& outcome : m_outcomes)
        outcomes.append(jsonOf(outcome));
    m_workspace.setViewState(kStateName, {{QStringLiteral("folder"), m_folder},
                                          {QStringLiteral("options"), jsonOf(m_options)},
                                          {QStringLiteral("rules"), m_rules},
                                          {QStringLiteral("outcomes"), outcomes}});
}

void LutCalibration::setFolder(const QString& folder) {
    if (folder == m_folder)
        return;
    m_folder = folder;
    m_problem.clear();
    keep();
    emit askedChanged();
}

void LutCalibration::setOptions(const OptionTexts& options) {
    if (options == m_options)
        return;
    m_options = options;
    m_problem.clear();
    keep();
    emit askedChanged();
}

void LutCalibration::setRules(const QString& rules) {
    if (rules == m_rules)
        return;
    m_rules = rules;
    m_problem.clear();
    keep();
    emit askedChanged();
}

QStringList LutCalibration::recentFolders() const {
    QStringList folders = QSettings().value(kFolders).toStringList();
    if (!m_workspace.modelPath().isEmpty()) {
        const QDir beside = QFileInfo(m_workspace.modelPath()).dir();
        if (hasSamples(beside) && !folders.contains(beside.path()))
            folders.prepend(beside.path());
    }
    return folders;
}

Result<lut::ConversionOptions> LutCalibration::conversion(const OptionTexts& texts) const {
    PIM_TRY(lut::ConversionOptions options, lut::conversionTable().read(texts));
    for (const QString& rule : m_rules.split(u';', Qt::SkipEmptyParts))
        if (!rule.trimmed().isEmpty())
            PIM_CHECK(lut::addLayerRule(options, rule.trimmed().toStdString()));
    return options;
}

QStringList LutCalibration::commandLine(const OptionTexts& options) const {
    LutOutcome asked;
    asked.options = options;
    QStringList words{QStringLiteral("pimc"),
                      QStringLiteral("accuracy"),
                      m_workspace.modelPath(),
                      QStringLiteral("--data"),
                      m_folder,
                      QStringLiteral("--lut"),
                      asked.text()};
    for (const QString& rule : m_rules.split(u';', Qt::SkipEmptyParts))
        if (!rule.trimmed().isEmpty())
            words << QStringLiteral("--lut-layer") << rule.trimmed();
    return words;
}

QString LutCalibration::whyNot() const {
    if (!m_workspace.graph())
        return tr("Open a classifier: an ONNX file with its weights.");
    if (m_folder.isEmpty())
        return tr("Choose a folder with samples: test_x.npy and test_y.npy to measure with, calib_x.npy to "
                  "calibrate with.");
    if (const QDir folder(m_folder); !hasSamples(folder))
        return folder.exists() ? tr("%1 has no test_x.npy and calib_x.npy. Choose a folder with samples.")
                                     .arg(QDir::toNativeSeparators(m_folder))
                               : tr("There is no folder %1.").arg(QDir::toNativeSeparators(m_folder));
    if (const auto options = conversion(); !options)
        return text(options.error().text());
    return {};
}

/// One for each model, data and options: what differs in any of them is another training.
QString LutCalibration::checkpoint(const OptionTexts& texts) const {
    const auto options = conversion(texts);
    if (!options || options->method != lut::LutMethod::Elut || m_workspace.modelPath().isEmpty())
        return {};
    QStringList parts = commandLine(texts);
    for (const QString& file :
         {m_workspace.modelPath(), QDir(m_folder).filePath(QStringLiteral("calib_x.npy"))}) {
        const QFileInfo info(file);
        parts << info.absoluteFilePath() << QString::number(info.size())
              << info.lastModified().toString(Qt::ISODateWithMs);
    }
    const QByteArray name =
        QCryptographicHash::hash(parts.join(u'\n').toUtf8(), QCryptographicHash::Sha256).toHex().left(32);
    return QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation))
        .filePath(QStringLiteral("calibration/%1.state").arg(QString::fromLatin1(name)));
}

bool LutCalibration::canResume() const {
    const QString file = checkpoint(m_options);
    return !isRunning() && !file.isEmpty() && QFileInfo::exists(file);
}

void LutCalibration::startAnew() {
    if (const QString file = checkpoint(m_options); !file.isEmpty() && !isRunning())
        QFile::remove(file);
    start();
}

lut::EvaluationOptions LutCalibration::watched(const lut::ConversionOptions& conversion) {
    lut::EvaluationOptions options;
    options.conversion = conversion;
    options.keptRows = kRowsKept;
    // Told on the UI thread, to whoever is still there.
    const auto tell = [self = QPointer<LutCalibration>(this), started = m_started,
                       tasks = m_workspace.tasks()](auto what) {
        QMetaObject::invokeMethod(
            tasks,
            [self, started, what] {
                if (self && self->m_started == started)
                    what(*self);
            },
            Qt::QueuedConnection);
    };
    options.watch = [tell](const lut::CalibrationStep& step) {
        tell([step](LutCalibration& of) {
            of.m_steps.push_back(step);
            emit of.stepped();
        });
    };
    options.onDense = [tell](double dense) {
        tell([dense](LutCalibration& of) {
            of.m_dense = dense;
            emit of.stepped();
        });
    };
    return options;
}

void LutCalibration::start() {
    if (isRunning() || !whyNot().isEmpty())
        return;
    QStringList folders = QSettings().value(kFolders).toStringList();
    folders.removeAll(m_folder);
    folders.prepend(m_folder);
    QSettings().setValue(kFolders, folders.mid(0, kFoldersKept));
    keep();
    m_problem.clear();
    begin(m_options);
}

Result<std::vector<OptionTexts>> LutCalibration::combinations(const QString& text) const {
    std::vector<OptionTexts> all{m_options};
    for (const QString& part : text.split(u';', Qt::SkipEmptyParts)) {
        const QString key = part.section(u'=', 0, 0).trimmed();
        const QStringList values = part.section(u'=', 1).split(u',', Qt::SkipEmptyParts);
        if (key.isEmpty() || values.isEmpty())
            return fail(ErrorCode::Usage, fmt::format("\"{}\" has no values", part.trimmed().toStdString()),
                        {}, "write it as v=2,4,8; ct=8,16");
        std::vector<OptionTexts> more;
        for (const OptionTexts& known : all)
            for (const QString& value : values) {
                OptionTexts with = known;
                PIM_CHECK(lut::conversionTable().set(with, key.toStdString(), value.trimmed().toStdString()));
                more.push_back(std::move(with));
            }
        all = std::move(more);
        if (all.size() > kMostAtOnce)
            return fail(
                ErrorCode::Usage,
                fmt::format("{} calibrations and more; {} at once are allowed", all.size(), kMostAtOnce), {},
                "leave some values out");
    }
    if (all.size() < 2)
        return fail(ErrorCode::Usage, "there is one calibration, not several", {},
                    "write values as v=2,4,8; ct=8,16");
    return all;
}

void LutCalibration::startAll(std::vector<OptionTexts> several) {
    if (isRunning() || !whyNot().isEmpty() || several.empty())
        return;
    m_waiting = std::move(several);
    m_problem.clear();
    keep();
    beginNext();
}

void LutCalibration::beginNext() {
    if (m_waiting.empty())
        return;
    const OptionTexts next = std::move(m_waiting.front());
    m_waiting.erase(m_waiting.begin());
    begin(next);
}

void LutCalibration::begin(const OptionTexts& texts) {
    m_steps.clear();
    m_dense.reset();
    const auto how = conversion(texts);
    if (!how) { // rules were edited since the first of several began
        m_waiting.clear();
        m_problem = text(how.error().text());
        return emit stateChanged();
    }
    ++m_started;
    lut::EvaluationOptions options = watched(*how);
    const QString state = checkpoint(texts);
    if (!state.isEmpty())
        QDir().mkpath(QFileInfo(state).path());
    options.conversion.checkpoint = state.toStdString();
    LutOutcome asked; // what is chosen may change while it runs
    asked.options = texts;
    asked.rules = m_rules;
    const QPointer<LutCalibration> self(this);
    m_task = m_workspace.tasks()->start(
        tr("Calibrating look-up tables of %1").arg(QFileInfo(m_workspace.modelPath()).fileName()),
        [self, started = m_started, options, asked, turn = m_turn,
         model = m_workspace.modelPath().toStdString(),
         folder = m_folder.toStdString()](const TaskContext& task) -> std::function<void()> {
            const std::lock_guard lock(*turn);
            auto found = std::make_shared<Result<lut::Evaluation>>(evaluated(model, folder, options, task));
            return [self, started, asked, found, state = options.conversion.checkpoint] {
                if (self && self->m_started == started)
                    self->finish(std::move(*found), asked, text(state));
            };
        },
        [self] { // by stop() or the tasks panel
            if (!self)
                return;
            self->m_task = 0;
            self->m_waiting.clear();
            ++self->m_started;
            emit self->stateChanged();
        });
    emit stepped();
    emit stateChanged();
}

void LutCalibration::stop() {
    if (m_task)
        m_workspace.tasks()->cancel(m_task);
}

void LutCalibration::finish(Result<lut::Evaluation> found, LutOutcome outcome, const QString& state) {
    m_task = 0;
    // Done, or it cannot be gone on with.
    if (!state.isEmpty() && (found || found.error().where == state.toStdString()))
        QFile::remove(state);
    if (!found) {
        m_problem = text(found.error().text());
        emit m_workspace.failed(tr("The look-up tables are not calibrated"), m_problem);
        emit stateChanged();
        return beginNext();
    }
    outcome.samples = found->samples;
    outcome.dense = found->dense;
    outcome.converted = found->converted;
    outcome.meanLogitError = found->meanLogitError;
    outcome.cpuSeconds = found->conversion.calibrationCpuSeconds;
    outcome.curve = found->conversion.curve;
    for (const std::string& note : found->conversion.notes)
        outcome.notes << text(note);
    for (const auto& [name, use] : found->uses) {
        const lut::LutLayer& layer = found->conversion.layers.at(name);
        outcome.layers.push_back({name, layer.books.length, layer.books.centroids, layer.books.codebooks,
                                  layer.table.features, use.unused(), use.relativeError()});
    }
    std::ranges::stable_sort(outcome.layers, {},
                             [this](const LutLayerFigures& layer) { return opOf(layer.name).value; });
    outcome.evaluation = std::make_shared<const lut::Evaluation>(std::move(*found));
    outcome.steps = std::exchange(m_steps, {});
    m_outcomes.push_back(std::move(outcome));
    if (m_outcomes.size() > kOutcomesKept)
        m_outcomes.erase(m_outcomes.begin());
    for (std::size_t i = 0; i + kEvaluationsKept < m_outcomes.size(); ++i)
        m_outcomes[i].evaluation.reset();
    m_shown = static_cast<int>(m_outcomes.size()) - 1;
    keep();
    emit outcomesChanged();
    emit stateChanged();
    beginNext();
}

const LutOutcome* LutCalibration::shown() const {
    return m_shown >= 0 && m_shown < std::ssize(m_outcomes) ? &m_outcomes[static_cast<std::size_t>(m_shown)]
                                                            : nullptr;
}

void LutCalibration::show(int outcome) {
    if (outcome == m_shown || outcome < 0 || outcome >= std::ssize(m_outcomes))
        return;
    m_shown = outcome;
    if (!isRunning())
        m_steps.clear(); // of one that was stopped
    emit outcomesChanged();
}

void LutCalibration::remove(int outcome) {
    if (outcome < 0 || outcome >= std::ssize(m_outcomes))
        return;
    m_outcomes.erase(m_outcomes.begin() + outcome);
    m_shown = std::min(m_shown, static_cast<int>(m_outcomes.size()) - 1);
    keep();
    emit outcomesChanged();
}

OpId LutCalibration::opOf(const std::string& layer) const {
    const auto graph = m_workspace.graph();
    if (!graph)
        return {};
    if (m_ops.empty())
        for (std::size_t i = 0; i < graph->ops.size(); ++i) {
            const OpId id(static_cast<std::int64_t>(i));
            m_ops[graph->ops[i].name] = id;
            for (const NodeRef& source : graph->ops[i].sources)
                m_ops.try_emplace(source.name, id); // an op of the name itself is taken first
        }
    const auto found = m_ops.find(layer);
    return found == m_ops.end() ? OpId() : found->second;
}

int LutCalibration::selectedLayer() const {
    const LutOutcome* const outcome = shown();
    const OpId op = m_workspace.selection().op;
    if (!outcome || !op.valid())
        return -1;
    const auto found = std::ranges::find_if(
        outcome->layers, [&](const LutLayerFigures& layer) { return opOf(layer.name) == op; });
    return found == outcome->layers.end() ? -1 : static_cast<int>(found - outcome->layers.begin());
}

Result<void> LutCalibration::save(const QString& folder) const {
    const LutOutcome* const outcome = shown();
    if (!outcome || !outcome->evaluation)
        return fail(ErrorCode::Usage, "its centroids and tables are not kept any more",
                    outcome ? outcome->text().toStdString() : std::string(), "calibrate it again");
    return outcome->evaluation->conversion.save(folder.toStdString());
}

} // namespace pim::views
