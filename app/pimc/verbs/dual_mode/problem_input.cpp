// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pimc/verbs/dual_mode/problem_input.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <optional>

namespace pim::cli {
namespace {

/// First thing that was wrong in a file; what is read after it does not count.
class InputErrors {
public:
    explicit InputErrors(std::string file) : m_file(std::move(file)) {}
    void add(const std::string& path, std::string message) {
        if (!m_first)
            m_first = Error{
                ErrorCode::InvalidFile, std::move(message), m_file + (path.empty() ? "" : ": " + path), {}};
    }
    const std::optional<Error>& first() const { return m_first; }

private:
    std::string m_file;
    std::optional<Error> m_first;
};

/// A value of the document and where it stands.
class InputValue {
public:
    InputValue(const nlohmann::json& value, std::string path, InputErrors& errors)
        : m_value(&value), m_path(std::move(path)), m_errors(&errors) {}

    const std::string& path() const { return m_path; }
    void complain(std::string message) const { m_errors->add(m_path, std::move(message)); }
    bool has(const char* key) const { return m_value->is_object() && m_value->contains(key); }

    InputValue operator[](const char* key) const {
        const std::string path = m_path.empty() ? key : m_path + "." + key;
        if (has(key))
            return {(*m_value)[key], path, *m_errors};
        m_errors->add(path,
                      m_value->is_object() ? "is missing" : "cannot be: an object is expected around it");
        return {kNull, path, *m_errors};
    }

    /// Elements of a list; of exactly \p size where that is not negative.
    std::vector<InputValue> list(int size = -1) const {
        std::vector<InputValue> elements;
        if (!m_value->is_array())
            complain(fmt::format("is {}; a list is expected", m_value->type_name()));
        else if (size >= 0 && m_value->size() != static_cast<std::size_t>(size))
            complain(fmt::format("has {} values; {} are expected", m_value->size(), size));
        else
            for (std::size_t i = 0; i < m_value->size(); ++i)
                elements.emplace_back((*m_value)[i], fmt::format("{}[{}]", m_path, i), *m_errors);
        return elements;
    }

    std::vector<std::pair<std::string, InputValue>> members() const {
        std::vector<std::pair<std::string, InputValue>> all;
        if (!m_value->is_object())
            complain(fmt::format("is {}; an object is expected", m_value->type_name()));
        else
            for (const auto& [key, value] : m_value->items())
                all.emplace_back(key, InputValue(value, m_path + "." + key, *m_errors));
        return all;
    }

    double amount() const {
        if (!m_value->is_number())
            complain(fmt::format("is {}; a number is expected", m_value->type_name()));
        else if (const double number = m_value->get<double>(); std::isfinite(number) && number >= 0)
            return number;
        else
            complain(fmt::format("is {}; a number that is not negative is expected", number));
        return 0;
    }

    int count(int least) const {
        constexpr int kMost = std::numeric_limits<int>::max();
        const double number = m_value->is_number() ? m_value->get<double>() : -1;
        if (number >= least && number <= kMost && number == std::floor(number))
            return static_cast<int>(number);
        complain(fmt::format("is {}; a whole number of at least {} is expected", brief(), least));
        return least;
    }

    /// Position in \p words.
    int word(const std::vector<const char*>& words) const {
        std::string known;
        for (std::size_t i = 0; i < words.size(); ++i) {
            if (m_value->is_string() && m_value->get_ref<const std::string&>() == words[i])
                return static_cast<int>(i);
            known += fmt::format("{}\"{}\"", i == 0 ? "" : " or ", words[i]);
        }
        complain(fmt::format("is {}; {} is expected", brief(), known));
        return 0;
    }

private:
    std::string brief() const {
        if (m_value->is_structured())
            return m_value->type_name();
        const std::string text = m_value->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return text.size() <= 40 ? text : text.substr(0, 37) + "...";
    }

