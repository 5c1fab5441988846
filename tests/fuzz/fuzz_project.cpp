// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// A project with a run, a sweep, drafts and decisions, damaged as the input says, then read as a whole. The first byte chooses:
///   p  its pages: edits of [place 3 B, length 1 B, bytes] in the file as it is; length 255 cuts it off there
///   v  its values: edits of [table 1 B, column 1 B, row 1 B, how 1 B, place 2 B, removed 1 B, length 1 B, bytes], which SQLite
///      does, so that what is damaged is only what we wrote; how: text, blob, number, null
///   f  the rest is the file
/// libFuzzer's build reads each input in one of three ways, as a checksum of it says: all three take three times as long and rarely
/// differ about the damage. The test does all.
#include "core/compile/sweep.h"
#include "core/drafts/draft_table.h"
#include "core/project/database.h"
#include "core/project/decision_state.h"
#include "core/project/project.h"
#include "core/project/query.h"
#include "tests/core_project/sample_plan.h"
#include "tests/fuzz/fuzz.h"

#include <sqlite3.h>

#include <array>
#include <fstream>
#include <functional>
#include <iterator>
#include <utility>

using namespace pim;

extern "C" { // of glibc, below what sanitizers put in front of it
void* __libc_malloc(std::size_t);
void* __libc_realloc(void*, std::size_t);
void __libc_free(void*);
}

