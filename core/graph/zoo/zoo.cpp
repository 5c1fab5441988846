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

/// A decoder gives two models: one step of generation, and the reading of the prompt. \p model: of both, without symbols.
void addDecoder(std::vector<Entry>& entries, const ZooModel& model, DataType type,
                const DecoderShape& shape) {
    const auto add = [&](const std::string& suffix, const std::string& what, std::vector<std::string> symbols,
                         std::function<void(GraphWriter&, const Extents&)> build) {
        entries.push_back(
            {{model.name + suffix, model.summary + what, model.parameters, model.source, std::move(symbols)},
             type,
             std::move(build)});
    };
    add("-decode", ", one decode step with key/value caches", {"batch", "past"},
        [shape](GraphWriter& g, const Extents& extents) { buildDecodeStep(g, shape, extents); });
    add("-prefill", ", prefill of a prompt", {"batch", "seq"},
        [shape](GraphWriter& g, const Extents& extents) { buildPrefill(g, shape, extents); });
}

/// In f32, with an open batch. \p model without its symbols.
void addNetwork(std::vector<Entry>& entries, ZooModel model,
                std::function<void(GraphWriter&, const Extents&)> build, bool hasSeq = false) {
    model.symbols = {"batch"};
    if (hasSeq)
        model.symbols.emplace_back("seq");
    entries.push_back({std::move(model), DataType::F32, std::move(build)});
}

