// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/upmem/lut/lut_code.h"

#include <fmt/format.h>

#include <array>
#include <numeric>

namespace pim::upmem {
namespace {

/// Features of a group whose sums are in registers: of 24, 8 hold sums, the others places and counters.
constexpr std::int64_t kMostSums = 8;
constexpr std::int64_t kMostUnrolled = 4; ///< Look-ups, one behind the other; a power of two, as kMostSums.

class LutWriter {
public:
    LutWriter(TaskletCode& code, const LutStructure& structure)
        : k(code), m_load(structure.load), m_order(orderOf(structure.order)), m_group(structure.group),
          m_isOneGroup(structure.isOneGroup), m_unrolled(structure.unrolled),
          m_tasklets(k.size("TASKLETS", "of a DPU")), m_rows(k.size("ROWS", "of a DPU")),
          m_features(k.size("FEATURES", "of a DPU")),
          m_codebooks(k.size("CODEBOOKS", "sub-vectors of a row")),
          m_centroids(k.size("CENTROIDS", "of a codebook")),
          m_tileRows(k.size("TILE_ROWS", "of all tasklets")), m_tileFeatures(k.size("TILE_FEATURES", "")),
          m_tileCodebooks(k.size("TILE_CODEBOOKS", "")),
          m_loadFeatures(k.size("LOAD_FEATURES", "of the table that lie together")),
          m_loadCodebooks(k.size("LOAD_CODEBOOKS", "of the table at a time")),
          m_mine(m_tileRows / m_tasklets),
          m_index(k.array("index", Element::U16, m_rows * m_codebooks * kLutIndexBytes,
                          "places in what is loaded of the table, [codebook tile][row][codebook]")),
          m_table(k.array("table", Element::I8, m_codebooks * m_centroids * m_features,
                          "[feature load][codebook][centroid][feature]")),
          m_output(k.array("sums", Element::I32, m_rows * m_features * kLutOutputBytes,
                           "[feature tile][row][feature]")),
          m_places(k.own("places", Element::U16, m_mine * m_tileCodebooks, "of this tasklet's rows")),
          m_sums(k.own("sums_tile", Element::I32, m_mine * m_tileFeatures, "of this tasklet's rows")),
          m_loaded(m_load == LutLoad::Fine
                       ? k.own("entry", Element::I8, m_loadFeatures, "of the table")
                       : k.shared("loaded", Element::I8, m_loadCodebooks * m_centroids * m_loadFeatures,
                                  "of the table")) {}

    void write() {
        if (m_load == LutLoad::Static)
            loadTable(m_table);
        tiles(0);
    }

private:
    enum class Axis : std::uint8_t { Row, Feature, Codebook };

    static std::array<Axis, 3> orderOf(LutLoopOrder order) {
        std::array<Axis, 3> axes{};
        const std::string_view text = name(order);
        for (std::size_t i = 0; i < axes.size(); ++i)
            axes[i] = text[i] == 'n' ? Axis::Row : text[i] == 'f' ? Axis::Feature : Axis::Codebook;
        return axes;
    }
    TaskletValue number(std::int64_t n) { return k.constant(n); }
    /// Position of the tile, where the loop over it is open.
    std::optional<TaskletValue>& at(Axis axis) { return m_at[std::size_t(axis)]; }

    void tiles(std::size_t depth) {
        if (depth == m_order.size())
            return m_load == LutLoad::Coarse ? coarse() : m_load == LutLoad::Fine ? fine() : wholeTable();
        const Axis axis = m_order[depth];
        const std::array<const char*, 3> names{"row", "feature", "codebook"};
        const std::array<TaskletValue, 3> all{m_rows, m_features, m_codebooks};
        const std::array<TaskletValue, 3> steps{m_tileRows, m_tileFeatures, m_tileCodebooks};
        const auto a = std::size_t(axis);
        k.range(names[a], number(0), all[a], steps[a], [&](TaskletValue position) {
            at(axis) = position;
            const bool placesNow = axis != Axis::Feature && at(Axis::Row) && at(Axis::Codebook);
            const bool sumsNow = axis != Axis::Codebook && at(Axis::Row) && at(Axis::Feature);
            if (placesNow)
                k.readAll(m_places,
                          m_index +
                              (*at(Axis::Codebook) * m_rows + myRow() * m_tileCodebooks) * kLutIndexBytes,
                          m_mine * m_tileCodebooks * kLutIndexBytes);
            if (sumsNow)
                openSums();
            tiles(depth + 1);
            if (sumsNow)
                writeSums();
            at(axis).reset();
        });
    }

    TaskletValue myRow() { return *at(Axis::Row) + k.me() * m_mine; }
    TaskletValue mySums() {
        return m_output + (*at(Axis::Feature) * m_rows + myRow() * m_tileFeatures) * kLutOutputBytes;
    }
    TaskletValue sumsBytes() { return m_mine * m_tileFeatures * kLutOutputBytes; }

