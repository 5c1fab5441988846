// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/evaluation/stored_runs.h"

#include "core/compile/compiler.h"
#include "core/graph/import.h"
#include "core/graph/zoo/layers.h"
#include "core/project/project.h"

#include <fmt/format.h>

#include <chrono>

namespace pim::evaluation {
namespace {

using zoo::GraphWriter;

constexpr std::int64_t kHeadSize = 128;

/// Adds the kernels of a figure to a network; every op is named after its case.
class KernelNetwork {
public:
    explicit KernelNetwork(GraphWriter& writer) : m_writer(writer) {}

    void gemv(std::int64_t heads, std::int64_t length, std::int64_t batch) {
        const Case at(*this, fmt::format("GEMV_{}x{}_batch{}", heads, length, batch));
        const std::string x = input("x", {heads * batch, 1, kHeadSize});
        const std::string w = m_writer.weight("W", {heads * batch, kHeadSize, length}, {});
        output(m_writer.node("MatMul", {x, w}), {heads * batch, 1, length});
    }
    void attention(std::int64_t heads, std::int64_t length, std::int64_t batch) {
        const Case at(*this, fmt::format("ATTN_{}x{}_batch{}", heads, length, batch));
        const std::string q = input("q", {batch, heads, 1, kHeadSize});
        const std::string k = input("k", {batch, heads, length, kHeadSize});
        const std::string v = input("v", {batch, heads, length, kHeadSize});
        output(zoo::attention(m_writer, {q, k, v, heads, kHeadSize}, {}), {batch, 1, heads * kHeadSize});
    }
    void reduce(std::int64_t dim, std::int64_t batch) {
        const Case at(*this, fmt::format("RED_{}_batch{}", dim, batch));
        const std::string x = input("x", {batch, dim});
        output(m_writer.node("ReduceSum", {x, m_writer.ints({1})}, {{"keepdims", std::int64_t{0}}}), {batch});
    }
    void add(std::int64_t dim, std::int64_t batch) {
        const Case at(*this, fmt::format("VA_{}_batch{}", dim, batch));
        const std::string x = input("x", {batch, dim}), y = input("y", {batch, dim});
        output(m_writer.node("Add", {x, y}), {batch, dim});
    }
    void relu(std::int64_t dim, std::int64_t batch) {
        const Case at(*this, fmt::format("RELU_{}_batch{}", dim, batch));
        const std::string x = input("x", {batch, dim});
        output(m_writer.node("Relu", {x}), {batch, dim});
    }

private:
    /// Names made while it lives belong to one case.
    struct Case {
        Case(KernelNetwork& network, const std::string& name) : scope(network.m_writer, name) {
            network.m_case = name;
        }
        GraphWriter::Scope scope;
    };
    std::string input(const std::string& name, const std::vector<zoo::Dim>& dims) {
        return m_writer.input(m_case + "_" + name, m_writer.floatType(), dims);
    }
    void output(const std::string& value, const std::vector<zoo::Dim>& dims) {
        m_writer.output(value, m_case + "_result", dims);
    }

    GraphWriter& m_writer;
    std::string m_case;
};

Result<std::filesystem::path> writeNetwork(const std::string& target, const std::filesystem::path& folder,
                                           const TaskContext& task) {
    const bool isAttAcc = target == "attacc";
    GraphWriter writer("dcc-kernels-" + target, "Kernels of the evaluation of DCC", DataType::F16);
    KernelNetwork network(writer);
    for (const int batch : {1, 4})
        for (const int heads : {32, 64})
            for (const int length : {512, 4096}) {
                network.gemv(heads, length, batch);
                if (isAttAcc)
                    network.attention(heads, length, batch);
            }
    for (const int batch : {1, 2, 4})
        for (const int dim : {1024, 2048, 4096}) {
            if (isAttAcc && batch == 2)
                continue;
            network.reduce(dim, batch);
            if (!isAttAcc) {
                network.add(dim, batch);
                network.relu(dim, batch);
            }
        }
    const auto file = folder / fmt::format("dcc-kernels-{}.onnx", target);
    PIM_CHECK(writer.write(file, {GraphWriter::Weights::Absent, 1, 0}, task));
    return file;
}

} // namespace

Result<std::vector<std::int64_t>> storeRuns(const BackendList& backends, const TargetCatalog& catalog,
                                            int verified, const std::filesystem::path& project,
                                            const TaskContext& task) {
    PIM_TRY(const auto stored, Project::open(project));
    const std::filesystem::path folder = std::filesystem::absolute(project).parent_path();
    std::vector<std::int64_t> runs;
    for (const char* id : {"attacc", "hbm-pim-hbm3"}) {
        PIM_TRY(const auto file, writeNetwork(id, folder, task));
        PlanRequest request;
        PIM_TRY(request.target, catalog.find(id));
        PIM_TRY(request.graph, loadGraph(file, {}, task));
        request.overrides.set({"", "placement", "pim"});
        request.options.verifyDrafts = verified;
        for (const MappingChoice mapping : {MappingChoice::Fixed, MappingChoice::Searched}) {
            request.options.mapping = mapping;
            const auto start = std::chrono::steady_clock::now();
            PIM_TRY(const auto plan, compile(backends, request, nullptr, task));
            RunContext context;
            context.options = request.options;
            context.compileMs =
                std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
            context.label = mapping == MappingChoice::Fixed ? "published mapping" : "chosen mapping";
            PIM_TRY(const std::int64_t run, stored->recordRun(*plan, context));
            runs.push_back(run);
        }
    }
    return runs;
}

} // namespace pim::evaluation
