// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/attacc/codegen.h"

#include "backends/attacc/softmax_calls.h"
#include "backends/dram_pim/loop_builder.h"
#include "core/base/half_float.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

namespace pim::attacc {

using dram::ceilDiv;

namespace {

/// A part of a product with a buffer content and rows of its own.
struct Stage {
    const Product* product = nullptr;
    std::int64_t row = 0;
    std::int64_t vectors = 0;   ///< Of the bank.
    std::int64_t abreast = 1;   ///< Of the buffer.
    std::int64_t firstSlot = 0; ///< Of the results, in the softmax buffer.
    bool movesOut = true;       ///< Else the accumulators are left as they are,
    bool adds = false;          ///< or added to what the slots hold.
    bool keepsRow = false;      ///< Its only row is open and stays so.
    bool rowIsOpen = false;     ///< The first one.
    /// Of the stage after it: to be opened while the last results leave; -1: none.
    std::int64_t nextRow = -1;
    std::function<void()> loads; ///< Emits what fills the buffer; may be empty.
    std::vector<Call> fillers;   ///< To go out between the MACABs.
    std::deque<Call> background; ///< The same, where nothing else wants to.
    bool masked = false;         ///< Scores of padding are added to masks, see KernelWork::firstMasked.
};

/// Emits the commands of one kernel.
class Generator {
public:
    /// \param overlaps rows open while buffers are loaded, results leave between the MACABs of the next
    /// block. Else one thing is done after the other.
    Generator(const KernelWork& work, const Target& target, bool overlaps)
        : m_work(work), m_geometry(work.geometry), m_overlaps(overlaps) {
        const auto cycles = [&target](const char* name) { return int(target.numberOr(name, 0)); };
        m_closing = std::max(0, cycles("timing.nRTPL") + cycles("timing.nRP") - cycles("timing.nCL") -
                                    cycles("timing.nBL"));
        // ACTAB opens the banks of a rank in windows of four, if that is charged.
        m_rowOpen = m_geometry.rowOpen;
        if (target.numberOr("policy.allBankFaw", 1) != 0) {
            const int banks = m_geometry.bankGroups * m_geometry.banks;
            m_rowOpen += std::max(0, banks / 4 - 1) * int(target.numberOr("timing.nFAW", 0));
        }
    }

    std::vector<ProgramItem> write(const Product& product, int tensor) {
        const auto stageRows = [&](std::int64_t first, std::int64_t bursts) {
            const std::int64_t columns = m_geometry.columns;
            m_out.repeat(bursts / columns,
                         [&](std::int64_t i) { writeRow(product, tensor, first + i, columns); });
            if (bursts % columns > 0)
                writeRow(product, tensor, first + bursts / columns, bursts % columns);
        };
        const auto chunk = [&](std::int64_t batch, std::int64_t c) {
            m_out.repeat(product.pieces(), [&](std::int64_t p) {
                stageRows(product.row(batch, c, p), product.vectorsOf(c) * product.pieceBursts());
            });
        };
        m_out.repeat(product.batches(), [&](std::int64_t batch) {
            forChunks(product, [&](std::int64_t c) { chunk(batch, c); });
        });
        return m_out.take();
    }

    /// Matrix products and sums. Results that the softmax buffer has no room for are read chunk by chunk.
    std::vector<ProgramItem> multiply() {
        const Product& product = *m_work.product;
        setUnits(product);
        if (product.multipliesOnes()) {
            out(Op::WRGB, {busBank(0), 0, 0, -1, 0});
            out(Op::BARRIER);
        }
        m_out.repeat(product.batches(), [&](std::int64_t batch) {
            const std::int64_t full = product.bufferVectors() / product.abreast();
            if (keepsRow(product))
                out(Op::ACTAB, {product.row(batch, 0, 0)});
            m_out.repeat(full, [&](std::int64_t v) { visit(product, batch, v, product.abreast()); });
            if (const std::int64_t rest = product.bufferVectors() % product.abreast(); rest > 0)
                visit(product, batch, full, rest);
            if (keepsRow(product))
                out(Op::PREA);
        });
        return m_out.take();
    }

    std::vector<ProgramItem> readResults() {
        if (drainsEarly())
            return {};
        const Product& product = m_work.isAttention() ? *m_work.values : *m_work.product;
        read(m_work.outputTensor, m_work.isAttention() ? outputSlots() : 0, 0, product.allSlots());
        return m_out.take();
    }

