// SPDX-License-Identifier: GPL-3.0-or-later
/// \file
/// `mpirun -n 65 pimc-mpi FOLDER`: rank 0 hands out chunks of a campaign one by one, so that a slow rank gets fewer; the others compute them into files
/// of their own. Alone it computes all. Exit codes as those of pimc.
#include "backends/builtin.h"
#include "core/base/jobs.h"
#include "core/campaign/chunk_run.h"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

namespace {

using namespace pim;

// What a worker says with the chunk it means, and what it is told: a chunk, or kNoMore.
constexpr int kReady = 1, kBroken = 2, kTask = 3;
constexpr std::int64_t kNoMore = -1;
/// MPI waits by asking without end; the core is of more use to those that compute.
constexpr std::chrono::microseconds kPause{300};

void complain(int rank, const std::string& text) {
    std::fprintf(stderr, "pimc-mpi: rank %d: %s\n", rank, text.c_str());
}

MPI_Status waitFor(int source, int tag) {
    MPI_Status status;
    for (int isThere = 0;;) {
        MPI_Iprobe(source, tag, MPI_COMM_WORLD, &isThere, &status);
        if (isThere)
            return status;
        std::this_thread::sleep_for(kPause);
    }
}

/// \return whether no rank gave up.
bool handOut(const std::vector<std::int64_t>& chunks, int workers) {
    std::size_t next = 0;
    bool isGood = true;
    for (int atWork = workers; atWork > 0;) {
        const MPI_Status from = waitFor(MPI_ANY_SOURCE, MPI_ANY_TAG);
        std::int64_t chunk = kNoMore;
        MPI_Recv(&chunk, 1, MPI_INT64_T, from.MPI_SOURCE, from.MPI_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (from.MPI_TAG == kBroken) { // its points are kept, its chunk is not complete
            isGood = false;
            --atWork;
            continue;
        }
        const std::int64_t given = next < chunks.size() ? chunks[next++] : kNoMore;
        MPI_Send(&given, 1, MPI_INT64_T, from.MPI_SOURCE, kTask, MPI_COMM_WORLD);
        atWork -= given == kNoMore ? 1 : 0;
    }
    return isGood;
}

void work(ChunkRunner& runner, int rank) {
    for (std::int64_t chunk = kNoMore;;) {
        MPI_Send(&chunk, 1, MPI_INT64_T, 0, kReady, MPI_COMM_WORLD);
        waitFor(0, kTask);
        MPI_Recv(&chunk, 1, MPI_INT64_T, 0, kTask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (chunk == kNoMore)
            return;
        if (const auto done = runner.run(chunk); !done) {
            complain(rank, done.error().text());
            MPI_Send(&chunk, 1, MPI_INT64_T, 0, kBroken, MPI_COMM_WORLD);
            return;
        }
    }
}

Result<bool> run(const std::string& folder, int rank, int ranks) {
    PIM_TRY(Campaign campaign, readCampaign(folder));
    std::vector<std::int64_t> open;
    if (rank == 0) {
        PIM_TRY(const CampaignStatus status, campaignStatus(campaign));
        open = status.open;
        if (ranks > 1)
            return handOut(open, ranks - 1);
    }
    const BackendList backends = builtinBackends();
    PIM_CHECK(loadCampaignModels(campaign));
    PIM_TRY(ChunkRunner runner, ChunkRunner::open(backends, campaign));
    if (rank > 0) {
        work(runner, rank);
        return true;
    }
    for (const std::int64_t chunk : open)
        PIM_CHECK(runner.run(chunk));
    return true;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0, ranks = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    constexpr int kUserError = 1, kBug = 2;
    const Result<int> count = argc == 3 ? readJobs(argv[2], "JOBS") : 1;
    if ((argc != 2 && argc != 3) || !count) {
        if (rank == 0 && !count)
            complain(rank, count.error().text());
        if (rank == 0)
            std::fputs(
                "usage: mpirun -n N pimc-mpi FOLDER [JOBS]\nComputes what is missing of the sweep that "
                "pimc sweep plan put into the folder.\n",
                stderr);
        MPI_Finalize();
        return kUserError;
    }
    setJobs(*count);
    int code = 0;
    try {
        const Result<bool> done = run(argv[1], rank, ranks);
        if (!done) {
            complain(rank, done.error().text());
            MPI_Abort(MPI_COMM_WORLD, kUserError); // the others would wait for ever
        }
        code = done && *done ? 0 : kUserError;
    } catch (const std::exception& e) {
        complain(rank, fmt::format("internal error: {}", e.what()));
        MPI_Abort(MPI_COMM_WORLD, kBug);
    }
    MPI_Finalize();
    return code;
}
