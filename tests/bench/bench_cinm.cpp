// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// 1000 products down the levels of CINM: time to build, lower, verify and print, and to read the text again.
#include "backends/cinm/flow.h"
#include "core/base/stopwatch.h"
#include "core/ir/parse.h"

#include <algorithm>
#include <cstdio>

using namespace pim;

namespace {

ir::Module thousandProducts() {
    ir::Module module("cinm");
    ir::Builder to(module);
    for (int i = 0; i < 1000; ++i) {
        const std::int64_t m = 100 + i % 50, k = 200 + i % 70, n = 150 + i % 90;
        const auto tensor = [](std::int64_t rows, std::int64_t columns) {
            return ir::Type::tensor({rows, columns}, ir::Scalar::I32);
        };
        const std::string name = "product_" + std::to_string(i);
        to.setLocation({{name}, {}, {}});
        const ir::ValueId first = to.beginFunction(name, {tensor(m, k), tensor(k, n)}, {tensor(m, n)});
        const ir::ValueId out = to.value("cinm.gemm", {first, ir::ValueId(first.value + 1)}, tensor(m, n));
        to.endFunction({&out, 1});
    }
    return module;
}

} // namespace

int main() {
    std::vector<double> lowered, read;
    std::size_t ops = 0, bytes = 0;
    for (int i = 0; i < 7; ++i) {
        Stopwatch watch;
        const auto flow = cinm::lower(thousandProducts(), {});
        lowered.push_back(watch.lap());
        if (!flow)
            return std::puts(flow.error().text().c_str()), 1;
        ops = flow->levels.back().module->size();
        bytes = flow->levels.back().printed.text.size();
        watch.lap();
        const auto parsed = ir::parse(flow->levels.back().printed.text);
        read.push_back(watch.lap());
        if (!parsed || ir::print(parsed->module).text != flow->levels.back().printed.text)
            return std::puts("the text does not read back"), 1;
    }
    std::ranges::nth_element(lowered, lowered.begin() + 3);
    std::ranges::nth_element(read, read.begin() + 3);
    std::printf("1000 gemms: %zu ops, %.1f MB of text; built, lowered, verified, printed in %.0f ms (median "
                "of 7), read in %.0f ms\n",
                ops, static_cast<double>(bytes) / 1e6, lowered[3], read[3]);
    return lowered[3] <= 300 ? 0 : 1;
}
