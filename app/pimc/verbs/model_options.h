// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Options several verbs share: which model with which bindings, and which machine with which compile
/// options.
#include "app/pimc/session.h"
#include "core/drafts/draft_choice.h"
#include "core/plan/number_facet.h"

#include <set>

namespace CLI {
class App;
}

namespace pim::cli {

struct ModelOptions {
    std::string model;
    std::string bind;
    std::vector<std::string> disabledPasses;
    std::vector<std::string> passOptions;         ///< "fuse_gelu:form=erf", in their order.
    std::map<std::string, std::int64_t> bindings; ///< Of open dimensions that \ref bind does not say.

    void declare(CLI::App& verb);
    /// Bindings of the sample and of the command line, passes left out.
    Result<GraphOptions> graphOptions(const ModelArgument& argument) const;
    /// Says what is assumed or missing on the way.
    Result<std::shared_ptr<const Graph>> load(Session& session) const;
};

/// Ids of machines: those named, then all of each kind ("dual-mode" or "dual_mode"). Error::NotFound for a kind that there is not.
Result<std::vector<std::string>> machineIds(Session& session, std::vector<std::string> named,
                                            const std::vector<std::string>& kinds);

/// By exact name, else by the only name that contains the text.
Result<OpId> findOp(const Graph& graph, const std::string& text);

struct TargetOptions {
    std::string target, host;
    std::string dtype = "f16";
    std::string conv = "gemm";
    std::uint64_t seed = 0;
    bool overlapTransfer = false;
    bool noGroupCommands = false;
    int verify = kVerifiedDrafts;
    std::string mapping = "searched";
    std::vector<std::string> leftOutPasses;
    /// Options of families as on the command line: "crossbar.mode=ll", in their order.
    std::vector<std::string> family;

    void declare(CLI::App& verb, const BackendList& backends);
    /// \param fallback target where none was named (the one of a sample).
    Result<std::shared_ptr<const Target>> find(Session& session, const std::string& fallback = {}) const;
    Result<CompileOptions> compileOptions(const BackendList& backends) const;

private:
    void declareFamily(CLI::App& verb, const Backend& backend, const std::vector<OptionInfo>& infos);
};

/// What families let choose about runs on numbers, every choice an option of its own: --adc-bits 6, --real.
struct NumberChoices {
    std::vector<std::pair<std::string, std::string>> given; ///< In their order.

    /// \param without keys that the verb takes itself.
    void declare(CLI::App& verb, const BackendList& backends, const std::set<std::string_view>& without = {});
    /// For \p backend. Error::Usage for one it does not have.
    Result<OptionTexts> read(const Backend& backend) const;
};
/// What a run on numbers takes in, and where it leaves its tensors: --input, --dump.
struct RunFiles {
    std::vector<std::string> inputs;
    std::string dump;

    void declare(CLI::App& verb, bool dumps = true);
    /// Into NumberOptions, before anything long is begun; says what was not taken as it was. Errors: readInputs(),
    /// TensorDump::checkFolder().
    Result<void> read(Session& session, const Graph& graph, NumberOptions& numbers) const;
};
/// How \p backend runs programs on numbers. Error::Unsupported, with the machine, where it does not.
Result<const NumberFacet*> numbersOf(const Backend& backend, const std::string& target);

} // namespace pim::cli
