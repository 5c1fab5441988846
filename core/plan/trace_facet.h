// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Facet of machines that public simulators model too: command streams in the text formats of those simulators, written and
/// read back. Flow: Plan + op -> [write] -> text -> the original simulator; text -> [read] -> counts, time by our engine.
#include "core/base/task.h"
#include "core/hardware/target.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pim {

struct TraceFormat {
    std::string_view id;        ///< Unique among all machines: "attacc".
    std::string_view simulator; ///< Whose format it is, with the version it was taken from.
    std::string_view summary;   ///< One sentence: what a line says.
    bool wholeNetwork = false;  ///< What is written is for all ops at once as well as for one.
};

/// Takes text piece by piece, in order: traces can be larger than memory.
using TraceSink = std::function<Result<void>(std::string_view)>;

struct TraceRequest {
    std::shared_ptr<const Plan> plan;
    OpId op;                 ///< Invalid: the whole network, where the format has that.
    std::string_view format; ///< One of formats().
    int channels = 0;        ///< Channels written; 0: all that work and the simulator has.
};

/// What was written or read.
struct TraceSummary {
    std::map<std::string, std::int64_t> commands; ///< Of all channels, by the word of the format.
    std::int64_t lines = 0;
    int channels = 0; ///< Or cores. 0: the format has none.
    /// Time of the commands by our own engine under the rules of the original simulator.
    std::optional<std::int64_t> cycles;
    std::optional<double> ns;
    std::string engine;             ///< Which that is: "attacc-compat".
    std::vector<std::string> notes; ///< What the format cannot say, one sentence each.
};

class TraceFacet {
public:
    virtual ~TraceFacet() = default;
    /// At least one; the first is the one that is meant where none is named.
    virtual std::span<const TraceFormat> formats() const = 0;
    /// The op is on PIM. Errors: Unsupported where the simulator has no such command or machine, with the way out;
    /// what \p sink returns; Cancelled.
    virtual Result<TraceSummary> write(const TraceRequest& request, const TraceSink& sink,
                                       const TaskContext& task) const = 0;
    /// Checks a file and counts; times it where an engine of ours runs it. InvalidFile with file and line.
    /// \param target whose sizes and times count where the engine can take them; null: those of the simulator.
    virtual Result<TraceSummary> read(std::string_view format, const std::string& file, const Target* target,
                                      const TaskContext& task) const = 0;
};

class Backend;
/// The facet of \p backend. Error::Unsupported where no simulator is known for the machine.
Result<const TraceFacet*> tracesOf(const Backend& backend);
/// The format of that id among \p facet's, the first one for an empty id. Error::NotFound lists what there is.
Result<const TraceFormat*> traceFormat(const Backend& backend, std::string_view id);

} // namespace pim
