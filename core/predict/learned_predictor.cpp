// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/predict/learned_predictor.h"

#include "core/base/hash.h"
#include "core/drafts/kernel_form.h"
#include "core/predict/features.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

namespace pim {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kFormat = "pim predictor";
constexpr int kFormatVersion = 4;

Json jsonOf(const RankingQuality& quality) {
    return {{"spearman", quality.spearman},
            {"kendall", quality.kendall},
            {"regret_1", quality.regret1},
            {"regret_10", quality.regret10},
            {"regret_verified", quality.regretVerified}};
}

Json jsonOf(const LearnedForm& form) {
    return {{"kernel", form.kernel},
            {"bytes", form.booster.bytes().size()},
            {"weights", form.linear.weights()},
            {"samples", form.samples},
            {"trained", form.trained},
            {"held_out", form.heldOut},
            {"error",
             {{"drafts", form.error.drafts},
              {"mean", form.error.mean},
              {"worst", form.error.worst},
              {"mean_of_price", form.error.meanOfPrice},
              {"mean_of_linear", form.error.meanOfLinear}}},
            {"ranking",
             {{"kernels", form.ranking.kernels},
              {"drafts", form.ranking.drafts},
              {"formula", jsonOf(form.ranking.formula)},
              {"learned", jsonOf(form.ranking.learned)},
              {"worst_formula", form.ranking.worstFormula},
              {"worst_learned", form.ranking.worstLearned}}},
            {"curve", {{"trained", form.curve.trained}, {"held_out", form.curve.heldOut}}}};
}

/// The header line with its own digest as last member. \param header as JSON without the closing brace.
std::string sealed(std::string_view header) {
    return fmt::format("{},\"header_hash\":\"{}\"}}", header, sha256Hex(header));
}

bool isSealed(std::string_view line) {
    static const std::size_t sealBytes = sealed({}).size();
    return line.size() > sealBytes && line == sealed(line.substr(0, line.size() - sealBytes));
}

std::string bytesOfModel(const LearnedModel& model) {
    Json forms = Json::array();
    std::string trees;
    for (const auto& [form, learned] : model.forms) {
        Json entry{{"form", form}};
        entry.update(jsonOf(learned));
        forms.push_back(std::move(entry));
        trees += learned.booster.bytes();
    }
    const Json header{{"format", kFormat},
                      {"version", kFormatVersion},
                      {"target", model.targetId},
                      {"target_hash", model.targetHash},
                      {"program", model.program},
                      {"seed", model.seed},
                      {"passes_left_out", model.passes},
                      {"features_hash", draftFeatureHash()},
                      {"training_hash", model.trainingHash},
                      {"within_sizes", model.withinSizes},
                      {"trees_hash", sha256Hex(trees)},
                      {"forms", forms}};
    std::string text = header.dump();
    text.pop_back();
    return sealed(text) + "\n" + trees;
}

tl::unexpected<Error> noModel(const std::string& where, std::string why) {
    return fail(ErrorCode::InvalidFile, "it is no predictor that can be used here: " + std::move(why), where,
                "train it again with `pimc predictor train`");
}

/// Least and greatest extent of a loop over the kernels learned.
std::pair<std::int64_t, std::int64_t> rangeOf(const LearnedForm& form, std::size_t loop) {
    std::pair<std::int64_t, std::int64_t> range{std::numeric_limits<std::int64_t>::max(), 0};
    for (const KernelExtents& extents : form.trained)
        if (loop < extents.size())
            range = {std::min(range.first, extents[loop]), std::max(range.second, extents[loop])};
    return range;
}

/// "n=32768, learned 128 to 16384"; empty: all loops lie among those learned.
std::string beyond(const LearnedForm& form, const Kernel& kernel) {
    std::string text;
    for (std::size_t loop = 0; loop < kernel.loops.size(); ++loop) {
        const auto [least, most] = rangeOf(form, loop);
        if (const std::int64_t extent = kernel.loops[loop].extent; extent < least || extent > most)
            text += fmt::format(
                "{}{}={}, learned {}", text.empty() ? "" : "; ", kernel.loops[loop].name, extent,
                least == most ? fmt::format("{} alone", least) : fmt::format("{} to {}", least, most));
    }
    return text;
}

RankingQuality qualityOf(const Json& json) {
    return {json.at("spearman").get<double>(), json.at("kendall").get<double>(),
            json.at("regret_1").get<double>(), json.at("regret_10").get<double>(),
            json.at("regret_verified").get<double>()};
}

/// What is known of a form beside its trees.
void readFigures(const Json& entry, LearnedForm& form) {
    form.kernel = entry.at("kernel").get<std::string>();
    form.samples = entry.at("samples").get<std::int64_t>();
    form.trained = entry.at("trained").get<std::vector<KernelExtents>>();
    form.heldOut = entry.at("held_out").get<std::vector<KernelExtents>>();
    const Json& error = entry.at("error");
    form.error = {error.at("drafts").get<std::int64_t>(), error.at("mean").get<double>(),
                  error.at("worst").get<double>(), error.at("mean_of_price").get<double>(),
                  error.at("mean_of_linear").get<double>()};
    const Json& ranking = entry.at("ranking");
    form.ranking = {ranking.at("kernels").get<std::int64_t>(), ranking.at("drafts").get<std::int64_t>(),
                    qualityOf(ranking.at("formula")),          qualityOf(ranking.at("learned")),
                    ranking.at("worst_formula").get<double>(), ranking.at("worst_learned").get<double>()};
    const Json& curve = entry.at("curve");
    form.curve = {curve.at("trained").get<std::vector<double>>(),
                  curve.at("held_out").get<std::vector<double>>()};
}

Result<LearnedForm> readForm(const Json& entry, std::string_view& trees, const std::string& where) {
    const auto length = entry.at("bytes").get<std::size_t>();
    auto booster = Booster::fromBytes(trees.substr(0, length));
    if (!booster)
        return noModel(where, booster.error().message);
    trees.remove_prefix(length);
    if (booster->width() != draftFeatureList().size())
        return noModel(where, fmt::format("its trees take {} features, there are {}", booster->width(),
                                          draftFeatureList().size()));
    LearnedForm form{
        LinearPrice(entry.at("weights").get<PriceTerms>()), std::move(*booster), {}, 0, {}, {}, {}, {}, {}};
    readFigures(entry, form);
    return form;
}

/// Before XGBoost reads them: what it is given must be what was written.
Result<void> checkWhole(const Json& header, std::string_view trees, const std::string& where) {
    std::size_t length = 0;
    for (const Json& entry : header.at("forms"))
        length += entry.at("bytes").get<std::size_t>();
    if (length > trees.size())
        return noModel(where, fmt::format("it ends {} bytes too early", length - trees.size()));
    if (length < trees.size())
        return noModel(where, fmt::format("{} bytes follow its trees", trees.size() - length));
    if (header.at("trees_hash").get<std::string>() != sha256Hex(trees))
        return noModel(where, "its trees are not those that were written: it is damaged");
    return {};
}

Result<LearnedModel> readModel(std::string_view bytes, const std::string& where) {
    const std::size_t line = bytes.find('\n');
    const Json header = Json::parse(bytes.substr(0, line), nullptr, false);
    if (line == std::string_view::npos || !header.is_object() || header.value("format", "") != kFormat)
        return noModel(where, "it does not begin like one");
    try {
        if (const int version = header.at("version").get<int>(); version != kFormatVersion)
            return noModel(where,
                           fmt::format("it has version {}, this program reads {}", version, kFormatVersion));
        if (!isSealed(bytes.substr(0, line)))
            return noModel(where, "its figures are not those that were written: it is damaged");
        if (header.at("features_hash").get<std::string>() != draftFeatureHash())
            return noModel(where, "it was trained with another list of features");
        LearnedModel model{header.at("target").get<std::string>(),
                           header.at("target_hash").get<std::string>(),
                           header.at("program").get<std::string>(),
                           header.at("seed").get<std::uint64_t>(),
                           header.at("passes_left_out").get<std::string>(),
                           header.at("training_hash").get<std::string>(),
                           {},
                           header.at("within_sizes").get<bool>()};
        std::string_view trees = bytes.substr(line + 1);
        PIM_CHECK(checkWhole(header, trees, where));
        for (const Json& entry : header.at("forms")) {
            PIM_TRY(LearnedForm form, readForm(entry, trees, where));
            model.forms.emplace(entry.at("form").get<std::string>(), std::move(form));
        }
        return model;
    } catch (const Json::exception& exception) {
        return noModel(where, exception.what());
    }
}

} // namespace

