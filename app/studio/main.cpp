// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `pimstudio`, the desktop program.
#include "app/studio/families.h"
#include "app/studio/instance.h"
#include "app/studio/language.h"
#include "app/studio/main_window.h"
#include "app/studio/qt_messages.h"
#include "app/studio/screenshots.h"
#include "app/studio/session.h"
#include "app/studio/settings.h"
#include "app/studio/start.h"
#include "backends/builtin.h"
#include "core/base/jobs.h"
#include "core/base/log.h"
#include "core/base/paths.h"
#include "core/base/version.h"
#include "core/support/crash_handler.h"
#include "core/support/crash_reports.h"
#include "views/models/recovery.h"
#include "views/models/workspace.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QDir>
#include <QEvent>
#include <QFileInfo>
#include <QFontDatabase>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <clocale>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <span>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace {

using namespace pim;
using namespace pim::studio;

const QString kDefaultTarget = QStringLiteral("attacc"); ///< Of the first start; later the one used last.

/// Headless machines may have fonts in no place that fontconfig knows.
void ensureFonts() {
    if (!QFontDatabase::families().isEmpty())
        return;
    for (const char* file : {"DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "DejaVuSansMono.ttf"})
        QFontDatabase::addApplicationFont(QStringLiteral("/usr/share/fonts/truetype/dejavu/") +
                                          QString::fromLatin1(file));
}

/// From the start of the process, as the kernel tells it, to the first time the event loop has nothing to do after the
/// first picture of the window.
void quitWhenUsable(QWidget& window) {
    class Watch final : public QObject {
    public:
        using QObject::QObject;
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() == QEvent::Paint && !std::exchange(m_isPainted, true))
                QTimer::singleShot(0, watched, [] {
                    std::printf("%.1f\n", millisecondsSinceStart());
                    std::fflush(stdout);
                    QApplication::quit();
                });
            return false;
        }

    private:
        static double millisecondsSinceStart() {
            QFile stat(QStringLiteral("/proc/self/stat"));
            if (!stat.open(QIODevice::ReadOnly))
                return 0;
            const QByteArray line = stat.readAll();
            const qlonglong ticks = line.mid(line.lastIndexOf(')') + 2).split(' ').value(19).toLongLong();
            timespec now{};
            clock_gettime(CLOCK_BOOTTIME, &now);
            return (static_cast<double>(now.tv_sec) -
                    static_cast<double>(ticks) / static_cast<double>(sysconf(_SC_CLK_TCK))) *
                       1e3 +
                   static_cast<double>(now.tv_nsec) / 1e6;
        }
        bool m_isPainted = false;
    };
    window.installEventFilter(new Watch(&window));
}

/// With one of these, what is asked for is more than a file another window could open.
constexpr const char* kOwnWindow[] = {"new-instance", "new",     "target",      "bind",
                                      "dtype",        "targets", "until-usable"};

int usageError(const QString& message) {
    std::fprintf(stderr, "pimstudio: %s\n", qPrintable(message));
    return 1;
}

struct WhatToOpen {
    QString path, target;
    std::map<std::string, std::int64_t> bindings;
    std::optional<DataType> type; ///< Of floating-point tensors.
};

