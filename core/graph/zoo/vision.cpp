// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/zoo/layers.h"
#include "core/graph/zoo/networks.h"

#include <cmath>

namespace pim::zoo {
namespace {

struct Window {
    std::int64_t kernel = 1, stride = 1, pad = 0, groups = 1;
};

Attributes windowAttributes(const Window& w) {
    return {{"kernel_shape", std::vector<std::int64_t>{w.kernel, w.kernel}},
            {"strides", std::vector<std::int64_t>{w.stride, w.stride}},
            {"pads", std::vector<std::int64_t>{w.pad, w.pad, w.pad, w.pad}}};
}

std::string conv(GraphWriter& g, const std::string& x, std::int64_t in, std::int64_t out, const Window& w,
                 bool bias) {
    const std::int64_t fanIn = in / w.groups * w.kernel * w.kernel;
    // keeps the variance through a ReLU
    const Fill fill{.spread = std::sqrt(6.0 / static_cast<double>(fanIn))};
    std::vector<std::string> inputs{x, g.weight("weight", {out, in / w.groups, w.kernel, w.kernel}, fill)};
    if (bias)
        inputs.push_back(g.weight("bias", {out}, {.spread = 0.02}));
    Attributes attributes = windowAttributes(w);
    attributes.emplace_back("group", w.groups);
    return g.node("Conv", inputs, attributes);
}

/// Conv without bias, then BatchNormalization with its running statistics.
std::string convBatchNorm(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                          std::int64_t out, const Window& w) {
    const GraphWriter::Scope scope(g, name);
    const std::string y = conv(g, x, in, out, w, false);
    const GraphWriter::Scope normScope(g, "bn");
    const std::string gain = g.weight("weight", {out}, {.center = 1, .spread = 0.1});
    const std::string shift = g.weight("bias", {out}, {.spread = 0.02});
    const std::string mean = g.table("running_mean", {out}, {.spread = 0.1});
    const std::string variance = g.table("running_var", {out}, {.center = 1, .spread = 0.1});
    return g.node("BatchNormalization", {y, gain, shift, mean, variance}, {{"epsilon", 1e-5}});
}

std::string convRelu(GraphWriter& g, const std::string& name, const std::string& x, std::int64_t in,
                     std::int64_t out, const Window& w) {
    const GraphWriter::Scope scope(g, name);
    return g.node("Relu", {conv(g, x, in, out, w, true)});
}

std::string maxPool(GraphWriter& g, const std::string& x, const Window& w, bool roundUp = false) {
    Attributes attributes = windowAttributes(w);
    attributes.emplace_back("ceil_mode", std::int64_t{roundUp});
    return g.node("MaxPool", {x}, attributes);
}

std::string flatten(GraphWriter& g, const std::string& x) {
    return g.node("Flatten", {x}, {{"axis", std::int64_t{1}}});
}

std::string image(GraphWriter& g, const Dim& batch, const Dim& height, const Dim& width) {
    return g.input("image", g.floatType(), {batch, 3, height, width});
}
std::string image(GraphWriter& g, const Extents& extents) {
    return image(g, extents.batch, extents.height, extents.width);
}

} // namespace

void buildVgg8(GraphWriter& g, const Extents& extents) {
    std::string x = image(g, extents.batch, 32, 32);
    std::int64_t channels = 3;
    int index = 0;
    for (const std::int64_t width : {128, 256, 512}) {
        for (int i = 0; i < 2; ++i) {
            x = convRelu(g, "conv" + std::to_string(++index), x, channels, width, {.kernel = 3, .pad = 1});
            channels = width;
        }
        x = maxPool(g, x, {.kernel = 2, .stride = 2});
    }
    x = g.node("Relu", {gemm(g, "fc1", flatten(g, x), 512 * 4 * 4, 1024)});
    g.output(gemm(g, "fc2", x, 1024, 10), "scores", {extents.batch, 10});
}

void buildVgg16(GraphWriter& g, const Extents& extents) {
    // [Simonyan and Zisserman, arXiv:1409.1556, table 1, D]
    std::string x = image(g, extents.batch, 224, 224);
    std::int64_t channels = 3;
    int index = 0;
    const std::pair<std::int64_t, int> stages[] = {{64, 2}, {128, 2}, {256, 3}, {512, 3}, {512, 3}};
    for (const auto& [width, count] : stages) {
        for (int i = 0; i < count; ++i) {
            x = convRelu(g, "conv" + std::to_string(++index), x, channels, width, {.kernel = 3, .pad = 1});
            channels = width;
        }
        x = maxPool(g, x, {.kernel = 2, .stride = 2});
    }
    x = g.node("Relu", {gemm(g, "fc1", flatten(g, x), 512 * 7 * 7, 4096)});
    x = g.node("Relu", {gemm(g, "fc2", x, 4096, 4096)});
    g.output(gemm(g, "fc3", x, 4096, 1000), "scores", {extents.batch, 1000});
}

void buildResNet(GraphWriter& g, const std::vector<int>& blocks, bool bottleneck, const Extents& extents) {
    // [He et al., arXiv:1512.03385, table 1; stride on the 3x3 of a bottleneck, as torchvision]
    const std::int64_t expansion = bottleneck ? 4 : 1;
    std::string x = convBatchNorm(g, "stem", image(g, extents), 3, 64, {.kernel = 7, .stride = 2, .pad = 3});
    x = maxPool(g, g.node("Relu", {x}), {.kernel = 3, .stride = 2, .pad = 1});
    std::int64_t in = 64, width = 64;
    for (std::size_t stage = 0; stage < blocks.size(); ++stage, width *= 2) {
        for (int block = 0; block < blocks[stage]; ++block) {
            const GraphWriter::Scope scope(g,
                                           "layer" + std::to_string(stage + 1) + "." + std::to_string(block));
            const std::int64_t stride = stage > 0 && block == 0 ? 2 : 1, out = width * expansion;
            std::string y;
            if (bottleneck) {
                y = g.node("Relu", {convBatchNorm(g, "conv1", x, in, width, {})});
                y = convBatchNorm(g, "conv2", y, width, width, {.kernel = 3, .stride = stride, .pad = 1});
                y = convBatchNorm(g, "conv3", g.node("Relu", {y}), width, out, {});
            } else {
                y = convBatchNorm(g, "conv1", x, in, width, {.kernel = 3, .stride = stride, .pad = 1});
                y = convBatchNorm(g, "conv2", g.node("Relu", {y}), width, out, {.kernel = 3, .pad = 1});
            }
            if (stride != 1 || in != out)
                x = convBatchNorm(g, "downsample", x, in, out, {.stride = stride});
            x = g.node("Relu", {g.node("Add", {y, x})});
            in = out;
        }
    }
    x = flatten(g, g.node("GlobalAveragePool", {x}));
    g.output(gemm(g, "fc", x, in, 1000), "scores", {extents.batch, 1000});
}

void buildGoogLeNet(GraphWriter& g, const Extents& extents) {
    // [Szegedy et al., arXiv:1409.4842, table 1, without the auxiliary classifiers; pooling rounds up as in
    // Caffe]
    const auto normalise = [&](const std::string& value) {
        return g.node("LRN", {value}, {{"size", std::int64_t{5}}, {"alpha", 1e-4}, {"beta", 0.75}});
    };
    std::string x =
        convRelu(g, "conv1", image(g, extents.batch, 224, 224), 3, 64, {.kernel = 7, .stride = 2, .pad = 3});
    x = normalise(maxPool(g, x, {.kernel = 3, .stride = 2}, true));
    x = convRelu(g, "conv2.reduce", x, 64, 64, {});
    x = normalise(convRelu(g, "conv2", x, 64, 192, {.kernel = 3, .pad = 1}));
    x = maxPool(g, x, {.kernel = 3, .stride = 2}, true);

    struct Inception {
        const char* name;
        std::int64_t one, reduce3, three, reduce5, five, pool;
        bool poolAfter;
    };
    constexpr Inception kModules[] = {
        {"3a", 64, 96, 128, 16, 32, 32, false},     {"3b", 128, 128, 192, 32, 96, 64, true},
        {"4a", 192, 96, 208, 16, 48, 64, false},    {"4b", 160, 112, 224, 24, 64, 64, false},
        {"4c", 128, 128, 256, 24, 64, 64, false},   {"4d", 112, 144, 288, 32, 64, 64, false},
        {"4e", 256, 160, 320, 32, 128, 128, true},  {"5a", 256, 160, 320, 32, 128, 128, false},
        {"5b", 384, 192, 384, 48, 128, 128, false},
    };
    std::int64_t in = 192;
    for (const Inception& m : kModules) {
        const GraphWriter::Scope scope(g, std::string("inception.") + m.name);
        const std::string one = convRelu(g, "1x1", x, in, m.one, {});
        const std::string three = convRelu(g, "3x3", convRelu(g, "3x3.reduce", x, in, m.reduce3, {}),
                                           m.reduce3, m.three, {.kernel = 3, .pad = 1});
        const std::string five = convRelu(g, "5x5", convRelu(g, "5x5.reduce", x, in, m.reduce5, {}),
                                          m.reduce5, m.five, {.kernel = 5, .pad = 2});
        const std::string pool =
            convRelu(g, "pool", maxPool(g, x, {.kernel = 3, .stride = 1, .pad = 1}, true), in, m.pool, {});
        x = g.node("Concat", {one, three, five, pool}, {{"axis", std::int64_t{1}}});
        in = m.one + m.three + m.five + m.pool;
        if (m.poolAfter)
            x = maxPool(g, x, {.kernel = 3, .stride = 2}, true);
    }
    x = g.node("Dropout", {g.node("AveragePool", {x}, windowAttributes({.kernel = 7}))});
    g.output(gemm(g, "fc", flatten(g, x), in, 1000), "scores", {extents.batch, 1000});
}

void buildSqueezeNet(GraphWriter& g, const Extents& extents) {
    // [Iandola et al., arXiv:1602.07360, table 1; version 1.1: 64 filters of 3x3 first, pools moved forward]
    std::string x = convRelu(g, "conv1", image(g, extents), 3, 64, {.kernel = 3, .stride = 2});
    struct Fire {
        std::int64_t squeeze, expand;
        bool poolBefore;
    };
    constexpr Fire kFires[] = {{16, 64, true},  {16, 64, false},  {32, 128, true},  {32, 128, false},
                               {48, 192, true}, {48, 192, false}, {64, 256, false}, {64, 256, false}};
    std::int64_t in = 64;
    int index = 1;
    for (const Fire& fire : kFires) {
        const GraphWriter::Scope scope(g, "fire" + std::to_string(++index));
        if (fire.poolBefore)
            x = maxPool(g, x, {.kernel = 3, .stride = 2}, true);
        x = convRelu(g, "squeeze", x, in, fire.squeeze, {});
        const std::string one = convRelu(g, "expand1x1", x, fire.squeeze, fire.expand, {});
        const std::string three =
            convRelu(g, "expand3x3", x, fire.squeeze, fire.expand, {.kernel = 3, .pad = 1});
        x = g.node("Concat", {one, three}, {{"axis", std::int64_t{1}}});
        in = 2 * fire.expand;
    }
    x = convRelu(g, "classifier", g.node("Dropout", {x}), in, 1000, {});
    g.output(flatten(g, g.node("GlobalAveragePool", {x})), "scores", {extents.batch, 1000});
}

void buildMobileNetV2(GraphWriter& g, const Extents& extents) {
    // [Sandler et al., arXiv:1801.04381, table 2]
    const auto relu6 = [&](const std::string& value) {
        return g.node("Clip", {value, g.scalar(0), g.scalar(6)});
    };
    std::string x = convBatchNorm(g, "stem", image(g, extents), 3, 32, {.kernel = 3, .stride = 2, .pad = 1});
    x = relu6(x);
    struct Stage {
        std::int64_t expand, out, count, stride;
    };
    constexpr Stage kStages[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                                 {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    std::int64_t in = 32;
    int index = 0;
    for (const Stage& stage : kStages) {
        for (std::int64_t i = 0; i < stage.count; ++i) {
            const GraphWriter::Scope scope(g, "block" + std::to_string(++index));
            const std::int64_t stride = i == 0 ? stage.stride : 1, wide = in * stage.expand;
            std::string y = x;
            if (stage.expand != 1)
                y = relu6(convBatchNorm(g, "expand", y, in, wide, {}));
            y = relu6(convBatchNorm(g, "depthwise", y, wide, wide,
                                    {.kernel = 3, .stride = stride, .pad = 1, .groups = wide}));
            y = convBatchNorm(g, "project", y, wide, stage.out, {});
            x = stride == 1 && in == stage.out ? g.node("Add", {x, y}) : y;
            in = stage.out;
        }
    }
    x = relu6(convBatchNorm(g, "head", x, in, 1280, {}));
    x = flatten(g, g.node("GlobalAveragePool", {x}));
    g.output(gemm(g, "fc", x, 1280, 1000), "scores", {extents.batch, 1000});
}

} // namespace pim::zoo
