// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/campaign/campaign.h"

#include "core/base/file_io.h"
#include "core/base/file_text.h"
#include "core/base/hash.h"
#include "core/base/json_number.h"
#include "core/base/parse_number.h"
#include "core/compile/sweep_networks.h"
#include "core/hardware/catalog.h"
#include "core/plan/code_version.h"
#include "core/predict/shipped.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstring>

#include <unistd.h>

namespace pim {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kPlanFile = "campaign.json";
constexpr int kVersion = 1;
constexpr std::int64_t kUsualChunks = 1000;

Json targetOf(const std::shared_ptr<const Target>& target) {
    return Json::parse(targetJson(*target));
}

/// \param folder of the plan; both absolute.
Json placeOf(const fs::path& model, const fs::path& folder) {
    return {{"path", model.string()}, {"relative", model.lexically_relative(folder).string()}};
}

/// The folder may have been brought to another machine together with the model.
fs::path placeFrom(const Json& place, const fs::path& folder) {
    const fs::path there = place.at("path").get<std::string>();
    const fs::path beside = (folder / place.at("relative").get<std::string>()).lexically_normal();
    std::error_code error;
    return !fs::exists(there, error) && fs::exists(beside, error) ? beside : there;
}

Json planJson(const SweepSetup& setup, const fs::path& folder, std::int64_t chunkPoints) {
    Json axes = Json::array(), targets = Json::array();
    for (const SweepAxis& axis : setup.axes)
        axes.push_back({{"name", axis.name}, {"kind", name(axis.kind)}, {"values", axis.values}});
    for (const auto& target : setup.targets)
        targets.push_back(targetOf(target));
    std::error_code error;
    const fs::path here = fs::absolute(folder, error);
    Json networks = Json::array();
    for (const SweepNetwork& network : setup.networks) {
        Json& row = networks.emplace_back(placeOf(fs::absolute(network.path, error), here));
        row["name"] = network.name;
        row["structure"] = network.hash;
        row["bindings"] = network.bindings;
    }
    Json model = placeOf(fs::absolute(setup.base->source.path, error), here);
    model["name"] = networksText(setup);
    model["structure"] = setup.base->source.structureHash;
    return {{"format", "pim-campaign"},
            {"version", kVersion},
            {"code", codeVersion()},
            {"model", std::move(model)},
            {"networks", std::move(networks)},
            {"chunk", chunkPoints},
            {"axes", std::move(axes)},
            {"target", targetOf(setup.request.target)},
            {"targets", std::move(targets)},
            {"options", Json::parse(optionsJson(setup.request.options))},
            {"overrides", Json::parse(setup.request.overrides.json())},
            {"bindings", setup.graph.bindings},
            {"disabled_passes", setup.graph.disabledPasses},
            {"pass_options", setup.graph.passOptions}};
}

Result<std::shared_ptr<const Target>> readTargetOf(const Json& json, const std::string& where) {
    return targetFromJson(json.dump(), where);
}

/// Throws Json::exception where something is missing or of another type.
Result<void> readSetup(const Json& plan, const fs::path& folder, const std::string& where,
                       SweepSetup& setup) {
    for (const Json& network : plan.value("networks", Json::array())) // plans of one model may have none
        setup.networks.push_back({network.at("name").get<std::string>(), placeFrom(network, folder),
                                  network.at("bindings").get<std::map<std::string, std::int64_t>>(),
                                  network.at("structure").get<std::string>(), nullptr, nullptr});
    for (const Json& axis : plan.at("axes")) {
        const auto kind = sweepAxisKind(axis.at("kind").get<std::string>());
        if (!kind)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("an axis has the kind {}", axis.at("kind").dump()), where);
        setup.axes.push_back(
            {axis.at("name").get<std::string>(), axis.at("values").get<std::vector<std::string>>(), *kind});
    }
    PIM_TRY(setup.request.target, readTargetOf(plan.at("target"), where));
    std::size_t named = 0;
    for (const SweepAxis& axis : setup.axes)
        named += axis.kind == SweepAxis::Kind::Target ? axis.values.size() : 0;
    for (const Json& target : plan.at("targets")) {
        PIM_TRY(auto described, readTargetOf(target, where));
        setup.targets.push_back(std::move(described));
    }
    if (named != setup.targets.size())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("{} machines are named and {} are described", named, setup.targets.size()),
                    where);
    PIM_TRY(setup.request.options, optionsFromJson(plan.at("options").dump(), where));
    PIM_TRY(setup.request.overrides, Overrides::fromJson(plan.at("overrides").dump(), {}, where));
    setup.graph.bindings = plan.at("bindings").get<std::map<std::string, std::int64_t>>();
    setup.graph.disabledPasses = plan.at("disabled_passes").get<std::set<std::string>>();
    for (const auto& [pass, texts] : plan.at("pass_options").items())
        setup.graph.passOptions[pass] = texts.get<OptionTexts>();
    return {};
}