/// What the command line names: a file, a sample, or what stands for neither; or what is wrong with it.
tl::expected<WhatToOpen, QString> whatToOpen(const QCommandLineParser& parser, const TargetCatalog& catalog) {
    const auto wrong = [](const QString& message) { return tl::unexpected<QString>(message); };
    WhatToOpen what{parser.positionalArguments().value(0), parser.value(QStringLiteral("target")), {}, {}};
    const QList<Sample> samples = findSamples();
    const auto takeSample = [&](const Sample& sample) {
        what.path = sample.modelPath;
        what.bindings = sample.bindings;
        if (what.target.isEmpty())
            what.target = sample.target;
    };
    if (const QString prefix = QStringLiteral("sample:"); what.path.startsWith(prefix)) {
        const QString id = what.path.mid(prefix.size());
        const auto found = std::find_if(samples.begin(), samples.end(),
                                        [&](const Sample& sample) { return sample.id == id; });
        if (found == samples.end())
            return wrong(QStringLiteral("there is no sample \"%1\"").arg(id));
        takeSample(*found);
    } else if (const QFileInfo folderOrFile(what.path); !what.path.isEmpty() && folderOrFile.isDir()) {
        const auto found = std::find_if(samples.begin(), samples.end(), [&](const Sample& sample) {
            return QFileInfo(sample.modelPath).dir() == QDir(folderOrFile.canonicalFilePath());
        });
        if (found == samples.end())
            return wrong(QStringLiteral("%1 is a folder and holds no sample; name an .onnx or .pimproj file")
                             .arg(what.path));
        takeSample(*found);
    } else if (what.path.isEmpty() && parser.isSet(QStringLiteral("screenshots"))) {
        if (samples.isEmpty())
            return wrong(QStringLiteral("no model given and no samples found"));
        takeSample(samples.front());
    }
    if (parser.isSet(QStringLiteral("bind"))) {
        const auto bindings = parseBindings(parser.value(QStringLiteral("bind")).toStdString());
        if (!bindings)
            return wrong(QString::fromStdString(bindings.error().text()));
        for (const auto& [symbol, value] : *bindings)
            what.bindings[symbol] = value;
    }
    if (const QString name = parser.value(QStringLiteral("dtype")); !name.isEmpty()) {
        what.type = dataTypeFromName(name.toStdString());
        if (!what.type)
            return wrong(QStringLiteral("no such type \"%1\"").arg(name));
    }
    if (!what.target.isEmpty())
        if (const auto known = catalog.find(what.target.toStdString()); !known)
            return wrong(QString::fromStdString(known.error().text()));
    return what;
}

void declareOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(QStringLiteral("Compiles neural networks for processing-in-memory "
                                                    "hardware and shows the reasons for every decision."));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument(
        QStringLiteral("file"),
        QStringLiteral("Model (.onnx), project (.pimproj), pim:// link or sample:NAME to open."),
        QStringLiteral("[file]"));
    parser.addOption({QStringLiteral("target"),
                      QStringLiteral("Machine to compile for: an id or a .json file."),
                      QStringLiteral("id")});
    parser.addOption({QStringLiteral("bind"),
                      QStringLiteral("Values of open dimensions, e.g. batch=1,past=512."),
                      QStringLiteral("name=n,...")});
    parser.addOption({QStringLiteral("dtype"),
                      QStringLiteral("Number type used for all floating-point tensors, e.g. i8."),
                      QStringLiteral("type")});
    parser.addOption({QStringLiteral("theme"), QStringLiteral("system, light, dark or high-contrast."),
                      QStringLiteral("theme")});
    parser.addOption(
        {QStringLiteral("language"),
         QStringLiteral("Of the window: system, %1.").arg(languages().join(QStringLiteral(", "))),
         QStringLiteral("language")});
    parser.addOption({QStringLiteral("log-level"),
                      QStringLiteral("What is said on standard error: error, warning (usually), info or "
                                     "debug."),
                      QStringLiteral("level")});
    parser.addOption({QStringLiteral("verbose"), QStringLiteral("The same as --log-level debug.")});
    parser.addOption({QStringLiteral("log-file"),
                      QStringLiteral("Append all of that to this file too, whatever the level."),
                      QStringLiteral("file")});
    parser.addOption({QStringLiteral("targets"),
                      QStringLiteral("Folder with more target files; may be repeated."),
                      QStringLiteral("folder")});
    parser.addOption(
        {QStringLiteral("new"), QStringLiteral("Start clean, without the last session and the tour.")});
    parser.addOption({QStringLiteral("until-usable"),
                      QStringLiteral("Print how long the window took to become usable, and quit.")});
    parser.addOption({QStringLiteral("new-instance"),
                      QStringLiteral("Open another window even if the program is already running.")});
    parser.addOption({QStringLiteral("screenshots"),
                      QStringLiteral("Run unattended: compile, select, override, save screenshots to "
                                     "this folder, quit."),
                      QStringLiteral("folder")});
}

/// The target to begin with: the one asked for, else the one used last, else the default, else the first there is.
QString firstTarget(const QString& wanted, const Settings& settings, const TargetCatalog& catalog) {
    QString target = !wanted.isEmpty()             ? wanted
                     : settings.target().isEmpty() ? kDefaultTarget
                                                   : settings.target();
    if (catalog.find(target.toStdString()))
        return target;
    return catalog.targets().empty() ? QString() : QString::fromStdString(catalog.targets().front()->id);
}

