// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/graph/import.h"

#include "core/base/log.h"
#include "core/base/mapped_file.h"
#include "core/base/number_text.h"
#include "core/base/parse_number.h"
#include "core/graph/file/check_onnx.h"
#include "core/graph/file/read_onnx.h"
#include "core/graph/imported_model.h"
#include "core/graph/weights.h"

#include <fmt/format.h>

namespace pim {

namespace {

/// As in read_onnx: integers of this size may be shapes.
constexpr std::int64_t kSmallExternalBytes = 4096;

/// Some exporters put everything into the external file, the few numbers that shape other tensors included.
Result<void> readSmallExternals(file::RawGraph& graph) {
    for (auto& tensor : graph.initializers) {
        const DataType type = tensor.dtype();
        const bool small = tensor.ref && tensor.ref->present && tensor.ref->length <= kSmallExternalBytes;
        if (tensor.external.empty() || !small ||
            (type != DataType::I64 && type != DataType::I32 && type != DataType::Bool))
            continue;
        Tensor request;
        request.name = tensor.name;
        request.dtype = type;
        request.shape = tensor.dims;
        request.data = tensor.ref;
        PIM_TRY(auto bytes, readConstant(request));
        tensor.value = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    }
    return {};
}

} // namespace

Result<std::shared_ptr<const ImportedModel>> importModel(const std::filesystem::path& path,
                                                         const TaskContext& task) {
    PIM_TRY(const auto mapping, MappedFile::open(path));
    auto read = file::readOnnx(mapping->bytes(), path, task);
    PIM_CHECK(mapping->stillWhole()); // of zeros that stand for what is gone nothing is said
    PIM_TRY(auto model, std::move(read));
    task.report("checking the model");
    PIM_CHECK(file::checkModel(model, task));
    PIM_CHECK(readSmallExternals(model.graph));
    Log::get().write(LogLevel::Info, "graph",
                     fmt::format("{}: IR version {}, by \"{}\", {} nodes, {} in the file", path.string(),
                                 model.irVersion, model.producer, model.graph.nodes.size(),
                                 bytesText(static_cast<double>(model.fileBytes))));
    return std::make_shared<const ImportedModel>(std::move(model));
}

Result<std::shared_ptr<const Graph>> loadGraph(const std::filesystem::path& path, const GraphOptions& options,
                                               const TaskContext& task) {
    PIM_TRY(const auto model, importModel(path, task));
    return buildGraph(*model, options, task);
}

Result<std::map<std::string, std::int64_t>> parseBindings(std::string_view text) {
    std::map<std::string, std::int64_t> bindings;
    while (!text.empty()) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view part = text.substr(0, comma);
        text.remove_prefix(std::min(comma + 1, text.size()));
        const std::size_t equals = part.rfind('=');
        const bool hasName = equals != std::string_view::npos && equals > 0;
        const auto value = hasName ? parseNumber<std::int64_t>(part.substr(equals + 1)) : std::nullopt;
        if (!value)
            return fail(ErrorCode::Usage, fmt::format("\"{}\" binds no dimension", part), {},
                        "write name=number, e.g. batch=1,past=512");
        if (*value < 1)
            return fail(ErrorCode::Usage,
                        fmt::format("\"{}\" binds a dimension to {}; at least 1 is needed", part, *value));
        if (!bindings.emplace(std::string(part.substr(0, equals)), *value).second)
            return fail(ErrorCode::Usage,
                        fmt::format("the dimension \"{}\" is bound twice", part.substr(0, equals)));
    }
    return bindings;
}

} // namespace pim
