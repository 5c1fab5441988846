// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/content.h"

#include "core/base/number_text.h"
#include "core/base/version.h"
#include "core/compile/command_line.h"
#include "core/compile/predictions.h"
#include "core/compile/run_limits.h"
#include "core/drafts/draft_choice.h"
#include "core/plan/family_options.h"
#include "core/plan/report_facet.h"
#include "core/report/charts.h"
#include "core/report/clean_text.h"
#include "core/report/devices_content.h"
#include "core/report/link.h"
#include "core/report/notes_content.h"
#include "core/report/simulation_content.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace pim::report {
namespace {

constexpr std::size_t kOpsInTable = 25;
constexpr std::size_t kOpsInChart = 10;
constexpr std::size_t kDotsInRoofline = 400;
constexpr std::size_t kOpsUnderRoofs = 15;
constexpr std::size_t kTensorsInTable = 12;
constexpr std::size_t kExplorationsShown = 3;
constexpr std::size_t kRunsInTable = 15;
constexpr std::size_t kNamesInList = 4;
constexpr std::size_t kProblemsInTable = 40;

using Kind = Column::Kind;

std::int64_t count(std::size_t n) {
    return static_cast<std::int64_t>(n);
}

/// "1 op", "69 ops"
/// First letter large.
std::string sentence(std::string_view text) {
    std::string result(text);
    if (!result.empty() && result[0] >= 'a' && result[0] <= 'z')
        result[0] = static_cast<char>(result[0] - 'a' + 'A');
    return result;
}

std::string counted(std::int64_t n, std::string_view what) {
    return fmt::format("{} {}{}", exactText(n), what, n == 1 ? "" : "s");
}

/// The unit stands right behind a prefix ("3.858 GMAC") and apart from a plain number ("640 MAC").
std::string withUnit(double value, std::string_view unit) {
    const std::string text = countText(value);
    return text + (text.find(' ') == std::string::npos ? " " : "") + std::string(unit);
}

std::string timeOrUnknown(const OpPlan& op) {
    return op.hostKnown ? timeText(op.hostNs) : "not known";
}

std::string namesOf(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kNamesInList); ++i)
        text += (i ? ", " : "") + names[i];
    if (names.size() > kNamesInList)
        text += fmt::format(" and {} more", exactText(count(names.size() - kNamesInList)));
    return text;
}

/// One report in the making.
class Writer {
public:
    explicit Writer(const ReportInput& input)
        : m_input(input), m_plan(*input.plan), m_graph(*m_plan.graph), m_target(*m_plan.target),
          m_origin(name(m_plan.origin)), m_model(modelName(m_graph)),
          m_machine(machinesOf(m_plan, &Target::id)) {
        for (const RunInfo& run : input.runs)
            if (input.runId != 0 && run.id == input.runId)
                m_run = &run;
    }

    Document write() {
        Document document;
        document.eyebrow =
            total().predictedNs
                ? fmt::format("PIM Studio report · time of the run simulated, its parts {}", m_origin)
                : fmt::format("PIM Studio report · all figures {}", m_origin);
        document.headline = headline();
        document.link = link();
        document.lead = lead();
        document.footer =
            fmt::format("{} on {} · {} · PIM Studio {}", m_model, m_machine, m_origin, PIM_VERSION);
        document.summary = {keyNumbers(), totalsChart(m_plan)};
        document.sections = {timeSection(), opsSection(), placementSection(), overridesSection(),
                             residentSection()};
        if (!m_plan.devices.empty())
            document.sections.push_back(devicesSection(m_plan));
        if (const ReportFacet* const own = m_input.backend ? m_input.backend->reportSections() : nullptr)
            for (Section& section : own->sections(m_plan))
                document.sections.push_back(std::move(section));
        for (Section section :
             {simulationSection(m_input.simulation.get()), helpSection(m_input.help.get()),
              notesSection(m_input.notes, [this](const std::string& op) { return link(op); }),
              rooflineSection(), draftsSection(), historySection(), problemsSection()})
            if (!section.blocks.empty())
                document.sections.push_back(std::move(section));
        document.sections.push_back(modelSection());
        for (const auto& [name, target] : machines())
            document.sections.push_back(targetSection(name, *target));
        document.sections.push_back(provenanceSection());
        document.sections.push_back(sourcesSection());
        return document;
    }

private:
    /// Empty where the plan is no run of a project, so that nothing could be opened again.
    std::string link(const std::string& op = {}, const std::string& draft = {}) const {
        return cleanText(op) == op ? link(m_input.runId, op, draft) : std::string();
    }
    std::string link(std::int64_t run, const std::string& op, const std::string& draft) const {
        if (m_input.runId == 0 || m_input.projectFile.empty())
            return {};
        std::error_code error;
        return formatLink({std::filesystem::absolute(m_input.projectFile, error), run, op, draft});
    }

