// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Options several verbs share: which model with which bindings, and which machine with which compile
/// options.
#include "app/pimc/session.h"
#include "core/drafts/draft_choice.h"

namespace CLI {
class App;
}

namespace pim::cli {

struct ModelOptions {
    std::string model;
    std::string bind;
    std::vector<std::string> disabledPasses;
    std::vector<std::string> passOptions; ///< "fuse_gelu:form=erf", in their order.

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

} // namespace pim::cli
