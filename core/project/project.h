// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// The project: one SQLite file with variants (named sets of overrides), runs with full provenance, sweeps,
/// best drafts, notes and window layout. Write-ahead logging; every change is a transaction, so a killed process loses nothing that
/// was reported done.
#include "core/compile/point_record.h"
#include "core/compile/search/search.h"
#include "core/drafts/draft_table.h"
#include "core/plan/backend.h"
#include "core/plan/draft_facet.h"
#include "core/project/decision_state.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>

namespace pim {

struct VariantInfo {
    std::int64_t id = 0;
    std::string name;        ///< Unique; the first one is "main".
    std::int64_t parent = 0; ///< Variant it was branched from; 0: none.
    Overrides overrides;
};

/// A stored run without its per-op rows.
struct RunInfo {
    std::int64_t id = 0;
    std::string label;
    std::string variant;
    std::string modelPath, modelHash; ///< Hash: ModelSource::structureHash.
    std::string modelName;
    std::string targetId, targetHash;
    std::string host;
    std::string bindings; ///< "batch=1,past=512"
    std::string overridesJson, optionsJson;
    std::string toolVersion, backend;
    std::uint64_t seed = 0;
    std::string startedUtc; ///< ISO 8601.
    double compileMs = 0;
    double totalNs = 0, hostOnlyNs = 0, residentLoadNs = 0;
    bool inFlight = false; ///< The total is from one sample to the next, see PlanDetail::firstSampleNs().
    Origin origin = Origin::Predicted;
    std::string note;
};

struct RunOp {
    std::string name, type, placement, draft, reason;
    Origin origin = Origin::Predicted;
    CostSplit cost;
    double hostOnlyNs = 0;
    std::int64_t macs = 0, bytes = 0;
    std::int64_t draftsEnumerated = 0, draftsKept = 0;
};

/// The machines of a stored run. Parts and transfers only where there are several.
struct RunDevices {
    struct Machine {
        std::string name, targetId, targetHash;
    };
    struct Part {
        DeviceId device;
        std::vector<std::string> ops;
        double totalNs = 0, hostOnlyNs = 0; ///< Without transfers.
        std::string detailKind, detailJson; ///< As PlanDetail has them; empty for machines that run op by op.
    };
    struct Moved {
        std::string tensor;
        DeviceId from, to;
        std::int64_t bytes = 0;
        double ns = 0;
    };
    std::vector<Machine> machines;
    std::vector<Part> parts;      ///< In the order in which they run.
    std::vector<Moved> transfers; ///< Their times are in those of ops.
};

/// Everything recordRun needs beside the plan.
struct RunContext {
    std::string variant = "main";
    std::string label;
    CompileOptions options;
    double compileMs = 0;
    /// Explorations to keep with the run (top drafts in full, all as compact columns).
    std::vector<std::shared_ptr<const Exploration>> explorations;
};

/// Everything a stored run was made from: importing, building and compiling with it gives the same plan
/// again, if it has one machine.
struct RunRecipe {
    std::filesystem::path
        modelPath;         ///< Where it was, or the same path seen from a project that moved with its model.
    std::string modelHash; ///< What Graph::source.structureHash must be for the run to be the same.
    GraphOptions graph;
    std::shared_ptr<const Target> target;
    Overrides overrides;
    CompileOptions options;
    std::vector<std::string> machines; ///< Their names; the first is \ref target.

    /// Error::Unsupported for a run over several: how the network was cut is no choice that is stored.
    Result<void> requireOneMachine() const;
};

/// Hands over points, as often as it likes, and gives back what went wrong.
using SweepPointSource =
    std::function<Result<void>(const std::function<Result<void>(std::span<const PointRecord>)>& add)>;

/// How a sweep is searched of which only some points are computed.
struct StoredSearch {
    SearchOptions options;
    std::vector<std::string> objectives; ///< Empty: what the front is usually by.
    bool isFinished = false;
    friend bool operator==(const StoredSearch&, const StoredSearch&) = default;
};

/// What of a sweep was simulated to confirm its front.
struct StoredConfirmation {
    double margin = 0;                   ///< 0.1: a tenth.
    std::vector<std::string> objectives; ///< Of what was predicted.
    std::vector<SweepPoint> points;      ///< By index, ascending.
};

/// A stored sweep without its points.
struct SweepInfo {
    std::int64_t id = 0;
    std::string name;                 ///< Unique.
    std::string startedUtc;           ///< ISO 8601.
    std::string modelName, modelPath; ///< networksText(); where the first is.
    std::string targetId;             ///< Of the sweep as a whole; an axis may name others.
    std::vector<SweepAxis> axes;
    std::int64_t finished = 0, failed = 0; ///< Points there are; how many of them have a problem.
    std::optional<StoredSearch> search;    ///< Nothing: all points are computed.

    std::int64_t size() const { return sweepSize(axes); }
    /// Points there are in the end.
    std::int64_t wanted() const {
        return search && search->options.method != SearchMethod::Exhaustive
                   ? std::max(finished, std::min(size(), search->options.evaluations))
                   : size();
    }
    bool isComplete() const { return search ? search->isFinished : finished == size(); }
};

struct StoredSweep {
    SweepInfo info;
    SweepSetup setup;      ///< Without models and bases: loadSweep() reads them.
    std::string modelHash; ///< What that of the base must be for the rest to belong to what is there.
    std::vector<SweepPoint> points; ///< By index, ascending.
    /// Indices in the order in which a search computed them; those of which it is not known came before.
    std::vector<std::int64_t> turns;
    std::optional<StoredConfirmation> confirmation;