    std::string headline() const {
        const double speedup = speedupOverHost();
        const std::string& host = m_target.host.id;
        if (!m_plan.baselines.empty()) {
            const Baseline& baseline = m_plan.baselines.front();
            return fmt::format("{} runs {} as fast on {} as with {}", m_model,
                               ratioText(m_plan.speedupOver(baseline)), m_machine, baseline.name);
        }
        if (speedup <= 0)
            return fmt::format("{} on {}: the time is not known", m_model, m_machine);
        if (speedup >= 1.005)
            return fmt::format("{} runs {} faster on {} than on {} alone", m_model, ratioText(speedup),
                               m_machine, host);
        if (speedup > 0.995)
            return fmt::format("{} takes as long on {} as on {} alone", m_model, m_machine, host);
        return fmt::format("{} runs {} slower on {} than on {} alone", m_model, ratioText(1 / speedup),
                           m_machine, host);
    }

    std::string lead() const {
        const auto [pimOps, pimMacs] = onPim();
        const std::int64_t ops = count(m_graph.ops.size());
        return fmt::format(
            "{} of {} run in the memory of {}, {} on the host {}. {} \"Alone\" means the same model, "
            "dimensions and number format ({}) with every op on the host.",
            exactText(pimOps), counted(ops, "op"), machinesOf(m_plan, &Target::name), exactText(ops - pimOps),
            m_target.host.name,
            total().predictedNs
                ? "The time of the run is simulated, those of its ops are predicted by formulas "
                  "unless they are said to be simulated; nothing was measured."
            : m_plan.origin == Origin::Predicted
                ? "Every time in this report is predicted by formulas; nothing was measured."
                : "Times are simulated command by command; nothing was measured.",
            name(m_plan.computeType));
    }

    TotalTime total() const { return totalTime(m_plan, m_input.simulation.get()); }

    double speedupOverHost() const { return total().ns > 0 ? m_plan.hostOnlyNs / total().ns : 0; }

    /// "simulated, 4.53× the 5.845 ms predicted"
    std::string totalDetail() const {
        const TotalTime shown = total();
        return shown.predictedNs
                   ? fmt::format("{}, {} the {} predicted", name(shown.origin),
                                 ratioText(shown.ns / *shown.predictedNs), timeText(*shown.predictedNs))
                   : std::string(m_origin);
    }

    std::pair<std::int64_t, std::int64_t> onPim() const {
        std::int64_t ops = 0, macs = 0;
        for (const OpPlan& op : m_plan.ops)
            if (!op.onHost()) {
                ++ops;
                macs += m_graph.op(op.op).work.macs;
            }
        return {ops, macs};
    }

    Block keyNumbers() const {
        const auto [pimOps, pimMacs] = onPim();
        const auto macs = static_cast<double>(m_graph.totalWork().macs);
        const auto first = m_plan.firstSampleNs();
        KeyNumbers numbers{{
            {first ? "One sample every" : "Time of one run", timeText(total().ns), totalDetail(), link()},
            {"Host alone", timeText(m_plan.hostOnlyNs), m_target.host.id + ", " + m_origin},
            {"Speed-up over host", speedupOverHost() > 0 ? ratioText(speedupOverHost()) : "not known",
             std::string(name(total().origin))},
            {"Work in memory", macs > 0 ? percentText(static_cast<double>(pimMacs) / macs) : "none",
             fmt::format("of {}", withUnit(macs, "MAC"))},
        }};
        if (first)
            numbers.numbers.push_back({"First sample after", timeText(*first), m_origin});
        if (m_plan.residentLoadNs > 0)
            numbers.numbers.push_back(
                {"Loaded once before", timeText(m_plan.residentLoadNs),
                 bytesText(static_cast<double>(m_plan.residentBytes)) + ", " + m_origin});
        for (const Baseline& baseline : m_plan.baselines)
            numbers.numbers.push_back({"Speed-up over " + baseline.id,
                                       ratioText(m_plan.speedupOver(baseline)), timeText(baseline.totalNs)});
        return numbers;
    }

    Section timeSection() const {
        const CostSplit& total = m_plan.total;
        const bool inFlight = m_plan.firstSampleNs().has_value();
        Table table{fmt::format("Time {} in its parts, {}",
                                inFlight ? "from one sample to the next" : "of one run", m_origin),
                    {{"Part"}, {"Time", Kind::Number}, {"Share", Kind::Number}, {"What it is"}},
                    {},
                    true};
        const auto row = [&](const std::string& part, double ns, const std::string& what) {
            table.rows.push_back(
                {part, timeText(ns), total.totalNs() > 0 ? percentText(ns / total.totalNs()) : "0 %", what});
        };
        for (const CostPartInfo& part : kCostSplitParts)
            if (total.*part.ns > 0)
                row(sentence(part.label), total.*part.ns, std::string(part.meaning));
        row("Total", total.totalNs(),
            fmt::format("{}, resident data already in place",
                        inFlight ? "from one sample to the next" : "one run"));
        return {"Where the time goes",
                {Paragraph{timeInWords()}, std::move(table), topOpsChart(m_plan, kOpsInChart)}};
    }

