// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/booster.h"

#include <fmt/format.h>
#include <xgboost/c_api.h>

#include <array>
#include <cmath>

namespace pim {
namespace {

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
        PIM_CHECK(checked(XGDMatrixCreateFromMat(rows.features.data(), rows.count(), rows.width,
                                                 std::nanf(""), &matrix.m_handle),
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

Result<void> boost(BoosterHandle booster, const TrainingMatrix& matrix, int rounds) {
    int before = 0;
    PIM_CHECK(checked(XGBoosterBoostedRounds(booster, &before), ErrorCode::Internal, "counting the trees"));
    for (int round = before; round < before + rounds; ++round)
        PIM_CHECK(checked(XGBoosterUpdateOneIter(booster, round, matrix.get()), ErrorCode::Internal,
                          "growing a tree"));
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

Result<Booster> Booster::train(const TrainingRows& rows, const BoosterOptions& options) {
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
    PIM_CHECK(boost(handle->booster, matrix, options.rounds));
    // The trees are used as they are read back: one path, whoever trained them.
    PIM_TRY(const Booster trained, finished(std::move(handle)));
    return fromBytes(trained.bytes());
}

Result<Booster> Booster::fromBytes(std::string_view bytes) {
    auto handle = std::make_shared<Handle>();
    PIM_CHECK(checked(XGBoosterCreate(nullptr, 0, &handle->booster), ErrorCode::Internal, "making a model"));
    PIM_CHECK(checked(XGBoosterLoadModelFromBuffer(handle->booster, bytes.data(), bytes.size()),
                      ErrorCode::InvalidFile, "reading the trees"));
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
    PIM_CHECK(boost(handle->booster, matrix, options.rounds));
    PIM_TRY(const Booster trained, finished(std::move(handle)));
    return fromBytes(trained.bytes());
}

Result<void> Booster::predict(std::span<const float> features, std::span<float> result) const {
    if (features.size() != result.size() * m_width)
        return fail(ErrorCode::Internal,
                    fmt::format("{} values for {} rows of {}", features.size(), result.size(), m_width),
                    "prediction");
    if (result.empty())
        return {};
    const std::string values =
        fmt::format(R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
                    reinterpret_cast<std::uintptr_t>(features.data()), result.size(), m_width);
    static constexpr const char* kHow =
        R"({"type": 1, "training": false, "iteration_begin": 0, "iteration_end": 0,)"
        R"( "strict_shape": false, "cache_id": 0, "missing": NaN})";
    const bst_ulong* shape = nullptr;
    bst_ulong dimensions = 0;
    const float* predicted = nullptr;
    PIM_CHECK(checked(XGBoosterPredictFromDense(m_handle->booster, values.c_str(), kHow, nullptr, &shape,
                                                &dimensions, &predicted),
                      ErrorCode::Internal, "predicting"));
    std::copy_n(predicted, result.size(), result.begin());
    return {};
}

} // namespace pim