    /// Points with those in place that were simulated.
    std::vector<SweepPoint> shownPoints() const;
    /// What their front is by, where nothing else was asked for; empty: as usual.
    std::vector<std::string> shownObjectives() const;
};

/// Best drafts that a project knows.
struct StoredDrafts {
    std::vector<KnownDraft> drafts; ///< By target, form, sizes.
    std::int64_t damaged = 0;       ///< Rows left out because they are not what was stored.
    /// What a person should know; empty: nothing is wrong.
    Diagnostics problems(const std::filesystem::path& project) const;
};

/// One open project file. Not thread-safe: use from one thread. A second writer waits up to 5 s, then gets an
/// Error.
class Project {
public:
    enum class Mode { ReadWrite, ReadOnly };
    static constexpr int kSchemaVersion = 13;
    static constexpr std::size_t kTopDrafts = 100; ///< Stored in full with each exploration.

    /// Opens, creating the file if absent (ReadWrite). Older schemas are migrated in one transaction, a newer
    /// one opens read-only with a diagnostic. Errors: Io, Database (not a project, corrupt, locked).
    static Result<std::unique_ptr<Project>> open(const std::filesystem::path& file,
                                                 Mode mode = Mode::ReadWrite);
    ~Project();

    const std::filesystem::path& file() const;
    bool readOnly() const;
    const Diagnostics& problems() const; ///< Why it is read-only though ReadWrite was asked for.
    Result<void> checkIntegrity() const; ///< Reads the whole file. Error::Database says what is damaged.
    /// All that is stored now, also while others write. \param file absent, or empty. Errors: Database, it cannot be written.
    Result<void> copyTo(const std::filesystem::path& file) const;

    Result<std::int64_t> recordRun(const Plan& plan, const RunContext& context);
    Result<std::vector<RunInfo>> runs() const;                ///< Newest first.
    Result<RunInfo> run(std::int64_t id) const;               ///< Error::NotFound lists the ids there are.
    Result<std::vector<RunOp>> runOps(std::int64_t id) const; ///< In op order.
    Result<RunDevices> runDevices(std::int64_t id) const;
    Result<void> setRunLabel(std::int64_t id, const std::string& label);
    Result<void> setRunNote(std::int64_t id, const std::string& note);
    Result<void> deleteRun(std::int64_t id);
    /// Text of drafts stored with the run for an op, cheapest first, with their costs.
    Result<std::vector<std::pair<std::string, CostSplit>>> runDrafts(std::int64_t id,
                                                                     const std::string& op) const;
    Result<std::vector<StageTime>> runStages(std::int64_t id) const;
    Result<RunRecipe> recipe(std::int64_t id) const;

    /// \param setup prepared. An empty \p name: "sweep 1" and so on. Error::Usage if there is one of this name.
    Result<std::int64_t> addSweep(const SweepSetup& setup, const std::string& name = {});
    /// The same sweep, if it is there (under this name, if one is given), else a new one. Error::Usage if the name is that of another sweep.
    Result<std::int64_t> findOrAddSweep(const SweepSetup& setup, const std::string& name = {});
    /// Stored once it returns. A point that is there already stays as it was; Error::Usage if it has other figures.
    Result<void> recordSweepPoint(std::int64_t sweep, const SweepPoint& point);
    /// From now on points are recorded with their turn. \p search also says whether it is finished.
    Result<void> setSearch(std::int64_t sweep, const StoredSearch& search);
    /// Its points are left to recordConfirmed().
    Result<void> setConfirmation(std::int64_t sweep, const StoredConfirmation& confirmation);
    /// As recordSweepPoint(), beside the point that was predicted.
    Result<void> recordConfirmed(std::int64_t sweep, const SweepPoint& point);
    /// As recordSweepPoint() for all that \p produce hands over: all of it or, on an error, nothing.
    Result<void> addSweepPoints(std::int64_t sweep, const SweepPointSource& produce);
    Result<std::vector<SweepInfo>> sweeps() const; ///< Newest first.
    Result<StoredSweep> sweep(std::int64_t id) const;
    /// Empty: the newest. Error::NotFound lists the names.
    Result<std::int64_t> findSweep(const std::string& name) const;
    Result<void> deleteSweep(std::int64_t id);
    /// Says that this process computes the sweep from now on. Error::Usage while another one that is alive does.
    Result<void> claimSweep(std::int64_t id);
    Result<void> releaseSweep(std::int64_t id);

    Result<StoredDrafts> knownDrafts() const;
    /// One a question: an answer of other code takes the place of the one there was.
    Result<void> storeKnownDrafts(std::span<const KnownDraft> drafts);
    /// \param target id; empty: all. \returns how many went.
    Result<std::int64_t> clearKnownDrafts(const std::string& target = {});

    Result<std::vector<VariantInfo>> variants() const;
    Result<VariantInfo> variant(const std::string& name) const;
    Result<void> saveVariant(const std::string& name, const Overrides& overrides,
                             const std::string& parent = {});
    /// With its decisions. Error::NotFound; Usage for one that is in force, or that another was branched from.
    Result<void> removeVariant(const std::string& name);

    /// All of a person's decisions, in one transaction. Variants of the file that \p state does not have stay, because another
    /// program may have made them, unless they are among \p removedVariants.
    Result<void> saveDecisions(const DecisionState& state,
                               const std::vector<std::string>& removedVariants = {});
    Result<std::optional<DecisionState>> decisions() const; ///< nullopt: only runs were ever stored.

    /// Free key-value settings: model path, bindings, target, window layout.
    Result<void> setValue(const std::string& key, const std::string& value);
    std::optional<std::string> value(const std::string& key) const;

private:
    Project();
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace pim
