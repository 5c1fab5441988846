// SPDX-License-Identifier: GPL-3.0-or-later
#include "backends/crossbar/bundle.h"

#include "backends/crossbar/bundle/bundle_files.h"
#include "backends/crossbar/instruction.h"
#include "backends/crossbar/numeric/weight_image.h"

#include <fmt/format.h>

#include <map>

namespace pim {
namespace {

class Verifier {
public:
    explicit Verifier(const BundleProgram& file) : m_file(file) {}

    Diagnostics run() {
        const auto program = parseCrossbarText(m_file.text);
        if (!program) {
            problem(m_file.path, program.error().text(), program.error().hint);
            return std::move(m_problems);
        }
        if (crossbarText(*program) != m_file.text)
            problem(m_file.path, "does not give the same bytes when it is read and written again");
        if (m_file.target)
            if (const auto chip = crossbarChip(*m_file.target);
                chip && std::ssize(program->cores) != chip->cores())
                problem(m_file.path, fmt::format("is for {} cores, target.json has {}", program->cores.size(),
                                                 chip->cores()));
        for (const char* file : {"chip/mapping.json", "chip/weights.json", "chip/primitives.json"})
            if (!m_file.names(file))
                problem(file, "is not in the manifest; every bundle for crossbar chips has it");
        if (m_file.names("chip/weights.json"))
            checkCells(*program);
        return std::move(m_problems);
    }

private:
    void problem(std::string object, std::string message, std::string hint = "write the bundle again") {
        m_problems.push_back({Severity::Error, std::move(object), std::move(message), std::move(hint)});
    }

    /// Every piece of the cells, and whether the array groups that a core drives lie in it.
    void checkCells(const CrossbarProgram& program) {
        const auto image = readWeightImage(m_file.folder / "chip");
        if (!image)
            return problem("chip/weights.json", image.error().message, image.error().hint);
        if (image->missing.empty() != m_file.names("chip/weights.bin"))
            problem("chip/weights.json", "and the manifest disagree about whether there are cells");
        std::map<std::uint32_t, std::uint32_t> coreOf;
        for (const WeightPlace& place : image->places)
            coreOf[static_cast<std::uint32_t>(place.group.index())] =
                static_cast<std::uint32_t>(place.core.index());
        for (std::uint32_t core = 0; core < program.cores.size(); ++core)
            for (const CrossbarInstruction& instruction : program.cores[core]) {
                if (instruction.opcode != CrossbarOpcode::Mvm)
                    continue;
                const auto at = coreOf.find(instruction.index);
                if (at == coreOf.end() || at->second != core)
                    return problem(
                        m_file.path,
                        fmt::format("core {} drives array group {}, which chip/weights.json puts {}", core,
                                    instruction.index,
                                    at == coreOf.end() ? std::string("nowhere")
                                                       : fmt::format("into core {}", at->second)));
            }
    }

    const BundleProgram& m_file;
    Diagnostics m_problems;
};

} // namespace

Diagnostics CrossbarBundleFacet::verifyProgram(const BundleProgram& program) const {
    return Verifier(program).run();
}

Result<std::vector<std::string>> CrossbarBundleFacet::writeData(const Plan& plan,
                                                                const std::filesystem::path& folder,
                                                                const TaskContext& task) const {
    const auto* const crossbar = dynamic_cast<const CrossbarPlan*>(plan.detail.get());
    PIM_ASSERT(crossbar != nullptr, "a plan of this backend");
    return writeCrossbarFiles(*crossbar, folder, task);
}

} // namespace pim
