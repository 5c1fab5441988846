# Every third-party package, searched once, with the oldest version that is known to be good: Debian 12 has these, with its
# security updates. Each is used by the one folder named beside it.
find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)                    # everywhere
find_package(nlohmann_json 3.11 REQUIRED)       # targets, project, report, verbs (never in a header)
find_package(tl-expected REQUIRED)              # core/base
find_package(Protobuf 3.21 REQUIRED)            # core/graph: what ONNX is made of
find_package(ONNX REQUIRED CONFIG)              # core/graph
find_package(SQLite3 3.40 REQUIRED)             # core/project
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto) # core/base: SHA-256
find_package(CLI11 2.1 REQUIRED)                # app/pimc
find_package(xgboost REQUIRED)                  # core/predict: boosted trees
find_package(LibArchive 3.6 REQUIRED)          # core/support: reports of problems
find_package(ZLIB 1.2.13 REQUIRED)              # core/base: compressed text
find_package(PkgConfig REQUIRED)
pkg_check_modules(UTF8PROC REQUIRED IMPORTED_TARGET libutf8proc>=2.6) # core/base: characters of all scripts
pkg_check_modules(PANGO REQUIRED IMPORTED_TARGET cairo-pdf pangocairo>=1.50 pangoft2 fontconfig) # core/report: PDF, and text in it
if(PIM_DESKTOP)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets DBus Network Svg PrintSupport Test LinguistTools)
    find_package(QCustomPlotQt6 REQUIRED)
    if(TARGET Qt5::Core)
        message(FATAL_ERROR "Qt 5 was found beside Qt 6; the two cannot be linked together")
    endif()
endif()

# Of those that CMake does not ask.
pkg_check_modules(PIM_CAIRO QUIET cairo-pdf)
pkg_check_modules(PIM_LIBDW QUIET libdw)
pkg_check_modules(PIM_JEMALLOC_PC QUIET jemalloc)
if(PIM_DESKTOP)
    find_file(PIM_QCUSTOMPLOT_H qcustomplot.h)
    file(STRINGS "${PIM_QCUSTOMPLOT_H}" PIM_QCUSTOMPLOT_VERSION REGEX "define QCUSTOMPLOT_VERSION_STR")
    string(REGEX REPLACE ".*\"(.*)\".*" "\\1" PIM_QCUSTOMPLOT_VERSION "${PIM_QCUSTOMPLOT_VERSION}")
endif()
# For core/base/built_with.h. What says no version is left out.
set(PIM_BUILT_WITH "")
string(REPLACE GNU GCC compiler "${CMAKE_CXX_COMPILER_ID}")
foreach(named IN ITEMS "${compiler}|${CMAKE_CXX_COMPILER_VERSION}" "cairo|${PIM_CAIRO_VERSION}" "CLI11|${CLI11_VERSION}" "elfutils|${PIM_LIBDW_VERSION}" "fmt|${fmt_VERSION}"
        "jemalloc|${PIM_JEMALLOC_PC_VERSION}" "libarchive|${LibArchive_VERSION}"
        "nlohmann-json|${nlohmann_json_VERSION}" "ONNX|${ONNX_VERSION}" "OpenSSL|${OPENSSL_VERSION}"
        "Pango|${PANGO_pangocairo_VERSION}" "protobuf|${Protobuf_VERSION}" "QCustomPlot|${PIM_QCUSTOMPLOT_VERSION}" "Qt|${Qt6_VERSION}" "SQLite|${SQLite3_VERSION}"
        "utf8proc|${UTF8PROC_VERSION}" "XGBoost|${xgboost_VERSION}" "zlib|${ZLIB_VERSION_STRING}")
    if(named MATCHES "^(.+)\\|(.+)$")
        list(APPEND PIM_BUILT_WITH "{\"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\"}")
    endif()
endforeach()
list(JOIN PIM_BUILT_WITH ", " PIM_BUILT_WITH)
