# How every library, program and test of the project is declared.

find_program(PIM_CCACHE ccache)
if(PIM_CCACHE) # the two kinds of sloppiness are what it asks for where headers are precompiled
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${PIM_CCACHE}")
endif()
find_program(PIM_MOLD mold)
# With -D CMAKE_UNITY_BUILD=ON the sources of a library are compiled in batches: the headers they share are read once.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 16 CACHE STRING "Sources of a library that are compiled at once; 0: all")

add_library(pim_options INTERFACE)
if(CMAKE_UNITY_BUILD) # every source is included by a batch, and g++ takes it for a header; and g++ 12 inlines so much of
    # a batch into one function that it sees containers free what they never held
    target_compile_options(pim_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage;-Wno-free-nonheap-object>)
endif()
target_include_directories(pim_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_options(pim_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wno-missing-field-initializers
    $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>) # g++ 12 sees overlaps in std::string that are not there (GCC bug 105651)
# g++ stops to collect its garbage every few dozen MB otherwise, a tenth of its time
target_compile_options(pim_options INTERFACE
    $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000;--param=ggc-min-expand=100>)
if(PIM_WERROR)
    target_compile_options(pim_options INTERFACE -Werror)
endif()
if(PIM_SANITIZE)
    target_compile_options(pim_options INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all
        -fno-omit-frame-pointer)
    target_link_options(pim_options INTERFACE -fsanitize=address,undefined)
endif()
if(PIM_SANITIZE_THREADS)
    target_compile_options(pim_options INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
    target_link_options(pim_options INTERFACE -fsanitize=thread)
endif()
if(PIM_FUZZ)
    target_compile_options(pim_options INTERFACE -O1 -gline-tables-only -fsanitize=fuzzer-no-link,address,undefined
        -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(pim_options INTERFACE -fsanitize=address,undefined)
endif()
if(PIM_MOLD)
    target_link_options(pim_options INTERFACE -fuse-ld=mold)
endif()
# What Debian builds its own packages with (position independent is its g++'s default): files and models come from strangers,
# and a reader that writes past its buffer shall end the program rather than run what the file says. A test,
# tests/install/hardened.sh, looks whether it holds.
target_compile_options(pim_options INTERFACE -fstack-protector-strong -fstack-clash-protection)
target_link_options(pim_options INTERFACE -Wl,-z,relro -Wl,-z,now -Wl,-z,noexecstack)
if(NOT PIM_SANITIZE AND NOT PIM_SANITIZE_THREADS AND NOT PIM_FUZZ) # the sanitizers have checks of their own; without an optimiser it only warns
    target_compile_options(pim_options INTERFACE
        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)
endif()

# Plans are made of many small objects: with an allocator made for those a sweep takes a sixth to a quarter less. For programs alone: a library
# must not choose one for whoever loads it.
find_library(PIM_JEMALLOC jemalloc)
add_library(pim_allocator INTERFACE)
if(PIM_JEMALLOC AND NOT PIM_SANITIZE AND NOT PIM_SANITIZE_THREADS AND NOT PIM_FUZZ) # the sanitizers have their own
    target_link_libraries(pim_allocator INTERFACE "${PIM_JEMALLOC}")
endif()

# The loops that -O3 helps ask for it themselves (core/numeric); everywhere else it only takes longer than -O2.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
# Code that waits for other code rather than works (reports, verbs of pimc, views, tests): most of its build time would be
# the optimiser's, and gain nothing anyone would notice. With -O1 g++ 12 sees variants moved that hold another alternative.
set(PIM_QUICKLY_BUILT "$<$<CONFIG:Release>:-O1>" "$<$<CONFIG:Release>:-Wno-maybe-uninitialized>")

# pim_precompiled_headers(views DEPS … HEADERS …): headers of others that nearly every QUICKLY_BUILT target of one kind
# reads, read once for all of them with pim_read_precompiled(TARGET views). Ours are not among them: a change of one would
# build all anew. Not for core: its batches gain nothing by it, and g++ optimises with the level the headers were read with,
# whatever it is told later. -D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON does without: every source includes what it needs.
function(pim_precompiled_headers KIND)
    cmake_parse_arguments(A "" "" "DEPS;HEADERS" ${ARGN})
    set(source "${CMAKE_BINARY_DIR}/generated/precompiled_${KIND}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "")
    add_library(pim_precompiled_${KIND} OBJECT "${source}")
    target_link_libraries(pim_precompiled_${KIND} PRIVATE pim_options fmt::fmt tl::expected ${A_DEPS})
    target_compile_options(pim_precompiled_${KIND} PRIVATE ${PIM_QUICKLY_BUILT})
    target_precompile_headers(pim_precompiled_${KIND} PRIVATE ${A_HEADERS})
endfunction()
function(pim_read_precompiled TARGET KIND)
    target_precompile_headers(${TARGET} REUSE_FROM pim_precompiled_${KIND})
endfunction()

# pim_add_library(core_graph SOURCES a.cpp … DEPS pim_core_base … PRIVATE_DEPS onnx …); QUICKLY_BUILT: see above
function(pim_add_library NAME)
    cmake_parse_arguments(A "QUICKLY_BUILT" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
    add_library(pim_${NAME} STATIC ${A_SOURCES})
    target_link_libraries(pim_${NAME} PUBLIC $<BUILD_INTERFACE:pim_options> ${A_DEPS} PRIVATE ${A_PRIVATE_DEPS})
    if(PIM_SHAREABLE) # nobody replaces one of our functions by another of its name: g++ may inline as in a program
        set_property(GLOBAL APPEND PROPERTY PIM_LIBRARIES pim_${NAME}) # others may build on it: PimLibrary.cmake
        set_target_properties(pim_${NAME} PROPERTIES POSITION_INDEPENDENT_CODE ON)
        target_compile_options(pim_${NAME} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fno-semantic-interposition>)
    endif()
    if(A_QUICKLY_BUILT)
        target_compile_options(pim_${NAME} PRIVATE ${PIM_QUICKLY_BUILT})
    endif()
endfunction()

# pim_add_view(graph SOURCES … DEPS …): a library over Qt Widgets with moc
function(pim_add_view NAME)
    cmake_parse_arguments(A "" "" "SOURCES;DEPS;PRIVATE_DEPS" ${ARGN})
    pim_add_library(views_${NAME} QUICKLY_BUILT SOURCES ${A_SOURCES} DEPS ${A_DEPS} Qt6::Widgets
        PRIVATE_DEPS ${A_PRIVATE_DEPS})
    set_target_properties(pim_views_${NAME} PROPERTIES AUTOMOC ON AUTORCC ON AUTOGEN_ORIGIN_DEPENDS OFF)
    target_compile_definitions(pim_views_${NAME} PRIVATE QT_NO_CAST_TO_ASCII)
    pim_read_precompiled(pim_views_${NAME} views)
endfunction()

# moc for the classes of a test: each tst_x.cpp ends with #include "tst_x.moc". By hand, because AUTOMOC adds a target and
# a source to every one of some two hundred programs, which takes longer than moc itself.
function(pim_moc_test NAME)
    foreach(source IN LISTS ARGN)
        cmake_path(GET source STEM stem)
        set(from "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
        set(folder "${CMAKE_CURRENT_BINARY_DIR}/${NAME}_moc")
        if(source MATCHES "\\.h$")
            qt_generate_moc("${from}" "${folder}/moc_${stem}.cpp")
            target_sources(${NAME} PRIVATE "${folder}/moc_${stem}.cpp")
        elseif(source MATCHES "^(tst|bench)_.*\\.cpp$")
            qt_generate_moc("${from}" "${folder}/${stem}.moc")
            target_sources(${NAME} PRIVATE "${folder}/${stem}.moc")
        endif()
    endforeach()
    target_include_directories(${NAME} PRIVATE "${folder}")
endfunction()

# What <QTest> would otherwise know about the folder of each test; nothing here finds its data that way.
set(PIM_SAME_FOR_TESTS -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)

# pim_add_test(tst_core_graph SOURCES tst_graph.cpp DEPS pim_core_graph LABELS unit): a Qt Test program
function(pim_add_test NAME)
    cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;DEPS;LABELS" ${ARGN})
    add_executable(${NAME} ${A_SOURCES})
    pim_moc_test(${NAME} ${A_SOURCES})
    target_link_libraries(${NAME} PRIVATE pim_options fmt::fmt tl::expected Qt6::Test ${A_DEPS})
    target_compile_definitions(${NAME} PRIVATE PIM_SOURCE_DIR="${CMAKE_SOURCE_DIR}"
        PIM_SHARED_DIR="${CMAKE_SOURCE_DIR}/../shared")
    target_compile_options(${NAME} PRIVATE ${PIM_QUICKLY_BUILT} ${PIM_SAME_FOR_TESTS})
    if("Qt6::Network" IN_LIST A_DEPS) # <QTest> reads more then
    elseif(A_DEPS MATCHES "pim_views_")
        pim_read_precompiled(${NAME} view_tests)
    else()
        pim_read_precompiled(${NAME} tests)
    endif()
    add_test(NAME ${NAME} COMMAND ${NAME})
    if("threads" IN_LIST A_LABELS)
        add_dependencies(pim_threaded ${NAME})
    endif()
    if("sanitized" IN_LIST A_LABELS)
        add_dependencies(pim_sanitized ${NAME})
    endif()
    if(NOT A_TIMEOUT)
        set(A_TIMEOUT 300)
    endif()
    if(PIM_SANITIZE OR PIM_SANITIZE_THREADS)
        math(EXPR A_TIMEOUT "${A_TIMEOUT} * 6")
    endif()
    set_tests_properties(${NAME} PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT}
        ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${A_TIMEOUT}000;PIM_RESOURCE_DIR=${CMAKE_SOURCE_DIR}/resources;UBSAN_OPTIONS=print_stacktrace=1;ASAN_OPTIONS=detect_leaks=1;LSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/leaks.supp:print_suppressions=0;TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tests/support/threads.supp:exitcode=66:die_after_fork=0")
endfunction()

# The interpreter that Debian's packages belong to (NumPy, pybind11), not another one that is first on PATH.
if(NOT DEFINED Python3_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python3_EXECUTABLE /usr/bin/python3)
endif()
