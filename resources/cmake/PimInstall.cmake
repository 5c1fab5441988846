# `cmake --install` and the Debian package: programs, what they look for at run time (core/base/paths.h), desktop entry,
# file types, manual pages made from the help that the programs print, completion of command lines.
include(GNUInstallDirs)
set(CMAKE_INSTALL_DOCDIR "${CMAKE_INSTALL_DATAROOTDIR}/doc/pimstudio")

set(PIM_SHARE "${CMAKE_INSTALL_DATADIR}/pimstudio")
set(PIM_PROGRAMS pimc)
set(PIM_READ_AT_RUN_TIME devices evaluation llm memristor predictors rules schemas systems targets upmem_sdk)
install(DIRECTORY completion help ${PIM_READ_AT_RUN_TIME} DESTINATION "${PIM_SHARE}/resources")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/projects/" DESTINATION "${PIM_SHARE}/projects")
install(FILES "${CMAKE_SOURCE_DIR}/README.md" "${CMAKE_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright)
install(FILES completion/pimc.bash DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" RENAME pimc)
install(FILES completion/pimc.fish DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d")
foreach(PIM_ZSH site-functions vendor-completions) # where zsh looks below /usr/local, and below /usr on Debian
    install(FILES completion/pimc.zsh DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/${PIM_ZSH}" RENAME _pimc)
endforeach()

if(PIM_DESKTOP)
    list(APPEND PIM_PROGRAMS pimstudio)
    install(FILES pimstudio.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES org.pimstudio.PimStudio.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
    install(FILES pimstudio-mime.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages" RENAME pimstudio.xml)
    install(FILES pimstudio.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
    install(FILES pimstudio.svg DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/mimetypes"
        RENAME application-x-pimstudio-project.svg)
endif()
install(TARGETS ${PIM_PROGRAMS} RUNTIME)

# The Python package, where Debian's Python looks for it; and as the tree of a wheel (app/python/wheel_backend.py), with what it looks for
# inside of it.
function(pim_install_module FOLDER) # more arguments are those of install()
    install(TARGETS pim_python LIBRARY DESTINATION "${FOLDER}/pimstudio" ${ARGN})
    install(DIRECTORY "${PIM_PYTHON_FOLDER}/pimstudio" DESTINATION "${FOLDER}" ${ARGN}
        FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
endfunction()
if(TARGET pim_python)
    pim_install_module(lib/python3/dist-packages)
    pim_install_module(. COMPONENT wheel EXCLUDE_FROM_ALL)
    install(DIRECTORY ${PIM_READ_AT_RUN_TIME} DESTINATION pimstudio/share/resources COMPONENT wheel EXCLUDE_FROM_ALL)
    install(DIRECTORY "${CMAKE_SOURCE_DIR}/projects/" DESTINATION pimstudio/share/projects COMPONENT wheel EXCLUDE_FROM_ALL)
endif()

# Installing asks for the programs and their manual pages, not for the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON PARENT_SCOPE)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(PIM_PAGES "")
foreach(PIM_PROGRAM ${PIM_PROGRAMS})
    set(PIM_PAGE "${CMAKE_CURRENT_BINARY_DIR}/${PIM_PROGRAM}.1.gz")
    add_custom_command(OUTPUT "${PIM_PAGE}"
        COMMAND Python3::Interpreter "${CMAKE_CURRENT_SOURCE_DIR}/scripts/manual_page.py" "$<TARGET_FILE:${PIM_PROGRAM}>"
            "${PIM_PAGE}"
        DEPENDS ${PIM_PROGRAM} scripts/manual_page.py
        COMMENT "Writing the manual page of ${PIM_PROGRAM}" VERBATIM)
    list(APPEND PIM_PAGES "${PIM_PAGE}")
endforeach()
add_custom_target(manual ALL DEPENDS ${PIM_PAGES})
install(FILES ${PIM_PAGES} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME pimstudio)
set(CPACK_PACKAGE_CONTACT "PIM Studio maintainers <maintainers@pimstudio.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Compiler and desktop IDE for processing-in-memory hardware")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF) # a stack after a crash is names of functions, or nothing; there is no other debugging information to strip
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "fonts-dejavu-core, fonts-wqy-microhei")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-wayland, qt6-translations-l10n, shared-mime-info, desktop-file-utils, python3-numpy")
set(CPACK_DEBIAN_PACKAGE_PROVIDES "python3-pimstudio")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "bash-completion, man-db")
set(CPACK_RESOURCE_FILE_LICENSE "${CMAKE_SOURCE_DIR}/LICENSE")
include(CPack)
