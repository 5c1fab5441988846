// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/help_library.h"

#include "core/base/paths.h"

#include <QDir>
#include <QDockWidget>
#include <QHash>
#include <QImageReader>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>

#include <algorithm>

namespace pim::studio {
namespace {

using views::Role;
using views::Theme;

const QString kFirstPage = QStringLiteral("overview");
constexpr int kExcerpt = 140;

/// Colours of a theme by those of the light one, as SVG files write them.
QHash<QString, QString> recolouring(Theme theme) {
    QHash<QString, QString> colours;
    for (const Role role : {Role::InputRearrangement,
                            Role::Compute,
                            Role::OutputRearrangement,
                            Role::ModeSwitch,
                            Role::HostTime,
                            Role::Idle,
                            Role::MemoryOut,
                            Role::Rewriting,
                            Role::Transfer,
                            Role::OnHost,
                            Role::OnPim,
                            Role::Canvas,
                            Role::GridLine,
                            Role::NodeBorder,
                            Role::NodeText,
                            Role::Muted,
                            Role::Accent,
                            Role::Selection,
                            Role::Good,
                            Role::Bad})
        colours[views::color(role, Theme::Light).name()] = views::color(role, theme).name();
    colours[views::paletteFor(Theme::Light).color(QPalette::Base).name()] =
        views::paletteFor(theme).color(QPalette::Base).name();
    return colours;
}

QByteArray recoloured(const QByteArray& svg, Theme theme) {
    static const QRegularExpression hex(QStringLiteral("#[0-9a-fA-F]{6}\\b"));
    const QHash<QString, QString> colours = recolouring(theme);
    const QString text = QString::fromUtf8(svg);
    QString result;
    qsizetype from = 0;
    for (auto it = hex.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        result += text.mid(from, match.capturedStart() - from);
        result += colours.value(match.captured().toLower(), match.captured());
        from = match.capturedEnd();
    }
    return (result + text.mid(from)).toUtf8();
}

constexpr const char* kPageEndings[] = {".md", ".ipynb"};

/// Its cells one after the other.
QString notebookText(const QByteArray& json) {
    QString text;
    for (const QJsonValue& cell : QJsonDocument::fromJson(json)[u"cells"].toArray()) {
        QString source;
        for (const QJsonValue& line : cell[u"source"].toArray())
            source += line.toString();
        text += cell[u"cell_type"] == QStringLiteral("code")
                    ? QStringLiteral("```python\n%1\n```\n\n").arg(source)
                    : source + QStringLiteral("\n\n");
    }
    return text;
}

/// Markdown as it is read: no marks, links by their text.
QString plain(QString line) {
    static const QRegularExpression picture(QStringLiteral("!\\[[^\\]]*\\]\\([^)]*\\)")),
        link(QStringLiteral("\\[([^\\]]*)\\]\\([^)]*\\)")), mark(QStringLiteral("[*_`|]+"));
    return line.remove(picture)
        .replace(link, QStringLiteral("\\1"))
        .replace(mark, QStringLiteral(" "))
        .simplified();
}

} // namespace

QString helpFolder() {
    return QString::fromStdString((resourceDir() / "help").string());
}

QList<HelpGroup> helpContents() {
    const QDir folder(helpFolder());
    QStringList left;
    for (const QString& file : folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name))
        left.append(file.section(u'.', 0, 0));
    for (const QString& file : QDir(folder.filePath(QStringLiteral("notebooks")))
                                   .entryList({QStringLiteral("*.ipynb")}, QDir::Files, QDir::Name))
        left.append(QStringLiteral("notebooks/") + file.section(u'.', 0, 0));
    QList<HelpGroup> groups;
    QFile file(folder.filePath(QStringLiteral("contents.json")));
    if (file.open(QIODevice::ReadOnly))
        for (const QJsonValue& entry : QJsonDocument::fromJson(file.readAll()).array()) {
            HelpGroup group{entry[u"title"].toString(), {}};
            for (const QJsonValue& page : entry[u"pages"].toArray())
                if (left.removeOne(page.toString()))
                    group.pages.append(page.toString());
            if (!group.pages.isEmpty())
                groups.append(group);
        }
    if (!left.isEmpty())
        groups.append({QObject::tr("More"), left});
    return groups;
}