void addDecoders(std::vector<Entry>& e) {
    // 4096 positions instead of the published 2048: the DCC paper (arXiv:2511.15503, fig. 8) generates 2048 tokens behind a
    // prompt of 2048. It adds less than 0.1 % to the parameters.
    addDecoder(e,
               {"gpt3-13b", "GPT-3 13B, f16", 12'900'000'000,
                "Brown et al., arXiv:2005.14165, table 2.1 (hidden 5120 = 40 heads of 128)"},
               DataType::F16, {DecoderStyle::Gpt, 40, 5120, 40, 4 * 5120, 50257, 4096});
    addDecoder(e, {"llama2-7b", "LLaMA-2 7B, f16", 6'738'415'616, "Touvron et al., arXiv:2307.09288"},
               DataType::F16, {DecoderStyle::Llama, 32, 4096, 32, 11008, 32000, 4096});
    addDecoder(e,
               {"llama2-33b", "LLaMA 33B with the context of LLaMA-2, f16", 32'528'943'616,
                "Touvron et al., arXiv:2302.13971, table 2; 4096 positions as arXiv:2307.09288"},
               DataType::F16, {DecoderStyle::Llama, 60, 6656, 52, 17920, 32000, 4096});
    addDecoder(e,
               {"llama2-70b", "LLaMA-2 70B, 8 heads share keys and values, f16", 68'976'648'192,
                "Touvron et al., arXiv:2307.09288"},
               DataType::F16, {DecoderStyle::Llama, 80, 8192, 64, 28672, 32000, 4096, 8});
    // The 8192 positions of its pre-training (§3.4.1), not the 131072 of what was published: a mask has the square of them.
    addDecoder(e,
               {"llama3.1-405b", "LLaMA 3.1 405B, 16 heads share keys and values, f16", 405'853'388'800,
                "Grattafiori et al., arXiv:2407.21783, table 3"},
               DataType::F16, {DecoderStyle::Llama, 126, 16384, 128, 53248, 128256, 8192, 16});
    addDecoder(e, {"opt-6.7b", "OPT 6.7B, f16", 6'658'473'984, "Zhang et al., arXiv:2205.01068, table 1"},
               DataType::F16, {DecoderStyle::Opt, 32, 4096, 32, 4 * 4096, 50272, 4096});
    addDecoder(e, {"opt-13b", "OPT 13B, f16", 12'853'473'280, "Zhang et al., arXiv:2205.01068, table 1"},
               DataType::F16, {DecoderStyle::Opt, 40, 5120, 40, 4 * 5120, 50272, 4096});
    addDecoder(e,
               {"stories15m", "LLaMA as trained on TinyStories, with a classifier of its own, f32",
                24'407'712, "Karpathy, llama2.c, stories15M (dim 288, 6 layers and heads, hidden 768)"},
               DataType::F32, {DecoderStyle::Llama, 6, 288, 6, 768, 32000, 256});
    addDecoder(e,
               {"tiny-gpt", "GPT of two layers on bytes, for trying things out, f32", 437'760,
                "none: shapes of our own"},
               DataType::F32, {DecoderStyle::Gpt, 2, 128, 4, 4 * 128, 256, 64});
}

void addEncoders(std::vector<Entry>& e) {
    const std::string bert = "Devlin et al., arXiv:1810.04805";
    addNetwork(
        e, {"bert-base", "BERT base, encoder of 12 layers", 109'482'240, bert},
        [](GraphWriter& g, const Extents& x) {
            buildBert(g, {12, 768, 12, 3072}, x);
        },
        true);
    addNetwork(
        e, {"bert-large", "BERT large, encoder of 24 layers", 335'141'888, bert},
        [](GraphWriter& g, const Extents& x) {
            buildBert(g, {24, 1024, 16, 4096}, x);
        },
        true);
    const std::string vit = "Dosovitskiy et al., arXiv:2010.11929, table 1";
    addNetwork(e, {"vit-base", "Vision Transformer B/16 on 224x224 images", 86'567'656, vit},
               [](GraphWriter& g, const Extents& x) {
                   buildVit(g, {12, 768, 12, 3072}, 16, x);
               });
    addNetwork(e, {"vit-huge", "Vision Transformer H/14 on 224x224 images", 632'045'800, vit},
               [](GraphWriter& g, const Extents& x) {
                   buildVit(g, {32, 1280, 16, 5120}, 14, x);
               });
}

void addConvolutional(std::vector<Entry>& e) {
    addNetwork(
        e,
        {"vgg8", "VGG of 8 layers on 32x32 images", 12'976'266,
         "the network of DNN+NeuroSim: six 3x3 convolutions of 128, 256 and 512 channels, 1024 hidden"},
        buildVgg8);
    addNetwork(e,
               {"vgg16", "VGG of 16 layers on 224x224 images", 138'357'544,
                "Simonyan and Zisserman, arXiv:1409.1556"},
               buildVgg16);
    const std::string resnet = "He et al., arXiv:1512.03385, table 1";
    addNetwork(e, {"resnet18", "ResNet of 18 layers on 224x224 images", 11'689'512, resnet},
               [](GraphWriter& g, const Extents& x) {
                   buildResNet(g, {2, 2, 2, 2}, false, x);
               });
    addNetwork(e, {"resnet34", "ResNet of 34 layers on 224x224 images", 21'797'672, resnet},
               [](GraphWriter& g, const Extents& x) {
                   buildResNet(g, {3, 4, 6, 3}, false, x);
               });
    addNetwork(e, {"resnet50", "ResNet of 50 layers on 224x224 images", 25'557'032, resnet},
               [](GraphWriter& g, const Extents& x) {
                   buildResNet(g, {3, 4, 6, 3}, true, x);
               });
    addNetwork(e,
               {"googlenet", "GoogLeNet (Inception v1) on 224x224 images", 6'998'552,
                "Szegedy et al., arXiv:1409.4842; Caffe's bvlc_googlenet without the auxiliary classifiers"},
               buildGoogLeNet);
    addNetwork(e,
               {"squeezenet", "SqueezeNet 1.1 on 224x224 images", 1'235'496,
                "Iandola et al., arXiv:1602.07360; version 1.1 of the authors, as torchvision"},
               buildSqueezeNet);
    addNetwork(
        e, {"mobilenetv2", "MobileNetV2 on 224x224 images", 3'504'872, "Sandler et al., arXiv:1801.04381"},
        buildMobileNetV2);
}

std::vector<Entry> makeEntries() {
    std::vector<Entry> all;
    addDecoders(all);
    addEncoders(all);
    addConvolutional(all);
    return all;
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
