// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Which elements of one tensor lie where in the banks of one channel, and the other way round. Flow:
/// OpPlaces -> [PlaceMap] -> pictures of the layout. Knows no widget.
#include "core/base/task.h"
#include "core/plan/op_places.h"

#include <memory>
#include <vector>

namespace pim::views {

/// Elements first, first + step, …
struct ElementRange {
    std::int64_t first = 0, count = 0, step = 1;
    friend bool operator==(const ElementRange&, const ElementRange&) = default;
};

/// A row of a bank, as far as one tensor goes.
struct RowContent {
    std::int64_t elements = 0; ///< Copies counted; 0: nothing of the tensor.
    std::int64_t first = -1;   ///< Its first element.
};

/// Indices along each dimension of a tensor that can be in a channel: what the tiles of its cores hold.
/// Empty: all.
using HeldIndices = std::vector<std::vector<std::int64_t>>;

/// Immutable, thread-safe.
class PlaceMap {
public:
    /// Elements asked for where they lie; of larger tensors every step()-th is.
    static constexpr std::int64_t kMostElements = std::int64_t(1) << 22;
    /// Takes time by the elements. Error::Cancelled.
    static Result<std::shared_ptr<const PlaceMap>> build(const OpPlaces& places, int tensor, int group,
                                                         const HeldIndices& held = {},
                                                         const TaskContext& task = {});

    int group() const { return m_group; }
    int banks() const { return m_banks; }
    std::int64_t firstRow() const {
        return m_firstRow;
    } ///< Of the op's rows, as PimPlace counts: the first with anything.
    std::int64_t rows() const {
        return m_rows;
    } ///< From there on; 0: nothing of the tensor is in the channel.
    std::int64_t step() const { return m_step; }
    std::int64_t copies() const { return m_copies; }        ///< Elements in the channel, copies counted.
    const RowContent& at(int bank, std::int64_t row) const; ///< row: from firstRow() on.
    /// What is in a row of a bank, ascending, joined where elements follow one another; at most \p most
    /// ranges.
    std::vector<ElementRange> elementsIn(int bank, std::int64_t row, std::size_t most) const;

private:
    /// Elements at equal distances that lie at equal distances, as numbers of places.
    struct Run {
        std::int64_t place = 0, element = 0, count = 0, placeStep = 0, elementStep = 1;
    };
    std::int64_t numberOf(const PimPlace& place) const;
    void add(std::vector<Run>& open, std::size_t copy, std::int64_t place, std::int64_t element);
    void fillRows();

    int m_group = 0, m_banks = 0;
    std::int64_t m_firstRow = 0, m_rows = 0, m_rowsOfOp = 0, m_step = 1, m_copies = 0;
    std::vector<Run> m_runs;
    std::vector<RowContent> m_content; ///< [bank][row]
};

/// "W[3, 0…511]", "W[0…63, 7]"; "W[2, 8]…[4, 7]" where it is not along one dimension.
std::string rangeText(const PlacedTensor& tensor, const ElementRange& range);
/// Index along each dimension.
std::vector<std::int64_t> indexOf(const Shape& shape, std::int64_t element);
/// Reads "3, 5" or "3 5" or "[3][5]". Error::Usage says what is expected.
Result<std::vector<std::int64_t>> parseIndex(std::string_view text);

} // namespace pim::views
