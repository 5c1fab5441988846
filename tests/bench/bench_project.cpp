// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// How long a project takes to store half a million rows in one run, and to open when it holds a gigabyte.
/// Ceilings: 2 s for the rows, 1 s for opening. PIM_BENCH_GIGABYTES sets another size (the rate is printed).
#include "core/project/project.h"
#include "core/project/query.h"
#include "tests/core_project/sample_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <unistd.h>

namespace {

using namespace pim;
namespace fs = std::filesystem;

constexpr int kRepeats = 5;
constexpr double kRowsCeilingMs = 2000, kOpenCeilingMs = 1000;

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

/// Prints median and slowest; \returns the median.
double tell(const char* what, std::vector<double> times) {
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    fmt::print("{:<58} median {:8.1f} ms   slowest {:8.1f} ms\n", what, median, times.back());
    return median;
}

[[noreturn]] void stop(const Error& error) {
    fmt::print(stderr, "{}\n", error.text());
    std::exit(1);
}

std::unique_ptr<Project> open(const fs::path& file, Project::Mode mode = Project::Mode::ReadWrite) {
    auto project = Project::open(file, mode);
    if (!project)
        stop(project.error());
    return std::move(*project);
}

/// A folder that is gone afterwards, on the disk and not in memory.
struct Folder {
    fs::path path = fs::path("/var/tmp") / fmt::format("pim-bench-project-{}", ::getpid());
    Folder() { fs::create_directories(path); }
    ~Folder() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

/// Out of the page cache, as after a restart of the machine; needs no rights, unlike dropping all caches.
void forget(const fs::path& file) {
    const int descriptor = ::open(file.c_str(), O_RDONLY);
    if (descriptor < 0)
        return;
    ::fsync(descriptor);
    ::posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
    ::close(descriptor);
}

bool benchRows(const fs::path& folder) {
    constexpr int kOps = 5000, kTensors = 100;
    const auto plan = sample::plan(kOps);
    for (OpPlan& op : plan->ops) {
        op.tensors.clear();
        for (int i = 0; i < kTensors; ++i)
            op.tensors.push_back(
                {TensorId(i), fmt::format("span_{}", i), Residency::Streamed, false, 512 + i, 1.5 * i});
    }
    std::vector<double> times;
    for (int i = 0; i < kRepeats; ++i) {
        const fs::path file = folder / fmt::format("rows{}.pimproj", i);
        const auto project = open(file);
        times.push_back(milliseconds([&] {
            if (const auto run = project->recordRun(*plan, {}); !run)
                stop(run.error());
        }));
        fs::remove(file);
    }
    const double median = tell(
        fmt::format("one run of {} rows stored, flushed to the disk", kOps * (kTensors + 1)).c_str(), times);
    return median < kRowsCeilingMs;
}

/// Runs with all their drafts, until the file is as large as wanted.
void fill(const fs::path& file, double bytes) {
    const auto plan = sample::plan(300);
    RunContext context;
    for (int i = 0; i < 8; ++i)
        for (const int op : {0, 1, 3, 4, 7, 9})
            if (plan->ops[static_cast<std::size_t>(op + 10 * i)].space)
                context.explorations.push_back(
                    sample::exploration(*plan, op + 10 * i, 20000, static_cast<unsigned>(op)));
    const auto project = open(file);
    const auto size = [&file] {
        std::error_code error;
        const auto log = fs::file_size(file.string() + "-wal", error);
        return static_cast<double>(fs::file_size(file)) + (error ? 0 : static_cast<double>(log));
    };
    while (size() < bytes)
        if (const auto run = project->recordRun(*plan, context); !run)
            stop(run.error());
}

bool benchOpen(const fs::path& folder) {
    const char* asked = std::getenv("PIM_BENCH_GIGABYTES");
    const double bytes = (asked ? std::atof(asked) : 1.0) * 1e9;
    const fs::path file = folder / "large.pimproj";
    const double making = milliseconds([&] { fill(file, bytes); });
    const double size = static_cast<double>(fs::file_size(file)) / 1e9;
    std::size_t runs = 0;
    std::vector<double> cold, warm, asking;
    for (int i = 0; i < kRepeats; ++i) {
        forget(file);
        for (std::vector<double>* times : {&cold, &warm})
            times->push_back(milliseconds([&] { // what a window does before it shows the history
                const auto project = open(file);
                const auto all = project->runs();
                if (!all)
                    stop(all.error());
                runs = all->size();
            }));
        asking.push_back(milliseconds([&] {
            auto query = ProjectQuery::open(file);
            if (!query || !query->run("SELECT * FROM v_runs"))
                std::exit(1);
        }));
    }
    fmt::print("a project of {:.2f} GB with {} runs, made in {:.1f} s\n", size, runs, making / 1000);
    const double slowest = std::max(tell("  opened and its runs listed, not in the page cache", cold),
                                    tell("  opened and its runs listed again", warm));
    tell("  the same list by SQL over a connection of its own", asking);
    return slowest < kOpenCeilingMs;
}

} // namespace

int main() {
    const Folder folder;
    const bool rows = benchRows(folder.path), opening = benchOpen(folder.path);
    if (!rows)
        fmt::print("too slow: storing 500 000 rows may take {} ms\n", kRowsCeilingMs);
    if (!opening)
        fmt::print("too slow: opening may take {} ms\n", kOpenCeilingMs);
    return rows && opening ? 0 : 1;
}
