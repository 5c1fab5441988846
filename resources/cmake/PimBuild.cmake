# How every library, program and test of the project is declared.

find_program(PIM_CCACHE ccache)
if(PIM_CCACHE)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${PIM_CCACHE}")
endif()
find_program(PIM_MOLD mold)
# With -D CMAKE_UNITY_BUILD=ON the sources of a library are compiled in batches: the headers they share are read once.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16 CACHE STRING "Sources of a library that are compiled at once; 0: all")

add_library(pim_options INTERFACE)
if(CMAKE_UNITY_BUILD) # every source is included by a batch, and g++ takes it for a header; and g++ 12 inlines so much of
    # a batch into one function that it sees containers free what they never held
    target_compile_options(pim_options INTERFACE -Wno-subobject-linkage -Wno-free-nonheap-object)
endif()
target_include_directories(pim_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(pim_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers
    -Wno-restrict) # g++ 12 sees overlaps in std::string that are not there (GCC bug 105651)
if(PIM_WERROR)
    target_compile_options(pim_options INTERFACE -Werror)
endif()
if(PIM_SANITIZE)
    target_compile_options(pim_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    target_link_options(pim_options INTERFACE -fsanitize=address,undefined)
endif()
if(PIM_MOLD)
    target_link_options(pim_options INTERFACE -fuse-ld=mold)
endif()

# Programs whose own code waits for the libraries rather than works (verbs of pimc, tests): most of their build time is
# the optimiser's, over header-only parsers, and gains nothing anyone would notice.
set(PIM_QUICKLY_BUILT "$<$<CONFIG:Release>:-O1>")

# pim_add_library(core_graph SOURCES a.cpp … DEPS pim_core_base … PRIVATE_DEPS onnx …)
function(pim_add_library NAME)
    cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
    add_library(pim_${NAME} STATIC ${A_SOURCES})
    target_link_libraries(pim_${NAME} PUBLIC pim_options ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS})
endfunction()

# pim_add_view(graph SOURCES … DEPS …): a library over Qt Widgets with moc
function(pim_add_view NAME)
    cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
    pim_add_library(views_${NAME} SOURCES ${A_SOURCES} DEPS ${A_DEPS} Qt6::Widgets PRIVATE_DEPS ${A_PRIVATE_DEPS})
    set_target_properties(pim_views_${NAME} PROPERTIES AUTOMOC ON AUTORCC ON)
    target_compile_definitions(pim_views_${NAME} PRIVATE QT_NO_CAST_TO_ASCII)
endfunction()

# pim_add_test(tst_core_graph SOURCES tst_graph.cpp DEPS pim_core_graph LABELS unit): a Qt Test program
function(pim_add_test NAME)
    cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
    add_executable(${NAME} ${A_SOURCES})
    set_target_properties(${NAME} PROPERTIES AUTOMOC ON)
    target_link_libraries(${NAME} PRIVATE pim_options Qt6::Test ${A_DEPS})
    target_compile_definitions(${NAME} PRIVATE PIM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
        PIM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
    target_compile_options(${NAME} PRIVATE ${PIM_QUICKLY_BUILT})
    add_test(NAME ${NAME} COMMAND ${NAME})
    if(NOT A_TIMEOUT)
        set(A_TIMEOUT 300)
    endif()
    if(PIM_SANITIZE)
        math(EXPR A_TIMEOUT "${A_TIMEOUT} * 6")
    endif()
    set_tests_properties(${NAME} PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${A_TIMEOUT}000;PIM_RESOURCE_DIR=${CMAKE_SOURCE_DIR}/resources;UBSAN_OPTIONS=print_stacktrace=1;ASAN_OPTIONS=detect_leaks=1;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0")
endfunction()
