# The C++ library: `cmake --install BUILD --component dev` puts headers, static libraries and the CMake package PimStudio in place, for
# find_package(PimStudio) of programs that are built on core and backends (resources/help/library.md). What is installed by default, and
# the Debian package of the programs, are without it.
include(CMakePackageConfigHelpers)
set(PIM_HEADERS "${CMAKE_INSTALL_INCLUDEDIR}/pimstudio")
set(PIM_PACKAGE "${CMAKE_INSTALL_LIBDIR}/cmake/PimStudio")

get_property(PIM_LIBRARIES GLOBAL PROPERTY PIM_LIBRARIES)
add_library(pim_core INTERFACE)
set_target_properties(pim_core PROPERTIES EXPORT_NAME core)
foreach(PIM_LIBRARY ${PIM_LIBRARIES})
    string(REGEX REPLACE "^pim_" "" PIM_NAME "${PIM_LIBRARY}")
    set_target_properties(${PIM_LIBRARY} PROPERTIES EXPORT_NAME "${PIM_NAME}")
    target_include_directories(${PIM_LIBRARY} INTERFACE "$<INSTALL_INTERFACE:${PIM_HEADERS}>")
    target_compile_features(${PIM_LIBRARY} INTERFACE cxx_std_20)
    if(PIM_NAME MATCHES "^core_")
        target_link_libraries(pim_core INTERFACE ${PIM_LIBRARY})
    endif()
endforeach()

set(PIM_DEV COMPONENT dev EXCLUDE_FROM_ALL)
install(TARGETS ${PIM_LIBRARIES} pim_core EXPORT PimStudioTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/pimstudio" ${PIM_DEV})
install(DIRECTORY "${CMAKE_SOURCE_DIR}/core" "${CMAKE_SOURCE_DIR}/backends" "${CMAKE_BINARY_DIR}/generated/core"
    DESTINATION "${PIM_HEADERS}" ${PIM_DEV} FILES_MATCHING PATTERN "*.h")
install(EXPORT PimStudioTargets NAMESPACE PimStudio:: DESTINATION "${PIM_PACKAGE}" ${PIM_DEV})
set(PIM_RESOURCES "${PIM_SHARE}/resources")
configure_package_config_file(cmake/PimStudioConfig.cmake.in PimStudioConfig.cmake INSTALL_DESTINATION "${PIM_PACKAGE}"
    PATH_VARS PIM_RESOURCES NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(PimStudioConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/PimStudioConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/PimStudioConfigVersion.cmake"
    DESTINATION "${PIM_PACKAGE}" ${PIM_DEV})
