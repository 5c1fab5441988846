// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// What the figures of pimdl_evaluation.h share: published numbers, networks, servers. For its sources alone.
#include "app/evaluation/pimdl_evaluation.h"
#include "app/evaluation/published_rows.h"
#include "backends/upmem/lut/end_to_end.h"
#include "core/kernel/kernel.h"

namespace pim::evaluation {

/// A network of figure 10. [PIM-DL, sections 6.1 and 6.3; BERT, NAACL 2019, section 3; ViT, ICLR 2021, table 1]
struct PimDlModel {
    std::string_view name;
    int blocks = 0;
    upmem::Encoder encoder;
};
std::span<const PimDlModel> pimDlModels();

struct PimDlParts {
    std::vector<PublishedRow> numbers;     ///< figure, model, quantity, setting, value, source
    std::shared_ptr<const Host> server;    ///< Of the DPUs: 2 x Xeon 4210.
    std::shared_ptr<const Host> processor; ///< What it is compared with: 2 x Xeon 5218.
    std::shared_ptr<const Host> gpu;       ///< A100; the paper has no GPU beside UPMEM.
    std::shared_ptr<const Host> smallGpu;  ///< A2: beside HBM-PIM and AiM (section 6.1).
    std::shared_ptr<const Host> largeGpu;  ///< V100: what these are compared with.
    std::shared_ptr<const Target> target;  ///< upmem-pimdl

    /// Errors: as computePimDl.
    static Result<PimDlParts> load(const TargetCatalog& catalog);
    std::optional<double> published(std::string_view figure, std::string_view model,
                                    std::string_view quantity, std::string_view setting) const;
    /// All settings of a quantity of a model, in the order of the file.
    std::vector<std::string> settings(std::string_view figure, std::string_view model,
                                      std::string_view quantity) const;
    /// Seconds of a block of figure 10 with V = 4, of the part ("CCS", "LUT", "other") of figure 11a.
    std::optional<double> publishedPart(std::string_view model, std::string_view part) const;
};

/// A layer as the product [rows, codebooks] x [codebooks, features], so with sub-vectors of 1. \param type, sums element types as
/// kernels have them: "i8", "i32".
Result<Kernel> productKernel(const upmem::LutLayer& layer, std::string_view type, std::string_view sums);

/// The linear layers of a block as products of 8 bit by 8 bit on all DPUs, operands sent and results fetched each time.
struct DpuProducts {
    double seconds = 0;      ///< Of the best draft, simulated.
    double cyclesPerMac = 0; ///< Of a DPU, transfers left out.
};
Result<DpuProducts> dpuProducts(const upmem::Encoder& encoder, const PimDlParts& parts,
                                const BackendList& backends, const TaskContext& task);

/// Seconds of the kernels of all look-ups of a block, our code on the simulated DPU. \pre every layer has a mapping.
Result<double> simulatedKernels(const upmem::LutBlock& block, const TaskContext& task);

/// Both as one: what the model says, and what would be measured.
struct BlockPair {
    upmem::LutBlock ours, calibrated;
};
Result<BlockPair> blockPair(const upmem::Encoder& encoder, const upmem::LutSetting& setting,
                            const PimDlParts& parts);

/// Figures; each adds its tables.
using PimDlTables = std::vector<PimDlTable>;
void addOperations(PimDlTables& tables, const PimDlParts& parts);
Result<void> addEndToEnd(PimDlTables& tables, const PimDlParts& parts, const BackendList& backends,
                         const TaskContext& task);
Result<void> addBreakdown(PimDlTables& tables, const PimDlParts& parts);
Result<void> addSensitivity(PimDlTables& tables, const PimDlParts& parts, const TaskContext& task);
Result<void> addTuner(PimDlTables& tables, const PimDlParts& parts);
/// Of figures 14 and 15 those that are wanted; \p figures empty: both.
Result<void> addOtherChips(PimDlTables& tables, std::span<const int> figures, const PimDlParts& parts,
                           const BackendList& backends, const TargetCatalog& catalog,
                           const TaskContext& task);

} // namespace pim::evaluation