    /// Attention whose scores are complete in the channel.
    std::vector<ProgramItem> attend() {
        const Product& scores = *m_work.product;
        if (scores.bufferVectors() == 1) {
            pipeline(scores.batches(), [](std::int64_t i) { return Item{i, 0}; });
        } else {
            m_out.repeat(scores.batches(), [&](std::int64_t batch) {
                pipeline(scores.bufferVectors(), [batch](std::int64_t i) { return Item{batch, i}; });
            });
        }
        return m_out.take();
    }

    /// The scores of all heads to the host.
    std::vector<ProgramItem> scoresToHost() {
        const Product& scores = *m_work.product;
        forItems([&](Item item) {
            computeScores(item, 0, {}, {});
            read(m_work.tensors, 0, scores.resultBurst(item.batch, item.row, 0), resultSlots(scores));
        });
        return m_out.take();
    }

    /// And back again: softmax and values.
    std::vector<ProgramItem> attendToHost() {
        forItems([&](Item item) { computeValues(item, 0, [&] { fetchScores(item); }, {}); });
        return m_out.take();
    }

private:
    /// Whether the first row of a product is open, and which one it opens when it is done (-1: none).
    struct Rows {
        bool isOpen = false;
        std::int64_t next = -1;
    };

    void out(Op op, std::vector<std::int64_t> operands = {}) { m_out.command(int(op), std::move(operands)); }
    void out(const Call& call) { m_out.command(int(call.op), call.operands); }

    int buses() const { return m_geometry.buses(); }
    std::int64_t busBank(std::int64_t turn) const { return m_geometry.busBank(turn); }
    void inTurn(std::int64_t count, const std::function<void(std::int64_t)>& access) {
        m_out.repeat(count / buses(), [&](std::int64_t t) {
            for (int i = 0; i < buses(); ++i)
                access(t * buses() + i);
        });
        for (std::int64_t i = count / buses() * buses(); i < count; ++i)
            access(i);
    }
    /// The first chunk brings its operand along, the last has other sizes.
    void forChunks(const Product& product, const std::function<void(std::int64_t)>& body) {
        body(0);
        m_out.repeat(std::max<std::int64_t>(0, product.chunks() - 2), [&](std::int64_t c) { body(c + 1); });
        if (product.chunks() > 1)
            body(product.chunks() - 1);
    }
    void forItems(const std::function<void(Item)>& body) {
        m_out.repeat(m_work.product->batches(), [&](std::int64_t batch) {
            m_out.repeat(m_work.product->bufferVectors(), [&](std::int64_t row) { body({batch, row}); });
        });
    }

    /// Neighbours in this order are in different bank groups.
    void forPositions(const Product& product, const std::function<void(int)>& body) const {
        const Positions& positions = product.positions();
        const int together = positions.together();
        for (int low = 0; low < together; ++low)
            for (int position = low; position < positions.count(); position += together)
                body(position);
    }

    void writeRow(const Product& product, int tensor, std::int64_t row, std::int64_t columns) {
        forPositions(product, [&](int n) { out(Op::ACT, {product.positions().bank(n), row}); });
        m_out.repeat(columns, [&](std::int64_t column) {
            forPositions(product, [&](int n) {
                out(Op::WR,
                    {product.positions().bank(n), row, column, tensor, product.bankBurst(n, row, column)});
            });
        });
        out(Op::PREA);
    }

    void setUnits(const Product& product) {
        out(Op::SETM, {product.operandSets().spread, product.operandSets().copies, product.merge(),
                       product.positions().together()});
    }

    // --- stages
    // ---------------------------------------------------------------------------------------------------------

    /// Moves the results of a block out of all banks.
    std::vector<Call> moves(const Stage& stage, std::int64_t block) const {
        const Product& product = *stage.product;
        const Skip& results = product.results();
        const std::int64_t first = stage.firstSlot + block * product.resultCount();
        std::vector<Call> calls;
        const int keyDigits = product.operandSets().copies;
        forPositions(product, [&](int n) {
            if (n % product.merge() != 0)
                return;
            const bool isFirst = results.digit(n) < product.merge();
            const bool masked = stage.masked && block >= m_work.firstMasked(results.number(n) % keyDigits);
            calls.push_back({Op::MVSB,
                             {product.positions().bank(n), block % kAccumulatorSets * kAccumulators,
                              first + results.number(n), !isFirst || stage.adds || masked}});
        });
        return calls;
    }