Result<std::string> planText(const fs::path& file) {
    constexpr const char* kHint = "make one with pimc sweep plan MODEL --over … --to FOLDER";
    std::error_code error;
    if (!fs::exists(file, error))
        return fail(ErrorCode::NotFound, "is no campaign: there is no such file", file.string(), kHint);
    return fileText(file, kHint);
}

/// What differs first.
Error otherCampaign(const fs::path& file, const Json& theirs, const Json& ours) {
    for (const auto& [key, value] : ours.items())
        if (theirs.is_object() && theirs.value(key, Json()) != value) {
            std::string seen = theirs.value(key, Json()).dump();
            constexpr std::size_t kShown = 80;
            if (seen.size() > kShown)
                seen = seen.substr(0, kShown) + "…";
            return {ErrorCode::Usage,
                    key == "code" ? std::string("is the plan of another version of the program")
                                  : fmt::format("is the plan of another sweep: its \"{}\" is {}", key, seen),
                    file.string(), "give another folder, or delete this one with all its points"};
        }
    return {ErrorCode::Usage, "is the plan of another sweep", file.string(), "give another folder"};
}

Result<Campaign> campaignFrom(const std::string& text, const fs::path& folder) {
    const std::string where = (folder / kPlanFile).string();
    const Json plan = Json::parse(text, nullptr, false);
    Campaign campaign;
    campaign.folder = folder;
    campaign.id = sha256Hex(text);
    try {
        if (plan.at("format") != "pim-campaign" || plan.at("version") != kVersion)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("is a {} of version {}, not a pim-campaign of version {}",
                                    plan.at("format").dump(), plan.at("version").dump(), kVersion),
                        where, "use the version of the program that made it");
        campaign.code = plan.at("code").get<std::string>();
        const Json& model = plan.at("model");
        campaign.modelName = model.at("name").get<std::string>();
        campaign.modelHash = model.at("structure").get<std::string>();
        campaign.modelPath = placeFrom(model, folder);
        campaign.chunkPoints = wholeNumber<std::int64_t>(plan.at("chunk"));
        PIM_CHECK(readSetup(plan, folder, where, campaign.setup));
    } catch (const std::exception& e) {
        return fail(ErrorCode::InvalidFile, fmt::format("is damaged: {}", e.what()), where,
                    "make it anew with pimc sweep plan; points that are there are kept if it is the same");
    }
    if (campaign.points() < 1 || campaign.chunkPoints < 1 || campaign.chunks() > kMostChunks)
        return fail(
            ErrorCode::InvalidFile,
            fmt::format("has {} points in chunks of {}; there are at least one of each, and at most {} "
                        "chunks",
                        campaign.points(), campaign.chunkPoints, kMostChunks),
            where);
    return campaign;
}

fs::path predictorFile(const fs::path& folder, std::string_view version) {
    return folder / "predictors" / fmt::format("{}.predictor", version);
}

/// Beside the plan, so that any machine ranks drafts alike, whatever is installed there.
Result<void> writePredictors(const SweepSetup& setup, const fs::path& folder) {
    for (const auto& learned : membersOf(setup.request.options.predictor)) {
        const fs::path file = predictorFile(folder, learned->version());
        std::error_code error;
        fs::create_directories(file.parent_path(), error);
        if (error)
            return fail(ErrorCode::Io, fmt::format("cannot be made: {}", error.message()),
                        file.parent_path().string());
        PIM_CHECK(replaceFile(file, learned->bytes()));
    }
    return {};
}

/// Those that the plan names. Error::NotFound, InvalidFile where one is not what was planned with.
Result<void> readPredictors(CompileOptions& options, const fs::path& folder) {
    PredictorSet::Members members;
    for (const std::string_view version : predictorVersions(options.predictorVersion)) {
        const fs::path file = predictorFile(folder, version);
        PIM_TRY(auto learned, readPredictor(file));
        if (learned->version() != version)
            return fail(
                ErrorCode::InvalidFile,
                fmt::format("is predictor {}, not the one the sweep was planned with", learned->version()),
                file.string(), "plan the sweep anew in another folder");
        members.push_back(std::move(learned));
    }
    options.predictor = predictorOf(std::move(members));
    return {};
}

} // namespace

