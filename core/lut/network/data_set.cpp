// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lut/network/data_set.h"

#include "core/base/file_text.h"
#include "core/numeric/element_access.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace pim::lut {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

Result<std::vector<LayerName>> layerNames(const json& list, const std::string& file) {
    const auto odd = [&](std::size_t at) {
        return fail(ErrorCode::InvalidFile, fmt::format("convert[{}] names no node and no weight", at), file,
                    "give the node of the ONNX file or its weight initializer");
    };
    if (!list.is_array())
        return fail(ErrorCode::InvalidFile, "convert is no list", file);
    std::vector<LayerName> names;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const json& entry = list[i];
        LayerName made;
        if (entry.is_string()) {
            made.node = entry.get<std::string>();
        } else if (entry.is_object()) {
            for (const auto& [key, text] : {std::pair{"node", &made.node}, {"weight", &made.weight}})
                if (entry.contains(key) && entry[key].is_string())
                    *text = entry[key].get<std::string>();
        }
        if (made.node.empty() && made.weight.empty())
            return odd(i);
        names.push_back(std::move(made));
    }
    return names;
}

Result<void> checkFinite(const Value& x, const std::string& file) {
    if (!isRealType(x.dtype))
        return {};
    const std::vector<double> values = realsOf(*x.bytes, x.dtype);
    const auto odd = std::ranges::find_if(values, [](double value) { return !std::isfinite(value); });
    if (odd == values.end())
        return {};
    const std::int64_t each = std::ssize(values) / x.shape.front();
    return fail(ErrorCode::InvalidFile,
                fmt::format("{} in sample {}, element {}", *odd, (odd - values.begin()) / each,
                            (odd - values.begin()) % each),
                file, "leave out what is not finite");
}

} // namespace

Result<DataSet> openDataSet(const fs::path& folder) {
    DataSet set;
    set.folder = folder;
    std::error_code ignored;
    if (!fs::is_directory(folder, ignored))
        return fail(ErrorCode::Io, "there is no such folder", folder.string(),
                    "give the folder that holds test_x.npy and test_y.npy");
    const fs::path path = folder / "model.json";
    if (!fs::exists(path, ignored))
        return set;
    PIM_TRY(const std::string description, fileText(path));
    const json document = json::parse(description, nullptr, false);
    if (!document.is_object())
        return fail(ErrorCode::InvalidFile, "it is no JSON object", path.string());
    if (document.contains("preprocess") && !document["preprocess"].is_null()) {
        if (!document["preprocess"].is_string())
            return fail(ErrorCode::InvalidFile, "preprocess is no text", path.string());
        const auto text = document["preprocess"].get<std::string>();
        if (auto parsed = Preprocess::parse(text))
            set.preprocess = std::move(*parsed);
        else if (text != "none" && !text.empty())
            set.odd = parsed.error().message;
    }
    if (document.contains("convert")) {
        PIM_TRY(set.convert, layerNames(document["convert"], path.string()));
    }
    return set;
}

Samples Samples::first(std::int64_t most) const {
    Samples kept = *this;
    if (most >= count())
        return kept;
    kept.x.shape.front() = most;
    const auto bytes = std::size_t(kept.x.count()) * std::size_t(bytesOf(x.dtype));
    kept.x.bytes = std::make_shared<const std::vector<std::byte>>(x.bytes->begin(),
                                                                  x.bytes->begin() + std::ptrdiff_t(bytes));
    kept.labels.resize(std::min(kept.labels.size(), std::size_t(most)));
    return kept;
}

Result<Samples> readSamples(const DataSet& set, const std::string& part, bool labelled) {
    Samples samples;
    samples.file = (set.folder / (part + "_x.npy")).string();
    PIM_TRY(samples.x, readNpy(samples.file));
    if (samples.x.shape.empty() || samples.x.count() == 0)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("its shape {} has no samples", shapeText(samples.x.shape)), samples.file);
    PIM_CHECK(checkFinite(samples.x, samples.file));
    if (!labelled)
        return samples;
    const std::string file = (set.folder / (part + "_y.npy")).string();
    PIM_TRY(const Value labels, readNpy(file));
    if (isRealType(labels.dtype) || labels.dtype == DataType::Bool)
        return fail(ErrorCode::InvalidFile,
                    fmt::format("labels are {}, not whole numbers", name(labels.dtype)), file,
                    "save them with ARRAY.astype('int64')");
    samples.labels = intsOf(*labels.bytes, labels.dtype);
    if (std::ssize(samples.labels) != samples.count() || labels.shape.front() != samples.count())
        return fail(ErrorCode::InvalidFile,
                    fmt::format("its shape {} is not one label for each of {} samples",
                                shapeText(labels.shape), samples.count()),
                    file);
    for (std::size_t i = 0; i < samples.labels.size(); ++i)
        if (samples.labels[i] < 0)
            return fail(ErrorCode::InvalidFile,
                        fmt::format("label {} of sample {} is negative", samples.labels[i], i), file);
    return samples;
}

} // namespace pim::lut