    std::string timeInWords() const {
        const auto order = opsByTime(m_plan);
        const double total = m_plan.total.totalNs();
        if (order.empty() || total <= 0)
            return "No op has a known cost.";
        double sum = 0;
        std::size_t needed = 0;
        while (needed < order.size() && sum < 0.8 * total)
            sum += m_plan.ops[order[needed++]].cost.totalNs();
        const OpPlan& first = m_plan.ops[order[0]];
        return fmt::format(
            "{} of {} make up {} of the time. The most expensive one is {} ({}): {}, {} of the run.",
            exactText(count(needed)), counted(count(m_plan.ops.size()), "op"), percentText(sum / total),
            m_graph.op(first.op).name, m_graph.op(first.op).type, timeText(first.cost.totalNs()),
            percentText(first.cost.totalNs() / total));
    }

    Section opsSection() const {
        Table table{fmt::format("Where each op runs and why, times {}", m_origin),
                    {{"Op"},
                     {"Type"},
                     {"On"},
                     {"Time", Kind::Number},
                     {"Share", Kind::Number},
                     {"Host alone", Kind::Number},
                     {"Split over the machine"},
                     {"Why"}},
                    {},
                    false};
        const auto order = opsByTime(m_plan);
        const double total = m_plan.total.totalNs();
        for (std::size_t i = 0; i < std::min(kOpsInTable, order.size()); ++i) {
            const OpPlan& op = m_plan.ops[order[i]];
            const bool hasDraft = !op.onHost() && op.space && op.draft;
            constexpr std::size_t kName = 0, kTime = 3, kDraft = 6;
            table.links[{i, kName}] = table.links[{i, kTime}] = link(m_graph.op(op.op).name);
            if (hasDraft)
                table.links[{i, kDraft}] = link(m_graph.op(op.op).name, op.space->draftText(*op.draft));
            table.rows.push_back(
                {m_graph.op(op.op).name, m_graph.op(op.op).type, deviceName(m_plan, op.placement),
                 timeText(op.cost.totalNs()), percentText(op.cost.totalNs() / total), timeOrUnknown(op),
                 hasDraft
                     ? draftInWords(*op.space, *op.draft) + (op.draftOverridden ? " (chosen by hand)" : "")
                     : "–",
                 op.reason});
        }
        if (order.size() > kOpsInTable) {
            double rest = 0;
            for (std::size_t i = kOpsInTable; i < order.size(); ++i)
                rest += m_plan.ops[order[i]].cost.totalNs();
            table.rows.push_back(
                {fmt::format("{} more ops together", exactText(count(order.size() - kOpsInTable))), "", "",
                 timeText(rest), percentText(rest / total), "", "",
                 "not listed here; the project and the bundle hold them all"});
            table.lastIsTotal = true;
        }
        Section section{"Most expensive ops", {std::move(table)}};
        if (const auto free = m_plan.ops.size() - order.size(); free > 0)
            section.blocks.push_back(Paragraph{
                fmt::format("Not counted, because they cost nothing or their cost is not known: {}.",
                            counted(count(free), "op")),
                Paragraph::Style::Note});
        return section;
    }