    /// \returns how many went out.
    template <class Calls>
    std::size_t flush(Calls& queue, std::size_t most) {
        most = std::min(most, queue.size());
        for (std::size_t i = 0; i < most; ++i)
            out(queue[i]);
        queue.erase(queue.begin(), queue.begin() + std::ptrdiff_t(most));
        return most;
    }

    /// MACABs on bursts [first, last) of the stage, with what is queued between them. Leaves in the queue
    /// the moves of the last block, if it ends one.
    void multiplyBursts(Stage& stage, std::int64_t first, std::int64_t last, std::vector<Call>& queue) {
        const Product& product = *stage.product;
        const std::int64_t columns = m_geometry.columns, length = product.pieceBursts();
        const std::int64_t blockBursts = product.blockVectors() * length, all = stage.vectors * length;
        const std::size_t free = std::size_t(std::max(1, m_geometry.macGap - 1));
        std::int64_t ready = 0; // MACABs since the queued results were computed
        for (std::int64_t n = first; n < last; ++n) {
            const std::int64_t row = stage.row + n / columns, vector = n / length, slot = n % length;
            if (n % columns == 0) {
                const bool opens = !stage.keepsRow && !(n == 0 && stage.rowIsOpen);
                if (opens && m_overlaps)
                    out(Op::ACTAB, {row});
                if (n == 0 && stage.loads) {
                    stage.loads();
                    out(Op::BARRIER);
                }
                const std::size_t sent = flush(queue, m_overlaps ? std::size_t(m_rowOpen) : queue.size());
                if (n > 0)
                    flush(stage.background, m_overlaps ? std::size_t(m_rowOpen) - sent : 0);
                if (opens && !m_overlaps)
                    out(Op::ACTAB, {row});
                ready = kPipeline;
            }
            const std::int64_t set = vector / product.blockVectors() % kAccumulatorSets * kAccumulators;
            for (std::int64_t i = 0; i < stage.abreast; ++i) {
                out(Op::MACAB, {row, n % columns, product.multipliesOnes() ? 0 : i * length + slot,
                                set + vector % product.blockVectors() * product.abreast() + i});
                const std::size_t sent = ++ready > kPipeline ? flush(queue, free) : 0;
                flush(stage.background, m_overlaps ? free - sent : 0);
            }
            if ((n + 1) % blockBursts == 0 || n + 1 == all) {
                if (n + 1 < all && !queue.empty()) {
                    if (ready < kPipeline) // a short block
                        out(Op::BARRIER);
                    flush(queue, queue.size());
                }
                if (stage.movesOut) {
                    const std::vector<Call> block = moves(stage, n / blockBursts);
                    queue.insert(queue.end(), block.begin(), block.end());
                }
                if (!m_overlaps && !queue.empty()) {
                    out(Op::BARRIER);
                    flush(queue, queue.size());
                }
                ready = 0;
            }
            if (!stage.keepsRow && (n % columns == columns - 1 || n + 1 == all))
                out(Op::PREA);
        }
    }

    void run(Stage& stage) {
        const Product& product = *stage.product;
        const std::int64_t all = stage.vectors * product.pieceBursts(),
                           blockBursts = product.blockVectors() * product.pieceBursts();
        // After so many bursts, rows, blocks and sets of accumulators are where they were.
        const std::int64_t period = std::lcm(kAccumulatorSets * blockBursts, m_geometry.columns),
                           periods = all / period;
        std::vector<Call> queue = stage.fillers;
        if (periods < 3) {
            multiplyBursts(stage, 0, all, queue);
        } else {
            const auto before = [&](std::int64_t p) {
                return stage.movesOut && m_overlaps ? moves(stage, p * period / blockBursts - 1)
                                                    : std::vector<Call>{};
            };
            multiplyBursts(stage, 0, period, queue);
            std::int64_t done = 1;
            for (; done < periods && !stage.background.empty(); ++done)
                multiplyBursts(stage, done * period, (done + 1) * period, queue);
            m_out.repeat(periods - done, [&](std::int64_t i) {
                queue = before(done + i);
                multiplyBursts(stage, (done + i) * period, (done + i + 1) * period, queue);
            });
            queue = before(periods);
            multiplyBursts(stage, periods * period, all, queue);
        }
        flush(stage.background, stage.background.size());
        if (!queue.empty())
            out(Op::BARRIER);
        if (stage.nextRow >= 0) {
            flush(queue, std::size_t(m_closing)); // while the rows close
            out(Op::ACTAB, {stage.nextRow});
        }
        flush(queue, queue.size());
    }

