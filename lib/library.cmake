# libcellsync, and cellsync(1), which uses it. The modules are listed in the order in which data flows.
sources(library lib/io lib/trace lib/clock lib/order lib/graph lib/bounds lib/fast lib/sync lib/check lib/diagnosis
        lib/advice stat/meaning stat/instants stat/analysis lib/output)
set(absent lib/trace/otf2/absent.c lib/output/trace/otf2_absent.c)
if(OTF2 STREQUAL yes)
    list(REMOVE_ITEM library ${absent})
else()
    list(FILTER library EXCLUDE REGEX "^lib/(trace/otf2/|output/trace/(trace_)?otf2)")
    list(APPEND library ${absent})
endif()
set(absent lib/trace/json/absent.c lib/output/trace/json_absent.c)
if(YAJL STREQUAL yes)
    list(REMOVE_ITEM library ${absent})
else()
    list(FILTER library EXCLUDE REGEX "^lib/(trace/json/|output/trace/trace_edited)")
    list(APPEND library ${absent})
endif()

# Make a C string of each style sheet, of the script, and of a text of HTML pages. Outside of the script, an indented line
# continues the line before it.
set(style "#include \"output/page/stat.h\"\n")
foreach(file page_colours.css page_drawing.css page_style.css stat_shapes.css stat_style.css stat_script.js
             stat_rules.html)
    set(path lib/output/page/style/${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} text)
    if(file MATCHES "css$")
        string(REGEX REPLACE "\n +" "" text "${text}")
    elseif(file MATCHES "html$")
        string(REGEX REPLACE "\n +" " " text "${text}")
    endif()
    string(REGEX REPLACE "([\\\"])" "\\\\\\1" text "${text}")
    string(REPLACE "\n" "\\n\"\n\"" text "${text}")
    string(REGEX REPLACE "\\..*" "" name ${file})
    string(APPEND style "const char ${name}[] = \"${text}\";\n")
endforeach()
file(CONFIGURE OUTPUT page_style.c CONTENT "@style@" @ONLY)
list(APPEND library ${CMAKE_CURRENT_BINARY_DIR}/page_style.c)

# The simulator and the launcher of the recorder use base, too. Compilers have no 128-bit division for 32-bit processors.
sources(base lib/base)
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
    set(wide lib/base/wide.c)
else()
    list(REMOVE_ITEM base lib/base/wide.c)
endif()
add_library(base STATIC ${base})
target_link_libraries(base PRIVATE warnings PUBLIC Threads::Threads)

# Tests and benchmarks link cellsync_internals and call any function of the library.
add_library(cellsync_internals STATIC ${library})
target_link_libraries(cellsync_internals PRIVATE warnings PUBLIC base dependencies)

# object_of(FILE LIBRARY...): make one object of static libraries. Its global names are only those that are not hidden.
function(object_of file)
    if(CMAKE_C_COMPILER_TARGET)
        set(cross --target=${CMAKE_C_COMPILER_TARGET})
    endif()
    list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>" OUTPUT_VARIABLE objects)
    add_custom_command(OUTPUT ${file} VERBATIM COMMAND_EXPAND_LISTS
        COMMAND ${CMAKE_C_COMPILER} ${cross} -r -nostdlib -o ${file} ${objects}
        COMMAND ${CMAKE_OBJCOPY} --localize-hidden ${file}
        DEPENDS ${ARGN} ${objects}
        COMMENT "Making one object of ${ARGN}")
endfunction()

# Programs see only names that begin with csy_. The installed archive therefore has one object. Without objcopy, which makes
# it, all names stay visible.
set(objects $<TARGET_OBJECTS:base> $<TARGET_OBJECTS:cellsync_internals>)
add_library(cellsync_shared SHARED ${objects})
if(CMAKE_OBJCOPY)
    object_of(${CMAKE_CURRENT_BINARY_DIR}/libcellsync.o base cellsync_internals)
    add_library(cellsync_static STATIC ${CMAKE_CURRENT_BINARY_DIR}/libcellsync.o)
else()
    add_library(cellsync_static STATIC ${objects})
endif()
foreach(library cellsync_shared cellsync_static)
    target_link_libraries(${library} PRIVATE dependencies hardening)
    target_include_directories(${library} PUBLIC include)
    set_target_properties(${library} PROPERTIES OUTPUT_NAME cellsync LINKER_LANGUAGE C)
endforeach()
set(versions ${CMAKE_CURRENT_SOURCE_DIR}/libcellsync.map)
# Before 1.0, a minor version may break compiled programs.
if(PROJECT_VERSION_MAJOR EQUAL 0)
    set(soversion ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
else()
    set(soversion ${PROJECT_VERSION_MAJOR})
endif()
set_target_properties(cellsync_shared PROPERTIES
    VERSION ${PROJECT_VERSION} SOVERSION ${soversion} LINK_DEPENDS ${versions})
if(NOT APPLE)
    target_link_options(cellsync_shared PRIVATE "-Wl,--version-script=${versions}")
endif()

# tool: command lines of all programs, and what cellsync and cellstat share.
sources(tool lib/tool)
add_library(tool STATIC ${tool})
target_link_libraries(tool PRIVATE warnings)
if(CELLSYNC_SANDBOX)
    set_source_files_properties(lib/tool/sandbox.c PROPERTIES COMPILE_DEFINITIONS CELLSYNC_SANDBOX)
endif()

add_program(cellsync programs lib/cli main tool cellsync_static dependencies)

install(TARGETS cellsync_shared LIBRARY COMPONENT library NAMELINK_COMPONENT development)
install(TARGETS cellsync_static ARCHIVE COMPONENT development)
install(FILES include/cellsync/analysis.h include/cellsync/cellsync.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/cellsync
        COMPONENT development)
install(DIRECTORY doc/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development FILES_MATCHING PATTERN "*.c"
        PATTERN mpi EXCLUDE)
install(FILES man/libcellsync.3 DESTINATION ${CMAKE_INSTALL_MANDIR}/man3 COMPONENT development)
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
configure_file(cellsync.pc.in cellsync.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cellsync.pc
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
include(CMakePackageConfigHelpers)
configure_package_config_file(cellsyncConfig.cmake.in cellsyncConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cellsync
    PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/cellsyncConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/cellsyncConfig.cmake ${CMAKE_CURRENT_BINARY_DIR}/cellsyncConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/cellsync COMPONENT development)