    Section placementSection() const {
        struct Group {
            std::int64_t ops = 0, onPim = 0, macs = 0;
            double ns = 0, hostNs = 0;
        };
        std::map<std::string_view, Group> groups;
        std::map<std::string, std::vector<std::string>> cannot, slower, byHand;
        std::map<std::string, double> cannotNs;
        for (const OpPlan& op : m_plan.ops) {
            const Op& node = m_graph.op(op.op);
            Group& group = groups[name(node.opClass)];
            ++group.ops;
            group.onPim += !op.onHost();
            group.macs += node.work.macs;
            group.ns += op.cost.totalNs();
            group.hostNs += op.hostKnown ? op.hostNs : 0;
            if (!op.onHost())
                continue;
            if (!op.pimCost) {
                const std::string why = op.pimVerdict.empty() ? "no reason given" : op.pimVerdict;
                cannot[why].push_back(node.name);
                cannotNs[why] += op.cost.totalNs();
            } else {
                (op.placementOverridden ? byHand : slower)[node.type].push_back(node.name);
            }
        }
        Table table{fmt::format("Ops by kind, {}", m_origin),
                    {{"Kind"},
                     {"Ops", Kind::Number},
                     {"On PIM", Kind::Number},
                     {"Work", Kind::Number},
                     {"Time", Kind::Number},
                     {"Host alone", Kind::Number}},
                    {},
                    false};
        for (const auto& [kind, group] : groups)
            table.rows.push_back({std::string(kind), counted(group.ops, "op"), counted(group.onPim, "op"),
                                  withUnit(static_cast<double>(group.macs), "MAC"), timeText(group.ns),
                                  timeText(group.hostNs)});
        Section section{"Placement", {std::move(table)}};

        if (cannot.empty()) {
            section.blocks.push_back(Paragraph{"PIM can run every op of this model."});
        } else {
            Table why{fmt::format("Ops PIM cannot run; time on the host {}", m_origin),
                      {{"Why not"}, {"Ops", Kind::Number}, {"Time", Kind::Number}, {"Which"}},
                      {},
                      false};
            for (const auto& [reason, names] : cannot)
                why.rows.push_back(
                    {reason, counted(count(names.size()), "op"), timeText(cannotNs[reason]), namesOf(names)});
            std::stable_sort(why.rows.begin(), why.rows.end(),
                             [&](const auto& a, const auto& b) { return cannotNs[a[0]] > cannotNs[b[0]]; });
            if (why.rows.size() > kProblemsInTable) {
                const auto more = why.rows.size() - kProblemsInTable;
                why.rows.resize(kProblemsInTable);
                why.rows.push_back({fmt::format("{} more reasons", exactText(count(more))), "", "", ""});
            }
            section.blocks.push_back(std::move(why));
        }
        const auto list = [&](const char* what, const auto& byType) {
            for (const auto& [type, names] : byType)
                section.blocks.push_back(Paragraph{
                    fmt::format("{} {} on the host {}: {}.", counted(count(names.size()), type + " op"),
                                names.size() == 1 ? "is" : "are", what, namesOf(names))});
        };
        list("because PIM would take longer, including moving the operands", slower);
        list("by the user's decision", byHand);
        return section;
    }

    Section overridesSection() const {
        const auto all = m_plan.overrides.all();
        if (all.empty())
            return {"Decisions by hand",
                    {Paragraph{"None: every placement and every draft is the compiler's own choice."}}};
        Table table{"What the user decided; everything else is the compiler's choice",
                    {{"Op"}, {"Field"}, {"Value", Kind::Code}},
                    {},
                    false};
        for (const Override& decision : all)
            table.rows.push_back(
                {decision.op.empty() ? "whole network" : decision.op, decision.field, decision.value});
        return {"Decisions by hand", {std::move(table)}};
    }

    Section residentSection() const {
        std::vector<std::pair<const TensorPlan*, const Op*>> resident;
        for (const OpPlan& op : m_plan.ops)
            if (!op.onHost())
                for (const TensorPlan& tensor : op.tensors)
                    if (tensor.residency == Residency::Resident)
                        resident.emplace_back(&tensor, &m_graph.op(op.op));
        if (resident.empty() && m_plan.residentBytes > 0)
            return {"Data loaded before the run",
                    {Paragraph{fmt::format("Weights lie in {} before the run: {}, replicas included. How "
                                           "long it takes to write them is in "
                                           "no figure of this report.",
                                           m_target.name,
                                           bytesText(static_cast<double>(m_plan.residentBytes)))}}};
        if (resident.empty())
            return {"Data loaded before the run",
                    {Paragraph{"None: all operands are moved while the network runs."}}};
        std::stable_sort(resident.begin(), resident.end(),
                         [](const auto& a, const auto& b) { return a.first->bytes > b.first->bytes; });
        Table table{fmt::format("Largest resident tensors, loading time {}", m_origin),
                    {{"Tensor"}, {"Of op"}, {"Size", Kind::Number}, {"Load once", Kind::Number}},
                    {},
                    false};
        for (std::size_t i = 0; i < std::min(resident.size(), kTensorsInTable); ++i)
            table.rows.push_back({resident[i].first->name, resident[i].second->name,
                                  bytesText(static_cast<double>(resident[i].first->bytes)),
                                  timeText(resident[i].first->loadNs)});
        if (resident.size() > kTensorsInTable)
            table.rows.push_back(
                {fmt::format("{} more", exactText(count(resident.size() - kTensorsInTable))), "", "", ""});
        return {"Data loaded before the run",
                {Paragraph{fmt::format(
                     "Weights and caches that lie in PIM before the run: {} in {}. Loading them takes {} "
                     "once ({}); that time is in no other figure of this report.",
                     bytesText(static_cast<double>(m_plan.residentBytes)),
                     counted(count(resident.size()), "tensor"), timeText(m_plan.residentLoadNs), m_origin)},
                 std::move(table)}};
    }

