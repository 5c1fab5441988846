# Every third-party package, searched once. Each is used by the one folder named beside it.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)                      # everywhere
find_package(nlohmann_json REQUIRED)            # targets, project, report, verbs (never in a header)
find_package(tl-expected REQUIRED)              # core/base
find_package(Protobuf REQUIRED)                 # core/graph: what ONNX is made of
find_package(ONNX REQUIRED CONFIG)              # core/graph
find_package(SQLite3 REQUIRED)                  # core/project
find_package(OpenSSL REQUIRED COMPONENTS Crypto) # core/base: SHA-256
find_package(CLI11 REQUIRED)                    # app/pimc
find_package(xgboost REQUIRED)                  # core/predict: boosted trees
find_package(pagmo REQUIRED)                    # core/compile/search: NSGA-II, hypervolumes
find_package(TBB REQUIRED)                      # core/compile/search: what pagmo works with
find_package(ZLIB REQUIRED)                     # core/base: compressed text
if(PIM_DESKTOP)
    find_package(Qt6 6.4 REQUIRED COMPONENTS Widgets Network Svg PrintSupport Test)
    find_package(QCustomPlotQt6 REQUIRED)
    if(TARGET Qt5::Core)
        message(FATAL_ERROR "Qt 5 was found beside Qt 6; the two cannot be linked together")
    endif()
endif()