    // --- products
    // -------------------------------------------------------------------------------------------------------

    std::int64_t
    outputSlots() const { // behind two sets of scores, or the scores of whole heads and the channel's own
        const Product& values = *m_work.values;
        const std::int64_t own = values.setCount() * values.pieces() * values.pieceBursts();
        return m_work.scoresMeetAtHost ? m_work.headsAbreast() * m_work.headBursts() + own
                                       : 2 * resultSlots(*m_work.product);
    }
    static std::int64_t resultSlots(const Product& product) {
        return product.visitBlocks() * product.resultCount();
    }
    bool drainsEarly() const {
        return m_work.isAttention() ? outputSlots() + m_work.values->allSlots() > m_geometry.softmaxSlots
                                    : m_work.product->allSlots() > m_geometry.softmaxSlots;
    }
    void read(int tensor, std::int64_t firstSlot, std::int64_t firstBurst, std::int64_t count) {
        out(Op::BARRIER);
        inTurn(count, [&](std::int64_t i) {
            out(Op::RDSB, {busBank(i), firstSlot + i, tensor, firstBurst + i});
        });
    }

    void fillBuffers(const Product& product, int tensor, std::int64_t batch, std::int64_t firstVector,
                     std::int64_t abreast, std::int64_t piece) {
        const std::int64_t length = product.pieceBursts();
        const std::int64_t sets = product.setCount();
        const auto write = [&](std::int64_t bus, std::int64_t set, std::int64_t i, std::int64_t k) {
            out(Op::WRGB, {busBank(bus), set, i * length + k, tensor,
                           product.bufferBurst(int(set), batch, firstVector + i, piece * length + k)});
        };
        for (std::int64_t i = 0; i < abreast; ++i)
            if (sets % buses() == 0)
                m_out.repeat(length, [&](std::int64_t k) {
                    inTurn(sets, [&](std::int64_t set) { write(set, set, i, k); });
                });
            else
                for (std::int64_t turn = 0; turn < length * sets; ++turn)
                    write(turn, turn % sets, i, turn / sets);
    }

    /// All visits of a batch are to one row: it need not close between them.
    static bool keepsRow(const Product& product) {
        return product.visits() > 1 && product.chunks() * product.pieces() * product.stageRows() == 1;
    }

    /// All bank vectors against some buffer vectors.
    void visit(const Product& product, std::int64_t batch, std::int64_t v, std::int64_t abreast) {
        forChunks(product, [&](std::int64_t chunk) {
            const std::int64_t inVisit = chunk * product.chunkBlocks() * product.resultCount();
            const std::int64_t firstBurst = product.resultBurst(batch, v, 0) + inVisit;
            Stage stage{.product = &product, .vectors = product.vectorsOf(chunk), .abreast = abreast};
            stage.firstSlot = drainsEarly() ? 0 : firstBurst;
            stage.keepsRow = keepsRow(product);
            const auto piece = [&](std::int64_t p) {
                stage.row = product.row(batch, chunk, p);
                stage.movesOut = product.spills() || p == product.pieces() - 1;
                stage.adds = product.spills() && p > 0;
                stage.loads = nullptr;
                if (!product.multipliesOnes() && (product.pieces() > 1 || chunk == 0))
                    stage.loads = [&, p] {
                        fillBuffers(product, m_work.bufferTensor, batch, v * product.abreast(), abreast, p);
                    };
                run(stage);
            };
            piece(0);
            m_out.repeat(std::max<std::int64_t>(0, product.pieces() - 2),
                         [&](std::int64_t p) { piece(p + 1); });
            if (product.pieces() > 1)
                piece(product.pieces() - 1);
            if (drainsEarly())
                read(m_work.outputTensor, 0, firstBurst,
                     ceilDiv(stage.vectors, product.blockVectors()) * product.resultCount());
        });
    }

    // --- attention
    // ------------------------------------------------------------------------------------------------------