    /// Every op of a simulated plan under the ceilings of machine and host, with what keeps the slowest there.
    Section underRoofsSection() const {
        const ReportFacet* const facet = m_input.backend ? m_input.backend->reportSections() : nullptr;
        const auto roofline = facet ? facet->roofline(m_plan, *m_input.simulation)
                                    : Result<Roofline>(fail(ErrorCode::Unsupported, "no such facet"));
        if (!roofline || roofline->ops.empty())
            return {};
        Section section{"What each op could do at most", {}};
        section.blocks.push_back(Paragraph{
            "An op takes no less time than any resource needs for what it asks of it, so each dot lies "
            "below its lowest roof; the nearer, the less there is to gain without a faster resource."});
        if (Drawing chart = underRoofsChart(m_graph, *roofline); !chart.marks.empty())
            section.blocks.push_back(std::move(chart));
        Table ceilings{"Ceilings", {{"Resource"}, {"At most", Kind::Number}, {"Of"}, {"Because"}}, {}, false};
        for (const Ceiling& ceiling : roofline->ceilings)
            ceilings.rows.push_back({ceiling.name, rateText(ceiling.perNs, ceiling.isMemory),
                                     ceiling.ofHost ? "host" : "machine", ceiling.because});
        section.blocks.push_back(std::move(ceilings));
        Table ops{"Ops that take most time, and what sets it",
                  {{"Op"}, {"Time", Kind::Number}, {"Of its roof", Kind::Number}, {"Set by"}},
                  {},
                  false};
        for (const OpUnderRoof* op : byTime(*roofline)) {
            if (ops.rows.size() == kOpsUnderRoofs)
                break;
            std::string sentence = sentenceOf(*roofline, *op);
            constexpr std::string_view kSet = "set by ";
            if (sentence.starts_with(kSet))
                sentence.erase(0, kSet.size());
            ops.rows.push_back({m_graph.op(op->op).name, timeText(op->ns),
                                percentText(roofline->shareOfRoof(*op)), sentence});
        }
        section.blocks.push_back(std::move(ops));
        return section;
    }

    Section rooflineSection() const {
        if (m_input.simulation)
            return underRoofsSection();
        Drawing chart = rooflineChart(m_plan, kDotsInRoofline);
        if (chart.marks.empty())
            return {};
        return {"Why memory matters here",
                {Paragraph{"Left of the bend in the dashed line the host waits for its memory; ops there "
                           "gain from computing where the data lies. A dot above the line is faster than the "
                           "host could ever be."},
                 std::move(chart)}};
    }

    Section draftsSection() const {
        Section section{"Drafts considered", {}};
        for (const auto& exploration : m_input.explorations) {
            if (section.blocks.size() >= 2 * kExplorationsShown)
                break;
            if (!exploration || !exploration->op.valid() || exploration->costs.empty() || !exploration->space)
                continue;
            const auto& counts = exploration->counts;
            const auto removed = [&](PruneRule rule) {
                return exactText(counts.byRule[static_cast<std::size_t>(rule)]);
            };
            section.blocks.push_back(Paragraph{fmt::format(
                "{}: {} enumerated, {} kept. Removed: {} redundant (rule 1), {} not a multiple of the SIMD "
                "width (rule 2), {} with the same worst core (rule 3), {} that do not fit{}. Cheapest: {}, "
                "{} "
                "({}).",
                m_graph.op(exploration->op).name, counted(counts.enumerated, "draft"),
                exactText(count(exploration->drafts.size())), removed(PruneRule::Redundant),
                removed(PruneRule::SimdMultiple), removed(PruneRule::WorstCore), removed(PruneRule::Capacity),
                counts.passedOver > 0
                    ? fmt::format(", {} passed over to keep the search short", exactText(counts.passedOver))
                    : "",
                draftInWords(*exploration->space, exploration->drafts[0]),
                timeText(exploration->costs[0].totalNs()), name(exploration->origin))});
            section.blocks.push_back(draftsChart(m_plan, *exploration));
        }
        return section;
    }

    /// A ratio says something only between runs of the same network.
    bool isComparable(const RunInfo& run) const {
        return run.modelHash == m_graph.source.structureHash && run.totalNs > 0 && m_plan.total.totalNs() > 0;
    }

