// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
/// \file
/// Asks ONNX Runtime, the npm package onnxruntime-node, what comes out of models. It is looked for in the folder `node_modules` that
/// PIM_ONNXRUNTIME names, or where `npm root --global` says. Golden files hold what it said: PIM_ONNXRUNTIME_WRITE=FILE writes one.
#include "core/graph/semantics/values.h"
#include "core/numeric/element_access.h"

#include <QByteArray>
#include <QFile>
#include <QProcess>
#include <QStandardPaths>
#include <QString>
#include <QTemporaryDir>

#include <nlohmann/json.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pim::test {

struct ModelCase {
    std::string name;
    std::string onnx;                                  ///< Bytes of the model.
    std::vector<std::pair<std::string, Value>> inputs; ///< In the types of the model.
};

/// As its JavaScript calls them.
inline std::string onnxRuntimeType(DataType type) {
    static const std::map<DataType, std::string> names{
        {DataType::F32, "float32"}, {DataType::F64, "float64"}, {DataType::F16, "float16"},
        {DataType::I8, "int8"},     {DataType::U8, "uint8"},    {DataType::I16, "int16"},
        {DataType::U16, "uint16"},  {DataType::I32, "int32"},   {DataType::U32, "uint32"},
        {DataType::I64, "int64"},   {DataType::U64, "uint64"},  {DataType::Bool, "bool"}};
    return names.at(type);
}

inline double numberOf(const nlohmann::json& value) {
    if (value.is_string()) // what JSON has no number for
        return value == "NaN" ? std::nan("") : value == "Infinity" ? HUGE_VAL : -HUGE_VAL;
    return value.get<double>();
}

inline QByteArray outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(program, arguments);
    process.closeWriteChannel();
    return process.waitForFinished(600000) && process.exitCode() == 0 ? process.readAllStandardOutput()
                                                                      : QByteArray();
}

/// Empty: it is not there.
inline QString onnxRuntimeFolder() {
    QString folder = qEnvironmentVariable("PIM_ONNXRUNTIME");
    const QString npm = QStandardPaths::findExecutable("npm");
    if (folder.isEmpty() && !npm.isEmpty())
        folder = QString::fromUtf8(outputOf(npm, {"root", "--global"})).trimmed();
    const bool isThere = !QStandardPaths::findExecutable("node").isEmpty() && !folder.isEmpty() &&
                         QFile::exists(folder + "/onnxruntime-node");
    return isThere ? folder : QString();
}
constexpr const char* kNoOnnxRuntime =
    "ONNX Runtime is not there: npm install --global --ignore-scripts onnxruntime-node";

/// {name: [{type, dims, data}], or null where it has no kernel}. \param folder where it is.
inline nlohmann::json askOnnxRuntime(const QString& folder, const std::vector<ModelCase>& cases) {
    const QTemporaryDir files;
    nlohmann::json all = nlohmann::json::array();
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(files.filePath(QString::fromStdString(name)).toStdString(), std::ios::binary) << bytes;
    };
    for (std::size_t i = 0; i < cases.size(); ++i) {
        const std::string file = std::to_string(i) + ".onnx";
        write(file, cases[i].onnx);
        nlohmann::json inputs = nlohmann::json::array();
        for (const auto& [name, value] : cases[i].inputs)
            inputs.push_back({{"name", name},
                              {"type", onnxRuntimeType(value.dtype)},
                              {"dims", value.shape},
                              {"data", QByteArray(reinterpret_cast<const char*>(value.bytes->data()),
                                                  qsizetype(value.bytes->size()))
                                           .toBase64()
                                           .toStdString()}});
        all.push_back({{"name", cases[i].name}, {"model", file}, {"inputs", inputs}});
    }
    write("cases.json", all.dump());
    const QByteArray output =
        outputOf(QStandardPaths::findExecutable("node"),
                 {QStringLiteral(PIM_SOURCE_DIR "/tests/support/run_onnxruntime.js"), folder, files.path()});
    if (const QString file = qEnvironmentVariable("PIM_ONNXRUNTIME_WRITE"); !file.isEmpty())
        std::ofstream(file.toStdString(), std::ios::binary) << output.toStdString();
    return nlohmann::json::parse(output.toStdString(), nullptr, false);
}

inline nlohmann::json goldenNumbers(const std::string& name) {
    std::ifstream file(PIM_SOURCE_DIR "/tests/golden/numeric/" + name);
    return nlohmann::json::parse(file);
}

} // namespace pim::test
