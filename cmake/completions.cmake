# Completions for bash, zsh, and fish are made from the tables of options. A cross build cannot run the programs that make them.
if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
    message(STATUS "Completions: none, nothing here runs what is built")
else()
    file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/completion)
    foreach(program ${programs})
        foreach(shell bash zsh fish)
            set(template ${PROJECT_SOURCE_DIR}/${${program}_folder}/completion.${shell}.in)
            set(completion ${PROJECT_BINARY_DIR}/completion/${program}.${shell})
            add_custom_command(OUTPUT ${completion} VERBATIM
                COMMAND complete_${program} ${template} ${completion}
                DEPENDS complete_${program} ${template})
            list(APPEND completions ${completion})
        endforeach()
        install(FILES ${PROJECT_BINARY_DIR}/completion/${program}.bash COMPONENT ${${program}_component}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME ${program})
        install(FILES ${PROJECT_BINARY_DIR}/completion/${program}.zsh COMPONENT ${${program}_component}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions RENAME _${program})
        install(FILES ${PROJECT_BINARY_DIR}/completion/${program}.fish COMPONENT ${${program}_component}
                DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
    endforeach()
    add_custom_target(completions ALL DEPENDS ${completions})
endif()