/// Before the application is made. \returns false where it needs a display and there is none.
bool choosePlatform(int argc, char** argv) {
    using namespace std::string_view_literals;
    const std::span arguments(argv + 1, argv + argc);
    const auto has = [&](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(arguments, [&](std::string_view argument) {
            return std::ranges::find(names, argument.substr(0, argument.find('='))) != names.end();
        });
    };
    const bool isChosen =
        !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM") || has({"-platform"sv, "--platform"sv});
    const bool hasDisplay =
        !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
    const bool showsNothing = has({"--help"sv, "-h"sv, "--help-all"sv, "--version"sv, "-v"sv});
    if (!isChosen && (has({"--screenshots"sv}) || (showsNothing && !hasDisplay)))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    else if (!isChosen && !hasDisplay)
        return false;
    return true;
}

void nameApplication() {
    QApplication::setApplicationName(QStringLiteral("pimstudio"));
    QApplication::setApplicationDisplayName(QStringLiteral("PIM Studio"));
    QApplication::setOrganizationName(QStringLiteral("pimstudio"));
    QApplication::setApplicationVersion(QStringLiteral(PIM_VERSION));
}

/// As the settings say, or as the command line does. Error: there is no such theme.
tl::expected<void, QString> chooseTheme(const Settings& settings, const QString& theme) {
    const std::optional<ThemeChoice> chosen = themeOf(theme);
    if (!theme.isEmpty() && !chosen)
        return tl::unexpected(
            QStringLiteral("unknown theme \"%1\"; there are system, light, dark and high-contrast")
                .arg(theme));
    applyAppearance(settings);
    if (chosen)
        applyThemeChoice(*chosen);
    return {};
}

/// Of all texts from here on, as the command line says, or the settings do, or the locale. Error: there is no such language.
tl::expected<void, QString> chooseLanguage(const QString& option, bool hasLocale) {
    const QString system = QStringLiteral("system");
    if (!option.isEmpty() && option != system && !languages().contains(option))
        return tl::unexpected(QStringLiteral("unknown language \"%1\"; there are %2, %3")
                                  .arg(option, system, languages().join(QStringLiteral(", "))));
    // Not through Settings: their texts would be made before the language is known.
    const QString wanted =
        option.isEmpty() ? QSettings().value(QString::fromUtf16(setting::kLanguage)).toString() : option;
    const QString language = studio::chooseLanguage(wanted, languagesOfSystem());
    if (language.isEmpty() && !hasLocale)
        std::fprintf(stderr, "pimstudio: this machine has no locale \"%s\"; the window is in English\n",
                     qPrintable(localeOfSystem()));
    useLanguage(language.isEmpty() ? languages().front() : language);
    return {};
}

/// As the command line says. \returns why there is no file of the log; empty: there is, or none was asked for.
tl::expected<QString, QString> beginLog(const QCommandLineParser& parser) {
    Log& log = Log::get();
    if (const QString level = parser.value(QStringLiteral("log-level")); !level.isEmpty()) {
        const auto known = logLevel(level.toStdString());
        if (!known)
            return tl::unexpected(
                QStringLiteral("unknown level \"%1\"; there are error, warning, info and debug").arg(level));
        log.show(*known);
    }
    if (parser.isSet(QStringLiteral("verbose")))
        log.show(LogLevel::Debug);
    QString problem;
    if (const QString file = parser.value(QStringLiteral("log-file")); !file.isEmpty())
        if (const auto opened = log.open(file.toStdString()); !opened)
            problem = QString::fromStdString(opened.error().text());
    log.write(LogLevel::Info, {},
              "pimstudio " PIM_VERSION ": " + QApplication::arguments().mid(1).join(u' ').toStdString());
    log.write(LogLevel::Info, {},
              "Qt " + std::string(qVersion()) + " on " + QGuiApplication::platformName().toStdString() +
                  ", resources " + resourceDir().string());
    return problem;
}

/// Takes the pictures and ends the program.
void takePictures(MainWindow& window, views::Workspace& workspace, const QString& folder) {
    auto* shots = new Screenshots(window, workspace, folder);
    QObject::connect(shots, &Screenshots::finished, qApp, [](bool ok, const QString& message) {
        std::fprintf(ok ? stdout : stderr, "%s%s\n", ok ? "" : "pimstudio: ", qPrintable(message));
        QApplication::exit(ok ? 0 : 1);
    });
    shots->start();
}

