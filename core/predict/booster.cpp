// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/booster.h"

#include "core/base/parse_number.h"
#include "core/base/task.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <algorithm>
#include <array>
#include <cmath>

// OpenMP API 5.0, §3.2.1 and §3.2.3. Declared here, since only g++ has <omp.h> of the library that XGBoost is linked to.
extern "C" {
void omp_set_num_threads(int threads);
int omp_get_max_threads();
}

namespace pim {
namespace {

/// While it lives, parallel regions that the calling thread enters have no other threads.
class Alone {
public:
    Alone() { omp_set_num_threads(1); }
    Alone(const Alone&) = delete;
    Alone& operator=(const Alone&) = delete;
    ~Alone() { omp_set_num_threads(m_before); }

private:
    int m_before = omp_get_max_threads();
};

Result<void> checked(int status, ErrorCode code, const char* what) {
    if (status == 0)
        return {};
    const std::string_view all = XGBGetLastError();
    const std::size_t line = all.find('\n');
    // "[12:00:00] file.cc:12: Check failed: …": the time would make equal failures differ.
    std::string_view first = all.substr(0, line);
    if (first.starts_with('[') && first.find("] ") != std::string_view::npos)
        first.remove_prefix(first.find("] ") + 2);
    return fail(code, fmt::format("{}: {}", what, first), "XGBoost");
}

/// Rows as XGBoost has them.
class TrainingMatrix {
public:
    static Result<TrainingMatrix> of(const TrainingRows& rows) {
        TrainingMatrix matrix;
        PIM_CHECK(checked(XGDMatrixCreateFromMat_omp(rows.features.data(), rows.count(), rows.width,
                                                     std::nanf(""), &matrix.m_handle, 1),
                          ErrorCode::Internal, "taking the samples"));
        PIM_CHECK(checked(XGDMatrixSetFloatInfo(matrix.m_handle, "label", rows.labels.data(), rows.count()),
                          ErrorCode::Internal, "taking the labels"));
        if (!rows.groupSizes.empty())
            PIM_CHECK(checked(XGDMatrixSetUIntInfo(matrix.m_handle, "group", rows.groupSizes.data(),
                                                   rows.groupSizes.size()),
                              ErrorCode::Internal, "taking the groups"));
        return matrix;
    }
    TrainingMatrix() = default;
    TrainingMatrix(TrainingMatrix&& other) noexcept : m_handle(std::exchange(other.m_handle, nullptr)) {}
    ~TrainingMatrix() {
        if (m_handle)
            XGDMatrixFree(m_handle);
    }
    DMatrixHandle get() const { return m_handle; }

private:
    DMatrixHandle m_handle = nullptr;
};

} // namespace

struct Booster::Handle {
    BoosterHandle booster = nullptr;
    Handle() = default;
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() {
        if (booster)
            XGBoosterFree(booster);
    }
};

namespace {

Result<void> setOptions(BoosterHandle booster, const BoosterOptions& options) {
    const std::array<std::pair<const char*, std::string>, 11> parameters{{
        {"verbosity", "0"},
        {"nthread", "1"}, // sums of several threads depend on who is first
        {"tree_method", "hist"},
        {"objective", options.objective},
        {"max_depth", std::to_string(options.depth)},
        {"eta", fmt::format("{}", options.learningRate)},
        {"min_child_weight", fmt::format("{}", options.minChildWeight)},
        {"subsample", fmt::format("{}", options.subsample)},
        {"colsample_bytree", fmt::format("{}", options.columnSample)},
        {"base_score", "0"},
        {"seed", std::to_string(options.seed)},
    }};
    for (const auto& [name, value] : parameters)
        PIM_CHECK(checked(XGBoosterSetParam(booster, name, value.c_str()), ErrorCode::Internal,
                          "setting an option"));
    return {};
}

/// Adds what the trees of rounds [first, end) say; 0, 0: all of them.
Result<void> addPredictions(BoosterHandle booster, std::span<const float> features, std::size_t width,
                            int first, int end, std::span<float> sums) {
    if (sums.empty())
        return {};
    const std::string values =
        fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                    reinterpret_cast<std::uintptr_t>(features.data()), sums.size(), width);
    const std::string how =
        fmt::format(R"({{"type": 1, "training": false, "iteration_begin": {}, "iteration_end": {},)"
                    R"( "strict_shape": false, "cache_id": 0, "missing": NaN}})",
                    first, end);
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* predicted = nullptr;
    PIM_CHECK(checked(XGBoosterPredictFromDense(booster, values.c_str(), how.c_str(), nullptr, &shape,
                                                &dimensions, &predicted),
                      ErrorCode::Internal, "predicting"));
    for (std::size_t i = 0; i < sums.size(); ++i)
        sums[i] += predicted[i];
    return {};
}

Result<void> boost(BoosterHandle booster, const TrainingMatrix& matrix, const TrainingRows& rows, int rounds,
                   const BoosterWatch& watch) {
    std::vector<float> trained(rows.count()),
        watched(watch.watched ? watch.watched->features.size() / rows.width : 0); // labels are not asked
    int before = 0;
    PIM_CHECK(checked(XGBoosterBoostedRounds(booster, &before), ErrorCode::Internal, "counting the trees"));
    for (int round = before; round < before + rounds; ++round) {
        PIM_CHECK(checked(XGBoosterUpdateOneIter(booster, round, matrix.get()), ErrorCode::Internal,
                          "growing a tree"));
        if (!watch.afterRound)
            continue;
        PIM_CHECK(addPredictions(booster, rows.features, rows.width, round, round + 1, trained));
        if (watch.watched)
            PIM_CHECK(
                addPredictions(booster, watch.watched->features, rows.width, round, round + 1, watched));
        if (!watch.afterRound(trained, watched))
            return TaskContext::cancelledError("training");
    }
    return {};
}

} // namespace