Result<std::vector<FeatureGain>> featureGains(const LearnedForm& form, std::size_t most) {
    PIM_TRY(const std::vector<double> shares, form.booster.gains());
    std::vector<FeatureGain> gains;
    for (std::size_t i = 0; i < shares.size(); ++i)
        if (shares[i] > 0)
            gains.push_back({draftFeatureList()[i].name, shares[i]});
    std::ranges::stable_sort(gains, std::greater(), &FeatureGain::share);
    gains.resize(std::min(gains.size(), most));
    return gains;
}

std::string rangeText(const LearnedForm& form) {
    std::string text = fmt::format("{} kernels", form.trained.size());
    for (std::size_t loop = 0; !form.trained.empty() && loop < form.trained.front().size(); ++loop) {
        const auto [least, most] = rangeOf(form, loop);
        text += fmt::format("{}{}", loop == 0 ? ": " : " x ", least);
        if (least != most)
            text += fmt::format(" to {}", most);
    }
    return text;
}

KernelExtents extentsOf(const Kernel& kernel) {
    KernelExtents extents;
    for (const Loop& loop : kernel.loops)
        extents.push_back(loop.extent);
    return extents;
}

std::string offText(double meanError) {
    const double percent = 100 * meanError;
    if (percent < 0.001)
        return "±0.001 % or less";
    return fmt::format("±{:.{}f} %", percent, percent < 0.1 ? 3 : percent < 1 ? 2 : percent < 10 ? 1 : 0);
}