/// From the first window to the last. \p isShared: other starts of the program are to open in this one.
int show(const QCommandLineParser& parser, Settings& settings, bool isShared, const QString& logProblem) {
    const bool unattended = parser.isSet(QStringLiteral("screenshots"));
    const QTemporaryDir ownRecovery; // pictures leave nothing behind, and show nothing of others
    std::vector<std::filesystem::path> folders;
    for (const QString& extra : parser.values(QStringLiteral("targets")))
        folders.emplace_back(extra.toStdString());
    const BackendList backends = builtinBackends();
    const views::FamilyList families = studio::families();
    views::Workspace workspace(backends, TargetCatalog::load(folders), families);

    const tl::expected<WhatToOpen, QString> what = whatToOpen(parser, workspace.catalog());
    if (!what)
        return usageError(what.error());
    MainWindow window(workspace, settings);
    window.setUnattended(unattended);
    if (what->type) {
        CompileOptions options = workspace.options();
        options.computeType = *what->type;
        workspace.setStartOptions(options);
    }
    workspace.setTarget(firstTarget(what->target, settings, workspace.catalog()));
    Session session(window, workspace);
    if (parser.isSet(QStringLiteral("until-usable")))
        quitWhenUsable(window);
    Instance instance(Instance::defaultName());
    if (isShared && instance.listen())
        QObject::connect(&instance, &Instance::asked, &window, &MainWindow::openFromElsewhere);
    window.show();
    if (!logProblem.isEmpty())
        window.showError(MainWindow::tr("No log is written to a file"), logProblem);
    beginWork(window, workspace, session,
              {what->path, what->bindings, what->target, parser.isSet(QStringLiteral("new")) || unattended,
               unattended ? QString() : QString::fromStdString(crashFolder().string()),
               unattended ? ownRecovery.path() : views::recoveryFolder()});
    if (unattended)
        takePictures(window, workspace, parser.value(QStringLiteral("screenshots")));
    const int result = QApplication::exec();
    if (!unattended && !parser.isSet(QStringLiteral("until-usable")))
        session.save();
    return result;
}

int run(int argc, char** argv) {
    if (!choosePlatform(argc, argv)) {
        std::fputs(
            "pimstudio: there is no display to open a window on; pimc does its work on the command line\n",
            stderr);
        return 1;
    }
    reportCrashes("pimstudio " PIM_VERSION, crashFolder());
    const bool hasLocale = std::setlocale(LC_ALL, "");
    routeQtMessages();
    const QApplication app(argc, argv);
    std::setlocale(LC_NUMERIC, "C"); // files have points in their numbers
    nameApplication();
    QCommandLineParser parser;
    declareOptions(parser);
    parser.process(app);
    if (const Result<void> checked = checkJobsVariable(); !checked)
        return usageError(QString::fromStdString(checked.error().text()));
    const auto logProblem = beginLog(parser);
    if (!logProblem)
        return usageError(logProblem.error());
    const bool unattended = parser.isSet(QStringLiteral("screenshots"));
    const bool isShared =
        !unattended && std::none_of(std::begin(kOwnWindow), std::end(kOwnWindow), [&](const char* option) {
            return parser.isSet(QString::fromLatin1(option));
        });
    if (isShared &&
        Instance::handOver(Instance::defaultName(), seenFromAnywhere(parser.positionalArguments().value(0))))
        return 0;
    const QTemporaryDir ownSettings;
    if (unattended) { // pictures neither depend on what a person has set nor change it
        QSettings::setDefaultFormat(QSettings::IniFormat);
        QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, ownSettings.path());
    }
    ensureFonts();
    if (const auto chosen = chooseLanguage(parser.value(QStringLiteral("language")), hasLocale); !chosen)
        return usageError(chosen.error());
    Settings settings;
    if (const auto chosen = chooseTheme(settings, parser.value(QStringLiteral("theme"))); !chosen)
        return usageError(chosen.error());
    return show(parser, settings, isShared, *logProblem);
}

} // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "pimstudio: internal error: %s\n", error.what());
        return 2;
    }
}