Result<Booster> Booster::finished(std::shared_ptr<Handle> handle) {
    bst_ulong width = 0, length = 0;
    PIM_CHECK(checked(XGBoosterGetNumFeature(handle->booster, &width), ErrorCode::Internal,
                      "counting the features"));
    const char* bytes = nullptr;
    PIM_CHECK(checked(XGBoosterSaveModelToBuffer(handle->booster, R"({"format": "ubj"})", &length, &bytes),
                      ErrorCode::Internal, "writing the trees"));
    return Booster(std::move(handle), width, std::string(bytes, length));
}

Result<Booster> Booster::train(const TrainingRows& rows, const BoosterOptions& options,
                               const BoosterWatch& watch) {
    if (rows.count() == 0 || rows.width == 0 || rows.features.size() != rows.count() * rows.width)
        return fail(ErrorCode::Internal,
                    fmt::format("{} samples of {} features have {} values", rows.count(), rows.width,
                                rows.features.size()),
                    "training");
    PIM_TRY(const TrainingMatrix matrix, TrainingMatrix::of(rows));
    auto handle = std::make_shared<Handle>();
    const DMatrixHandle known = matrix.get();
    PIM_CHECK(checked(XGBoosterCreate(&known, 1, &handle->booster), ErrorCode::Internal, "making a model"));
    PIM_CHECK(setOptions(handle->booster, options));
    PIM_CHECK(boost(handle->booster, matrix, rows, options.rounds, watch));
    // The trees are used as they are read back: one path, whoever trained them.
    PIM_TRY(const Booster trained, finished(std::move(handle)));
    return fromBytes(trained.bytes());
}

Result<Booster> Booster::fromBytes(std::string_view bytes) {
    auto handle = std::make_shared<Handle>();
    PIM_CHECK(checked(XGBoosterCreate(nullptr, 0, &handle->booster), ErrorCode::Internal, "making a model"));
    {
        // Reading knows no "nthread" yet (XGBoost 1.7.4): it would start a thread for each processor, which are not worth starting
        // and spin for a while when they have nothing to do.
        const Alone alone;
        PIM_CHECK(checked(XGBoosterLoadModelFromBuffer(handle->booster, bytes.data(), bytes.size()),
                          ErrorCode::InvalidFile, "reading the trees"));
    }
    PIM_CHECK(checked(XGBoosterSetParam(handle->booster, "nthread", "1"), ErrorCode::Internal,
                      "setting an option"));
    bst_ulong width = 0;
    PIM_CHECK(checked(XGBoosterGetNumFeature(handle->booster, &width), ErrorCode::InvalidFile,
                      "counting the features"));
    Booster booster(std::move(handle), width, std::string(bytes));
    // Lazy parts of XGBoost are set up by the first prediction; afterwards it may be asked from several
    // threads.
    std::vector<float> row(width, 0);
    float ignored = 0;
    PIM_CHECK(booster.predict(row, {&ignored, 1}));
    return booster;
}

Result<Booster> Booster::continued(const TrainingRows& rows, const BoosterOptions& options) const {
    if (rows.width != m_width)
        return fail(ErrorCode::Internal,
                    fmt::format("samples of {} features for a model of {}", rows.width, m_width), "training");
    PIM_TRY(const TrainingMatrix matrix, TrainingMatrix::of(rows));
    auto handle = std::make_shared<Handle>();
    PIM_CHECK(checked(XGBoosterCreate(nullptr, 0, &handle->booster), ErrorCode::Internal, "making a model"));
    PIM_CHECK(checked(XGBoosterLoadModelFromBuffer(handle->booster, m_bytes.data(), m_bytes.size()),
                      ErrorCode::Internal, "reading the trees"));
    PIM_CHECK(setOptions(handle->booster, options));
    PIM_CHECK(boost(handle->booster, matrix, rows, options.rounds, {}));
    PIM_TRY(const Booster trained, finished(std::move(handle)));
    return fromBytes(trained.bytes());
}

Result<void> Booster::predict(std::span<const float> features, std::span<float> result) const {
    if (features.size() != result.size() * m_width)
        return fail(ErrorCode::Internal,
                    fmt::format("{} values for {} rows of {}", features.size(), result.size(), m_width),
                    "prediction");
    std::fill(result.begin(), result.end(), 0.0F);
    return addPredictions(m_handle->booster, features, m_width, 0, 0, result);
}

Result<std::vector<double>> Booster::gains() const {
    std::vector<double> shares(m_width, 0);
    bst_ulong count = 0, dimensions = 0;
    const char** names = nullptr;
    const bst_ulong* shape = nullptr;
    const float* scores = nullptr;
    PIM_CHECK(checked(XGBoosterFeatureScore(m_handle->booster, R"({"importance_type": "total_gain"})", &count,
                                            &names, &dimensions, &shape, &scores),
                      ErrorCode::Internal, "weighing the features"));
    double all = 0;
    for (bst_ulong i = 0; i < count; ++i) {
        const auto feature = parseNumber<std::size_t>(std::string_view(names[i]).substr(1)); // "f12"
        if (!feature || *feature >= m_width)
            return fail(ErrorCode::Internal, fmt::format("a tree asks for feature \"{}\"", names[i]),
                        "XGBoost");
        shares[*feature] = scores[i];
        all += shares[*feature];
    }
    for (double& share : shares)
        share = all > 0 ? share / all : 0;
    return shares;
}

} // namespace pim
