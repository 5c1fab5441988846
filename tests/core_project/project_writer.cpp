// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// Records runs one after the other and says each id once it is stored, until it is killed or has made as
/// many as asked.
#include "core/project/project.h"
#include "tests/core_project/sample_plan.h"

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
    if (argc != 3)
        return 1;
    auto project = pim::Project::open(argv[1]);
    if (!project) {
        std::fprintf(stderr, "%s\n", project.error().text().c_str());
        return 1;
    }
    const auto plan = pim::sample::plan(60);
    pim::RunContext context;
    context.label = "writer";
    for (int op : {0, 1, 3})
        context.explorations.push_back(pim::sample::exploration(*plan, op, 20000));
    for (int i = 0; i < std::atoi(argv[2]); ++i) {
        const auto id = (*project)->recordRun(*plan, context);
        if (!id) {
            std::fprintf(stderr, "%s\n", id.error().text().c_str());
            return 1;
        }
        std::printf("%lld\n", static_cast<long long>(*id));
        std::fflush(stdout);
    }
}