    Section historySection() const {
        if (m_input.runs.empty())
            return {};
        Table table{"Runs of this project, newest first",
                    {{"Run"},
                     {"Started (UTC)"},
                     {"Label"},
                     {"Model"},
                     {"Target, host"},
                     {"Time", Kind::Number},
                     {"Against host alone", Kind::Number},
                     {"This plan against it", Kind::Number},
                     {"Origin"}},
                    {},
                    false};
        for (const RunInfo& run : m_input.runs) {
            if (table.rows.size() == kRunsInTable)
                break;
            std::string versus = "other model";
            if (&run == m_run)
                versus = "this one";
            else if (isComparable(run))
                versus = fasterText(run.totalNs / m_plan.total.totalNs());
            table.links[{table.rows.size(), 0}] = link(run.id, {}, {});
            table.rows.push_back({fmt::format("{}", run.id), run.startedUtc,
                                  run.label.empty() ? run.variant : run.label + " (" + run.variant + ")",
                                  run.modelName, run.targetId + ", " + run.host, timeText(run.totalNs),
                                  run.totalNs > 0 ? fasterText(run.hostOnlyNs / run.totalNs) : "not known",
                                  versus, std::string(name(run.origin))});
        }
        Section section{"History and comparison", {std::move(table)}};
        if (m_input.runs.size() > kRunsInTable)
            section.blocks.push_back(
                Paragraph{fmt::format("{} older runs are in the project.",
                                      exactText(count(m_input.runs.size() - kRunsInTable))),
                          Paragraph::Style::Note});
        for (const RunInfo& run : m_input.runs)
            if (!run.note.empty())
                section.blocks.push_back(Paragraph{fmt::format("Note on run {}: {}", run.id, run.note)});
        return section;
    }

    static std::string fasterText(double ratio) {
        if (ratio > 0.995 && ratio < 1.005)
            return "equal";
        return ratio >= 1 ? ratioText(ratio) + " faster" : ratioText(1 / ratio) + " slower";
    }

    Section problemsSection() const {
        Table table{"Warnings and notes", {{"Severity"}, {"Object"}, {"What"}, {"Way out"}}, {}, false};
        std::size_t all = 0;
        for (const Diagnostics* list : {&m_graph.problems, &m_plan.problems})
            for (const Diagnostic& line : *list) {
                static constexpr const char* kNames[] = {"note", "warning", "error"};
                if (++all <= kProblemsInTable)
                    table.rows.push_back({kNames[static_cast<std::size_t>(line.severity)], line.object,
                                          line.message, line.hint});
            }
        if (all == 0)
            return {};
        Section section{"Problems", {std::move(table)}};
        if (all > kProblemsInTable)
            section.blocks.push_back(
                Paragraph{fmt::format("{} more are not listed.", exactText(count(all - kProblemsInTable))),
                          Paragraph::Style::Note});
        return section;
    }

    Section modelSection() const {
        const ModelSource& source = m_graph.source;
        const OpWork work = m_graph.totalWork();
        std::string opsets;
        for (const auto& [domain, version] : source.opsets)
            opsets += fmt::format("{}{} {}", opsets.empty() ? "" : ", ", domain.empty() ? "ai.onnx" : domain,
                                  version);
        Table facts{"The model", {{"Fact"}, {"Value"}}, {}, false};
        facts.rows = {
            {"Name", m_model},
            {"File", source.path.filename().string()},
            {"Made by", source.producer.empty() ? "not said" : source.producer},
            {"ONNX", fmt::format("IR version {}{}{}", source.irVersion,
                                 opsets.empty() ? "" : ", operator sets ", opsets)},
            {"Ops after the passes", counted(count(m_graph.ops.size()), "op")},
            {"Work", fmt::format("{}, {} other operations", withUnit(static_cast<double>(work.macs), "MAC"),
                                 countText(static_cast<double>(work.otherOps)))},
            {"Traffic, number format of the file",
             fmt::format("{} read, {} written", bytesText(static_cast<double>(work.bytesRead)),
                         bytesText(static_cast<double>(work.bytesWritten)))},
            {"Arithmetic intensity, the same", fmt::format("{:.2f} FLOP/B", work.arithmeticIntensity())},
            {"Weights",
             bytesText(static_cast<double>(source.weightBytes)) +
                 (m_graph.missingWeightTensors() > 0
                      ? fmt::format(", {} absent", counted(m_graph.missingWeightTensors(), "tensor"))
                      : "")}};
        Section section{"Model", {std::move(facts)}};
        if (!m_graph.bindings.empty()) {
            Table dims{"Dimensions the file leaves open",
                       {{"Dimension"}, {"Value", Kind::Number}, {"Decided by"}, {"Inputs that carry it"}},
                       {},
                       false};
            for (const DimBinding& binding : m_graph.bindings)
                dims.rows.push_back({binding.symbol, exactText(binding.value),
                                     binding.assumed ? "nobody: assumed" : "the user",
                                     namesOf(binding.tensors)});
            section.blocks.push_back(std::move(dims));
        }
        return section;
    }

    std::vector<Device> machines() const {
        return m_plan.devices.empty() ? std::vector<Device>{{{}, m_plan.target}} : m_plan.devices;
    }