    /// Scores of an item, with the softmax of the one before between them, then the values of that one. Each
    /// stage opens the first row of the next.
    void pipeline(std::int64_t count, const std::function<Item(std::int64_t)>& item) {
        const auto scoreRow = [&](std::int64_t t) { return m_work.product->row(item(t).batch, 0, 0); };
        const auto valueRow = [&](std::int64_t t) { return m_work.values->row(item(t).batch, 0, 0); };
        const std::int64_t last = count - 1;
        const auto step = [&](std::int64_t t) {
            const std::int64_t set = t % 2;
            computeScores(item(t), set, softmaxCalls(m_work, 1 - set), {true, valueRow(t - 1)});
            computeValues(item(t - 1), 1 - set, {}, {true, t < last ? scoreRow(t + 1) : valueRow(last)});
        };
        computeScores(item(0), 0, {}, {false, count > 1 ? scoreRow(1) : valueRow(0)});
        const std::int64_t pairs = std::max<std::int64_t>(0, (count - 2) / 2);
        m_out.repeat(pairs, [&](std::int64_t pair) {
            step(2 * pair + 1);
            step(2 * pair + 2);
        });
        for (std::int64_t t = 2 * pairs + 1; t < count; ++t)
            step(t);
        const auto prepare = [&] {
            out(Op::BARRIER);
            for (const Call& call : softmaxCalls(m_work, last % 2))
                out(call);
        };
        computeValues(item(last), last % 2, prepare, {true, -1});
    }

    void computeScores(Item item, std::int64_t set, std::vector<Call> fillers, Rows rows) {
        const Product& scores = *m_work.product;
        for (std::int64_t p = 0; p < scores.pieces(); ++p) {
            Stage stage{
                .product = &scores, .row = scores.row(item.batch, 0, p), .vectors = scores.vectorsOf(0)};
            stage.firstSlot = scoreSlots(m_work, set);
            stage.adds = p > 0;
            stage.masked = m_work.partialSoftmax;
            stage.loads = [&, p] {
                setUnits(scores);
                fillBuffers(scores, m_work.bufferTensor, item.batch, item.row, 1, p);
                for (const Call& mask : p == 0 ? maskCalls(m_work, item, set) : std::vector<Call>{})
                    out(mask);
            };
            if (p == 0)
                stage.fillers = std::exchange(fillers, {});
            runPiece(stage, item, p, rows);
        }
    }

    /// Pieces of a product open one another's rows.
    void runPiece(Stage& stage, Item item, std::int64_t piece, Rows rows) {
        const Product& product = *stage.product;
        if (m_overlaps) {
            stage.rowIsOpen = piece > 0 || rows.isOpen;
            stage.nextRow = piece + 1 < product.pieces() ? product.row(item.batch, 0, piece + 1) : rows.next;
        }
        run(stage);
    }

    /// Brings the scores of whole heads and of the channel's own keys into the softmax buffer.
    void fetchScores(Item item) {
        const Product& values = *m_work.values;
        const std::int64_t bursts = m_work.headBursts(), length = values.pieces() * values.pieceBursts();
        const auto fetch = [&](std::int64_t slot, std::int64_t burst, std::int64_t count) {
            inTurn(count, [&](std::int64_t i) {
                out(Op::WRSB, {busBank(i), slot + i, m_work.tensors, burst + i});
            });
        };
        for (int head = 0; head < m_work.headsAbreast(); ++head)
            fetch(head * bursts, m_work.headBurst(head, item.batch, item.row, 0), bursts);
        for (int set = 0; set < values.setCount(); ++set)
            fetch(m_work.headsAbreast() * bursts + set * length,
                  m_work.ownBurst(set, item.batch, item.row, 0), length);
        out(Op::BARRIER);
        const std::int64_t slots = m_geometry.softmaxElements / kPimLanes;
        for (int head = 0; head < m_work.headsAbreast(); ++head) {
            out(Op::SETH, {head, 1});
            const std::int64_t full = m_work.keys / m_geometry.softmaxElements,
                               rest = m_work.keys % m_geometry.softmaxElements;
            m_out.repeat(full, [&](std::int64_t i) {
                out(Op::SFM, {head * bursts + i * slots, 1, m_geometry.softmaxElements});
            });
            if (rest > 0)
                out(Op::SFM, {head * bursts + full * slots, 1, rest});
        }
    }

