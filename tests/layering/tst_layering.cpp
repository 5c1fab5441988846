// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Reads every #include of the tree and fails on one that points the wrong way:
///   core <- backends <- app;  core <- views/models <- views/VIEW <- app/studio
/// on a third-party header outside the one folder it belongs to, and on a family of hardware that the window knows outside
/// the family's own folder.
#include <QtTest>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

namespace {

struct Include {
    std::string file;   ///< From the source root: "core/graph/import.cpp"
    std::string header; ///< As written between the quotes or brackets.
    bool quoted = false;
};

bool startsWith(const std::string& text, const std::string& prefix) {
    return text.rfind(prefix, 0) == 0;
}

/// The first \p depth folders of a path: room("core/graph/file/wire.cpp", 2) == "core/graph"
std::string room(const std::string& path, int depth) {
    std::size_t end = 0;
    for (int i = 0; i < depth; ++i) {
        const std::size_t slash = path.find('/', end);
        if (slash == std::string::npos)
            break;
        end = slash + 1;
    }
    return path.substr(0, end == 0 ? 0 : end - 1);
}

bool isHeader(const std::string& file) {
    return file.size() > 2 && file.compare(file.size() - 2, 2, ".h") == 0;
}

/// <QString>, <QtTest>, <QtGui/QPainter>
bool isQt(const std::string& header) {
    static const std::regex qt("^(Q[A-Z]|Qt|q[a-z]+\\.h$).*");
    return std::regex_match(header, qt);
}

/// Headers that one folder alone may include.
struct Owner {
    const char* pattern;
    const char* folder;
};
constexpr Owner kOwners[] = {
    {"^(onnx|google/protobuf)/.*", "core/graph/"},
    {"^sqlite3.*", "core/project/"},
    {"^xgboost/.*", "core/predict/"},
    {"^openssl/.*", "core/base/"},
    {"^(cairo|pango/|fontconfig/).*", "core/report/"},
    {"^utf8proc.*", "core/base/"},
    {"^zlib.*", "core/base/"},
    {"^CLI/.*", "app/pimc/"},
    {"^mpi\\.h", "app/pimc_mpi/"},
    {"^(pybind11/.*|Python\\.h)$", "app/python/"},
    {"^qcustomplot\\.h$", "views/"},
    {"^(archive(_entry)?\\.h|elfutils/.*)$", "core/support/"},
    {"^sys/mman\\.h$", "core/base/mapped_file.cpp"},
};

/// Families of hardware with a folder of their own in views/, and how they are called in texts.
constexpr const char* kFamilies[] = {"crossbar", "cinm", "dram_pim", "dual_mode", "memristor", "upmem"};
/// Where a family's own headers are, as long as they are not all in backends/.
constexpr const char* kFamilyRooms[] = {"backends/crossbar/", "backends/dual_mode/", "core/dram/",
                                        "core/dram_pim/"};
/// Names every family of the window: one line each.
constexpr const char* kFamilyLists[] = {"app/studio/families.cpp"};

bool isFamilyView(const std::string& file) {
    return std::ranges::any_of(kFamilies, [&](const char* family) {
        return startsWith(file, std::string("views/") + family + "/");
    });
}

/// A file of the window that must do for all families.
bool isNeutral(const std::string& file) {
    return (startsWith(file, "views/") || startsWith(file, "app/studio/")) && !isFamilyView(file) &&
           std::ranges::find(kFamilyLists, file) == std::end(kFamilyLists);
}

bool isOfFamily(const std::string& header) {
    return header != "backends/builtin.h" && // the list of them
           (startsWith(header, "backends/") || isFamilyView(header) ||
            std::ranges::any_of(kFamilyRooms, [&](const char* of) { return startsWith(header, of); }));
}

/// The string literals of a line of code, one after the other.
std::string literalsOf(const std::string& line) {
    std::string found;
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const bool quote = line[i] == '"' && (i == 0 || line[i - 1] != '\'');
        if (inside && line[i] == '\\') {
            ++i;
        } else if (quote) {
            inside = !inside;
            found += ' ';
        } else if (inside) {
            found += line[i];
        } else if (line.compare(i, 2, "//") == 0) {
            break;
        }
    }
    return found;
}

