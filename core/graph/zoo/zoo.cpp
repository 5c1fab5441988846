// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/zoo.h"

#include "core/graph/zoo/networks.h"

#include <algorithm>

namespace pim {
namespace {

using namespace zoo;

struct Entry {
    ZooModel model;
    DataType type = DataType::F32;
    std::function<void(GraphWriter&, const Extents&)> build;
};

/// A decoder gives two models: one step of generation, and the reading of the prompt.
void addDecoder(std::vector<Entry>& entries, const std::string& name, const std::string& title, DataType type,
                std::int64_t parameters, const std::string& source, const DecoderShape& shape) {
    entries.push_back(
        {{name + "-decode",
          title + ", one decode step with key/value caches",
          parameters,
          source,
          {"batch", "past"}},
         type,
         [shape](GraphWriter& g, const Extents& extents) { buildDecodeStep(g, shape, extents); }});
    entries.push_back(
        {{name + "-prefill", title + ", prefill of a prompt", parameters, source, {"batch", "seq"}},
         type,
         [shape](GraphWriter& g, const Extents& extents) { buildPrefill(g, shape, extents); }});
}

std::vector<Entry> makeEntries() {
    std::vector<Entry> e;
    const auto add = [&](std::string name, std::string summary, std::int64_t parameters, std::string source,
                         std::function<void(GraphWriter&, const Extents&)> build, bool hasSeq = false) {
        std::vector<std::string> symbols{"batch"};
        if (hasSeq)
            symbols.emplace_back("seq");
        e.push_back({{std::move(name), std::move(summary), parameters, std::move(source), std::move(symbols)},
                     DataType::F32,
                     std::move(build)});
    };

    // 4096 positions instead of the published 2048: the DCC paper (arXiv:2511.15503, fig. 8) generates 2048 tokens behind a
    // prompt of 2048. It adds less than 0.1 % to the parameters.
    addDecoder(e, "gpt3-13b", "GPT-3 13B, f16", DataType::F16, 12'900'000'000,
               "Brown et al., arXiv:2005.14165, table 2.1 (hidden 5120 = 40 heads of 128)",
               {DecoderStyle::Gpt, 40, 5120, 40, 4 * 5120, 50257, 4096});
    addDecoder(e, "llama2-7b", "LLaMA-2 7B, f16", DataType::F16, 6'738'415'616,
               "Touvron et al., arXiv:2307.09288", {DecoderStyle::Llama, 32, 4096, 32, 11008, 32000, 4096});
    addDecoder(e, "llama2-33b", "LLaMA 33B with the context of LLaMA-2, f16", DataType::F16, 32'528'943'616,
               "Touvron et al., arXiv:2302.13971, table 2; 4096 positions as arXiv:2307.09288",
               {DecoderStyle::Llama, 60, 6656, 52, 17920, 32000, 4096});
    addDecoder(e, "opt-6.7b", "OPT 6.7B, f16", DataType::F16, 6'658'473'984,
               "Zhang et al., arXiv:2205.01068, table 1",
               {DecoderStyle::Opt, 32, 4096, 32, 4 * 4096, 50272, 4096});
    addDecoder(e, "opt-13b", "OPT 13B, f16", DataType::F16, 12'853'473'280,
               "Zhang et al., arXiv:2205.01068, table 1",
               {DecoderStyle::Opt, 40, 5120, 40, 4 * 5120, 50272, 4096});
    addDecoder(e, "tiny-gpt", "GPT of two layers on bytes, for trying things out, f32", DataType::F32,
               437'760, "none: shapes of our own", {DecoderStyle::Gpt, 2, 128, 4, 4 * 128, 256, 64});

    const std::string bert = "Devlin et al., arXiv:1810.04805";
    add(
        "bert-base", "BERT base, encoder of 12 layers", 109'482'240, bert,
        [](GraphWriter& g, const Extents& x) {
            buildBert(g, {12, 768, 12, 3072}, x);
        },
        true);
    add(
        "bert-large", "BERT large, encoder of 24 layers", 335'141'888, bert,
        [](GraphWriter& g, const Extents& x) {
            buildBert(g, {24, 1024, 16, 4096}, x);
        },
        true);
    const std::string vit = "Dosovitskiy et al., arXiv:2010.11929, table 1";
    add("vit-base", "Vision Transformer B/16 on 224x224 images", 86'567'656, vit,
        [](GraphWriter& g, const Extents& x) {
            buildVit(g, {12, 768, 12, 3072}, 16, x);
        });
    add("vit-huge", "Vision Transformer H/14 on 224x224 images", 632'045'800, vit,
        [](GraphWriter& g, const Extents& x) {
            buildVit(g, {32, 1280, 16, 5120}, 14, x);
        });

    add("vgg8", "VGG of 8 layers on 32x32 images", 12'976'266,
        "the network of DNN+NeuroSim: six 3x3 convolutions of 128, 256 and 512 channels, 1024 hidden",
        buildVgg8);
    add("vgg16", "VGG of 16 layers on 224x224 images", 138'357'544, "Simonyan and Zisserman, arXiv:1409.1556",
        buildVgg16);
    const std::string resnet = "He et al., arXiv:1512.03385, table 1";
    add("resnet18", "ResNet of 18 layers on 224x224 images", 11'689'512, resnet,
        [](GraphWriter& g, const Extents& x) {
            buildResNet(g, {2, 2, 2, 2}, false, x);
        });
    add("resnet34", "ResNet of 34 layers on 224x224 images", 21'797'672, resnet,
        [](GraphWriter& g, const Extents& x) {
            buildResNet(g, {3, 4, 6, 3}, false, x);
        });
    add("resnet50", "ResNet of 50 layers on 224x224 images", 25'557'032, resnet,
        [](GraphWriter& g, const Extents& x) {
            buildResNet(g, {3, 4, 6, 3}, true, x);
        });
    add("googlenet", "GoogLeNet (Inception v1) on 224x224 images", 6'998'552,
        "Szegedy et al., arXiv:1409.4842; Caffe's bvlc_googlenet without the auxiliary classifiers",
        buildGoogLeNet);
    add("squeezenet", "SqueezeNet 1.1 on 224x224 images", 1'235'496,
        "Iandola et al., arXiv:1602.07360; version 1.1 of the authors, as torchvision", buildSqueezeNet);
    add("mobilenetv2", "MobileNetV2 on 224x224 images", 3'504'872, "Sandler et al., arXiv:1801.04381",
        buildMobileNetV2);
    return e;
}

const std::vector<Entry>& entries() {
    static const std::vector<Entry> all = makeEntries();
    return all;
}

Result<const Entry*> findEntry(std::string_view name) {
    const std::string decode = std::string(name) + "-decode";
    for (const Entry& entry : entries())
        if (entry.model.name == name || entry.model.name == decode)
            return &entry;
    std::string known;
    for (const Entry& entry : entries())
        known += (known.empty() ? "" : ", ") + entry.model.name;
    return fail(ErrorCode::NotFound, "the zoo has no such model", std::string(name), "there are: " + known);
}

/// The extent asked for, or the symbol.
Result<Dim> bind(const ZooModel& model, const char* symbol, std::optional<std::int64_t> value) {
    if (!value)
        return Dim(symbol);
    if (std::find(model.symbols.begin(), model.symbols.end(), symbol) == model.symbols.end())
        return fail(ErrorCode::Usage, std::string("the model has no dimension \"") + symbol + "\"",
                    model.name);
    if (*value < 1 || *value > 1'000'000)
        return fail(ErrorCode::Usage,
                    std::string(symbol) + " is " + std::to_string(*value) + ", allowed are 1 to 1000000",
                    model.name);
    return Dim(*value);
}

} // namespace

const std::vector<ZooModel>& zooModels() {
    static const std::vector<ZooModel> models = [] {
        std::vector<ZooModel> all;
        for (const Entry& entry : entries())
            all.push_back(entry.model);
        return all;
    }();
    return models;
}

Result<const ZooModel*> findZooModel(std::string_view name) {
    PIM_TRY(const Entry* entry, findEntry(name));
    return &entry->model;
}

Result<ZooFile> writeZooModel(std::string_view name, const std::filesystem::path& file,
                              const ZooOptions& options, const TaskContext& task) {
    PIM_TRY(const Entry* entry, findEntry(name));
    const ZooModel& model = entry->model;
    Extents extents;
    PIM_TRY(extents.batch, bind(model, "batch", options.batch));
    PIM_TRY(extents.past, bind(model, "past", options.past));
    PIM_TRY(extents.seq, bind(model, "seq", options.seq));

    GraphWriter writer(model.name, model.summary, entry->type);
    entry->build(writer, extents);
    const auto weights = options.weights ? GraphWriter::Weights::Present : GraphWriter::Weights::Absent;
    PIM_TRY(auto files, writer.write(file, {weights, options.seed, options.inlineLimitBytes}, task));
    return ZooFile{model.name, std::move(files), writer.parameters(), writer.weightBytes(),
                   writer.nodeCount()};
}

} // namespace pim