    /// \param name of one of several machines; empty: there is one.
    Section targetSection(const std::string& name, const Target& target) const {
        Section section{name.empty() ? "Target" : "Target " + name, {Paragraph{target.summary}}};
        Table levels{"The machine from the outside in",
                     {{"Level"},
                      {"Count", Kind::Number},
                      {"In all", Kind::Number},
                      {"Memories"},
                      {"Units"},
                      {"Bus to the level above"}},
                     {},
                     false};
        for (const Level& level : target.levels) {
            std::string memories, units;
            for (const Memory& memory : level.memories)
                memories += fmt::format("{}{}", memories.empty() ? "" : "; ", memoryText(memory));
            for (const Unit& unit : level.units)
                units += fmt::format("{}{}", units.empty() ? "" : "; ", unitText(unit));
            levels.rows.push_back({level.name, exactText(level.count), exactText(target.instances(level.id)),
                                   memories, units, busText(level.bus)});
        }
        section.blocks.push_back(std::move(levels));
        if (&target == &m_target)
            section.blocks.push_back(hostFacts(target.host));
        return section;
    }

    static Table hostFacts(const Host& host) {
        Table facts{
            fmt::format("Host {}", host.name), {{"Figure"}, {"Value", Kind::Number}, {"Source"}}, {}, false};
        const auto source = [&](const std::string& field) {
            const auto found = host.sources.find(field);
            return found == host.sources.end() ? std::string() : found->second;
        };
        for (const auto& [type, flops] : host.peakFlopsPerNs)
            facts.rows.push_back({fmt::format("Peak speed, {}", name(type)), withUnit(flops * 1e9, "FLOP/s"),
                                  source("flops." + std::string(name(type)))});
        facts.rows.push_back({"Share of the peak that is reached", percentText(host.flopsEfficiency),
                              source("flopsEfficiency")});
        facts.rows.push_back(
            {"Memory bandwidth", bandwidthText(host.memoryBytesPerNs), source("memoryBandwidth")});
        facts.rows.push_back({"Share of the bandwidth that is reached", percentText(host.memoryEfficiency),
                              source("memoryEfficiency")});
        facts.rows.push_back(
            {"Memory", bytesText(static_cast<double>(host.memoryBytes)), source("memoryCapacity")});
        return facts;
    }

    static std::string memoryText(const Memory& memory) {
        return fmt::format("{} {}{}", memory.name, bytesText(static_cast<double>(memory.bytes)),
                           memory.bytesPerNs > 0 ? ", " + bandwidthText(memory.bytesPerNs) : "");
    }
    static std::string unitText(const Unit& unit) {
        return fmt::format("{}, {}", unit.name, counted(unit.lanes, "lane"));
    }
    static std::string busText(const Bus& bus) {
        return bus.bytesPerNs > 0 ? bandwidthText(bus.bytesPerNs) + (bus.broadcast ? ", broadcast" : "")
                                  : "–";
    }

    /// Every figure of the target with its source: long, so it comes last.
    Section sourcesSection() const {
        Section section{"Appendix: figures of the target and their sources", {}};
        for (const auto& [name, target] : machines())
            addSources(section, name.empty() ? std::string() : " of " + name, *target);
        Table host{"Parameters of the host", {{"Figure"}, {"Value", Kind::Number}, {"Source"}}, {}, false};
        addParameters(host, m_target.host.parameters);
        section.blocks.push_back(std::move(host));
        return section;
    }

    static void addSources(Section& section, const std::string& ofMachine, const Target& target) {
        Table levels{"Levels" + ofMachine, {{"Level"}, {"Part"}, {"Source"}}, {}, false};
        for (const Level& level : target.levels) {
            for (const Memory& memory : level.memories)
                levels.rows.push_back({level.name, memoryText(memory), memory.source});
            for (const Unit& unit : level.units)
                levels.rows.push_back({level.name, unitText(unit), unit.source});
            if (level.bus.bytesPerNs > 0)
                levels.rows.push_back({level.name, "bus " + busText(level.bus), level.bus.source});
        }
        Table parameters{"Parameters of the target" + ofMachine,
                         {{"Figure"}, {"Value", Kind::Number}, {"Source"}},
                         {},
                         false};
        addParameters(parameters, target.parameters);
        section.blocks.push_back(std::move(levels));
        section.blocks.push_back(std::move(parameters));
    }

    static void addParameters(Table& table, const std::map<std::string, Quantity>& parameters) {
        for (const auto& [key, quantity] : parameters)
            table.rows.push_back({key, quantityText(quantity), quantity.source});
    }

    static std::string quantityText(const Quantity& quantity) {
        if (quantity.unit == "switch")
            return quantity.value != 0 ? "on" : "off";
        if (quantity.unit == "count" || quantity.unit == "ratio")
            return fmt::format("{:g}", quantity.value);
        const bool micro = quantity.unit.starts_with("us");
        return fmt::format("{:g} {}{}", quantity.value, micro ? "µs" : "",
                           quantity.unit.substr(micro ? 2 : 0));
    }