LearnedPredictor::LearnedPredictor(LearnedModel model)
    : m_model(std::move(model)), m_bytes(bytesOfModel(m_model)), m_digest(sha256Hex(m_bytes)) {}

Result<std::shared_ptr<const LearnedPredictor>> LearnedPredictor::fromBytes(std::string_view bytes,
                                                                            const std::string& where) {
    PIM_TRY(LearnedModel model, readModel(bytes, where));
    return std::make_shared<const LearnedPredictor>(std::move(model));
}

Result<void> LearnedPredictor::checkFits(const Target& target, const std::string& where) const {
    if (m_model.targetId != target.id)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("it was trained for {}, not for {}", m_model.targetId, target.id), where,
                    fmt::format("train one with `pimc predictor train --target {}`", target.id));
    if (m_model.targetHash != target.hash)
        return fail(ErrorCode::InvalidTarget,
                    fmt::format("{} has changed since it was trained ({:.8} then, {:.8} now)", target.id,
                                m_model.targetHash, target.hash),
                    where, fmt::format("train it again with `pimc predictor train --target {}`", target.id));
    return {};
}

bool LearnedPredictor::wasTrainedWith(const CodePasses& passes) const {
    return m_model.passes == fmt::format("{}", fmt::join(passes.leftOut, ","));
}

std::shared_ptr<const LearnedPredictor> LearnedPredictor::whereBetter() const {
    LearnedModel model = m_model;
    std::erase_if(model.forms,
                  [](const auto& form) { return verdictOf(form.second.ranking) != Verdict::Better; });
    model.withinSizes = true;
    return model.forms.empty() ? nullptr : std::make_shared<const LearnedPredictor>(std::move(model));
}

