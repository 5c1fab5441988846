// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/numeric/own_inputs.h"

#include "core/numeric/difference.h"
#include "core/numeric/npy.h"
#include "core/numeric/real_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace pim {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> namesOfInputs(const Graph& graph) {
    std::vector<std::string> names;
    for (const TensorId input : graph.inputs)
        names.push_back(graph.tensor(input).name);
    return names;
}

std::string inputsHint(const Graph& graph) {
    return fmt::format("its inputs are: {}", fmt::join(namesOfInputs(graph), ", "));
}

/// Invalid: there is none.
TensorId inputNamed(const Graph& graph, std::string_view name) {
    const auto found = std::ranges::find(
        graph.inputs, name, [&](TensorId input) -> std::string_view { return graph.tensor(input).name; });
    return found == graph.inputs.end() ? TensorId() : *found;
}

std::string placeOf(std::int64_t flat, const Value& value) {
    return shapeText(indexOf(flat, value.shape));
}

/// Brings one array to what the run takes for \p tensor.
class Fitting {
public:
    Fitting(const Graph& graph, TensorId input, const std::string& file, std::vector<std::string>& notes)
        : m_graph(graph), m_input(input), m_tensor(graph.tensor(input)),
          m_where(fmt::format("{}, for input \"{}\"", file, m_tensor.name)), m_notes(notes) {}

    Result<Value> fit(const Value& given) {
        if (!m_tensor.shape || !isStatic(*m_tensor.shape))
            return fail(ErrorCode::Unsupported,
                        fmt::format("the input's shape is {}: not known in full",
                                    m_tensor.shape ? shapeText(*m_tensor.shape) : "?"),
                        m_where, "give its open dimensions: --bind NAME=N");
        if (given.shape != *m_tensor.shape)
            return fail(ErrorCode::Usage,
                        fmt::format("its shape is {}, {} is wanted", shapeText(given.shape),
                                    shapeText(*m_tensor.shape)),
                        m_where, "reshape it, or bind the open dimensions to its extents: --bind NAME=N");
        const bool real = isRealType(m_tensor.dtype), truth = m_tensor.dtype == DataType::Bool;
        if (isRealType(given.dtype) != real || (given.dtype == DataType::Bool) != truth)
            return fail(
                ErrorCode::Usage,
                fmt::format("its elements are {}, {} is wanted", name(given.dtype), name(m_tensor.dtype)),
                m_where,
                fmt::format("convert it with ARRAY.astype(\"{}\")", real    ? "float32"
                                                                    : truth ? "bool"
                                                                            : "int64"));
        return real ? fraction(given) : whole(given);
    }

private:
    Result<Value> fraction(const Value& given) {
        const std::vector<double> numbers = realsOf(*given.bytes, given.dtype);
        std::int64_t count = 0, first = -1, rounded = 0;
        for (std::size_t i = 0; i < numbers.size(); ++i)
            if (std::isnan(numbers[i]) && count++ == 0)
                first = std::int64_t(i);
        if (count > 0)
            return fail(ErrorCode::Usage,
                        fmt::format("{} of its {} elements {} NaN, the first is element {}", count,
                                    numbers.size(), count == 1 ? "is" : "are", placeOf(first, given)),
                        m_where, "every result would be NaN: give numbers");
        if (given.dtype == DataType::F32)
            return given;
        Fresh<float> made(DataType::F32, given.shape);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            if (std::isfinite(numbers[i]) && std::abs(numbers[i]) > std::numeric_limits<float>::max())
                return fail(ErrorCode::Usage,
                            fmt::format("element {} is {}, float32 has numbers up to {:.6g}",
                                        placeOf(std::int64_t(i), given), numbers[i],
                                        std::numeric_limits<float>::max()),
                            m_where, "scale it");
            made.data[i] = float(numbers[i]);
            rounded += double(made.data[i]) != numbers[i];
        }
        if (rounded > 0)
            m_notes.push_back(fmt::format("{}: {} of {} elements were rounded from {} to f32", m_where,
                                          rounded, numbers.size(), name(given.dtype)));
        return made.value;
    }

    Result<Value> whole(const Value& given) const {
        const std::vector<std::int64_t> numbers = intsOf(*given.bytes, given.dtype);
        const std::int64_t rows = rowsChosenBy(m_graph, m_input);
        Value made{m_tensor.dtype, given.shape, given.bytes};
        if (given.dtype != m_tensor.dtype)
            made.bytes = std::make_shared<const std::vector<std::byte>>(bytesFromInts(numbers, made.dtype));
        const std::vector<std::int64_t> held = intsOf(*made.bytes, made.dtype);
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            const auto wrong = [&](const std::string& wanted) {
                return fail(
                    ErrorCode::Usage,
                    fmt::format("element {} is {}, {}", placeOf(std::int64_t(i), given), numbers[i], wanted),
                    m_where, "give numbers in that range");
            };
            if (rows > 0 && (numbers[i] >= rows || numbers[i] < -rows))
                return wrong(fmt::format("the table that it chooses from has {} rows", rows));
            // A u64 that no i64 holds comes out below 0.
            const bool sign = (given.dtype == DataType::U64) != (made.dtype == DataType::U64);
            if (held[i] != numbers[i] || (sign && numbers[i] < 0))
                return wrong(fmt::format("which {} does not hold", name(made.dtype)));
        }
        return made;
    }

    const Graph& m_graph;
    TensorId m_input;
    const Tensor& m_tensor;
    std::string m_where;
    std::vector<std::string>& m_notes;
};

