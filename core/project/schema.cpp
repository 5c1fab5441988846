// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/schema.h"

#include <fmt/format.h>

#include <array>

namespace pim {
namespace {

constexpr const char* kVersion1 = R"sql(
-- A model is what placement and timing see of it: graph, shapes, small constants; not the weight values.
CREATE TABLE models (
    hash            TEXT PRIMARY KEY,   -- SHA-256 of the structure, bindings applied
    name            TEXT NOT NULL,
    producer        TEXT NOT NULL,
    ops             INTEGER NOT NULL,
    macs            INTEGER NOT NULL,
    weight_bytes    INTEGER NOT NULL
) STRICT;

-- The machine in full: a run can be repeated after the file it came from is gone.
CREATE TABLE targets (
    hash            TEXT PRIMARY KEY,   -- SHA-256 of json
    target_id       TEXT NOT NULL,
    name            TEXT NOT NULL,
    backend         TEXT NOT NULL,
    host            TEXT NOT NULL,
    json            TEXT NOT NULL
) STRICT;

CREATE TABLE runs (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,  -- never given twice
    label           TEXT NOT NULL,
    variant         TEXT NOT NULL,      -- its name when the run was made
    model_hash      TEXT NOT NULL REFERENCES models(hash),
    model_path      TEXT NOT NULL,      -- absolute
    model_relative  TEXT NOT NULL,      -- seen from the folder of this file, for projects that move
    target_hash     TEXT NOT NULL REFERENCES targets(hash),
    overrides_json  TEXT NOT NULL,
    options_json    TEXT NOT NULL,
    seed            INTEGER NOT NULL,   -- unsigned 64 bits, kept as signed
    tool_version    TEXT NOT NULL,
    started_utc     TEXT NOT NULL,      -- ISO 8601
    compile_ms      REAL NOT NULL,
    origin          TEXT NOT NULL,      -- predicted | simulated
    input_ns        REAL NOT NULL,
    compute_ns      REAL NOT NULL,
    output_ns       REAL NOT NULL,
    mode_switch_ns  REAL NOT NULL,
    host_ns         REAL NOT NULL,
    total_ns        REAL NOT NULL,
    host_only_ns    REAL NOT NULL,      -- every op on the host: the baseline
    resident_load_ns REAL NOT NULL,     -- once, not part of total_ns
    resident_bytes  INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_model ON runs(model_hash);
CREATE INDEX runs_by_target ON runs(target_hash);

CREATE TABLE run_bindings (             -- open dimensions of the model and the values they had
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    symbol          TEXT NOT NULL,
    value           INTEGER NOT NULL,
    assumed         INTEGER NOT NULL,   -- 1: nobody chose it
    PRIMARY KEY (run_id, symbol)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_passes (               -- graph passes, in the order they ran
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    name            TEXT NOT NULL,
    enabled         INTEGER NOT NULL,
    ops_before      INTEGER NOT NULL,
    ops_after       INTEGER NOT NULL,
    changes         INTEGER NOT NULL,
    time_ms         REAL NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_stages (               -- what the compile itself spent its time on
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    name            TEXT NOT NULL,
    time_ms         REAL NOT NULL,
    items           INTEGER NOT NULL,
    unit            TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_ops (
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    op_index        INTEGER NOT NULL,   -- topological order
    name            TEXT NOT NULL,
    type            TEXT NOT NULL,
    placement       TEXT NOT NULL,      -- host | pim
    placement_overridden INTEGER NOT NULL,
    draft           TEXT NOT NULL,      -- '' on the host
    draft_overridden INTEGER NOT NULL,
    reason          TEXT NOT NULL,
    origin          TEXT NOT NULL,
    input_ns        REAL NOT NULL,
    compute_ns      REAL NOT NULL,
    output_ns       REAL NOT NULL,
    mode_switch_ns  REAL NOT NULL,
    host_ns         REAL NOT NULL,      -- of the placement chosen
    total_ns        REAL NOT NULL GENERATED ALWAYS AS
                    (input_ns + compute_ns + output_ns + mode_switch_ns + host_ns) VIRTUAL,
    host_only_ns    REAL,               -- had it run on the host; NULL: not known
    macs            INTEGER NOT NULL,
    bytes           INTEGER NOT NULL,   -- read and written
    drafts_enumerated INTEGER NOT NULL,
    drafts_kept     INTEGER NOT NULL,
    PRIMARY KEY (run_id, op_index)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_ops_by_name ON run_ops(run_id, name);

CREATE TABLE run_tensors (              -- operands of the ops PIM can run
    run_id          INTEGER NOT NULL,
    op_index        INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    name            TEXT NOT NULL,
    residency       TEXT NOT NULL,      -- resident | streamed | produced | in place
    overridden      INTEGER NOT NULL,
    bytes           INTEGER NOT NULL,
    load_ns         REAL NOT NULL,      -- resident: bringing it in once
    PRIMARY KEY (run_id, op_index, position),
    FOREIGN KEY (run_id, op_index) REFERENCES run_ops(run_id, op_index) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE run_drafts_top (           -- the cheapest drafts in full, rank 1 is the cheapest
    run_id          INTEGER NOT NULL,
    op_index        INTEGER NOT NULL,
    rank            INTEGER NOT NULL,
    draft           TEXT NOT NULL,
    input_ns        REAL NOT NULL,
    compute_ns      REAL NOT NULL,
    output_ns       REAL NOT NULL,
    mode_switch_ns  REAL NOT NULL,
    PRIMARY KEY (run_id, op_index, rank),
    FOREIGN KEY (run_id, op_index) REFERENCES run_ops(run_id, op_index) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- All drafts that were kept, as one value of packed columns; the layout is described in core/project/draft_columns.h.
CREATE TABLE run_drafts_columns (
    run_id          INTEGER NOT NULL,
    op_index        INTEGER NOT NULL,
    drafts          INTEGER NOT NULL,
    sets            INTEGER NOT NULL,   -- dimension sets, so parts of a draft
    kernel          TEXT NOT NULL,      -- the loop nest the drafts are of
    groups          INTEGER NOT NULL,   -- of the machine
    cores_per_group INTEGER NOT NULL,
    enumerated      INTEGER NOT NULL,   -- drafts seen; the next five say why the others went
    removed_rule1   INTEGER NOT NULL,
    removed_rule2   INTEGER NOT NULL,
    removed_rule3   INTEGER NOT NULL,
    removed_capacity INTEGER NOT NULL,
    passed_over     INTEGER NOT NULL,   -- left out to keep the search short
    search_ms       REAL NOT NULL,
    columns         BLOB NOT NULL,
    PRIMARY KEY (run_id, op_index),
    FOREIGN KEY (run_id, op_index) REFERENCES run_ops(run_id, op_index) ON DELETE CASCADE
) STRICT;

CREATE TABLE notes (
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    op              TEXT NOT NULL,      -- '' for the whole run
    text            TEXT NOT NULL,
    changed_utc     TEXT NOT NULL,
    PRIMARY KEY (run_id, op)
) STRICT, WITHOUT ROWID;

CREATE TABLE variants (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT NOT NULL UNIQUE,
    parent_id       INTEGER REFERENCES variants(id) ON DELETE SET NULL
) STRICT;
INSERT INTO variants(name) VALUES ('main');

CREATE TABLE overrides (                -- the user's decisions, one a field
    variant_id      INTEGER NOT NULL REFERENCES variants(id) ON DELETE CASCADE,
    op              TEXT NOT NULL,      -- '' for the whole network
    field           TEXT NOT NULL,      -- placement, draft, dtype, residency/TENSOR
    value           TEXT NOT NULL,
    PRIMARY KEY (variant_id, op, field)
) STRICT, WITHOUT ROWID;

CREATE TABLE settings (
    key             TEXT PRIMARY KEY,
    value           TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW v_runs AS
    SELECT r.id AS run, r.started_utc, r.label, r.variant, m.name AS model, t.target_id AS target, t.host,
           round(r.total_ns / 1e6, 6) AS total_ms, round(r.host_only_ns / 1e6, 6) AS host_only_ms,
           round(r.host_only_ns / nullif(r.total_ns, 0), 3) AS times_faster_than_host,
           round(r.resident_load_ns / 1e6, 6) AS resident_load_ms, r.origin, r.tool_version,
           coalesce(n.text, '') AS note
    FROM runs r JOIN models m ON m.hash = r.model_hash JOIN targets t ON t.hash = r.target_hash
         LEFT JOIN notes n ON n.run_id = r.id AND n.op = ''
    ORDER BY r.id DESC;

-- Where does the time go?
CREATE VIEW v_time AS
    SELECT id AS run, input_ns / 1e6 AS input_ms, compute_ns / 1e6 AS compute_ms, output_ns / 1e6 AS output_ms,
           mode_switch_ns / 1e6 AS mode_switch_ms, host_ns / 1e6 AS host_ms, total_ns / 1e6 AS total_ms
    FROM runs ORDER BY id DESC;

-- Which ops cost most, and what would the host have made of them?
CREATE VIEW v_slowest_ops AS
    SELECT o.run_id AS run, o.name AS op, o.type, o.placement, o.total_ns / 1e3 AS total_us,
           o.host_only_ns / 1e3 AS host_only_us, round(100 * o.total_ns / nullif(r.total_ns, 0), 2) AS share_percent,
           o.draft, o.reason
    FROM run_ops o JOIN runs r ON r.id = o.run_id
    ORDER BY o.run_id DESC, o.total_ns DESC;

-- How much was offloaded?
CREATE VIEW v_placement AS
    SELECT run_id AS run, placement, count(*) AS ops, sum(macs) AS macs, sum(total_ns) / 1e6 AS total_ms
    FROM run_ops GROUP BY run_id, placement ORDER BY run_id DESC, placement;

CREATE VIEW v_best_drafts AS
    SELECT d.run_id AS run, o.name AS op, d.rank, d.draft,
           (d.input_ns + d.compute_ns + d.output_ns + d.mode_switch_ns) / 1e3 AS total_us,
           d.input_ns / 1e3 AS input_us, d.compute_ns / 1e3 AS compute_us, d.output_ns / 1e3 AS output_us,
           d.mode_switch_ns / 1e3 AS mode_switch_us
    FROM run_drafts_top d JOIN run_ops o USING (run_id, op_index)
    ORDER BY d.run_id DESC, d.op_index, d.rank;

CREATE VIEW v_overrides AS
    SELECT v.name AS variant, o.op, o.field, o.value
    FROM overrides o JOIN variants v ON v.id = o.variant_id ORDER BY v.name, o.op, o.field;
)sql";

// Machines that are planned as a whole: weights rewritten while the network runs, baselines, and what was decided
// beside the ops.
constexpr const char* kVersion2 = R"sql(
DROP VIEW v_time;
DROP VIEW v_slowest_ops;
DROP VIEW v_placement;
DROP VIEW v_best_drafts;

ALTER TABLE runs ADD COLUMN rewrite_ns REAL NOT NULL DEFAULT 0;
ALTER TABLE runs ADD COLUMN detail_kind TEXT NOT NULL DEFAULT '';   -- 'dual-mode'; '' for machines that run op by op
ALTER TABLE runs ADD COLUMN detail_json TEXT NOT NULL DEFAULT '';
ALTER TABLE run_ops DROP COLUMN total_ns;
ALTER TABLE run_ops ADD COLUMN rewrite_ns REAL NOT NULL DEFAULT 0;
ALTER TABLE run_ops ADD COLUMN total_ns REAL GENERATED ALWAYS AS
    (input_ns + compute_ns + output_ns + mode_switch_ns + rewrite_ns + host_ns) VIRTUAL;

CREATE TABLE run_baselines (            -- other ways to run the same network on the same machine
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    baseline        TEXT NOT NULL,      -- value of the network-wide decision "strategy" that opens it
    name            TEXT NOT NULL,
    total_ns        REAL NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- Where does the time go?
CREATE VIEW v_time AS
    SELECT id AS run, input_ns / 1e6 AS input_ms, compute_ns / 1e6 AS compute_ms, output_ns / 1e6 AS output_ms,
           mode_switch_ns / 1e6 AS mode_switch_ms, rewrite_ns / 1e6 AS rewrite_ms, host_ns / 1e6 AS host_ms,
           total_ns / 1e6 AS total_ms
    FROM runs ORDER BY id DESC;

-- Which ops cost most, and what would the host have made of them?
CREATE VIEW v_slowest_ops AS
    SELECT o.run_id AS run, o.name AS op, o.type, o.placement, o.total_ns / 1e3 AS total_us,
           o.host_only_ns / 1e3 AS host_only_us, round(100 * o.total_ns / nullif(r.total_ns, 0), 2) AS share_percent,
           o.draft, o.reason
    FROM run_ops o JOIN runs r ON r.id = o.run_id
    ORDER BY o.run_id DESC, o.total_ns DESC;

-- How much was offloaded?
CREATE VIEW v_placement AS
    SELECT run_id AS run, placement, count(*) AS ops, sum(macs) AS macs, sum(total_ns) / 1e6 AS total_ms
    FROM run_ops GROUP BY run_id, placement ORDER BY run_id DESC, placement;

CREATE VIEW v_best_drafts AS
    SELECT d.run_id AS run, o.name AS op, d.rank, d.draft,
           (d.input_ns + d.compute_ns + d.output_ns + d.mode_switch_ns) / 1e3 AS total_us,
           d.input_ns / 1e3 AS input_us, d.compute_ns / 1e3 AS compute_us, d.output_ns / 1e3 AS output_us,
           d.mode_switch_ns / 1e3 AS mode_switch_us
    FROM run_drafts_top d JOIN run_ops o USING (run_id, op_index)
    ORDER BY d.run_id DESC, d.op_index, d.rank;

-- What was each run faster than?
CREATE VIEW v_baselines AS
    SELECT b.run_id AS run, b.name AS baseline, b.total_ns / 1e6 AS baseline_ms, r.total_ns / 1e6 AS total_ms,
           round(b.total_ns / nullif(r.total_ns, 0), 3) AS speedup
    FROM run_baselines b JOIN runs r ON r.id = b.run_id ORDER BY b.run_id DESC, b.position;
)sql";

// What a person decided is kept with every change, also before the first run.
constexpr const char* kVersion3 = R"sql(
ALTER TABLE variants ADD COLUMN position INTEGER;   -- as the user made them; NULL: made beside the window

CREATE TABLE work (                     -- what a window that opens this project goes on with; one row
    id              INTEGER PRIMARY KEY CHECK (id = 1),
    model_path      TEXT NOT NULL,      -- absolute
    model_relative  TEXT NOT NULL,      -- seen from the folder of this file
    model_hash      TEXT NOT NULL,
    target_hash     TEXT NOT NULL REFERENCES targets(hash),
    options_json    TEXT NOT NULL,
    variant         TEXT NOT NULL       -- the one in force
) STRICT;

CREATE TABLE work_bindings (            -- open dimensions of the model that somebody chose
    symbol          TEXT PRIMARY KEY,
    value           INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE work_disabled_passes (
    name            TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE work_marks (               -- how an op with decisions is found again when its name is gone
    op              TEXT PRIMARY KEY,
    type            TEXT NOT NULL,
    shapes          TEXT NOT NULL,
    position        INTEGER NOT NULL,   -- in the graph
    nth             INTEGER NOT NULL,   -- among the ops of this type with these shapes, from 0
    alike           INTEGER NOT NULL,   -- how many of those there are
    output          TEXT NOT NULL,      -- its first tensor
    inputs_json     TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE work_notes (               -- what somebody wrote down about an op or a stretch of time
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    op              TEXT NOT NULL,      -- '' for none
    timeline        TEXT NOT NULL,      -- network, commands/OP; '' for no stretch
    from_ns         REAL NOT NULL,
    to_ns           REAL NOT NULL,
    text            TEXT NOT NULL
) STRICT;

CREATE TABLE view_states (              -- how a view looked when it was left
    view            TEXT PRIMARY KEY,
    json            TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE VIEW v_notes AS
    SELECT id AS note, op, timeline, from_ns / 1e6 AS from_ms, to_ns / 1e6 AS to_ms, text FROM work_notes ORDER BY id;
)sql";

// Sweeps are kept point by point, so that one that was left goes on where it was.
constexpr const char* kVersion4 = R"sql(
CREATE TABLE sweeps (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    name            TEXT NOT NULL UNIQUE,
    started_utc     TEXT NOT NULL,      -- ISO 8601
    model_path      TEXT NOT NULL,      -- absolute
    model_relative  TEXT NOT NULL,      -- seen from the folder of this file
    model_hash      TEXT NOT NULL,      -- with none of the swept values put in
    model_name      TEXT NOT NULL,
    target_hash     TEXT NOT NULL REFERENCES targets(hash),
    overrides_json  TEXT NOT NULL,
    options_json    TEXT NOT NULL,
    bindings_json   TEXT NOT NULL,      -- open dimensions that are not swept, where somebody chose a value
    disabled_passes_json TEXT NOT NULL,
    points          INTEGER NOT NULL,   -- when it is complete
    runner          TEXT NOT NULL       -- process that computes it: number and start time; '' for none
) STRICT;

CREATE TABLE sweep_axes (
    sweep_id        INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    axis            TEXT NOT NULL,      -- open dimension, target, option, or FIELD:OP
    kind            TEXT NOT NULL,      -- dimension | target | option | decision
    PRIMARY KEY (sweep_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_values (
    sweep_id        INTEGER NOT NULL,
    axis_position   INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    value           TEXT NOT NULL,
    target_hash     TEXT REFERENCES targets(hash),  -- where the value is a target
    PRIMARY KEY (sweep_id, axis_position, position),
    FOREIGN KEY (sweep_id, axis_position) REFERENCES sweep_axes(sweep_id, position) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_points (             -- what is finished, each once
    sweep_id        INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
    point           INTEGER NOT NULL,   -- the last axis is the fastest
    settings        TEXT NOT NULL,      -- 'batch=1; past=4'
    total_ns        REAL,               -- NULL: failed
    host_only_ns    REAL,
    macs            REAL,
    compile_ms      REAL NOT NULL,
    problem         TEXT NOT NULL,      -- why it failed; '' if it did not
    finished_utc    TEXT NOT NULL,
    PRIMARY KEY (sweep_id, point)
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_baselines (
    sweep_id        INTEGER NOT NULL,
    point           INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    baseline        TEXT NOT NULL,
    name            TEXT NOT NULL,
    total_ns        REAL NOT NULL,
    PRIMARY KEY (sweep_id, point, position),
    FOREIGN KEY (sweep_id, point) REFERENCES sweep_points(sweep_id, point) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE sweep_figures (            -- what the target says beside times
    sweep_id        INTEGER NOT NULL,
    point           INTEGER NOT NULL,
    position        INTEGER NOT NULL,
    figure          TEXT NOT NULL,
    value           REAL NOT NULL,
    PRIMARY KEY (sweep_id, point, position),
    FOREIGN KEY (sweep_id, point) REFERENCES sweep_points(sweep_id, point) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW v_sweeps AS
    SELECT s.id AS sweep, s.name, s.started_utc, s.model_name AS model, t.target_id AS target,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id) AS finished, s.points,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id AND p.problem <> '') AS failed
    FROM sweeps s JOIN targets t ON t.hash = s.target_hash ORDER BY s.id DESC;

-- How does the time grow, and what failed?
CREATE VIEW v_sweep_points AS
    SELECT s.name AS sweep, p.point, p.settings, p.total_ns / 1e6 AS total_ms, p.host_only_ns / 1e6 AS host_only_ms,
           round(p.host_only_ns / nullif(p.total_ns, 0), 3) AS times_faster_than_host,
           p.macs / nullif(p.total_ns, 0) AS gmacs_per_s, p.problem
    FROM sweep_points p JOIN sweeps s ON s.id = p.sweep_id ORDER BY s.id DESC, p.point;
)sql";

// The best drafts of kernels that simulation found, so that nobody looks for them again. [DCC §IV-D]
constexpr const char* kVersion5 = R"sql(
CREATE TABLE known_drafts (             -- the layout of an answer is described in core/drafts/draft_table.h
    question        TEXT PRIMARY KEY,   -- SHA-256 of all that the answer depends on beside the code
    code            TEXT NOT NULL,      -- SHA-256 of the code that found it; other code looks for itself
    target_id       TEXT NOT NULL,
    target_hash     TEXT NOT NULL,
    form            TEXT NOT NULL,      -- 'mac w[01] [02] [012]r'
    sizes           TEXT NOT NULL,      -- 'b=1 n=4096 k=1024'
    kernel          TEXT NOT NULL,      -- the loop nest
    residency       TEXT NOT NULL,      -- a word each tensor of the kernel
    options_json    TEXT NOT NULL,      -- those that matter for drafts
    draft           TEXT NOT NULL,
    input_ns        REAL NOT NULL,      -- simulated, without the host's memory
    compute_ns      REAL NOT NULL,
    output_ns       REAL NOT NULL,
    mode_switch_ns  REAL NOT NULL,
    price_ns        REAL NOT NULL,      -- by formula
    predicted_ns    REAL,               -- by the learned predictor; NULL: there was none
    simulated       INTEGER NOT NULL,   -- drafts that were
    rank            INTEGER NOT NULL,   -- of this one among them before
    loss_at_most    REAL,               -- share that the best of all may be faster; NULL: not known
    enumerated      INTEGER NOT NULL,
    kept            INTEGER NOT NULL,
    found_utc       TEXT NOT NULL,      -- ISO 8601
    digest          TEXT NOT NULL       -- SHA-256 of the rest of the row but found_utc
) STRICT, WITHOUT ROWID;

CREATE VIEW v_known_drafts AS
    SELECT target_id AS target, form, sizes, draft,
           (input_ns + compute_ns + output_ns + mode_switch_ns) / 1e3 AS simulated_us, price_ns / 1e3 AS price_us,
           predicted_ns / 1e3 AS predicted_us, simulated AS drafts_simulated,
           round(100 * loss_at_most, 4) AS loss_at_most_percent, found_utc
    FROM known_drafts ORDER BY target_id, form, sizes, question;
)sql";

// Version 6: what a run says about itself it says in columns, so that no query has to know kinds of machines.
constexpr const char* kVersion6 = R"sql(
ALTER TABLE runs ADD COLUMN in_flight INTEGER NOT NULL DEFAULT 0;   -- 1: total_ns is from one sample to the next
UPDATE runs SET in_flight = 1 WHERE detail_kind = 'crossbar' AND json_extract(detail_json, '$.mode') = 'ht';

CREATE TABLE run_figures (              -- what a machine that is planned as a whole says in addition to times
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    figure          TEXT NOT NULL,      -- "segments", "memory_share"
    value           REAL NOT NULL,
    PRIMARY KEY (run_id, figure)
) STRICT, WITHOUT ROWID;
)sql";

// Version 7: a run may span several machines; where an op ran is the position of one of them. Passes have options.
constexpr const char* kVersion7 = R"sql(
DROP VIEW v_slowest_ops;
DROP VIEW v_placement;

CREATE TABLE run_devices (              -- the machines of a run
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    device          INTEGER NOT NULL,   -- from 0
    name            TEXT NOT NULL,
    target_hash     TEXT NOT NULL REFERENCES targets(hash),
    PRIMARY KEY (run_id, device)
) STRICT, WITHOUT ROWID;
INSERT INTO run_devices SELECT r.id, 0, t.target_id, t.hash FROM runs r JOIN targets t ON t.hash = r.target_hash;

ALTER TABLE run_ops ADD COLUMN device INTEGER;  -- NULL: the host
ALTER TABLE run_ops ADD COLUMN part INTEGER;    -- position in run_parts; NULL: the run has one machine
UPDATE run_ops SET device = 0 WHERE placement = 'pim';
ALTER TABLE run_ops DROP COLUMN placement;
ALTER TABLE run_ops ADD COLUMN placement TEXT GENERATED ALWAYS AS   -- host | pim | pim2 | …
    (CASE WHEN device IS NULL THEN 'host' WHEN device = 0 THEN 'pim' ELSE 'pim' || (device + 1) END) VIRTUAL;

CREATE TABLE run_parts (                -- of a run over several machines, in the order in which they run
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    device          INTEGER,            -- NULL: the host
    total_ns        REAL NOT NULL,      -- of its plan, without transfers
    host_only_ns    REAL NOT NULL,
    detail_kind     TEXT NOT NULL,
    detail_json     TEXT NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE run_transfers (            -- what moves between the machines of a run
    run_id          INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    tensor          TEXT NOT NULL,
    from_device     INTEGER,            -- NULL: the host
    to_device       INTEGER,
    bytes           INTEGER NOT NULL,
    total_ns        REAL NOT NULL,      -- in the times of ops already
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- Options of graph passes, where they are not as usual.
ALTER TABLE run_passes ADD COLUMN options_json TEXT NOT NULL DEFAULT '{}';
ALTER TABLE sweeps ADD COLUMN pass_options_json TEXT NOT NULL DEFAULT '{}';
CREATE TABLE work_pass_options (
    pass            TEXT NOT NULL,
    option          TEXT NOT NULL,
    value           TEXT NOT NULL,
    PRIMARY KEY (pass, option)
) STRICT, WITHOUT ROWID;

-- Which ops cost most, and what would the host have made of them?
CREATE VIEW v_slowest_ops AS
    SELECT o.run_id AS run, o.name AS op, o.type, o.placement, o.total_ns / 1e3 AS total_us,
           o.host_only_ns / 1e3 AS host_only_us, round(100 * o.total_ns / nullif(r.total_ns, 0), 2) AS share_percent,
           o.draft, o.reason
    FROM run_ops o JOIN runs r ON r.id = o.run_id
    ORDER BY o.run_id DESC, o.total_ns DESC;

-- How much was offloaded?
CREATE VIEW v_placement AS
    SELECT run_id AS run, placement, count(*) AS ops, sum(macs) AS macs, sum(total_ns) / 1e6 AS total_ms
    FROM run_ops GROUP BY run_id, placement ORDER BY run_id DESC, placement;

-- What did each machine do?
CREATE VIEW v_devices AS
    SELECT d.run_id AS run, d.name AS device, t.target_id AS target, count(o.op_index) AS ops,
           coalesce(sum(o.macs), 0) AS macs, coalesce(sum(o.total_ns), 0) / 1e6 AS total_ms
    FROM run_devices d JOIN targets t ON t.hash = d.target_hash
         LEFT JOIN run_ops o ON o.run_id = d.run_id AND o.device = d.device
    GROUP BY d.run_id, d.device ORDER BY d.run_id DESC, d.device;

-- What moved between them?
CREATE VIEW v_transfers AS
    SELECT x.run_id AS run, x.tensor, coalesce(f.name, 'host') AS from_device, coalesce(t.name, 'host') AS to_device,
           x.bytes, x.total_ns / 1e3 AS total_us
    FROM run_transfers x LEFT JOIN run_devices f ON f.run_id = x.run_id AND f.device = x.from_device
         LEFT JOIN run_devices t ON t.run_id = x.run_id AND t.device = x.to_device
    ORDER BY x.run_id DESC, x.position;
)sql";

// Version 8: plans of dual-mode chips are judged by their flows unless an option says otherwise. What was planned before by the published
// formulas, which then was left out as usual, says so now, in the canonical order of keys.
constexpr const char* kVersion8 = R"sql(
CREATE TEMP TABLE stored_options AS
    SELECT options_json AS before, iif(json_type(options_json, '$.cim') IS NULL, 'dual_mode', 'cim') AS family FROM (
        SELECT r.options_json FROM runs r JOIN targets t ON t.hash = r.target_hash WHERE t.backend IN ('dual_mode', 'cim')
        UNION
        SELECT w.options_json FROM work w JOIN targets t ON t.hash = w.target_hash WHERE t.backend IN ('dual_mode', 'cim')
        UNION
        SELECT options_json FROM sweeps);

CREATE TEMP TABLE pinned_options AS
    SELECT before, (SELECT json_group_object(key, json(whole -> ('$.' || key)))
                    FROM (SELECT key FROM json_each(whole) ORDER BY key)) AS after
    FROM (SELECT before, json_set(before, '$.' || family, (
              SELECT json_group_object(key, value)
              FROM (SELECT key, value
                    FROM json_each(json_insert(coalesce(before -> ('$.' || family), '{}'), '$.cost', 'formula'))
                    ORDER BY key))) AS whole
          FROM stored_options);

UPDATE runs SET options_json = (SELECT after FROM pinned_options WHERE before = options_json)
    WHERE target_hash IN (SELECT hash FROM targets WHERE backend IN ('dual_mode', 'cim'));
UPDATE work SET options_json = (SELECT after FROM pinned_options WHERE before = options_json)
    WHERE target_hash IN (SELECT hash FROM targets WHERE backend IN ('dual_mode', 'cim'));
UPDATE sweeps SET options_json = (SELECT after FROM pinned_options WHERE before = options_json);
DROP TABLE pinned_options;
DROP TABLE stored_options;
)sql";

// Version 9: the numbers of a sweep's point are one text, because a sweep has up to a million points; what each is of is kept once for all
// points that have the same ones. The two tables they were in go on as views.
constexpr const char* kVersion9 = R"sql(
CREATE TABLE sweep_names (
    sweep_id        INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
    names           INTEGER NOT NULL,   -- the first point that had them
    position        INTEGER NOT NULL,   -- in sweep_points.numbers, from 0
    baseline        TEXT,               -- id of a baseline; NULL: a figure
    name            TEXT NOT NULL,
    PRIMARY KEY (sweep_id, names, position)
) STRICT, WITHOUT ROWID;
ALTER TABLE sweep_points ADD COLUMN names INTEGER NOT NULL DEFAULT 0;
ALTER TABLE sweep_points ADD COLUMN numbers TEXT NOT NULL DEFAULT '[]';   -- JSON: times of the baselines, then figures

CREATE TEMP TABLE point_numbers AS
    SELECT sweep_id, point, position, baseline, name, total_ns AS value FROM sweep_baselines
    UNION ALL
    SELECT f.sweep_id, f.point,
           f.position + (SELECT count(*) FROM sweep_baselines b WHERE b.sweep_id = f.sweep_id AND b.point = f.point),
           NULL, f.figure, f.value
    FROM sweep_figures f ORDER BY 1, 2, 3;
CREATE TEMP TABLE point_texts AS
    SELECT sweep_id, point, json_group_array(json_array(baseline, name)) AS names,
           '[' || group_concat(printf('%!.17g', value)) || ']' AS numbers
    FROM (SELECT * FROM point_numbers ORDER BY sweep_id, point, position) GROUP BY sweep_id, point;
CREATE TEMP TABLE first_points AS SELECT sweep_id, names, min(point) AS point FROM point_texts GROUP BY sweep_id, names;
CREATE TEMP TABLE texts_of_points (sweep_id, point, names, numbers, PRIMARY KEY (sweep_id, point));
INSERT INTO texts_of_points
    SELECT t.sweep_id, t.point, f.point, t.numbers FROM point_texts t JOIN first_points f ON f.sweep_id = t.sweep_id AND f.names = t.names;
UPDATE sweep_points SET names = t.names, numbers = t.numbers FROM texts_of_points t
    WHERE t.sweep_id = sweep_points.sweep_id AND t.point = sweep_points.point;
INSERT INTO sweep_names
    SELECT n.sweep_id, n.point, n.position, n.baseline, n.name
    FROM point_numbers n JOIN first_points f ON f.sweep_id = n.sweep_id AND f.point = n.point;
DROP TABLE texts_of_points;
DROP TABLE first_points;
DROP TABLE point_texts;
DROP TABLE point_numbers;
DROP TABLE sweep_baselines;
DROP TABLE sweep_figures;

CREATE VIEW sweep_baselines AS
    SELECT p.sweep_id, p.point, n.position, n.baseline, n.name, j.value AS total_ns
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NOT NULL;
CREATE VIEW sweep_figures AS
    SELECT p.sweep_id, p.point, n.position, n.name AS figure, j.value AS value
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NULL;
)sql";

// Version 10: a sweep has up to a million points, so that a row of one has nothing that another table tells: what its settings are follows from
// its number, and who asks for them takes v_sweep_points. That the sweep is there was looked up for every row; now its going takes them along.
constexpr const char* kVersion10 = R"sql(
DROP VIEW v_sweeps;
DROP VIEW v_sweep_points;
DROP VIEW sweep_baselines;
DROP VIEW sweep_figures;

ALTER TABLE sweep_axes ADD COLUMN size INTEGER NOT NULL DEFAULT 1;      -- values it has
ALTER TABLE sweep_axes ADD COLUMN stride INTEGER NOT NULL DEFAULT 1;    -- from a point to the one with its next value
UPDATE sweep_axes SET size =
    (SELECT count(*) FROM sweep_values v WHERE v.sweep_id = sweep_axes.sweep_id AND v.axis_position = sweep_axes.position);
CREATE TEMP TABLE axis_strides AS
    WITH RECURSIVE later(sweep_id, position, stride) AS (
        SELECT sweep_id, max(position), 1 FROM sweep_axes GROUP BY sweep_id
        UNION ALL
        SELECT a.sweep_id, a.position - 1, later.stride * a.size
        FROM later JOIN sweep_axes a ON a.sweep_id = later.sweep_id AND a.position = later.position WHERE a.position > 0)
    SELECT * FROM later;
UPDATE sweep_axes SET stride = s.stride FROM axis_strides s
    WHERE s.sweep_id = sweep_axes.sweep_id AND s.position = sweep_axes.position;
DROP TABLE axis_strides;

CREATE TABLE lean_points (              -- what is finished, each once
    sweep_id        INTEGER NOT NULL,   -- of sweeps
    point           INTEGER NOT NULL,   -- the last axis is the fastest
    total_ns        REAL,               -- NULL: failed
    host_only_ns    REAL,
    macs            REAL,
    compile_ms      REAL NOT NULL,
    problem         TEXT NOT NULL,      -- why it failed; '' if it did not
    names           INTEGER NOT NULL,   -- of sweep_names
    numbers         TEXT NOT NULL,      -- JSON: times of the baselines, then figures
    PRIMARY KEY (sweep_id, point)
) STRICT, WITHOUT ROWID;
INSERT INTO lean_points
    SELECT sweep_id, point, total_ns, host_only_ns, macs, compile_ms, problem, names, numbers FROM sweep_points ORDER BY 1, 2;
DROP TABLE sweep_points;
ALTER TABLE lean_points RENAME TO sweep_points;
CREATE TRIGGER points_of_sweep AFTER DELETE ON sweeps BEGIN
    DELETE FROM sweep_points WHERE sweep_id = OLD.id;
END;

CREATE VIEW v_sweeps AS
    SELECT s.id AS sweep, s.name, s.started_utc, s.model_name AS model, t.target_id AS target,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id) AS finished, s.points,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id AND p.problem <> '') AS failed
    FROM sweeps s JOIN targets t ON t.hash = s.target_hash ORDER BY s.id DESC;

-- How does the time grow, and what failed?
CREATE VIEW v_sweep_points AS
    SELECT s.name AS sweep, p.point,
           (SELECT group_concat(setting, '; ') FROM (
                SELECT a.axis || '=' || v.value AS setting
                FROM sweep_axes a JOIN sweep_values v ON v.sweep_id = a.sweep_id AND v.axis_position = a.position
                     AND v.position = p.point / a.stride % a.size
                WHERE a.sweep_id = p.sweep_id AND a.kind NOT IN ('condition', 'figure')
                ORDER BY a.position)) AS settings,
           p.total_ns / 1e6 AS total_ms, p.host_only_ns / 1e6 AS host_only_ms,
           round(p.host_only_ns / nullif(p.total_ns, 0), 3) AS times_faster_than_host,
           p.macs / nullif(p.total_ns, 0) AS gmacs_per_s, p.problem
    FROM sweep_points p JOIN sweeps s ON s.id = p.sweep_id ORDER BY s.id DESC, p.point;
CREATE VIEW sweep_baselines AS
    SELECT p.sweep_id, p.point, n.position, n.baseline, n.name, j.value AS total_ns
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NOT NULL;
CREATE VIEW sweep_figures AS
    SELECT p.sweep_id, p.point, n.position, n.name AS figure, j.value AS value
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NULL;
)sql";

// Version 11: rows of a sweep's points follow each other by one number, so that a million are appended without looking for their places.
// sweep_points goes on as a view.
constexpr const char* kVersion11 = R"sql(
DROP TRIGGER points_of_sweep;
DROP VIEW v_sweeps;
DROP VIEW v_sweep_points;
DROP VIEW sweep_baselines;
DROP VIEW sweep_figures;

ALTER TABLE sweeps ADD COLUMN first_row INTEGER NOT NULL DEFAULT 0;     -- of sweep_rows: that of point 0; as many as it has points are its own
UPDATE sweeps SET first_row = f.first_row
    FROM (SELECT id, sum(points) OVER (ORDER BY id) - points AS first_row FROM sweeps) f WHERE f.id = sweeps.id;

CREATE TABLE sweep_rows (               -- points that are finished; asked by sweep_points
    id              INTEGER PRIMARY KEY,    -- sweeps.first_row and the number of the point
    total_ns        REAL,               -- NULL: failed
    host_only_ns    REAL,
    macs            REAL,
    compile_ms      REAL NOT NULL,
    problem         TEXT NOT NULL,      -- why it failed; '' if it did not
    names           INTEGER NOT NULL,   -- of sweep_names
    numbers         TEXT NOT NULL       -- JSON: times of the baselines, then figures
) STRICT;
INSERT INTO sweep_rows
    SELECT s.first_row + p.point, p.total_ns, p.host_only_ns, p.macs, p.compile_ms, p.problem, p.names, p.numbers
    FROM sweeps s JOIN sweep_points p ON p.sweep_id = s.id WHERE p.point BETWEEN 0 AND s.points - 1 ORDER BY 1;
DROP TABLE sweep_points;
CREATE TRIGGER rows_of_sweep AFTER DELETE ON sweeps BEGIN
    DELETE FROM sweep_rows WHERE id BETWEEN OLD.first_row AND OLD.first_row + OLD.points - 1;
END;

CREATE VIEW sweep_points AS
    SELECT s.id AS sweep_id, r.id - s.first_row AS point,   -- the last axis is the fastest
           r.total_ns, r.host_only_ns, r.macs, r.compile_ms, r.problem, r.names, r.numbers
    FROM sweeps s JOIN sweep_rows r ON r.id BETWEEN s.first_row AND s.first_row + s.points - 1;
CREATE VIEW v_sweeps AS
    SELECT s.id AS sweep, s.name, s.started_utc, s.model_name AS model, t.target_id AS target,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id) AS finished, s.points,
           (SELECT count(*) FROM sweep_points p WHERE p.sweep_id = s.id AND p.problem <> '') AS failed
    FROM sweeps s JOIN targets t ON t.hash = s.target_hash ORDER BY s.id DESC;

-- How does the time grow, and what failed?
CREATE VIEW v_sweep_points AS
    SELECT s.name AS sweep, p.point,
           (SELECT group_concat(setting, '; ') FROM (
                SELECT a.axis || '=' || v.value AS setting
                FROM sweep_axes a JOIN sweep_values v ON v.sweep_id = a.sweep_id AND v.axis_position = a.position
                     AND v.position = p.point / a.stride % a.size
                WHERE a.sweep_id = p.sweep_id AND a.kind NOT IN ('condition', 'figure')
                ORDER BY a.position)) AS settings,
           p.total_ns / 1e6 AS total_ms, p.host_only_ns / 1e6 AS host_only_ms,
           round(p.host_only_ns / nullif(p.total_ns, 0), 3) AS times_faster_than_host,
           p.macs / nullif(p.total_ns, 0) AS gmacs_per_s, p.problem
    FROM sweep_points p JOIN sweeps s ON s.id = p.sweep_id ORDER BY s.id DESC, p.point;
CREATE VIEW sweep_baselines AS
    SELECT p.sweep_id, p.point, n.position, n.baseline, n.name, j.value AS total_ns
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NOT NULL;
CREATE VIEW sweep_figures AS
    SELECT p.sweep_id, p.point, n.position, n.name AS figure, j.value AS value
    FROM sweep_points p JOIN sweep_names n ON n.sweep_id = p.sweep_id AND n.names = p.names
         JOIN json_each(p.numbers) j ON j.key = n.position
    WHERE n.baseline IS NULL;
)sql";

// Version 12: networks as an axis of a sweep.
constexpr const char* kVersion12 = R"sql(
CREATE TABLE sweep_models (             -- networks that the axis "model" names, each once; none where there is one network
    sweep_id        INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
    position        INTEGER NOT NULL,
    name            TEXT NOT NULL,      -- as the axis has it
    model_path      TEXT NOT NULL,
    model_relative  TEXT NOT NULL,      -- to the folder of the project
    model_hash      TEXT NOT NULL,
    bindings_json   TEXT NOT NULL,
    PRIMARY KEY (sweep_id, position)
) STRICT, WITHOUT ROWID;
)sql";

// Version 13: how a sweep is searched, the order in which a search computed its points, and those of its front that were simulated.
constexpr const char* kVersion13 = R"sql(
CREATE TABLE sweep_searches (           -- of sweeps of which only some points are computed
    sweep_id        INTEGER PRIMARY KEY REFERENCES sweeps(id) ON DELETE CASCADE,
    method          TEXT NOT NULL,      -- exhaustive | random | nsga2
    evaluations     INTEGER NOT NULL,
    seed            TEXT NOT NULL,      -- 64 bits without a sign
    objectives_json TEXT NOT NULL,      -- []: what the front is usually by
    finished        INTEGER NOT NULL
) STRICT;
CREATE TABLE sweep_turns (              -- points of searches, in the order they were computed
    sweep_id        INTEGER NOT NULL,   -- of sweeps
    turn            INTEGER NOT NULL,
    point           INTEGER NOT NULL,
    PRIMARY KEY (sweep_id, turn)
) STRICT, WITHOUT ROWID;
CREATE TABLE sweep_confirmations (      -- what the front was by when it was simulated
    sweep_id        INTEGER PRIMARY KEY REFERENCES sweeps(id) ON DELETE CASCADE,
    margin          REAL NOT NULL,      -- 0.1: a tenth
    objectives_json TEXT NOT NULL
) STRICT;
CREATE TABLE confirmed_rows (           -- points that were simulated, beside what was predicted; asked by confirmed_points
    id              INTEGER PRIMARY KEY,    -- as in sweep_rows
    total_ns        REAL,               -- predicted; NULL: failed
    host_only_ns    REAL,
    macs            REAL,
    compile_ms      REAL NOT NULL,
    problem         TEXT NOT NULL,      -- why it failed; '' if it did not
    names           INTEGER NOT NULL,   -- of sweep_names: below 0, where sweep_rows has none of the same
    numbers         TEXT NOT NULL       -- JSON: times of the baselines, then figures
) STRICT;
CREATE TRIGGER turns_and_confirmed_of_sweep AFTER DELETE ON sweeps BEGIN
    DELETE FROM sweep_turns WHERE sweep_id = OLD.id;
    DELETE FROM confirmed_rows WHERE id BETWEEN OLD.first_row AND OLD.first_row + OLD.points - 1;
END;
CREATE VIEW confirmed_points AS
    SELECT s.id AS sweep_id, r.id - s.first_row AS point,
           r.total_ns, r.host_only_ns, r.macs, r.compile_ms, r.problem, r.names, r.numbers
    FROM sweeps s JOIN confirmed_rows r ON r.id BETWEEN s.first_row AND s.first_row + s.points - 1;
)sql";

constexpr std::array kMigrations{
    Migration{1, kVersion1},  Migration{2, kVersion2},   Migration{3, kVersion3},   Migration{4, kVersion4},
    Migration{5, kVersion5},  Migration{6, kVersion6},   Migration{7, kVersion7},   Migration{8, kVersion8},
    Migration{9, kVersion9},  Migration{10, kVersion10}, Migration{11, kVersion11}, Migration{12, kVersion12},
    Migration{13, kVersion13}};

} // namespace

std::span<const Migration> projectMigrations() {
    return kMigrations;
}

Result<void> migrate(const Database& database, std::span<const Migration> migrations) {
    PIM_TRY(Transaction transaction, Transaction::begin(database));
    // Asked again under the write lock: another program may have done the work in the meantime.
    PIM_TRY(const std::int64_t version, database.integer("PRAGMA user_version"));
    for (const Migration& migration : migrations) {
        if (migration.to <= version)
            continue;
        if (auto done = database.run(migration.sql); !done) {
            Error error = std::move(done).error();
            error.message =
                fmt::format("cannot bring the project to version {}: {}", migration.to, error.message);
            return tl::unexpected<Error>(std::move(error));
        }
        PIM_CHECK(database.run(fmt::format("PRAGMA user_version = {}; PRAGMA application_id = {}",
                                           migration.to, kApplicationId)));
    }
    return transaction.commit();
}

} // namespace pim