QStringList helpPages() {
    QStringList pages;
    for (const HelpGroup& group : helpContents())
        pages += group.pages;
    return pages;
}

QString helpText(const QString& page) {
    const QDir folder(helpFolder());
    QFile notebook(folder.filePath(page + QStringLiteral(".ipynb")));
    if (notebook.open(QIODevice::ReadOnly))
        return notebookText(notebook.readAll());
    QFile file(folder.filePath(page + QStringLiteral(".md")));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QString helpTitle(const QString& page) {
    return helpText(page).section(u'\n', 0, 0).remove(u'#').trimmed();
}

QString headingAnchor(const QString& heading) {
    static const QRegularExpression other(QStringLiteral("[^\\w\\- ]"),
                                          QRegularExpression::UseUnicodePropertiesOption);
    return plain(heading).toLower().remove(other).replace(u' ', u'-');
}

QString linkedTopic(const QString& page, const QUrl& link) {
    if (!link.isRelative())
        return {};
    const QString heading = link.hasFragment() ? u'#' + link.fragment() : QString();
    if (link.path().isEmpty())
        return page + heading;
    const QString file = QDir::cleanPath(QFileInfo(page).path() + u'/' + link.path());
    for (const char* ending : kPageEndings)
        if (file.endsWith(QLatin1String(ending)))
            return file.chopped(static_cast<qsizetype>(qstrlen(ending))) + heading;
    return {};
}

QList<HelpHit> searchHelp(const QString& query) {
    const QStringList words = query.split(u' ', Qt::SkipEmptyParts);
    if (words.isEmpty())
        return {};
    const auto holds = [&words](const QString& text) {
        return std::all_of(words.begin(), words.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    };
    QList<HelpHit> inHeading, inText;
    for (const QString& page : helpPages()) {
        const QString title = helpTitle(page);
        QString heading = title, body, line;
        const auto finish = [&] {
            if (!holds(heading + u' ' + body))
                return;
            QString excerpt;
            for (const QString& each : body.split(u'\n', Qt::SkipEmptyParts))
                if (excerpt.isEmpty() || (!excerpt.contains(words.front(), Qt::CaseInsensitive) &&
                                          each.contains(words.front(), Qt::CaseInsensitive)))
                    excerpt = each;
            if (excerpt.size() > kExcerpt) {
                const qsizetype at = std::max<qsizetype>(
                    0, excerpt.indexOf(words.front(), 0, Qt::CaseInsensitive) - kExcerpt / 2);
                excerpt = (at > 0 ? QStringLiteral("…") : QString()) + excerpt.mid(at, kExcerpt) +
                          QStringLiteral("…");
            }
            const bool isPage = heading == title;
            (holds(heading) ? inHeading : inText)
                .append({isPage ? page : page + u'#' + headingAnchor(heading),
                         isPage ? title : title + QStringLiteral(" › ") + plain(heading), excerpt});
        };
        for (const QString& raw : helpText(page).split(u'\n').mid(1)) {
            if (raw.startsWith(QStringLiteral("## ")) || raw.startsWith(QStringLiteral("### "))) {
                finish();
                heading = raw.mid(raw.indexOf(u' ') + 1).trimmed();
                body.clear();
            } else {
                body += plain(raw) + u'\n';
            }
        }
        finish();
    }
    return inHeading + inText;
}

namespace {

QString picturePath(const QString& file) {
    return QDir(helpFolder()).filePath(QStringLiteral("images/") + QFileInfo(file).fileName());
}

/// In pixels, no wider than \p width allows.
QSize pictureSize(QSizeF size, int width, double devicePixelRatio, bool isSharpAtAnySize) {
    const double most = isSharpAtAnySize ? width : width * devicePixelRatio;
    size *= std::min(1.0, most / std::max(1.0, size.width()));
    return (isSharpAtAnySize ? size * devicePixelRatio : size).toSize();
}

} // namespace

QSizeF helpPictureSize(const QString& file, int width, double devicePixelRatio) {
    const QString path = picturePath(file);
    const bool isSvg = path.endsWith(QStringLiteral(".svg"));
    const QSize size = isSvg ? QSvgRenderer(path).defaultSize() : QImageReader(path).size();
    return size.isEmpty() ? QSizeF()
                          : QSizeF(pictureSize(size, width, devicePixelRatio, isSvg)) / devicePixelRatio;
}

QImage helpPicture(const QString& file, Theme theme, int width, double devicePixelRatio) {
    const QString path = picturePath(file);
    QImage picture;
    if (path.endsWith(QStringLiteral(".svg"))) {
        QFile svg(path);
        if (!svg.open(QIODevice::ReadOnly))
            return {};
        QSvgRenderer renderer(recoloured(svg.readAll(), theme));
        if (!renderer.isValid())
            return {};
        picture = QImage(pictureSize(renderer.defaultSize(), width, devicePixelRatio, true),
                         QImage::Format_ARGB32_Premultiplied);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        renderer.render(&painter);
    } else {
        picture = QImage(path);
        if (picture.isNull())
            return {};
        if (const QSize size = pictureSize(picture.size(), width, devicePixelRatio, false);
            size != picture.size())
            picture = picture.scaled(size, Qt::IgnoreAspectRatio, Qt::SmoothTransformation);
    }
    picture.setDevicePixelRatio(devicePixelRatio);
    return picture;
}

namespace {

/// Fields that decide about an op are named after what they decide.
QString topicOfField(const QString& objectName) {
    static const QString prefix = QStringLiteral("override/");
    if (!objectName.startsWith(prefix))
        return {};
    static const std::pair<const char*, const char*> topics[] = {{"draft", "concepts#draft"},
                                                                 {"residency", "concepts#residency"},
                                                                 {"placement", "concepts#placement"},
                                                                 {"group", "concepts#group-command"}};
    for (const auto& [word, topic] : topics)
        if (objectName.mid(prefix.size()).startsWith(QString::fromLatin1(word)))
            return QString::fromLatin1(topic);
    return QStringLiteral("concepts#decision");
}

} // namespace

QString helpTopic(const QWidget* widget) {
    static const QHash<QString, QString> pages{
        {QStringLiteral("drafts"), QStringLiteral("drafts")},
        {QStringLiteral("tiles"), QStringLiteral("drafts")},
        {QStringLiteral("decisions"), QStringLiteral("overrides")},
        {QStringLiteral("history"), QStringLiteral("overrides")},
        {QStringLiteral("inspector"), QStringLiteral("placement")},
        {QStringLiteral("breakdown"), QStringLiteral("rearrangement")},
        {QStringLiteral("limits"), QStringLiteral("simulation#what-limits-a-run")},
        {QStringLiteral("problems"), QStringLiteral("placement")},
        {QStringLiteral("layout"), QStringLiteral("memory_layout")},
        {QStringLiteral("log"), QStringLiteral("problems")},
        {QStringLiteral("messages"), QStringLiteral("window")},
        {QStringLiteral("model"), QStringLiteral("overview")},
        {QStringLiteral("runs"), QStringLiteral("overrides")}};
    for (; widget; widget = widget->parentWidget()) {
        if (const QString topic = widget->property(kHelpTopicProperty).toString(); !topic.isEmpty())
            return topic;
        if (const QString topic = topicOfField(widget->objectName()); !topic.isEmpty())
            return topic;
        if (qobject_cast<const QDockWidget*>(widget)) {
            // A page of the panel's own name wins over one it shares.
            const QString id = widget->objectName();
            if (QFileInfo::exists(QDir(helpFolder()).filePath(id + QStringLiteral(".md"))))
                return id;
            return pages.value(id, kFirstPage);
        }
    }
    return kFirstPage;
}

} // namespace pim::studio