/// The family whose name stands in a string literal of the text, as "dual_mode" or "dual-mode"; empty: none does.
std::string namedFamily(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (startsWith(line, "#include"))
            continue;
        std::string words = literalsOf(line);
        std::ranges::replace(words, '-', '_');
        for (const char* family : kFamilies)
            if (words.find(family) != std::string::npos &&
                std::regex_search(words, std::regex(std::string("(^|[^a-z])") + family + "($|[^a-z])")))
                return family;
    }
    return {};
}

/// The pool, how many threads it has, and a thread that waits for signals all the time.
constexpr const char* kThreadOwners[] = {"core/base/pool.h", "core/base/pool.cpp", "core/base/jobs.cpp",
                                         "app/pimc/interrupt.h", "app/pimc/interrupt.cpp"};

bool startsThreads(const std::string& code) {
    static const std::regex words("std::(jthread|thread|async)\\b|hardware_concurrency|pthread_create|"
                                  "QThreadPool|QtConcurrent|idealThreadCount");
    return std::regex_search(code, words);
}

/// What is wrong with one include; empty if nothing is.
std::string violation(const Include& include) {
    const std::string& file = include.file;
    const std::string& header = include.header;
    const auto inside = [&](const char* folder) { return startsWith(file, folder); };
    const auto wants = [&](const char* folder) { return startsWith(header, folder); };

    if (startsWith(header, "..") || startsWith(header, "./"))
        return "relative path; write it from the source root";
    if (wants("tests/"))
        return "the product does not know its tests";
    if (wants("app/") && room(file, 2) != room(header, 2) &&
        !(inside("app/pimc/") && wants("app/evaluation/")))
        return "nothing is built on a program";
    if (inside("core/") && (wants("backends/") || wants("views/")))
        return "core is below backends and views";
    if (inside("backends/") && wants("views/"))
        return "backends know no view";
    if (inside("views/")) {
        if (wants("backends/") && !isFamilyView(file))
            return "only the view of a family knows its backend";
        const std::string from = room(file, 2), to = room(header, 2);
        if (wants("views/") && from != to) {
            if (from == "views/common")
                return "views/common is below all other views";
            if (from == "views/models" && to != "views/common")
                return "views/models is below the views";
            if (to != "views/models" && to != "views/common")
                return "views meet in views/models, not in each other";
        }
    }
    if (isNeutral(file) && isOfFamily(header))
        return "only the folder of a family and app/studio/families.cpp know it";
    const bool isWindowless =
        inside("app/pimc/") || inside("app/pimc_mpi/") || inside("app/evaluation/") || inside("app/python/");
    if (isWindowless && wants("views/"))
        return "only the window has views";
    if ((inside("core/") || inside("backends/") || isWindowless) && isQt(header))
        return "no Qt here";
    if (wants("nlohmann/") && isHeader(file))
        return "JSON stays in .cpp files";
    for (const Owner& owner : kOwners)
        if (std::regex_match(header, std::regex(owner.pattern)) && !startsWith(file, owner.folder))
            return std::string("only ") + owner.folder + " may include it";
    return {};
}

