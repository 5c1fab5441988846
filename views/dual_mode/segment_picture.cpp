// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/dual_mode/segment_picture.h"

#include "backends/dual_mode/decisions.h"
#include "views/common/core_words.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace pim::views {
namespace {

/// "/layer1.0/conv1/Conv" -> "layer1.0/conv1": what exporters add to every name says nothing in a narrow column.
QString shortWork(const QString& work, const QString& opName, const QString& type) {
    QString stem = opName;
    if (!type.isEmpty() && stem.endsWith(u'/' + type))
        stem.chop(type.size() + 1);
    while (stem.startsWith(u'/'))
        stem.remove(0, 1);
    return stem.isEmpty() || !work.startsWith(opName) ? work : stem + work.mid(opName.size());
}

constexpr int kLongestPeriod = 96; ///< Segments of a layer that is looked for.

} // namespace

QString PieceBar::name() const {
    return of > 1
               ? QStringLiteral("%1 piece %2/%3").arg(work, QString::number(index + 1), QString::number(of))
               : work;
}

QString PieceBar::shortName() const {
    return of > 1 ? QStringLiteral("%1 %2/%3").arg(shortWork, QString::number(index + 1), QString::number(of))
                  : shortWork;
}

QString PieceBar::pieceText() const {
    return QStringLiteral("%1%2 of %3").arg(part, QString::number(index + 1), QString::number(of));
}

int SegmentPicture::switches() const {
    int sum = 0;
    for (const SegmentBar& segment : segments)
        sum += segment.toMemory + segment.toCompute;
    return sum;
}

int SegmentPicture::segmentOf(int piece) const {
    const auto after = std::partition_point(segments.begin(), segments.end(),
                                            [&](const SegmentBar& segment) { return segment.last < piece; });
    return piece < 0 || after == segments.end() ? -1 : static_cast<int>(after - segments.begin());
}

SegmentPicture segmentPicture(const DualModePlan& plan, const Graph* graph) {
    SegmentPicture picture;
    picture.arrays = plan.chip.arrays;
    picture.cycleNs = plan.chip.cycleNs;
    picture.cycles = plan.segmentation.cycles;
    picture.speedup = plan.speedup();
    for (const DualModeBaseline& baseline : plan.baselines)
        if (baseline.strategy == DualModeStrategy::AllCompute)
            picture.baseline = coreWord(baseline.name);
    picture.memoryShare = plan.memoryShare();
    int namesOf = -1; // the op of the workload that these belong to
    PieceBar names;
    for (std::size_t i = 0; i < plan.subOps.size(); ++i) {
        const DualModeSubOp& subOp = plan.subOps[i];
        const int at = static_cast<int>(i);
        if (subOp.op != std::exchange(namesOf, subOp.op)) {
            const DualModeOp& op = plan.workload->ops[static_cast<std::size_t>(subOp.op)];
            const Op* const known = graph && op.op.valid() && op.op.index() < graph->ops.size()
                                        ? &graph->ops[op.op.index()]
                                        : nullptr;
            names.op = op.op.valid() ? static_cast<int>(op.op.value) : -1;
            names.opName = QString::fromStdString(known ? known->name : op.name);
            names.work = QString::fromStdString(op.name);
            names.shortWork =
                shortWork(names.work, names.opName, known ? QString::fromStdString(known->type) : QString());
            names.part = QString::fromStdString(std::string(dualModePartPrefix(*plan.workload, subOp.op)));
        }
        PieceBar bar = names;
        bar.index = subOp.piece;
        bar.of = subOp.pieces;
        bar.leastCompute = subOp.minArrays;
        bar.computeStep =
            plan.options.duplication == DuplicationRule::Copies ? std::max(1, subOp.minArrays) : 1;
        bar.computeIsPinned = plan.pins.compute.count(at) > 0;
        bar.memoryIsPinned = plan.pins.memory.count(at) > 0;
        bar.startIsPinned = plan.pins.borders.count(at) > 0;
        bar.joinIsPinned = plan.pins.joints.count(at) > 0;
        picture.pieces.push_back(std::move(bar));
    }
    for (const DualModeSegment& segment : plan.segmentation.segments) {
        SegmentBar bar;
        bar.first = segment.first;
        bar.last = segment.last;
        for (int i = segment.first; i <= segment.last; ++i) {
            const auto at = static_cast<std::size_t>(i - segment.first);
            PieceBar& piece = picture.pieces[static_cast<std::size_t>(i)];
            piece.compute = segment.compute[at];
            piece.memory = segment.memory[at];
            bar.compute += piece.compute;
            bar.memory += piece.memory;
        }
        for (const SharedArrays& shared : segment.shared)
            bar.shared += shared.arrays;
        bar.toMemory = segment.toMemory;
        bar.toCompute = segment.toCompute;
        bar.intra = segment.intra;
        bar.writeBack = segment.writeBack;
        bar.switching = segment.switching;
        bar.rewrite = segment.rewrite;
        picture.segments.push_back(bar);
    }
    findRuns(picture);
    return picture;
}

void findRuns(SegmentPicture& picture) {
    // Equal segments get the same number; then the numbers are searched for repeats.
    using Piece = std::tuple<int, int, bool, bool, bool, bool>;
    using Look = std::tuple<std::vector<Piece>, int, int, float, float, float, float>;
    std::map<Look, int> numbers;
    std::vector<int> sequence;
    for (const SegmentBar& segment : picture.segments) {
        std::vector<Piece> pieces;
        for (int i = segment.first; i <= segment.last; ++i) {
            const PieceBar& p = picture.pieces[static_cast<std::size_t>(i)];
            pieces.emplace_back(p.compute, p.memory, p.computeIsPinned, p.memoryIsPinned, p.startIsPinned,
                                p.joinIsPinned);
        }
        const Look look(std::move(pieces), segment.toMemory, segment.toCompute,
                        static_cast<float>(segment.intra), static_cast<float>(segment.writeBack),
                        static_cast<float>(segment.switching), static_cast<float>(segment.rewrite));
        sequence.push_back(numbers.try_emplace(look, static_cast<int>(numbers.size())).first->second);
    }
    picture.runs.clear();
    const int count = static_cast<int>(sequence.size());
    for (int at = 0; at < count;) {
        SegmentRun best{at, 1, 1};
        int saved = 0;
        for (int period = 1; period <= std::min(kLongestPeriod, (count - at) / 2); ++period) {
            int same = 0; // segments that equal the one a period before
            while (at + period + same < count && sequence[static_cast<std::size_t>(at + period + same)] ==
                                                     sequence[static_cast<std::size_t>(at + same)])
                ++same;
            const int repeats = 1 + same / period;
            // Two of a kind are quicker read side by side.
            if (repeats * period >= 3 && repeats >= 2 && (repeats - 1) * period > saved) {
                saved = (repeats - 1) * period;
                best = {at, period, repeats};
            }
        }
        picture.runs.push_back(best);
        at += best.count * best.repeats;
    }
}

} // namespace pim::views
