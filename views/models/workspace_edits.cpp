// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/passes/passes.h"
#include "views/models/workspace_impl.h"

#include <algorithm>

namespace pim::views {

void Workspace::setTarget(const QString& id, const QString& host) {
    const auto found = m_impl->catalog.find(id.toStdString(), host.toStdString());
    if (!found)
        return m_impl->report(found.error());
    if (target() && target()->hash == (*found)->hash)
        return;
    Decisions after = m_impl->now();
    after.target = *found;
    after.rank();
    if (graph())
        m_impl->push(
            std::move(after),
            host.isEmpty()
                ? tr("Switch target to %1").arg(QString::fromStdString((*found)->id))
                : tr("Switch target to %1 with host %2").arg(QString::fromStdString((*found)->id), host));
    else
        m_impl->history.start(std::move(after));
}

void Workspace::setBindings(const std::map<std::string, std::int64_t>& bindings) {
    if (!m_impl->model)
        return;
    GraphOptions options = m_impl->pendingGraph.value_or(graphOptions());
    if (options.bindings == bindings)
        return;
    options.bindings = bindings;
    QStringList parts;
    for (const auto& [symbol, value] : bindings)
        parts.append(QStringLiteral("%1=%2").arg(QString::fromStdString(symbol)).arg(value));
    m_impl->rebuild(std::move(options), parts.empty() ? tr("Reset dimensions")
                                                      : tr("Bind %1").arg(parts.join(QStringLiteral(", "))));
}

void Workspace::setDisabledPasses(const std::set<std::string>& passes) {
    if (!m_impl->model)
        return;
    GraphOptions options = m_impl->pendingGraph.value_or(graphOptions());
    if (options.disabledPasses == passes)
        return;
    options.disabledPasses = passes;
    m_impl->rebuild(std::move(options), tr("Change passes"));
}

void Workspace::setPassOptions(const std::string& pass, const OptionTexts& options) {
    if (!m_impl->model)
        return;
    const GraphOptions before = m_impl->pendingGraph.value_or(graphOptions());
    GraphOptions after = before;
    if (options.empty())
        after.passOptions.erase(pass);
    else
        after.passOptions[pass] = options;
    if (after.passOptions == before.passOptions)
        return;
    if (const auto allowed = checkPasses(allPasses(), after); !allowed)
        return m_impl->report(allowed.error());
    m_impl->rebuild(std::move(after), tr("Change options of %1").arg(QString::fromStdString(pass)));
}

void Workspace::setOptions(const CompileOptions& options) {
    Decisions after = m_impl->now();
    after.options = options;
    after.rank();
    if (optionsJson(after.options) == optionsJson(m_impl->now().options))
        return;
    if (graph())
        m_impl->push(std::move(after), tr("Change options"));
    else
        m_impl->history.start(std::move(after));
}

void Workspace::setStartOptions(const CompileOptions& options) {
    m_impl->startOptions = options;
    if (!graph())
        setOptions(options);
}

void Workspace::applyOverride(const Override& decision) {
    if (const auto legal = check(decision); !legal)
        return m_impl->report(legal.error());
    Decisions after = m_impl->now();
    Overrides decided = after.overrides;
    if (const FittedDecision* moved = movedTo(decision.op, decision.field))
        decided.clear(moved->decision.op, moved->decision.field); // replaced under the name the op has now
    else if (const std::string* old = decided.find(decision.op, decision.field);
             old && *old == decision.value)
        return;
    decided.set(decision);
    // The op is meant as it is now, whatever had its name when it was last decided about.
    Overrides alone;
    alone.set(decision);
    after.decide(std::move(decided), graph() ? marksOf(*graph(), alone) : OpMarks());
    m_impl->push(std::move(after), describe(decision));
}

void Workspace::clearOverride(const std::string& op, const std::string& field) {
    Decisions after = m_impl->now();
    Overrides decided = after.overrides;
    const FittedDecision* const moved = movedTo(op, field);
    if (!decided.clear(moved ? moved->decision.op : op, moved ? moved->decision.field : field))
        return;
    after.decide(std::move(decided));
    const QString text = op.empty() ? tr("the whole network") : QString::fromStdString(op);
    m_impl->push(std::move(after), tr("Reset %1 of %2").arg(fieldText(field), text));
}

void Workspace::replaceOverrides(const Overrides& overrides, const QString& text, const OpMarks& marks) {
    if (overrides == m_impl->now().overrides)
        return;
    Decisions after = m_impl->now();
    after.decide(overrides, marks);
    m_impl->push(std::move(after), text);
}

void Workspace::adoptMoved() {
    Decisions after = m_impl->now();
    Overrides decided = after.overrides;
    for (const FittedDecision& each : fit().decisions)
        if (each.fit == Fit::Moved && decided.clear(each.decision.op, each.decision.field))
            decided.set(each.inForce);
    if (!graph() || decided == after.overrides)
        return;
    after.decide(decided, marksOf(*graph(), decided));
    m_impl->push(std::move(after), tr("Take over the new names of ops"));
}

/// A decision made for an op that has another name now; null if this one was made under the name given.
const FittedDecision* Workspace::movedTo(const std::string& op, const std::string& field) const {
    const FittedDecision* const found = fit().find(op, field);
    return found && found->fit == Fit::Moved ? found : nullptr;
}

void Workspace::addNote(Note note) {
    Decisions after = m_impl->now();
    note.id = ++m_impl->lastNote;
    const QString about = note.op.empty() ? tr("the timeline") : QString::fromStdString(note.op);
    after.notes.push_back(std::move(note));
    m_impl->push(std::move(after), tr("Add note on %1").arg(about));
}

void Workspace::editNote(std::int64_t id, const QString& text) {
    Decisions after = m_impl->now();
    const auto note = std::ranges::find(after.notes, id, &Note::id);
    if (note == after.notes.end() || note->text == text.toStdString())
        return;
    note->text = text.toStdString();
    m_impl->push(std::move(after), tr("Edit note"), QStringLiteral("note %1").arg(id));
}

void Workspace::removeNote(std::int64_t id) {
    Decisions after = m_impl->now();
    if (std::erase_if(after.notes, [id](const Note& note) { return note.id == id; }))
        m_impl->push(std::move(after), tr("Remove note"));
}

bool Workspace::isFreeVariantName(const QString& name) {
    const bool isTaken = std::any_of(variants().begin(), variants().end(), [&](const Variant& variant) {
        return variant.name == name.toStdString();
    });
    if (name.isEmpty())
        emit failed(tr("A variant needs a name"), {});
    else if (isTaken)
        emit failed(tr("There is a variant \"%1\" already").arg(name), {});
    return !name.isEmpty() && !isTaken;
}

void Workspace::branchVariant(const QString& name) {
    const QString trimmed = name.trimmed();
    if (!graph() || !isFreeVariantName(trimmed))
        return;
    Decisions after = m_impl->now();
    after.variants.push_back({trimmed.toStdString(), after.variant, after.overrides});
    after.enterVariant(trimmed.toStdString());
    m_impl->push(std::move(after), tr("Branch variant %1").arg(trimmed));
}

void Workspace::switchVariant(const QString& name) {
    Decisions after = m_impl->now();
    const std::string wanted = name.toStdString();
    if (wanted == after.variant ||
        std::ranges::find(after.variants, wanted, &Variant::name) == after.variants.end())
        return;
    after.enterVariant(wanted);
    m_impl->push(std::move(after), tr("Switch to variant %1").arg(name));
}

void Workspace::renameVariant(const QString& from, const QString& to) {
    const QString trimmed = to.trimmed();
    Decisions after = m_impl->now();
    const std::string old = from.toStdString(), renamed = trimmed.toStdString();
    if (old == renamed || std::ranges::find(after.variants, old, &Variant::name) == after.variants.end() ||
        !isFreeVariantName(trimmed))
        return;
    for (Variant& variant : after.variants) {
        if (variant.name == old)
            variant.name = renamed;
        if (variant.parent == old)
            variant.parent = renamed;
    }
    if (after.variant == old)
        after.variant = renamed;
    m_impl->push(std::move(after), tr("Rename variant %1 to %2").arg(from, trimmed));
}

void Workspace::deleteVariant(const QString& name) {
    Decisions after = m_impl->now();
    const std::string gone = name.toStdString();
    if (gone == after.variant)
        return emit failed(tr("The variant in force cannot be deleted: switch to another one first"), {});
    const auto found = std::ranges::find(after.variants, gone, &Variant::name);
    if (found == after.variants.end())
        return;
    const std::string parent = found->parent;
    after.variants.erase(found);
    for (Variant& variant : after.variants)
        if (variant.parent == gone)
            variant.parent = parent;
    after.dropUnusedMarks();
    m_impl->push(std::move(after), tr("Delete variant %1").arg(name));
}

} // namespace pim::views
