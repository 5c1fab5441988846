// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Short texts that a person or another program gives: links, sweeps, filters, sizes. The first byte says which.
#include "core/campaign/campaign.h"
#include "core/compile/op_query.h"
#include "core/compile/sweep.h"
#include "core/graph/import.h"
#include "core/project/run_filter.h"
#include "core/report/link.h"
#include "tests/fuzz/fuzz.h"

using namespace pim;

int fuzz::read(const std::uint8_t* data, std::size_t size) {
    if (size == 0)
        return 0;
    const std::string_view text = fuzz::textOf(data + 1, size - 1);
    switch (data[0]) {
    case 'l':
        if (const auto link = parseLink(text)) {
            const auto again = parseLink(formatLink(*link));
            // A path of "//x" is another spelling of "/x".
            fuzz::require(again && again->run == link->run && again->op == link->op &&
                              again->draft == link->draft,
                          "a link is read back the same");
        }
        break;
    case 's':
        if (const auto axes = parseSweep(text)) {
            const auto again = parseSweep(sweepText(*axes));
            fuzz::require(again && *again == *axes, "a sweep is read back the same");
            if (sweepSize(*axes) > 0)
                (void)sweepValues(*axes, sweepSize(*axes) - 1);
        }
        break;
    case 'b':
        (void)parseBindings(text);
        break;
    case 'p': {
        GraphOptions options;
        (void)setPassOption(options, text);
        break;
    }
    case 'r':
        (void)RunFilter::parse(text);
        (void)parseTime(text);
        break;
    case 'q':
        (void)OpQuery::parse(text);
        break;
    default:
        (void)chunksOfShard(text, 100);
        if (const auto chunks = parseChunks(text, 100))
            fuzz::require(*parseChunks(chunksText(*chunks), 100) == *chunks, "chunks are read back the same");
    }
    return 0;
}