    static const nlohmann::json kNull;
    const nlohmann::json* m_value;
    std::string m_path;
    InputErrors* m_errors;
};

const nlohmann::json InputValue::kNull;

Result<nlohmann::json> parse(const std::string& text, const std::string& file) {
    try {
        return nlohmann::json::parse(text);
    } catch (const nlohmann::json::exception& e) {
        return fail(ErrorCode::InvalidFile, fmt::format("is no JSON: {}", e.what()), file);
    }
}

AllocationProblem readAllocation(const InputValue& instance) {
    AllocationProblem problem;
    problem.arrays = instance["N"].count(1);
    problem.arrayBytesPerCycle = instance["Dcim"].amount();
    problem.mainBytesPerCycle = instance["Dmain"].amount();
    if (instance.has("com_mode") && instance["com_mode"].word({"integer_duplication", "fractional"}) == 1)
        problem.duplication = DuplicationRule::Any;
    for (const InputValue& op : instance["ops"].list())
        problem.ops.push_back({op["W"].count(1), op["cw"].amount(), op["tr"].amount()});
    if (instance.has("edges"))
        for (const InputValue& edge : instance["edges"].list()) {
            const std::vector<InputValue> values = edge.list(3);
            if (!values.empty())
                problem.edges.push_back({values[0].count(0), values[1].count(0), values[2].count(0)});
        }
    if (problem.ops.empty())
        instance["ops"].complain("is empty");
    return problem;
}

SegmentationProblem readCase(const InputValue& one, const DualModeChip& chip, RewriteRule rewrite) {
    SegmentationProblem problem;
    problem.chip = chip;
    problem.options.rewrite = rewrite;
    std::vector<std::vector<int>> predecessors;
    for (const InputValue& before : one["op_preds"].list()) {
        predecessors.emplace_back();
        for (const InputValue& op : before.list())
            predecessors.back().push_back(op.count(0));
    }
    problem.predecessors = std::make_shared<const std::vector<std::vector<int>>>(std::move(predecessors));
    for (const InputValue& row : one["subops"].list()) {
        const std::vector<InputValue> values = row.list(9);
        if (values.empty())
            continue;
        DualModeSubOp op;
        op.op = values[0].count(0);
        op.minArrays = values[1].count(1);
        op.m = values[2].count(1);
        op.n = values[3].count(1);
        op.k = values[4].count(1);
        op.g = values[5].count(1);
        op.computeWork = values[6].amount();
        op.traffic = values[7].amount();
        op.outBytes = values[8].amount();
        problem.subOps.push_back(op);
    }
    // Pieces of an operator stand together.
    for (std::size_t begin = 0, end = 0; begin < problem.subOps.size(); begin = end) {
        while (end < problem.subOps.size() && problem.subOps[end].op == problem.subOps[begin].op)
            ++end;
        for (std::size_t i = begin; i < end; ++i) {
            problem.subOps[i].piece = static_cast<int>(i - begin);
            problem.subOps[i].pieces = static_cast<int>(end - begin);
        }
    }
    return problem;
}

} // namespace

Result<std::vector<AllocationProblem>> readAllocationProblems(const std::string& text,
                                                              const std::string& file) {
    PIM_TRY(const nlohmann::json document, parse(text, file));
    InputErrors errors(file);
    std::vector<AllocationProblem> problems;
    for (const InputValue& instance : InputValue(document, "", errors)["instances"].list()) {
        problems.push_back(readAllocation(instance));
        if (errors.first())
            break;
    }
    if (errors.first())
        return tl::unexpected<Error>(*errors.first());
    return problems;
}

Result<std::vector<NamedSegmentation>> readSegmentations(const std::string& text, const std::string& file,
                                                         const std::string& name) {
    PIM_TRY(const nlohmann::json document, parse(text, file));
    InputErrors errors(file);
    const InputValue root(document, "", errors), constants = root["constants"];
    DualModeChip chip;
    chip.name = file;
    chip.arrays = constants["N"].count(1);
    chip.arrayBytes = constants["arr_bytes"].count(1);
    chip.arrayBytesPerCycle = constants["Dcim"].amount();
    chip.mainBytesPerCycle = constants["Dmain"].amount();
    chip.writeCyclesPerArray = constants["Lw"].amount();
    chip.writeBackBytesPerCycle = constants["ext"].amount();
    chip.toComputeCycles = constants["L_MC"].amount();
    chip.toMemoryCycles = constants["L_CM"].amount();
    const RewriteRule rewrite =
        constants["rw"].word({"max", "sum"}) == 0 ? RewriteRule::Max : RewriteRule::Sum;
    std::vector<NamedSegmentation> cases;
    std::string known;
    for (const auto& [key, one] : root["cases"].members()) {
        if (errors.first())
            break;
        known += (known.empty() ? "" : ", ") + key;
        if (name.empty() || key == name)
            cases.push_back({key, readCase(one, chip, rewrite)});
    }
    if (errors.first())
        return tl::unexpected<Error>(*errors.first());
    if (cases.empty() && !name.empty())
        return fail(ErrorCode::NotFound, fmt::format("has no case \"{}\"", name), file, "It has " + known);
    return cases;
}

} // namespace pim::cli