std::string readFile(const fs::path& path) {
    std::ifstream stream(path, std::ios::binary);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

const fs::path kRoot = PIM_SOURCE_DIR;

/// All files of these extensions below the folders, as paths from the source root.
std::vector<std::string> sources(const std::vector<std::string>& folders,
                                 const std::set<std::string>& extensions = {".h", ".cpp"}) {
    std::vector<std::string> files;
    for (const std::string& folder : folders) {
        if (!fs::exists(kRoot / folder))
            continue;
        for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
            if (entry.is_regular_file() && extensions.contains(entry.path().extension().string()))
                files.push_back(fs::relative(entry.path(), kRoot).generic_string());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

const std::vector<std::string> kProduct{"app", "backends", "core", "views"};

std::vector<Include> includesOf(const std::string& file) {
    static const std::regex line(R"(^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"])");
    std::vector<Include> found;
    std::istringstream text(readFile(kRoot / file));
    std::smatch match;
    for (std::string row; std::getline(text, row);)
        if (std::regex_search(row, match, line))
            found.push_back({file, match[2], match[1] == "\""});
    return found;
}

const std::vector<Include>& allIncludes() {
    static const std::vector<Include> found = [] {
        std::vector<Include> all;
        for (const std::string& file : sources(kProduct))
            for (Include& include : includesOf(file))
                all.push_back(std::move(include));
        return all;
    }();
    return found;
}

/// Names of a cycle in the graph, first and last the same; empty if there is none.
std::vector<std::string> cycle(const std::map<std::string, std::set<std::string>>& edges) {
    std::set<std::string> done;
    std::vector<std::string> path;
    const std::function<bool(const std::string&)> visit = [&](const std::string& node) {
        if (const auto at = std::find(path.begin(), path.end(), node); at != path.end()) {
            path.erase(path.begin(), at);
            path.push_back(node);
            return true;
        }
        if (!done.insert(node).second)
            return false;
        path.push_back(node);
        if (const auto next = edges.find(node); next != edges.end())
            for (const std::string& to : next->second)
                if (visit(to))
                    return true;
        path.pop_back();
        return false;
    };
    for (const auto& [node, targets] : edges)
        if (visit(node))
            return path;
    return {};
}

QString joined(const std::vector<std::string>& lines) {
    QString text;
    for (const std::string& line : lines)
        text += "\n  " + QString::fromStdString(line);
    return text;
}

} // namespace

class TestLayering : public QObject {
    Q_OBJECT
private slots:
    void rulesFindWhatIsWrong_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<QString>("header");
        QTest::addColumn<bool>("allowed");
        const auto row = [](const char* file, const char* header, bool allowed) {
            QTest::addRow("%s includes %s", file, header) << file << header << allowed;
        };
        row("core/graph/a.cpp", "core/base/result.h", true);
        row("core/graph/a.cpp", "onnx/onnx_pb.h", true);
        row("core/graph/zoo/a.cpp", "onnx/onnx_pb.h", true);
        row("core/compile/a.cpp", "onnx/onnx_pb.h", false);
        row("core/graph/a.cpp", "backends/builtin.h", false);
        row("core/report/a.cpp", "views/common/palette.h", false);
        row("core/base/a.cpp", "QString", false);
        row("core/base/a.cpp", "QtCore/qglobal.h", false);
        row("core/base/a.cpp", "quill.hpp", true);
        row("backends/host/a.cpp", "QPainter", false);
        row("backends/host/a.cpp", "core/plan/host_model.h", true);
        row("backends/host/a.cpp", "views/models/workspace.h", false);
        row("views/drafts/a.cpp", "views/models/workspace.h", true);
        row("views/drafts/a.cpp", "views/common/palette.h", true);
        row("views/drafts/a.cpp", "views/drafts/b.h", true);
        row("views/drafts/a.cpp", "views/tiles/b.h", false);
        row("views/drafts/a.cpp", "backends/builtin.h", false);
        row("views/dual_mode/a.cpp", "backends/dual_mode/plan.h", true);
        row("views/dual_mode/a.cpp", "backends/dual_mode/plan.h", true);
        row("views/upmem/a.cpp", "views/models/family_panels.h", true);
        row("views/upmem/a.cpp", "views/tiles/b.h", false);
        row("views/hardware/a.cpp", "backends/crossbar/plan/plan.h", false);
        row("views/models/a.cpp", "backends/dual_mode/plan.h", false);
        row("views/tiles/a.cpp", "core/dram/address.h", false);
        row("app/studio/a.cpp", "backends/dual_mode/plan.h", false);
        row("app/studio/a.cpp", "backends/crossbar/crossbar.h", false);
        row("app/studio/a.cpp", "views/crossbar/b.h", false);
        row("app/studio/families.cpp", "views/crossbar/crossbar_panels.h", true);
        row("views/models/a.cpp", "views/tiles/b.h", false);
        row("views/common/a.cpp", "views/models/workspace.h", false);
        row("views/drafts/a.cpp", "app/studio/main_window.h", false);
        row("app/studio/a.cpp", "backends/builtin.h", true);
        row("app/studio/a.cpp", "views/drafts/b.h", true);
        row("app/studio/a.cpp", "app/studio/b.h", true);
        row("app/studio/a.cpp", "app/pimc/b.h", false);
        row("app/pimc/a.cpp", "QString", false);
        row("app/pimc/a.cpp", "views/common/palette.h", false);
        row("app/pimc/a.cpp", "CLI/CLI.hpp", true);
        row("app/studio/a.cpp", "CLI/CLI.hpp", false);
        row("app/pimc_mpi/a.cpp", "mpi.h", true);
        row("app/pimc/a.cpp", "mpi.h", false);
        row("app/python/a.cpp", "pybind11/pybind11.h", true);
        row("app/python/a.cpp", "QString", false);
        row("app/python/a.cpp", "views/common/palette.h", false);
        row("core/base/a.cpp", "pybind11/pybind11.h", false);
        row("app/pimc/a.cpp", "app/evaluation/b.h", true);
        row("app/evaluation/a.cpp", "app/pimc/b.h", false);
        row("app/evaluation/a.cpp", "backends/llm/b.h", true);
        row("app/evaluation/a.cpp", "views/common/palette.h", false);
        row("app/evaluation/a.cpp", "QString", false);
        row("core/project/a.cpp", "sqlite3.h", true);
        row("core/report/a.cpp", "sqlite3.h", false);
        row("core/report/a.cpp", "nlohmann/json.hpp", true);
        row("core/report/a.h", "nlohmann/json.hpp", false);
        row("core/base/mapped_file.cpp", "sys/mman.h", true);
        row("core/base/paths.cpp", "sys/mman.h", false);
        row("core/base/a.cpp", "../graph/graph.h", false);
        row("core/base/a.cpp", "tests/support/a.h", false);
    }
    void rulesFindWhatIsWrong() {
        QFETCH(QString, file);
        QFETCH(QString, header);
        QFETCH(bool, allowed);
        const std::string found = violation({file.toStdString(), header.toStdString(), true});
        QVERIFY2(found.empty() == allowed, found.empty() ? "no rule forbids it" : found.c_str());
    }

    void cyclesAreFound() {
        QVERIFY(cycle({{"a", {"b"}}, {"b", {"c"}}, {"c", {}}}).empty());
        const std::vector<std::string> expected{"b", "c", "b"};
        QCOMPARE(cycle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), expected);
    }

    void everyIncludePointsTheRightWay() {
        std::vector<std::string> wrong;
        for (const Include& include : allIncludes())
            if (const std::string why = violation(include); !why.empty())
                wrong.push_back(include.file + " includes " + include.header + ": " + why);
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
        QVERIFY(allIncludes().size() > 100); // the walk found the tree
    }

    void quotedIncludesAreFilesOfTheTree() {
        std::vector<std::string> wrong;
        for (const Include& include : allIncludes()) {
            const bool generated = include.header == "core/base/version.h" ||
                                   include.header == "core/base/built_with.h" ||
                                   fs::path(include.header).extension() == ".moc";
            if (include.quoted && !generated && !fs::exists(kRoot / include.header))
                wrong.push_back(include.file + " includes \"" + include.header + "\"");
        }
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }

    void namesInLiteralsAreFound_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("family");
        QTest::newRow("literal") << "if (target.family == \"dual-mode\")"
                                 << "dual_mode";
        QTest::newRow("inside a sentence") << "tr(\"strategy=dual-mode,all-compute\")"
                                           << "dual_mode";
        QTest::newRow("second literal") << "f(\"a\\\"b\", \"crossbar\")"
                                        << "crossbar";
        QTest::newRow("comment") << "int a; // a \"crossbar\""
                                 << "";
        QTest::newRow("include") << "#include \"views/crossbar/crossbar_panels.h\""
                                 << "";
        QTest::newRow("part of a word") << "tr(\"absolute\")"
                                        << "";
        QTest::newRow("no literal") << "return crossbar;"
                                    << "";
    }
    void namesInLiteralsAreFound() {
        QFETCH(QString, line);
        QFETCH(QString, family);
        QCOMPARE(QString::fromStdString(namedFamily(line.toStdString())), family);
    }

    void theWindowNamesNoFamily() {
        std::vector<std::string> wrong;
        for (const std::string& file : sources({"app/studio", "views"}))
            if (const std::string family = isNeutral(file) ? namedFamily(readFile(kRoot / file)) : "";
                !family.empty())
                wrong.push_back(file + " names " + family);
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }

    void roomsOfCoreFormNoCycle() {
        std::map<std::string, std::set<std::string>> edges;
        for (const Include& include : allIncludes()) {
            const std::string from = room(include.file, 2), to = room(include.header, 2);
            if (startsWith(from, "core/") && startsWith(to, "core/") && from != to)
                edges[from].insert(to);
        }
        QVERIFY(edges.size() > 3);
        const std::vector<std::string> found = cycle(edges);
        QVERIFY2(found.empty(), qPrintable(joined(found)));
    }

    void everySourceIsBuilt() {
        std::vector<std::string> wrong;
        for (const std::string& file : sources({"app", "backends", "core", "views", "tests"})) {
            if (isHeader(file))
                continue;
            bool listed = false;
            for (fs::path folder = fs::path(file).parent_path(); !folder.empty() && !listed;
                 folder = folder.parent_path()) {
                const std::string lists = readFile(kRoot / folder / "CMakeLists.txt");
                listed = lists.find(fs::path(file).lexically_relative(folder).generic_string()) !=
                         std::string::npos;
            }
            if (!listed)
                wrong.push_back(file + " is in no CMakeLists.txt");
        }
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }

    void threadsOutsideThePoolAreFound() {
        for (const char* line :
             {"std::jthread watch([] {});", "std::vector<std::thread> all;", "auto next = std::async(work);",
              "QThreadPool::globalInstance()->start(work);", "QtConcurrent::run(work);",
              "const int n = std::thread::hardware_concurrency();"})
            QVERIFY2(startsThreads(line), line);
        for (const char* line :
             {"std::this_thread::yield();", "background.start(work);", "// worker threads"})
            QVERIFY2(!startsThreads(line), line);
    }

    void threadsAreThoseOfThePool() {
        std::vector<std::string> wrong;
        for (const std::string& file : sources(kProduct))
            if (std::ranges::find(kThreadOwners, file) == std::end(kThreadOwners) &&
                startsThreads(readFile(kRoot / file)))
                wrong.push_back(file + " has threads of its own; parallel.h and background.h of core/base "
                                       "have those of the pool");
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }

    void everySourceNamesItsLicence() {
        std::vector<std::string> wrong;
        for (const std::string& file :
             sources({"app", "backends", "core", "resources", "views", "tests"}, {".h", ".cpp", ".c"}))
            if (!startsWith(readFile(kRoot / file), "// SPDX-License-Identifier: GPL-3.0-or-later\n"))
                wrong.push_back(file);
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }

    void everyHeaderSaysWhatItIsFor() {
        std::vector<std::string> folders = kProduct, wrong;
        folders.push_back("resources");
        for (const std::string& file : sources(folders)) {
            const std::string text = isHeader(file) ? readFile(kRoot / file) : "#pragma once \\file";
            if (text.find("#pragma once") == std::string::npos || text.find("\\file") == std::string::npos)
                wrong.push_back(file);
        }
        QVERIFY2(wrong.empty(), qPrintable(joined(wrong)));
    }
};

QTEST_APPLESS_MAIN(TestLayering)
#include "tst_layering.moc"
