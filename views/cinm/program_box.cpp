// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/cinm/program_box.h"

#include "core/base/mapped_file.h"
#include "core/ir/benchmarks/benchmarks.h"
#include "core/ir/parse.h"
#include "views/common/choice_box.h"
#include "views/common/text.h"

#include <QBoxLayout>
#include <QFileDialog>
#include <QFileInfo>
#include <QToolButton>

namespace pim::views {
namespace {

QString modelText() {
    return ProgramBox::tr("open model");
}

} // namespace

Result<ReadProgram> readProgram(const ProgramSource& source, const std::shared_ptr<const Graph>& graph,
                                ir::Scalar fractions, std::string& text) {
    ReadProgram read;
    if (const ir::Benchmark* const benchmark = ir::findBenchmark(source.benchmark)) {
        read.module = ir::build(*benchmark, benchmark->sizes(ir::BenchmarkSize::Paper));
        return read;
    }
    if (!source.file.empty()) {
        PIM_TRY(const auto file, MappedFile::open(source.file));
        text.assign(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size());
        PIM_TRY(ir::ParsedModule parsed,
                ir::parse(text, QFileInfo(pim::views::text(source.file)).fileName().toStdString()));
        read.module = std::move(parsed.module);
        return read;
    }
    PIM_TRY(ir::ProgramOfGraph program, ir::fromGraph(graph, fractions));
    for (const TensorId argument : program.arguments)
        read.constantArguments.push_back(graph->tensor(argument).isConstant());
    read.module = std::move(program.module);
    return read;
}

ProgramBox::ProgramBox(QWidget* parent) : QWidget(parent), m_choice(new ChoiceBox) {
    m_choice->setAccessibleName(tr("Program"));
    m_choice->setToolTip(
        tr("What goes down the levels: the open model, a benchmark of CINM in the paper's size, or a text"));
    m_choice->setMinimumWidth(118); // "open model"
    auto* open = new QToolButton;
    open->setText(tr("Open…"));
    open->setToolTip(tr("Open a program in MLIR's generic form (.mlir)"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_choice);
    row->addWidget(open);
    setFocusProxy(m_choice);
    list(modelText());
    connect(m_choice, &ChoiceBox::chosen, this, &ProgramBox::changed);
    connect(open, &QToolButton::clicked, this, &ProgramBox::askForFile);
}

void ProgramBox::list(const QString& current) {
    m_choice->setChoices(
        [file = m_file] {
            std::vector<Choice> choices{{modelText(), true, {}}};
            if (!file.isEmpty())
                choices.push_back({QFileInfo(file).fileName(), true, file});
            for (const ir::Benchmark& benchmark : ir::benchmarks())
                choices.push_back({text(benchmark.name), true, text(benchmark.meaning)});
            return choices;
        },
        current);
}

ProgramSource ProgramBox::source() const {
    const QString& chosen = m_choice->value();
    if (chosen == modelText())
        return {};
    if (!m_file.isEmpty() && chosen == QFileInfo(m_file).fileName())
        return {{}, m_file.toStdString()};
    return {chosen.toStdString(), {}};
}

void ProgramBox::askForFile() {
    if (const QString path = QFileDialog::getOpenFileName(this, tr("Open Program"), {},
                                                          tr("Programs in MLIR (*.mlir);;All files (*)"));
        !path.isEmpty())
        openFile(path);
}

void ProgramBox::openFile(const QString& path) {
    m_file = path;
    list(QFileInfo(path).fileName());
    emit changed();
}

int lineOf(const Error& error) {
    // FILE:LINE:COLUMN
    const QStringList parts = text(error.where).split(QLatin1Char(':'));
    bool isNumber = false;
    const int line = parts.size() >= 3 ? parts[parts.size() - 2].toInt(&isNumber) : 0;
    return isNumber ? line - 1 : -1;
}

} // namespace pim::views