    void openSums() {
        if (!at(Axis::Codebook)) // all codebooks pass while these sums are here
            return clearSums();
        k.when(
            *at(Axis::Codebook) == 0, [&] { clearSums(); },
            [&] { k.readAll(m_sums, mySums(), sumsBytes()); });
    }
    void clearSums() {
        const TaskletValue place = k.pointer("place", Element::I32, m_sums);
        k.count(m_mine * m_tileFeatures / 2, [&] { // a piece of a tasklet is a multiple of 8 bytes
            k.unrolled(2, [&](TaskletValue i) { k.store(place, i, number(0)); });
            k.set(place, place + 2);
        });
    }
    void writeSums() {
        const TaskletValue to = k.variable("to", Element::U32, mySums());
        k.range("done", number(0), sumsBytes(), number(kLongestDma), [&](TaskletValue done) {
            k.write(m_sums + done / kLutOutputBytes, to + done, min(number(kLongestDma), sumsBytes() - done));
        });
    }

    /// All tasklets together. \p from: first byte in MRAM.
    void loadTable(TaskletValue from) {
        const TaskletValue piece = m_loadCodebooks * m_centroids * m_loadFeatures / m_tasklets;
        k.readAll(m_loaded + k.me() * piece, from + k.me() * piece, piece);
        k.barrier();
    }
    /// Of the codebook and feature, in MRAM.
    TaskletValue placeInTable(TaskletValue codebook, TaskletValue feature) {
        return m_table + (feature * m_codebooks + codebook * m_loadFeatures) * m_centroids;
    }

    void wholeTable() {
        k.comment("Sums of a row, a few features at a time.");
        const TaskletValue sums = k.pointer("sums", Element::I32, m_sums);
        const TaskletValue places = k.pointer("row_places", Element::U16, m_places);
        k.count(m_mine, [&] {
            const TaskletValue table = k.pointer("column", Element::I8, m_loaded + *at(Axis::Feature));
            k.count(m_tileFeatures / m_group, [&] {
                lookUp(table, places, sums, m_tileCodebooks);
                k.set(table, table + m_group);
                k.set(sums, sums + m_group);
            });
            k.set(places, places + m_tileCodebooks);
        });
    }

    void coarse() {
        k.range("load_feature", number(0), m_tileFeatures, m_loadFeatures, [&](TaskletValue feature) {
            k.range("load_codebook", number(0), m_tileCodebooks, m_loadCodebooks, [&](TaskletValue codebook) {
                k.comment("The next part of the table, when nobody reads the last any more.");
                k.barrier();
                loadTable(placeInTable(*at(Axis::Codebook) + codebook, *at(Axis::Feature) + feature));
                const TaskletValue sums = k.pointer("sums", Element::I32, m_sums + feature);
                const TaskletValue places = k.pointer("row_places", Element::U16, m_places + codebook);
                k.count(m_mine, [&] {
                    const TaskletValue table = k.pointer("column", Element::I8, m_loaded);
                    const TaskletValue group = k.pointer("group", Element::I32, sums);
                    k.count(m_loadFeatures / m_group, [&] {
                        lookUp(table, places, group, m_loadCodebooks);
                        k.set(table, table + m_group);
                        k.set(group, group + m_group);
                    });
                    k.set(sums, sums + m_tileFeatures);
                    k.set(places, places + m_tileCodebooks);
                });
            });
        });
    }

    void fine() {
        const TaskletValue sums = k.pointer("sums", Element::I32, m_sums);
        const TaskletValue places = k.pointer("row_places", Element::U16, m_places);
        k.count(m_mine, [&] {
            const TaskletValue from =
                k.variable("from", Element::U32, placeInTable(*at(Axis::Codebook), *at(Axis::Feature)));
            k.count(m_tileFeatures / m_loadFeatures, [&] {
                const TaskletValue centroid = k.variable("centroid", Element::U32, from);
                const TaskletValue place = k.pointer("place", Element::U16, places);
                const std::vector<TaskletValue> held =
                    m_isOneGroup ? opened(sums) : std::vector<TaskletValue>();
                k.count(m_tileCodebooks, [&] {
                    k.readAll(m_loaded, centroid + k.load(place), m_loadFeatures);
                    if (m_isOneGroup)
                        add(held, m_loaded);
                    else
                        addEntry(sums);
                    k.add(centroid, m_centroids * m_loadFeatures);
                    k.set(place, place + 1);
                });
                if (m_isOneGroup)
                    close(sums, held);
                k.add(from, m_loadFeatures * m_codebooks * m_centroids);
                k.set(sums, sums + m_loadFeatures);
            });
            k.set(places, places + m_tileCodebooks);
        });
    }
    /// One entry of many features.
    void addEntry(TaskletValue sums) {
        const TaskletValue group = k.pointer("group", Element::I32, sums);
        const TaskletValue entry = k.pointer("part", Element::I8, m_loaded);
        k.count(m_loadFeatures / m_group, [&] {
            k.unrolled(m_group,
                       [&](TaskletValue i) { k.store(group, i, k.load(group, i) + k.load(entry, i)); });
            k.set(group, group + m_group);
            k.set(entry, entry + m_group);
        });
    }