    /// \param prepare what has to happen before probabilities can be fetched.
    void computeValues(Item item, std::int64_t set, const std::function<void()>& prepare, Rows rows) {
        const Product& values = *m_work.values;
        const std::int64_t firstOutput = values.resultBurst(item.batch, item.row, 0);
        for (std::int64_t p = 0; p < values.pieces(); ++p) {
            Stage stage{
                .product = &values, .row = values.row(item.batch, 0, p), .vectors = values.vectorsOf(0)};
            stage.firstSlot = outputSlots() + (drainsEarly() ? 0 : firstOutput);
            stage.adds = p > 0;
            if (p == 0)
                stage.background = sendCalls(m_work, item, set);
            stage.loads = [&, p] {
                setUnits(values);
                if (p == 0 && prepare)
                    prepare();
                if (p == 0)
                    out(Op::BARRIER);
                fetchProbabilities(set, p);
            };
            runPiece(stage, item, p, rows);
        }
        if (drainsEarly())
            read(m_work.outputTensor, outputSlots(), firstOutput, resultSlots(values));
    }

    void fetchProbabilities(std::int64_t scoreSet, std::int64_t piece) {
        const Product& values = *m_work.values;
        const std::int64_t length = values.pieceBursts();
        const int setsOfHead = values.setCount() / m_work.headsAbreast();
        for (int head = 0; head < m_work.headsAbreast(); ++head) {
            out(Op::SETH, {head, 0});
            for (std::int64_t turn = 0; turn < length * setsOfHead; ++turn) {
                const std::int64_t set = head * setsOfHead + turn % setsOfHead, k = turn / setsOfHead;
                out(Op::MVGB, {busBank(turn), set, k, probabilitySlot(scoreSet, set, piece * length + k)});
            }
        }
    }
    std::int64_t probabilitySlot(std::int64_t scoreSet, std::int64_t set, std::int64_t burst) const {
        const Product& values = *m_work.values;
        if (m_work.scoresMeetAtHost)
            return m_work.headsAbreast() * m_work.headBursts() +
                   set * values.pieces() * values.pieceBursts() + burst;
        // Behind the last block is padding, which meets values of zero; any number will do.
        const std::int64_t block = std::min(burst, m_work.product->visitBlocks() - 1);
        return scoreSlots(m_work, scoreSet) + block * m_work.product->resultCount() + set;
    }

    const KernelWork& m_work;
    const Geometry& m_geometry;
    bool m_overlaps = true;
    int m_rowOpen = 0; ///< Cycles from ACTAB to MACAB.
    int m_closing = 0; ///< Cycles between the last result and the next ACTAB.
    dram::LoopBuilder m_out;
};

PimWord ones() {
    PimWord word;
    word.fill(floatToHalf(1));
    return word;
}

} // namespace

Result<PimCode> generateCode(const TilingSpace& space, const Draft& draft, const Target& target,
                             const std::vector<Residency>& residency, const Passes& passes,
                             CodeDetail detail) {
    PIM_TRY(const std::shared_ptr<KernelWork> work, workOf(space, draft, target, residency, passes));
    PimCode code;
    code.groups = work->walk->groups();
    code.rows = work->product->rows() + (work->values ? work->values->rows() : 0);
    if (detail == CodeDetail::Rows)
        return code;
    Generator generator(*work, target, passes.overlap);
    code.constants = {ones()};
    code.program.opcodes = opcodes();
    if (work->scoresMeetAtHost || work->partialSoftmax)
        code.scratchElements = elementCount(work->walk->roles().output.shape).value_or(0);

    const std::string unit = code.groups > 1 ? fmt::format("groups 0-{}", code.groups - 1) : "group 0";
    const auto phase = [&](const char* name, std::vector<ProgramItem> items) {
        if (items.empty())
            return;
        auto& phases = code.program.phases;
        if (!phases.empty() && phases.back().name == name) {
            auto& before = phases.back().streams.front().items;
            before.insert(before.end(), std::make_move_iterator(items.begin()),
                          std::make_move_iterator(items.end()));
        } else {
            phases.push_back({name, {{unit, std::move(items)}}});
        }
    };
    for (const bool resident : {true, false})
        for (const auto* product : {&work->product, &work->values})
            if (const int tensor = product == &work->product ? work->bankTensor : work->valueTensor;
                *product && (residency[std::size_t(tensor)] == Residency::Resident) == resident)
                phase(resident ? "load" : "input", generator.write(**product, tensor));
    if (!work->isAttention()) {
        phase("compute", generator.multiply());
    } else if (!work->scoresMeetAtHost) {
        phase("compute", generator.attend());
    } else {
        phase("scores", generator.scoresToHost());
        phase("compute", generator.attendToHost());
    }
    phase("output", generator.readResults());
    canonicalize(code.program);
    code.operands = work;
    return code;
}

} // namespace pim::attacc