class Reader {
public:
    explicit Reader(const Graph& graph) : m_graph(graph) {}

    Result<void> take(const std::string& word) {
        for (auto at = word.find('='); at != std::string::npos; at = word.find('=', at + 1))
            if (const TensorId input = inputNamed(m_graph, std::string_view(word).substr(0, at));
                input.valid())
                return file(input, word.substr(at + 1));
        std::error_code unknown;
        if (fs::is_directory(word, unknown))
            return folder(word);
        if (const auto at = word.find('='); at != std::string::npos && !fs::exists(word, unknown))
            return fail(ErrorCode::NotFound, "the network has no such input", word.substr(0, at),
                        inputsHint(m_graph));
        if (m_graph.inputs.size() != 1)
            return fail(ErrorCode::Usage,
                        fmt::format("the network has {} inputs, and it is not said for which this is",
                                    m_graph.inputs.size()),
                        word, "say --input NAME=FILE; " + inputsHint(m_graph));
        return file(m_graph.inputs.front(), word);
    }

    OwnInputs result;

private:
    Result<void> file(TensorId input, const std::string& path) {
        const std::string& name = m_graph.tensor(input).name;
        if (result.values.contains(name))
            return fail(ErrorCode::Usage, "this input is given twice", name, "leave one out");
        PIM_TRY(const Value array, readNpy(path));
        PIM_TRY(result.values[name], Fitting(m_graph, input, path, result.notes).fit(array));
        return {};
    }

    Result<void> folder(const fs::path& folder) {
        std::vector<std::string> missing;
        std::map<std::string, std::string> takenBy; ///< File name -> input.
        for (const TensorId id : m_graph.inputs) {
            const std::string& input = m_graph.tensor(id).name;
            const std::string name = npyName(input) + ".npy";
            std::error_code unknown;
            if (!fs::exists(folder / name, unknown)) {
                missing.push_back(name);
                continue;
            }
            if (const auto [at, isNew] = takenBy.emplace(name, input); !isNew)
                return fail(ErrorCode::Usage,
                            fmt::format("it could be input \"{}\" or \"{}\"", at->second, input),
                            (folder / name).string(), "say --input NAME=FILE for both");
            PIM_CHECK(file(id, (folder / name).string()));
        }
        if (takenBy.empty())
            return fail(ErrorCode::NotFound,
                        fmt::format("the folder has no file of an input: {}", fmt::join(missing, ", ")),
                        folder.string(),
                        "name files so: what is no letter, digit, '.', '-' or '_' of the input's name "
                        "becomes '_'");
        if (!missing.empty())
            result.notes.push_back(fmt::format("{} has no {}", folder.string(), fmt::join(missing, ", ")));
        return {};
    }

    const Graph& m_graph;
};

} // namespace

Result<OwnInputs> readInputs(const Graph& graph, const std::vector<std::string>& given) {
    Reader reader(graph);
    for (const std::string& word : given)
        PIM_CHECK(reader.take(word));
    return std::move(reader.result);
}

Result<std::vector<Value>> runInputs(const Graph& graph, const InputValues& own, std::uint64_t seed) {
    for (const auto& [name, value] : own)
        if (!inputNamed(graph, name).valid())
            return fail(ErrorCode::NotFound, "the network has no such input", name, inputsHint(graph));
    PIM_TRY(std::vector<Value> inputs, sampleInputs(graph, seed));
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (const auto at = own.find(graph.tensor(graph.inputs[i]).name); at != own.end())
            inputs[i] = at->second;
    return inputs;
}

std::string inputsText(const Graph& graph, const InputValues& own) {
    std::vector<std::string> random = namesOfInputs(graph);
    std::erase_if(random, [&](const std::string& name) { return own.contains(name); });
    if (own.empty())
        return "random inputs";
    return random.empty() ? std::string("the inputs given")
                          : fmt::format("the inputs given, random: {}", fmt::join(random, ", "));
}

} // namespace pim