std::pair<std::int64_t, std::int64_t> Campaign::indicesOf(std::int64_t chunk) const {
    return {chunk * chunkPoints, std::min(points(), (chunk + 1) * chunkPoints)};
}

fs::path Campaign::folderOf(std::int64_t chunk) const {
    return folder / "points" / fmt::format("{:06}", chunk);
}

Result<Campaign> planCampaign(const SweepSetup& setup, const fs::path& folder, std::int64_t chunkPoints) {
    PIM_ASSERT(setup.base && setup.request.target, "a campaign is planned after the sweep was prepared");
    const std::int64_t points = sweepSize(setup.axes);
    if (chunkPoints == 0)
        chunkPoints = (points + kUsualChunks - 1) / kUsualChunks;
    if (chunkPoints < 1 || (points + chunkPoints - 1) / chunkPoints > kMostChunks)
        return fail(ErrorCode::Usage,
                    fmt::format("{} points in chunks of {} are more than {} chunks", points, chunkPoints,
                                kMostChunks),
                    {}, fmt::format("give chunks of at least {} points", points / kMostChunks + 1));
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        return fail(ErrorCode::Io, fmt::format("cannot be made: {}", error.message()), folder.string());
    const Json plan = planJson(setup, folder, chunkPoints);
    const std::string text = plan.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
    const fs::path file = folder / kPlanFile;
    if (fs::exists(file, error)) {
        PIM_TRY(const std::string there, planText(file));
        if (there != text)
            return tl::unexpected<Error>(otherCampaign(file, Json::parse(there, nullptr, false), plan));
    } else {
        PIM_CHECK(writePredictors(setup, folder)); // before the plan that names them
        PIM_CHECK(replaceFile(file, text));
    }
    return readCampaign(folder);
}

Result<Campaign> readCampaign(const fs::path& folder) {
    PIM_TRY(const std::string text, planText(folder / kPlanFile));
    PIM_TRY(Campaign campaign, campaignFrom(text, folder));
    PIM_CHECK(readPredictors(campaign.setup.request.options, folder));
    return campaign;
}

Result<void> loadCampaignModels(Campaign& campaign, const TaskContext& task) {
    return loadNetworks(campaign.setup, campaign.modelPath, campaign.modelHash, "the campaign was planned",
                        task);
}

Result<std::vector<std::int64_t>> parseChunks(std::string_view text, std::int64_t count) {
    std::vector<std::int64_t> chunks;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view part = text.substr(begin, end - begin);
        const std::size_t dash = part.find('-');
        const auto first = parseNumber<std::int64_t>(part.substr(0, dash));
        const auto last =
            dash == std::string_view::npos ? first : parseNumber<std::int64_t>(part.substr(dash + 1));
        if (!first || !last || *first < 0 || *last < *first || *last >= count)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" are no chunks of this campaign", part), {},
                        fmt::format("write 0-3,9; there are 0 to {}", count - 1));
        for (std::int64_t chunk = *first; chunk <= *last; ++chunk)
            chunks.push_back(chunk);
        begin = end + 1;
    }
    std::ranges::sort(chunks);
    chunks.erase(std::ranges::unique(chunks).begin(), chunks.end());
    return chunks;
}

Result<std::vector<std::int64_t>> chunksOfShard(std::string_view text, std::int64_t count) {
    const std::size_t slash = text.find('/');
    const auto number = parsePositive<std::int64_t>(text.substr(0, slash));
    const auto shards =
        slash == std::string_view::npos ? std::nullopt : parsePositive<std::int64_t>(text.substr(slash + 1));
    if (!number || !shards || *number > *shards)
        return fail(ErrorCode::Usage, fmt::format("\"{}\" is no shard", text), {},
                    "write 3/8 for the third of eight");
    std::vector<std::int64_t> chunks;
    for (std::int64_t chunk = *number - 1; chunk < count; chunk += *shards)
        chunks.push_back(chunk);
    return chunks;
}

std::string chunksText(const std::vector<std::int64_t>& chunks) {
    std::string text;
    for (std::size_t i = 0; i < chunks.size();) {
        std::size_t end = i + 1;
        while (end < chunks.size() && chunks[end] == chunks[end - 1] + 1)
            ++end;
        text += fmt::format("{}{}", text.empty() ? "" : ",", chunks[i]);
        if (end - i > 1)
            text += fmt::format("-{}", chunks[end - 1]);
        i = end;
    }
    return text;
}

} // namespace pim