    Section provenanceSection() const {
        Table table{"How these figures were made", {{"Item"}, {"Value", Kind::Code}}, {}, false};
        const auto row = [&](std::string item, std::string value) {
            table.rows.push_back({std::move(item), std::move(value)});
        };
        row("Tool", "PIM Studio " PIM_VERSION);
        row("Model, SHA-256 of its structure", m_graph.source.structureHash);
        for (const auto& [name, target] : machines()) {
            const std::string of = name.empty() ? name : fmt::format(" of {}", name);
            row(fmt::format("Target{}, SHA-256", of), target->hash);
            row(fmt::format("Backend{}, host", of), target->backend + ", " + target->host.id);
        }
        row("Bindings", m_input.bindings.empty() ? "none" : m_input.bindings);
        row("Seed", fmt::format("{}", m_input.options.seed));
        if (!m_input.projectFile.empty())
            row("Project", m_input.projectFile);
        if (m_run) {
            row("Run",
                fmt::format("{}, variant {}, started {}", m_run->id, m_run->variant, m_run->startedUtc));
            row("Compile time", fmt::format("{:.0f} ms", m_run->compileMs));
        }
        const auto options = nlohmann::json::parse(optionsJson(m_input.options), nullptr, false);
        const auto flat = options.is_object() ? options.flatten() : nlohmann::json::object();
        std::string list;
        for (const auto& [key, value] : flat.items())
            list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", key.substr(1), value.dump());
        row("Options", list);
        Section section{"Provenance", {std::move(table)}};
        if (!m_plan.stages.empty()) {
            Table stages{"Time spent compiling",
                         {{"Stage"}, {"Time", Kind::Number}, {"Handled", Kind::Number}},
                         {},
                         false};
            for (const StageTime& stage : m_plan.stages)
                stages.rows.push_back({stage.name, timeText(stage.milliseconds * 1e6),
                                       fmt::format("{} {}", exactText(stage.items), stage.unit)});
            section.blocks.push_back(std::move(stages));
        }
        if (!m_plan.devices.empty()) {
            section.blocks.push_back(Paragraph{"How the network was cut into parts is no option of a "
                                               "command, so no command line gives these figures again."});
            return section;
        }
        section.blocks.push_back(Paragraph{"To get the same figures again:"});
        section.blocks.push_back(Code{commandLine()});
        if (!m_plan.overrides.empty()) {
            section.blocks.push_back(Paragraph{"with this as overrides.json:"});
            section.blocks.push_back(Code{m_plan.overrides.json()});
        }
        return section;
    }

    std::string commandLine() const {
        ModelLine compiled;
        compiled.model = m_graph.source.path.empty() ? m_model + ".onnx" : m_graph.source.path.string();
        compiled.target = m_target.id;
        for (const DimBinding& binding : m_graph.bindings)
            if (!binding.assumed)
                compiled.bindings.emplace_back(binding.symbol, binding.value);
        for (const PassRecord& pass : m_graph.passes) {
            if (!pass.enabled)
                compiled.disabledPasses.insert(pass.name);
            if (!pass.options.empty())
                compiled.passOptions[pass.name] = pass.options;
        }
        compiled.options = m_input.options;
        compiled.searchesDrafts = m_plan.detail == nullptr;
        std::string line = compiled.text();
        if (!m_plan.overrides.empty())
            line += " --override overrides.json";
        return line;
    }

    const ReportInput& m_input;
    const Plan& m_plan;
    const Graph& m_graph;
    const Target& m_target;
    std::string m_origin, m_model;
    std::string m_machine; ///< "aim", "aim and hbm-pim"
    const RunInfo* m_run = nullptr;
};

} // namespace

std::string modelName(const Graph& graph) {
    const std::string stem = graph.source.path.stem().string();
    return stem.empty() ? graph.name : stem;
}

std::string draftInWords(const TilingSpace& space, const Draft& draft) {
    std::string words;
    for (std::size_t set = 0; set < space.sets().size() && set < draft.parts.size(); ++set) {
        const DraftPart& part = draft.parts[set];
        const Mapping& mapping = space.sets()[set].mappings[static_cast<std::size_t>(part.mapping)];
        const Loop& loop = space.kernel().loops[static_cast<std::size_t>(mapping.loop)];
        if (part.groups * part.cores > 1)
            words += fmt::format("{}{} ({}) over {} × {}, {} each", words.empty() ? "" : "; ", loop.name,
                                 exactText(loop.extent), counted(part.groups, "group"),
                                 counted(part.cores, "core"),
                                 exactText(space.tileLength(draft, static_cast<int>(set))));
    }
    if (words.empty())
        words = "not split";
    return words + (draft.strategy == IndexStrategy::ExactSet ? "; exact index sets" : "") +
           (draft.code.empty() ? "" : "; by you " + draft.code);
}

Document reportDocument(const ReportInput& input) {
    return Writer(input).write();
}

} // namespace pim::report
