// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/report.h"

#include "core/base/file_io.h"
#include "core/report/content.h"
#include "core/report/html_writer.h"
#include "core/report/pdf_writer.h"

namespace pim {

Result<void> writeHtmlReport(const ReportInput& input, const std::filesystem::path& file) {
    return replaceFile(file, report::htmlText(report::reportDocument(input)));
}

Result<void> writePdfReport(const ReportInput& input, const std::filesystem::path& file) {
    PIM_TRY(const std::string bytes, report::pdfBytes(report::reportDocument(input)));
    return replaceFile(file, bytes);
}

} // namespace pim
