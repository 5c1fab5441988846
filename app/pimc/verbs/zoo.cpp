// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/zoo.h"
#include "app/pimc/verbs/seed_option.h"
#include "app/pimc/verbs/verbs.h"
#include "core/base/number_text.h"
#include "core/base/parse_number.h"
#include "core/base/text_table.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pim::cli {
namespace {

using nlohmann::ordered_json;

struct ZooArguments {
    std::string name, out, batch;
    bool noWeights = false;
    std::optional<std::int64_t> past, seq;
    std::uint64_t seed = 1;
};

Result<void> listZoo(Session& session) {
    if (session.json) {
        ordered_json models = ordered_json::array();
        for (const ZooModel& model : zooModels())
            models.push_back({{"name", model.name},
                              {"summary", model.summary},
                              {"parameters", model.parameters},
                              {"open_dimensions", model.symbols},
                              {"source", model.source}});
        return session.print(models.dump(2) + "\n");
    }
    TextTable table({"name", ">parameters", "open dimensions", "what"});
    for (const ZooModel& model : zooModels())
        table.add({model.name, countText(static_cast<double>(model.parameters)),
                   fmt::format("{}", fmt::join(model.symbols, ", ")), model.summary});
    return session.print(table.text());
}

Result<void> write(Session& session, const ZooArguments& options) {
    ZooOptions zoo;
    zoo.weights = !options.noWeights;
    zoo.past = options.past;
    zoo.seq = options.seq;
    zoo.seed = options.seed;
    if (!options.batch.empty() && options.batch != "dynamic") {
        zoo.batch = parseNumber<std::int64_t>(options.batch);
        if (!zoo.batch)
            return fail(
                ErrorCode::Usage,
                fmt::format("is \"{}\", allowed are a number from 1 on and \"dynamic\"", options.batch),
                "--batch");
    }
    PIM_TRY(const ZooModel* model, findZooModel(options.name));
    const std::filesystem::path file = options.out.empty() ? model->name + ".onnx" : options.out;
    PIM_TRY(const ZooFile written, writeZooModel(model->name, file, zoo, session.task()));

    if (session.json) {
        ordered_json files = ordered_json::array();
        for (const auto& path : written.files)
            files.push_back(path.string());
        const ordered_json json{{"model", written.model},
                                {"files", files},
                                {"parameters", written.parameters},
                                {"weight_bytes", written.weightBytes},
                                {"weights", zoo.weights ? "seeded" : "absent"},
                                {"nodes", written.nodes},
                                {"seed", options.seed}};
        return session.print(json.dump(2) + "\n");
    }
    for (const auto& path : written.files)
        PIM_CHECK(session.print(path.string() + "\n"));
    session.say(fmt::format("{}: {} nodes, {} parameters, {} of weights {}", written.model, written.nodes,
                            countText(static_cast<double>(written.parameters)),
                            bytesText(static_cast<double>(written.weightBytes)),
                            zoo.weights ? fmt::format("from seed {}", options.seed) : "absent"));
    return {};
}

} // namespace

Action zooVerb(CLI::App& verb, const BackendList&) {
    auto options = std::make_shared<ZooArguments>();
    verb.add_option("NAME", options->name, "Network to write; none: list what there is")->type_name("");
    verb.add_option("-o,--out", options->out, "File to write; NAME.onnx if not given")->type_name("FILE");
    verb.add_flag("--no-weights", options->noWeights,
                  "Graph only: fast, small, enough for placement and timing");
    verb.add_option("--batch", options->batch, "Fixed batch size, or \"dynamic\" (the default)")
        ->type_name("N");
    verb.add_option("--past", options->past, "Fixed number of cached tokens of a decode step")
        ->type_name("N");
    verb.add_option("--seq", options->seq, "Fixed number of tokens of a prefill or an encoder")
        ->type_name("N");
    addSeed(verb, "--seed", options->seed, "Seed of the random weights");
    verb.footer("Examples:\n"
                "  pimc zoo                                    what there is\n"
                "  pimc zoo resnet50                           writes resnet50.onnx, 102 MB\n"
                "  pimc zoo gpt3-13b-decode --no-weights -o gpt.onnx\n"
                "Weights above 1.5 GB go to FILE.data beside the file.");
    return [options](Session& session) {
        return options->name.empty() ? listZoo(session) : write(session, *options);
    };
}

} // namespace pim::cli
