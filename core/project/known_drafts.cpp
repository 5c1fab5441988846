// SPDX-License-Identifier: GPL-3.0-or-later
// The best drafts that a project knows.
#include "core/project/known_drafts.h"

#include "core/project/project_impl.h"
#include "core/project/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace pim {
namespace {

constexpr std::string_view kSelect =
    "SELECT question, code, target_id, target_hash, form, sizes, kernel, residency, options_json, draft, "
    "input_ns, "
    "compute_ns, output_ns, mode_switch_ns, price_ns, predicted_ns, simulated, rank, loss_at_most, "
    "enumerated, kept, "
    "found_utc, digest FROM known_drafts ORDER BY target_id, form, sizes, question";
// What is there already keeps the day on which it was found.
constexpr std::string_view kInsert =
    "INSERT INTO known_drafts "
    "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,strftime('%Y-%m-%dT%H:%M:%SZ', 'now'),?) "
    "ON CONFLICT(question) DO UPDATE SET code = excluded.code, target_id = excluded.target_id, "
    "target_hash = excluded.target_hash, form = excluded.form, sizes = excluded.sizes, kernel = "
    "excluded.kernel, "
    "residency = excluded.residency, options_json = excluded.options_json, draft = excluded.draft, "
    "input_ns = excluded.input_ns, compute_ns = excluded.compute_ns, output_ns = excluded.output_ns, "
    "mode_switch_ns = excluded.mode_switch_ns, price_ns = excluded.price_ns, predicted_ns = "
    "excluded.predicted_ns, "
    "simulated = excluded.simulated, rank = excluded.rank, loss_at_most = excluded.loss_at_most, "
    "enumerated = excluded.enumerated, kept = excluded.kept, digest = excluded.digest, "
    "found_utc = CASE WHEN digest = excluded.digest THEN found_utc ELSE excluded.found_utc END";

/// What does not fit becomes another number, which its digest gives away.
int smallInteger(const Statement& row, int column) {
    using Limits = std::numeric_limits<int>;
    return static_cast<int>(std::clamp<std::int64_t>(row.integer(column), Limits::min(), Limits::max()));
}

KnownDraft draftOf(const Statement& row) {
    KnownDraft draft;
    int at = 0;
    for (auto field : {&KnownDraft::question, &KnownDraft::code, &KnownDraft::targetId,
                       &KnownDraft::targetHash, &KnownDraft::form, &KnownDraft::sizes, &KnownDraft::kernel,
                       &KnownDraft::residency, &KnownDraft::optionsJson, &KnownDraft::draft})
        draft.*field = row.text(at++);
    draft.price.busInputNs = row.real(at++);
    draft.price.computeNs = row.real(at++);
    draft.price.busOutputNs = row.real(at++);
    draft.price.modeSwitchNs = row.real(at++);
    draft.check.priceNs = row.real(at++);
    draft.check.predictedNs = row.realOrNull(at++);
    draft.check.simulatedNs = draft.price.totalNs();
    draft.check.simulated = smallInteger(row, at++);
    draft.check.rank = smallInteger(row, at++);
    draft.check.lossAtMost = row.realOrNull(at++);
    draft.enumerated = row.integer(at++);
    draft.kept = row.integer(at++);
    draft.foundUtc = row.text(at);
    return draft;
}
constexpr int kDigestColumn = 22;

} // namespace

Diagnostics StoredDrafts::problems(const std::filesystem::path& project) const {
    if (damaged == 0)
        return {};
    return {{Severity::Warning, project.string(),
             fmt::format("{} of {} best drafts it knows are damaged and not used", damaged,
                         damaged + std::ssize(drafts)),
             "they are looked for again; `pimc drafts PROJECT --clear` forgets all"}};
}

Result<StoredDrafts> Project::knownDrafts() const {
    StoredDrafts stored;
    PIM_CHECK(forEachRow(*m_impl->database, kSelect, [&](const Statement& row) -> Result<void> {
        KnownDraft draft = draftOf(row);
        if (draft.digest() == row.text(kDigestColumn))
            stored.drafts.push_back(std::move(draft));
        else
            ++stored.damaged;
        return {};
    }));
    return stored;
}

Result<void> Project::storeKnownDrafts(std::span<const KnownDraft> drafts) {
    if (drafts.empty())
        return {};
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_TRY(Statement row, m_impl->database->prepare(kInsert));
    for (const KnownDraft& draft : drafts) {
        const std::string digest = draft.digest();
        const KernelPrice& price = draft.price;
        const DraftCheck& check = draft.check;
        PIM_CHECK(row.bind(draft.question, draft.code, draft.targetId, draft.targetHash, draft.form,
                           draft.sizes, draft.kernel, draft.residency, draft.optionsJson, draft.draft,
                           price.busInputNs, price.computeNs, price.busOutputNs, price.modeSwitchNs,
                           check.priceNs, check.predictedNs, check.simulated, check.rank, check.lossAtMost,
                           draft.enumerated, draft.kept, digest)
                      .run());
    }
    return transaction.commit();
}

Result<std::int64_t> Project::clearKnownDrafts(const std::string& target) {
    PIM_TRY(Transaction transaction, m_impl->beginChange());
    PIM_TRY(Statement rows,
            m_impl->database->prepare("DELETE FROM known_drafts WHERE ?1 = '' OR target_id = ?1"));
    PIM_CHECK(rows.bind(target).run());
    PIM_TRY(const std::int64_t gone, m_impl->database->integer("SELECT changes()"));
    PIM_CHECK(transaction.commit());
    return gone;
}

Result<std::int64_t> knownDraftsBytes(const std::filesystem::path& project) {
    PIM_TRY(ProjectQuery query, ProjectQuery::open(project));
    PIM_TRY(const QueryResult pages,
            query.run("SELECT total(pgsize) FROM dbstat WHERE name IN "
                      "(SELECT name FROM sqlite_master WHERE tbl_name = 'known_drafts')"));
    return static_cast<std::int64_t>(std::get<double>(pages.rows.front().front()));
}

} // namespace pim
