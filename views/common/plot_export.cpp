// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/plot_export.h"

#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QImage>
#include <QMenu>
#include <QMessageBox>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace pim::views {
namespace {

Result<void> writeBytes(const QString& path, const QByteArray& bytes) {
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size() || !file.commit())
        return fail(ErrorCode::Io, file.errorString().toStdString(), path.toStdString(),
                    "choose another folder or free some space");
    return {};
}

QByteArray renderSvg(const ExportSource& source) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(source.size());
    generator.setViewBox(QRect(QPoint(), source.size()));
    generator.setResolution(96);
    generator.setTitle(source.name);
    generator.setDescription(QApplication::applicationDisplayName());
    QCPPainter painter;
    painter.begin(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    source.paint(painter);
    painter.end();
    return buffer.data();
}

QByteArray renderPdf(const ExportSource& source) {
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const QSize size = source.size();
    constexpr int kDpi = 96; // one unit of the drawing is one CSS pixel
    writer.setPageSize(
        QPageSize(QSizeF(size) * (72.0 / kDpi), QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setResolution(kDpi * 10);
    writer.setTitle(source.name);
    QCPPainter painter;
    painter.begin(&writer);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setWindow(QRect(QPoint(), size));
    source.paint(painter);
    painter.end();
    return buffer.data();
}

void askAndExport(QWidget* parent, const ExportSource& source, const QString& suffix, int scale) {
    const QString path = QFileDialog::getSaveFileName(
        parent, QObject::tr("Export %1").arg(suffix.toUpper()), source.name + QLatin1Char('.') + suffix,
        QStringLiteral("%1 (*.%2)").arg(suffix.toUpper(), suffix));
    if (path.isEmpty())
        return;
    const QString target = QFileInfo(path).suffix().isEmpty() ? path + QLatin1Char('.') + suffix : path;
    if (const auto done = exportTo(source, target, scale); !done)
        QMessageBox::warning(parent, QObject::tr("Export failed"),
                             QString::fromStdString(done.error().text()));
}

QString plotCsv(QCustomPlot* plot) {
    QString text;
    const auto line = [&text](const QStringList& fields) { text += csvLine(fields) + QLatin1Char('\n'); };
    for (int i = 0; i < plot->plottableCount(); ++i) {
        QCPAbstractPlottable* item = plot->plottable(i);
        const QString key = item->keyAxis() ? item->keyAxis()->label() : QString();
        const QString value = item->valueAxis() ? item->valueAxis()->label() : QString();
        if (auto* map = qobject_cast<QCPColorMap*>(item)) {
            const QString z =
                map->colorScale() ? map->colorScale()->axis()->label() : QStringLiteral("value");
            line({key, value, z});
            for (int x = 0; x < map->data()->keySize(); ++x)
                for (int y = 0; y < map->data()->valueSize(); ++y) {
                    double xAt = 0, yAt = 0;
                    map->data()->cellToCoord(x, y, &xAt, &yAt);
                    line({exactNumber(xAt), exactNumber(yAt), exactNumber(map->data()->cell(x, y))});
                }
            continue;
        }
        auto* data = item->interface1D();
        if (!data || data->dataCount() == 0)
            continue;
        line({QStringLiteral("series"), key, value});
        for (int at = 0; at < data->dataCount(); ++at)
            line({item->name(), exactNumber(data->dataMainKey(at)), exactNumber(data->dataMainValue(at))});
    }
    return text;
}

} // namespace

ExportSource exportSource(QCustomPlot* plot, const QString& name) {
    return {name, [plot] { return plot->size(); },
            // Every painter made in this file is a QCPPainter; nobody else calls paint.
            [plot](QPainter& painter) {
                plot->toPainter(static_cast<QCPPainter*>(&painter), plot->width(), plot->height());
            },
            [plot] { return plotCsv(plot); }};
}

void addExportActions(QMenu* menu, QWidget* parent, const ExportSource& source) {
    const auto add = [&](const QString& text, const QString& suffix, int scale) {
        QObject::connect(menu->addAction(text), &QAction::triggered, parent,
                         [=] { askAndExport(parent, source, suffix, scale); });
    };
    QObject::connect(menu->addAction(QObject::tr("Copy Image")), &QAction::triggered, parent,
                     [source] { QGuiApplication::clipboard()->setImage(renderImage(source, 2)); });
    menu->addSeparator();
    add(QObject::tr("Export SVG…"), QStringLiteral("svg"), 1);
    add(QObject::tr("Export PDF…"), QStringLiteral("pdf"), 1);
    for (int scale = 1; scale <= 4; ++scale)
        add(QObject::tr("Export PNG %1x…").arg(scale), QStringLiteral("png"), scale);
    if (source.csv)
        add(QObject::tr("Export CSV…"), QStringLiteral("csv"), 1);
    if (source.trace)
        add(QObject::tr("Export Trace for Perfetto…"), QStringLiteral("json"), 1);
}

void installPlotExport(QWidget* widget, const ExportSource& source) {
    widget->setContextMenuPolicy(Qt::CustomContextMenu);
    QObject::connect(widget, &QWidget::customContextMenuRequested, widget,
                     [widget, source](const QPoint& at) {
                         auto* menu = new QMenu(widget);
                         menu->setAttribute(Qt::WA_DeleteOnClose);
                         addExportActions(menu, widget, source);
                         menu->popup(widget->mapToGlobal(at));
                     });
}

void installPlotExport(QCustomPlot* plot, const QString& name) {
    installPlotExport(plot, exportSource(plot, name));
}

QImage renderImage(const ExportSource& source, int scale) {
    constexpr double kLongestSide = 16384;
    const QSize size = source.size().expandedTo({1, 1});
    const double ratio = std::min<double>(scale, kLongestSide / std::max(size.width(), size.height()));
    QImage image((QSizeF(size) * ratio).toSize().expandedTo({1, 1}), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::transparent);
    QCPPainter painter;
    painter.begin(&image);
    painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
    source.paint(painter);
    return image;
}

Result<void> exportTo(const ExportSource& source, const QString& path, int scale) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    if (suffix == QLatin1String("csv") && source.csv)
        return writeBytes(path, source.csv().toUtf8());
    if (suffix == QLatin1String("json") && source.trace)
        return source.trace(path);
    if (source.size().isEmpty())
        return fail(ErrorCode::Usage, "there is nothing to draw", source.name.toStdString());
    if (suffix == QLatin1String("svg"))
        return writeBytes(path, renderSvg(source));
    if (suffix == QLatin1String("pdf"))
        return writeBytes(path, renderPdf(source));
    if (suffix == QLatin1String("png")) {
        QBuffer buffer;
        buffer.open(QIODevice::WriteOnly);
        if (!renderImage(source, scale).save(&buffer, "PNG"))
            return fail(ErrorCode::Io, "the image could not be encoded", path.toStdString());
        return writeBytes(path, buffer.data());
    }
    return fail(ErrorCode::Usage, "unknown kind of file \"" + suffix.toStdString() + "\"", path.toStdString(),
                "use .svg, .pdf, .png or .csv");
}

QString csvLine(const QStringList& fields) {
    QStringList quoted;
    for (QString field : fields) {
        if (field.contains(QLatin1Char('"')) || field.contains(QLatin1Char(',')) ||
            field.contains(QLatin1Char('\n')) || field.contains(QLatin1Char('\r')))
            field = QLatin1Char('"') + field.replace(QLatin1String("\""), QLatin1String("\"\"")) +
                    QLatin1Char('"');
        quoted << field;
    }
    return quoted.join(QLatin1Char(','));
}

QString exactNumber(double value) {
    return QString::number(value, 'g', QLocale::FloatingPointShortest);
}

} // namespace pim::views
