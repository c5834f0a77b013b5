# Pages. Libraries and programs are installed where they are made.
install(FILES man/pex.5 man/cellsync-csv.5 man/cellsync-events.5 man/cellsync-run.5
        man/cellsync-input.5 man/cellsync-output.5 man/cellsync-json.5 man/cellstat-tables.5
        man/cellsync-formats.5
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man5 COMPONENT programs)
install(FILES man/cellsync-analysis.7 man/cellsync-glossary.7 man/cellsync-messages.7 man/cellsync-model.7
        man/cellsync-recipes.7 man/cellsync-report.7 man/cellsync-tutorial.7
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man7 COMPONENT programs)
install(FILES LICENSE NEWS SECURITY.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs FILES_MATCHING PATTERN "*.md" PATTERN "*.svg"
        PATTERN examples EXCLUDE)
# The installed pages lie in one folder without doc/. Links to files that only the source has become plain text.
foreach(page README.md CONTRIBUTING.md)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
    file(READ ${page} text)
    string(REGEX REPLACE "\\[([^]\n]*)\\]\\(tests/[^)]*\\)" "\\1" text "${text}")
    string(REPLACE "doc/" "" text "${text}")
    file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/installed/${page} "${text}")
    install(FILES ${CMAKE_CURRENT_BINARY_DIR}/installed/${page} DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT programs)
endforeach()
