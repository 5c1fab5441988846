// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drafts/draft_table.h"

#include "core/base/hash.h"
#include "core/drafts/kernel_form.h"
#include "core/drafts/opwise_planner.h"
#include "core/plan/code_version.h"

#include <nlohmann/json.hpp>

#include <cmath>

namespace pim {
namespace {

/// Options of other kinds of machines, and the seed of their searches, say nothing about drafts.
std::string draftOptionsJson(const CompileOptions& options) {
    CompileOptions asked = options;
    asked.seed = 0;
    asked.family.clear();
    if (options.predictor)
        asked.predictorVersion = options.predictor->version();
    return optionsJson(asked);
}

std::string digestOf(const nlohmann::ordered_json& parts) {
    return sha256Hex(parts.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
}

nlohmann::ordered_json numberOrNull(const std::optional<double>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

} // namespace

std::string KnownDraft::digest() const {
    return digestOf({question,
                     code,
                     targetId,
                     targetHash,
                     form,
                     sizes,
                     kernel,
                     residency,
                     optionsJson,
                     draft,
                     price.busInputNs,
                     price.computeNs,
                     price.busOutputNs,
                     price.modeSwitchNs,
                     check.priceNs,
                     numberOrNull(check.predictedNs),
                     numberOrNull(check.simulatedNs),
                     check.simulated,
                     check.rank,
                     numberOrNull(check.lossAtMost),
                     enumerated,
                     kept});
}

DraftTable::DraftTable(std::vector<KnownDraft> known) {
    for (KnownDraft& each : known)
        if (each.code == codeVersion())
            m_known.insert_or_assign(each.question, std::move(each));
}

std::optional<KnownDraft> DraftTable::find(const std::string& question) const {
    const std::lock_guard lock(m_mutex);
    const auto at = m_known.find(question);
    return at == m_known.end() ? std::nullopt : std::optional(at->second);
}

void DraftTable::put(KnownDraft found) {
    const std::lock_guard lock(m_mutex);
    m_known.insert_or_assign(found.question, found);
    m_found.insert_or_assign(found.question, std::move(found));
}

void DraftTable::refuse(const std::string& question) {
    const std::lock_guard lock(m_mutex);
    m_refused += static_cast<std::int64_t>(m_known.erase(question));
    m_found.erase(question);
}

std::vector<KnownDraft> DraftTable::found() const {
    const std::lock_guard lock(m_mutex);
    std::vector<KnownDraft> all;
    for (const auto& entry : m_found)
        all.push_back(entry.second);
    return all;
}

std::int64_t DraftTable::refused() const {
    const std::lock_guard lock(m_mutex);
    return m_refused;
}

KnownDraft OpwisePlanner::questionOf(const Kernel& kernel, const std::vector<Residency>& residency,
                                     double hostNs) const {
    KnownDraft asked;
    asked.code = codeVersion();
    asked.targetId = m_target.id;
    asked.targetHash = m_target.hash;
    asked.form = kernelForm(kernel, residency);
    asked.sizes = kernelSizes(kernel);
    asked.kernel = kernel.text();
    for (const Residency each : residency)
        asked.residency += (asked.residency.empty() ? "" : " ") + std::string(name(each));
    asked.optionsJson = draftOptionsJson(m_options);
    // Whether simulating is worth its time depends on the host.
    asked.question = digestOf({m_backend.id(), asked.targetHash, asked.kernel, asked.residency, hostNs,
                               asked.optionsJson, m_measurer->inputsHash()});
    return asked;
}

bool OpwisePlanner::takeKnown(KernelSearch& found, const KnownDraft& known,
                              const KernelPricer& pricer) const {
    const auto draft = found.space->draftFromText(known.draft);
    if (!draft || !takeDraft(found, *draft, pricer) || found.price.totalNs() != known.check.priceNs ||
        !std::isfinite(known.price.totalNs()) || known.check.simulatedNs != known.price.totalNs())
        return false;
    found.price = known.price;
    found.origin = Origin::Simulated;
    found.counts.enumerated = known.enumerated;
    found.counts.byRule[0] = known.kept;
    found.check = known.check;
    found.check->wasKnown = true;
    return true;
}

Result<bool> OpwisePlanner::chooseDraft(KernelSearch& found, SpaceTable::Entry& entry,
                                        const KernelPricer& pricer, const std::vector<Residency>& residency,
                                        double hostNs, DraftTable* table, const TaskContext& task) const {
    if (!table || !m_measurer)
        return searchDrafts(found, entry, pricer, residency, hostNs, task);
    KnownDraft asked = questionOf(found.space->kernel(), residency, hostNs);
    if (const auto known = table->find(asked.question)) {
        if (takeKnown(found, *known, pricer))
            return true;
        table->refuse(asked.question);
    }
    PIM_TRY(const bool any, searchDrafts(found, entry, pricer, residency, hostNs, task));
    if (any && found.origin == Origin::Simulated) {
        asked.draft = found.space->draftText(found.draft);
        asked.price = found.price;
        asked.check = *found.check;
        asked.enumerated = found.counts.enumerated;
        asked.kept = found.counts.byRule[0];
        table->put(std::move(asked));
    }
    return any;
}

} // namespace pim
