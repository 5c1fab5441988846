# Which headers are precompiled for which kind of target (pim_precompiled_headers in PimBuild.cmake).
set(PIM_STANDARD_HEADERS
    <algorithm> <array> <charconv> <cmath> <cstdint> <cstring> <filesystem> <fstream> <functional> <limits> <map> <memory>
    <mutex> <numeric> <optional> <set> <span> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>)
set(PIM_WIDGET_HEADERS
    <QAbstractTableModel> <QAction> <QApplication> <QBoxLayout> <QComboBox> <QDir> <QFile> <QFileInfo> <QHeaderView>
    <QJsonArray> <QJsonDocument> <QJsonObject> <QKeyEvent> <QLabel> <QLineEdit> <QMenu> <QMimeData> <QPainter> <QPointer>
    <QPushButton> <QScrollArea> <QSortFilterProxyModel> <QSpinBox> <QSplitter> <QStackedWidget> <QTableView> <QTimer>
    <QToolButton> <QTreeView> <QUndoStack> <QWidget>)

if(PIM_DESKTOP)
    pim_precompiled_headers(views DEPS Qt6::Widgets
        HEADERS ${PIM_STANDARD_HEADERS} ${PIM_WIDGET_HEADERS} <tl/expected.hpp>)
    target_compile_definitions(pim_precompiled_views PRIVATE QT_NO_CAST_TO_ASCII)
endif()
if(BUILD_TESTING)
    pim_precompiled_headers(tests DEPS Qt6::Test
        HEADERS ${PIM_STANDARD_HEADERS} <QTemporaryDir> <QTest> <tl/expected.hpp>)
    target_compile_options(pim_precompiled_tests PRIVATE ${PIM_SAME_FOR_TESTS})
endif()
if(BUILD_TESTING AND PIM_DESKTOP)
    pim_precompiled_headers(view_tests DEPS Qt6::Test Qt6::Widgets
        HEADERS ${PIM_STANDARD_HEADERS} ${PIM_WIDGET_HEADERS} <QSignalSpy> <QTemporaryDir> <QTest> <tl/expected.hpp>)
    target_compile_options(pim_precompiled_view_tests PRIVATE ${PIM_SAME_FOR_TESTS})
endif()
