// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// mlir-opt of MLIR 16 as a judge of our texts: it knows the upstream dialects (func, scf, arith, tensor, memref)
/// and verifies them; ops of ours it reads in their generic form.
#include <QProcess>
#include <QStandardPaths>
#include <QString>

#include <string>

namespace pim::test {

inline bool hasMlirOpt() {
    return !QStandardPaths::findExecutable("mlir-opt-16").isEmpty();
}

/// Empty if mlir-opt accepts \p text, else what it says.
inline QString mlirOptSays(const std::string& text) {
    QProcess process;
    process.start("mlir-opt-16", {"--allow-unregistered-dialect", "-o", "/dev/null", "-"});
    process.write(text.data(), static_cast<qint64>(text.size()));
    process.closeWriteChannel();
    if (!process.waitForFinished(120000))
        return "mlir-opt-16 did not end";
    return process.exitCode() == 0 ? QString() : QString::fromUtf8(process.readAllStandardError()).left(2000);
}

} // namespace pim::test