const LearnedForm* LearnedPredictor::formOf(const Kernel& kernel,
                                            const std::vector<Residency>& residency) const {
    const auto at = m_model.forms.find(kernelForm(kernel, residency));
    return at == m_model.forms.end() ? nullptr : &at->second;
}

const LearnedForm* LearnedPredictor::asked(const Kernel& kernel,
                                           const std::vector<Residency>& residency) const {
    const LearnedForm* const form = formOf(kernel, residency);
    return form && m_model.withinSizes && !beyond(*form, kernel).empty() ? nullptr : form;
}

bool LearnedPredictor::knows(const Kernel& kernel, const Target& target) const {
    if (target.hash != m_model.targetHash)
        return false;
    // Residency is not asked: predict() falls back on the price where it differs.
    std::vector<Residency> residency;
    for (const KernelTensor& tensor : kernel.tensors)
        residency.push_back(tensor.role != TensorRole::Output && (tensor.constant || tensor.cache)
                                ? Residency::Resident
                                : Residency::Streamed);
    return asked(kernel, residency) != nullptr;
}

std::optional<double> LearnedPredictor::offAtMost(const Kernel& kernel,
                                                  const std::vector<Residency>& residency) const {
    const LearnedForm* const form = asked(kernel, residency);
    return form && form->error.drafts > 0 ? std::optional(form->error.worst) : std::nullopt;
}

bool LearnedPredictor::hasSeen(const Kernel& kernel, const std::vector<Residency>& residency) const {
    const LearnedForm* const form = formOf(kernel, residency);
    return form && std::ranges::find(form->trained, extentsOf(kernel)) != form->trained.end();
}

std::string LearnedPredictor::outside(const Kernel& kernel, const std::vector<Residency>& residency) const {
    const LearnedForm* const form = asked(kernel, residency);
    return form ? beyond(*form, kernel) : std::string();
}

void LearnedPredictor::predict(const TilingSpace& space, const Target& target,
                               const std::vector<Residency>& residency, const DraftSpans& of,
                               std::span<double> ns) const {
    const auto& [drafts, summaries, prices] = of;
    for (std::size_t i = 0; i < drafts.size(); ++i)
        ns[i] = prices[i].totalNs();
    const LearnedForm* const form = asked(space.kernel(), residency);
    if (!form || drafts.empty())
        return;
    const DraftFeatures features(space, target, residency);
    for (std::size_t i = 0; i < drafts.size(); ++i)
        ns[i] = form->linear.ns(features.terms(summaries[i], prices[i]));
    std::vector<std::size_t> order(drafts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t weighed = std::min(kWeighed, order.size());
    const auto end = order.begin() + static_cast<std::ptrdiff_t>(weighed);
    const auto faster = [&ns](std::size_t a, std::size_t b) {
        return std::pair(ns[a], a) < std::pair(ns[b], b);
    };
    if (weighed < order.size())
        std::nth_element(order.begin(), end, order.end(), faster);
    std::sort(order.begin(), end);

    const std::size_t width = draftFeatureList().size();
    std::vector<float> rows(weighed * width), corrections(weighed);
    for (std::size_t i = 0; i < weighed; ++i)
        features.write(drafts[order[i]], summaries[order[i]], prices[order[i]],
                       std::span(rows).subspan(i * width, width));
    const auto predicted = form->booster.predict(rows, corrections);
    PIM_ASSERT(predicted, "a model that was read predicts");
    double slowest = 0;
    for (std::size_t i = 0; i < weighed; ++i) {
        ns[order[i]] *= std::exp(static_cast<double>(corrections[i]));
        slowest = std::max(slowest, ns[order[i]]);
    }
    // None of the rest may pass one that was weighed.
    for (std::size_t i = weighed; i < order.size(); ++i)
        ns[order[i]] = std::max(slowest, ns[order[i]]);
}

} // namespace pim