    /// One group of features of a row, over codebooks that are loaded. \p table: its first feature.
    void lookUp(TaskletValue table, TaskletValue places, TaskletValue sums, TaskletValue codebooks) {
        const std::vector<TaskletValue> held = opened(sums);
        const TaskletValue place = k.pointer("place", Element::U16, places);
        k.count(codebooks / m_unrolled, [&] {
            k.unrolled(m_unrolled, [&](TaskletValue i) {
                add(held, k.pointer("entry", Element::I8, table + k.load(place, i)));
            });
            k.set(place, place + m_unrolled);
        });
        close(sums, held);
    }
    std::vector<TaskletValue> opened(TaskletValue sums) {
        std::vector<TaskletValue> held;
        for (std::int64_t i = 0; i < m_group; ++i)
            held.push_back(k.variable(fmt::format("sum{}", i), Element::I32, k.load(sums, i)));
        return held;
    }
    void add(const std::vector<TaskletValue>& held, TaskletValue entry) {
        for (std::size_t i = 0; i < held.size(); ++i)
            k.add(held[i], k.load(entry, std::int64_t(i)));
    }
    void close(TaskletValue sums, const std::vector<TaskletValue>& held) {
        for (std::size_t i = 0; i < held.size(); ++i)
            k.store(sums, std::int64_t(i), held[i]);
    }

    TaskletCode& k;
    LutLoad m_load;
    std::array<Axis, 3> m_order;
    std::int64_t m_group;
    bool m_isOneGroup;
    std::int64_t m_unrolled;
    TaskletValue m_tasklets, m_rows, m_features, m_codebooks, m_centroids, m_tileRows, m_tileFeatures,
        m_tileCodebooks, m_loadFeatures, m_loadCodebooks, m_mine, m_index, m_table, m_output, m_places,
        m_sums, m_loaded;
    std::array<std::optional<TaskletValue>, 3> m_at;
};

} // namespace

LutStructure lutStructure(const LutMapping& mapping) {
    const LutKernel& kernel = mapping.kernel;
    LutStructure structure{kernel.load, kernel.order};
    structure.group =
        std::gcd(kernel.load == LutLoad::Static ? kernel.features : kernel.loadFeatures, kMostSums);
    structure.isOneGroup = structure.group == kernel.loadFeatures;
    structure.unrolled =
        std::gcd(kernel.load == LutLoad::Coarse ? kernel.loadCodebooks : kernel.codebooks, kMostUnrolled);
    return structure;
}

void writeLut(TaskletCode& code, const LutStructure& structure) {
    LutWriter(code, structure).write();
}

std::vector<std::int64_t> lutSizes(const LutLayer& layer, const LutMapping& mapping) {
    const LutKernel& kernel = mapping.kernel;
    return {layer.tasklets,          mapping.split.rows,
            mapping.split.features,  layer.codebooks,
            layer.centroids,         kernel.rows,
            kernel.features,         kernel.codebooks,
            loadedFeatures(mapping), kernel.load == LutLoad::Coarse ? kernel.loadCodebooks : layer.codebooks};
}

Result<void> checkLutCode(const LutLayer& layer, const LutMapping& mapping) {
    PIM_CHECK(checkLayer(layer));
    const auto refusal = refusalOf(layer, mapping, LutReading::Strict);
    if (refusal && refusal->rule != LutRule::NeverMeasured)
        return fail(ErrorCode::Unsupported, text(*refusal, layer, mapping), "LUT");
    if (mapping.kernel.load == LutLoad::Fine && (layer.centroids - 1) * mapping.kernel.loadFeatures > 0xffff)
        return fail(ErrorCode::Unsupported,
                    fmt::format("a fine load of {} features from {} centroids has places beyond 65535, which "
                                "an index of 16 bits cannot name; at most {} features can be loaded",
                                mapping.kernel.loadFeatures, layer.centroids, 0xffff / (layer.centroids - 1)),
                    "LUT");
    return {};
}

std::int64_t loadedFeatures(const LutMapping& mapping) {
    return mapping.kernel.load == LutLoad::Static ? mapping.split.features : mapping.kernel.loadFeatures;
}

std::uint16_t lutPlace(const LutLayer& layer, const LutMapping& mapping, std::int64_t codebook,
                       std::int64_t centroid) {
    const std::int64_t atOnce = mapping.kernel.load == LutLoad::Static   ? layer.codebooks
                                : mapping.kernel.load == LutLoad::Coarse ? mapping.kernel.loadCodebooks
                                                                         : 1;
    return std::uint16_t((codebook % atOnce * layer.centroids + centroid) * loadedFeatures(mapping));
}

std::int64_t lutEntry(const LutLayer& layer, const LutMapping& mapping, std::int64_t codebook,
                      std::int64_t centroid, std::int64_t feature) {
    const std::int64_t loaded = loadedFeatures(mapping);
    return ((feature / loaded * layer.codebooks + codebook) * layer.centroids + centroid) * loaded +
           feature % loaded;
}

} // namespace pim::upmem