namespace {

class Bytes {
public:
    explicit Bytes(std::string_view rest) : m_rest(rest) {}
    bool isDone() const { return m_rest.empty(); }
    std::size_t number(int bytes) {
        std::size_t value = 0;
        for (; bytes > 0 && !m_rest.empty(); --bytes) {
            value = value << 8 | static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
        }
        return value;
    }
    std::string_view text(std::size_t length) {
        const std::string_view taken = m_rest.substr(0, length);
        m_rest.remove_prefix(taken.size());
        return taken;
    }

private:
    std::string_view m_rest;
};

template <class T>
T valueOf(Result<T> result) {
    fuzz::require(bool(result), result ? "" : result.error().text());
    return std::move(*result);
}

KnownDraft knownDraft(const std::string& question) {
    KnownDraft known;
    known.question = question;
    known.code = "code";
    known.targetId = "attacc";
    known.sizes = "b=1";
    known.kernel = "def gemv(…)\n";
    known.residency = "streamed resident streamed";
    known.optionsJson = R"({"verify_drafts":8})";
    known.draft = "[[2, 2, A0=b]] expanded";
    known.price = {0.1, 1.0 / 3, 4e-17, 12.5};
    return known;
}

/// The shortest of all: a project holds its text three times, and most of the time would go into reading it.
constexpr const char* kTarget = "isscc21-dual";

/// The file of a project with something in every table.
std::string sound() {
    const auto file = fuzz::folder() / "sound.pimproj";
    {
        const auto project = valueOf(Project::open(file));
        const auto plan = sample::plan(8);
        plan->target = valueOf(TargetCatalog::load().find(kTarget));
        RunContext context;
        context.label = "first";
        context.explorations = {sample::exploration(*plan, 0, 50)};
        fuzz::require(bool(project->recordRun(*plan, context)), "the run is stored");
        SweepSetup setup;
        setup.base = plan->graph;
        setup.request.target = plan->target;
        setup.axes = valueOf(parseSweep("batch=1,2;seq=32,64"));
        const std::int64_t sweep = valueOf(project->addSweep(setup));
        SweepPoint point{
            .index = 1, .values = sweepValues(setup.axes, 1), .totalNs = 10, .hostOnlyNs = 20, .macs = 30};
        point.baselines = {{"host", "all on the host", 20}};
        point.figures = {{"area_mm2", 3.5}};
        fuzz::require(bool(project->recordSweepPoint(sweep, point)), "the point is stored");
        point = {.index = 2, .values = sweepValues(setup.axes, 2), .problem = "too large"};
        fuzz::require(bool(project->recordSweepPoint(sweep, point)), "the other point is stored");
        const std::vector drafts{knownDraft("1"), knownDraft("2")};
        fuzz::require(bool(project->storeKnownDrafts(drafts)), "the drafts are stored");
        DecisionState state;
        state.modelPath = "/models/chain.onnx";
        state.modelHash = plan->graph->source.structureHash;
        state.target = plan->target;
        state.graph.bindings = {{"batch", 4}};
        state.graph.disabledPasses = {"fuse_gelu"};
        state.graph.passOptions = {{"fuse_attention", {{"mask", "none"}}}};
        Overrides overrides;
        overrides.set({"MatMul_1", "placement", "pim"});
        state.variants = {{"main", {}, {}}, {"other", "main", overrides}};
        state.marks = {{"MatMul_1", {"MatMul", "[1] -> [1]", 1, 0, 2, {"x", "W"}, "y"}}};
        state.notes = {{1, "MatMul_1", "network", 1, 2, "slow"}};
        state.lastNote = 1;
        state.viewStates = {{"graph", "{\"zoom\": 1}"}};
        fuzz::require(bool(project->saveDecisions(state)), "the decisions are stored");
    }
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string withEdits(std::string bytes, Bytes edits) {
    while (!edits.isDone()) {
        const std::size_t at = edits.number(3) % bytes.size(), length = edits.number(1);
        if (length == 255)
            bytes.resize(std::max<std::size_t>(at, 1));
        else
            for (std::size_t i = at; const char c : edits.text(length))
                bytes[i++ % bytes.size()] = c;
    }
    return bytes;
}

struct Column {
    std::string table, name;
};

/// Of all tables, in the order of the schema.
std::vector<std::vector<Column>> columnsOf(const Database& database) {
    std::vector<std::vector<Column>> tables;
    auto rows = valueOf(
        database.prepare("SELECT m.name, c.name FROM sqlite_schema m, pragma_table_info(m.name) c "
                         "WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' ORDER BY m.rowid, c.cid"));
    while (valueOf(rows.step())) {
        const Column column{rows.text(0), rows.text(1)};
        if (tables.empty() || tables.back().front().table != column.table)
            tables.emplace_back();
        tables.back().push_back(column);
    }
    return tables;
}

/// What SQLite does not allow is left as it is.
void editValues(const std::filesystem::path& file, Bytes edits) {
    const auto database = valueOf(Database::open(file, Database::Mode::ReadWrite));
    static const std::vector<std::vector<Column>> tables = columnsOf(*database);
    fuzz::require(bool(database->run("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF; "
                                     "PRAGMA ignore_check_constraints = ON; BEGIN")),
                  "the project can be edited");
    while (!edits.isDone()) {
        const auto& table = tables[edits.number(1) % tables.size()];
        const Column& column = table[edits.number(1) % table.size()];
        const std::size_t row = edits.number(1), how = edits.number(1), at = edits.number(2),
                          removed = edits.number(1);
        const std::string_view put = edits.text(edits.number(1));
        const std::string key =
            fmt::format("(SELECT {0} FROM {1} LIMIT 1 OFFSET {2} % max(1, (SELECT count(*) FROM {1})))",
                        table.front().name, column.table, row);
        std::string old;
        if (auto read = database->prepare(fmt::format("SELECT {} FROM {} WHERE {} = {}", column.name,
                                                      column.table, table.front().name, key)))
            if (auto found = read->step(); found && *found)
                old = read->text(0);
        const std::size_t place = std::min(at, old.size());
        old.replace(place, std::min(removed, old.size() - place), put);
        auto change = database->prepare(fmt::format("UPDATE OR IGNORE {0} SET {1} = {2} WHERE {3} = {4}",
                                                    column.table, column.name,
                                                    how % 4 == 0   ? "?1"
                                                    : how % 4 == 1 ? "CAST(?1 AS BLOB)"
                                                    : how % 4 == 2 ? "CAST(?1 AS NUMERIC)"
                                                                   : "nullif(?1, ?1)",
                                                    table.front().name, key));
        if (change)
            (void)change->bind(old).run();
    }
    (void)database->run("COMMIT");
}

void readStored(const std::filesystem::path& file) {
    const auto project = Project::open(file, Project::Mode::ReadOnly);
    if (!project)
        return;
    const Project& p = **project;
    (void)p.checkIntegrity();
    constexpr std::size_t kSome = 8;
    if (const auto runs = p.runs())
        for (std::size_t i = 0; i < std::min(runs->size(), kSome); ++i) {
            const std::int64_t id = (*runs)[i].id;
            (void)p.run(id);
            (void)p.runDevices(id);
            (void)p.runStages(id);
            (void)p.recipe(id);
            if (const auto ops = p.runOps(id); ops && !ops->empty())
                (void)p.runDrafts(id, ops->front().name);
        }
    if (const auto sweeps = p.sweeps())
        for (std::size_t i = 0; i < std::min(sweeps->size(), kSome); ++i)
            if (const auto sweep = p.sweep((*sweeps)[i].id))
                (void)markSweep(sweep->info.axes, sweep->points);
    (void)p.findSweep({});
    if (const auto drafts = p.knownDrafts())
        (void)drafts->problems(file);
    (void)p.variants();
    if (const auto state = p.decisions(); state && *state)
        (void)decisionsText(**state);
}

void readAsConsole(const std::filesystem::path& file) {
    if (const auto query = ProjectQuery::open(file))
        (void)query->schema();
}

/// As a window does: older schemas are migrated, and decisions saved.
void readAndWrite(const std::filesystem::path& file) {
    const auto project = Project::open(file);
    if (!project)
        return;
    const auto state = (*project)->decisions();
    if (state && *state)
        (void)(*project)->saveDecisions(**state);
    (void)(*project)->setValue("key", "value");
}

/// SQLite is not compiled with sanitizers, but would allocate with theirs: two fifths of the time of an execution. Sizes are in
/// front of what is allocated. Our own readers see its memory only through copies of known length.
struct PlainMemory {
    static constexpr std::size_t kHead = 16; // as malloc aligns
    static void* begin(void* whole, int bytes) {
        if (!whole)
            return nullptr;
        *static_cast<int*>(whole) = bytes;
        return static_cast<char*>(whole) + kHead;
    }
    static void* whole(void* begin) { return static_cast<char*>(begin) - kHead; }
    static void* allocate(int bytes) { return begin(__libc_malloc(std::size_t(bytes) + kHead), bytes); }
    static void* resize(void* old, int bytes) {
        return begin(__libc_realloc(whole(old), std::size_t(bytes) + kHead), bytes);
    }
    static void release(void* old) {
        if (old)
            __libc_free(whole(old));
    }
    static int sizeOf(void* old) { return old ? *static_cast<int*>(whole(old)) : 0; }
    static int roundUp(int bytes) { return (bytes + 7) & ~7; }
    static int init(void*) { return SQLITE_OK; }
    static void shutDown(void*) {}
};

void usePlainMemory() {
    sqlite3_mem_methods methods{
        PlainMemory::allocate, PlainMemory::release, PlainMemory::resize,   PlainMemory::sizeOf,
        PlainMemory::roundUp,  PlainMemory::init,    PlainMemory::shutDown, nullptr};
    fuzz::require(sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) == SQLITE_OK, "SQLite takes other memory");
}

} // namespace

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    if (static bool isFirst = true; fuzz::kByLibFuzzer && std::exchange(isFirst, false))
        usePlainMemory();
    static const std::string whole = sound();
    if (size == 0)
        return 0;
    const std::string_view rest = fuzz::textOf(data + 1, size - 1);
    std::filesystem::path file;
    if (data[0] == 'f') {
        file = fuzz::fileOf("damaged.pimproj", rest);
    } else if (data[0] == 'p') {
        file = fuzz::fileOf("damaged.pimproj", withEdits(whole, Bytes(rest)));
    } else {
        file = fuzz::fileOf("damaged.pimproj", whole);
        editValues(file, Bytes(rest));
    }
    constexpr std::array ways{readStored, readAsConsole, readAndWrite};
    if (fuzz::kByLibFuzzer)
        ways[std::hash<std::string_view>{}(rest) % ways.size()](file);
    else
        for (const auto way : ways)
            way(file);
    for (const char* beside : {"-wal", "-shm", "-journal"})
        std::filesystem::remove(file.string() + beside);
    return 0;
}
