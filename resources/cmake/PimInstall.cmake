# `cmake --install` and the Debian package: programs, what they look for at run time (core/base/paths.h), desktop entry,
# file types, manual pages made from the help that the programs print.
include(GNUInstallDirs)

set(PIM_SHARE "${CMAKE_INSTALL_DATADIR}/pimstudio")
install(TARGETS pimc RUNTIME)
install(DIRECTORY devices evaluation help llm predictors rules targets
    DESTINATION "${PIM_SHARE}/resources" PATTERN CMakeLists.txt EXCLUDE)
install(DIRECTORY "${CMAKE_SOURCE_DIR}/projects/" DESTINATION "${PIM_SHARE}/projects")
install(FILES "${CMAKE_SOURCE_DIR}/README.md" "${CMAKE_SOURCE_DIR}/CHANGELOG.md" "${CMAKE_SOURCE_DIR}/LICENSE"
    DESTINATION "${CMAKE_INSTALL_DOCDIR}")

set(PIM_MAN "${CMAKE_CURRENT_BINARY_DIR}/pimc.1")
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND)
    add_custom_command(OUTPUT "${PIM_MAN}"
        COMMAND "${Python3_EXECUTABLE}" "${CMAKE_CURRENT_SOURCE_DIR}/scripts/manual_page.py" $<TARGET_FILE:pimc> "${PIM_MAN}"
        DEPENDS pimc "${CMAKE_CURRENT_SOURCE_DIR}/scripts/manual_page.py"
        COMMENT "Writing the manual page of pimc" VERBATIM)
    add_custom_target(manual ALL DEPENDS "${PIM_MAN}")
    install(FILES "${PIM_MAN}" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" OPTIONAL)
endif()

if(PIM_DESKTOP)
    install(TARGETS pimstudio RUNTIME)
    install(FILES pimstudio.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES pimstudio-mime.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME pimstudio.xml)
    install(FILES pimstudio.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
    install(FILES pimstudio.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes"
        RENAME application-x-pimstudio-project.svg)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pimstudio)
set(CPACK_PACKAGE_CONTACT "PIM Studio maintainers <maintainers@pimstudio.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler and desktop IDE for processing-in-memory hardware")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, libqt6svg6")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
include(CPack)
