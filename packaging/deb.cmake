# Debian packages: `cpack -G DEB` in a build folder that was configured with -D CMAKE_INSTALL_PREFIX=/usr.
# ./dev packages does all of it, and tries them in a chroot.  What goes into which package is said where it is installed
# (COMPONENT); deb_stage.cmake adds what Debian wants beside that.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME cellsync)
set(CPACK_PACKAGE_VENDOR "the cellsync authors")
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL programs library development)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CELLSYNC_MAINTAINER "The cellsync authors <cellsync@cellsync.invalid>" CACHE STRING
    "Who answers for the packages, as NAME <ADDRESS>")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${CELLSYNC_MAINTAINER})
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/deb_stage.cmake)
# For deb_stage.cmake, which sees only variables that are called so.
set(CPACK_CELLSYNC_DEBIAN ${CMAKE_CURRENT_LIST_DIR}/debian)

# What a package with a shared library tells dpkg: which package programs depend on that are linked with it, and that
# the loader's cache is to be made anew.
function(control_of_library component library soname package)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/debian/${package})
    file(WRITE ${folder}/shlibs "${library} ${soname} ${package} (>= ${PROJECT_VERSION})\n")
    file(WRITE ${folder}/triggers "activate-noawait ldconfig\n")
    set(CPACK_DEBIAN_${component}_PACKAGE_CONTROL_EXTRA ${folder}/shlibs ${folder}/triggers PARENT_SCOPE)
endfunction()

set(version ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})

set(CPACK_DEBIAN_PROGRAMS_PACKAGE_NAME cellsync)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SECTION utils)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAMS_PACKAGE_SUGGESTS "celltrace, graphviz")
set(CPACK_DEBIAN_PROGRAMS_DESCRIPTION "offline clock synchronization of event traces
cellsync puts the events of a trace, stamped by clocks that start at unknown
times, on one clock: from the order of the records, or from messages, it
computes the exact range in which the offset of any two clocks lies.  It reads
traces of the Cell Broadband Engine, CSV and OTF2, and writes them in global
time, for viewers too, with a report of how far off that time can be.
.
cellstat says what a trace says of its program, with the range of each figure;
pdtsim simulates Cell blades and clusters and writes traces with the truth.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libcellsync${soversion})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SHLIBDEPS ON)
control_of_library(LIBRARY libcellsync ${soversion} libcellsync${soversion})
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "offline clock synchronization of event traces (library)
The library that cellsync(1) is made of: it finds the offsets between the
clocks of an event trace, with exact bounds, and gives every event its global
time.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcellsync-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
# Of others what a static link takes, which pkg-config wants to know of in any case.
set(wanted "libcellsync${soversion} (= ${version}), libxml2-dev, zlib1g-dev")
if(IGZIP STREQUAL yes)
    string(APPEND wanted ", libisal-dev")
endif()
if(OTF2 STREQUAL yes)
    string(APPEND wanted ", libopen-trace-format2-dev")
endif()
if(YAJL STREQUAL yes)
    string(APPEND wanted ", libyajl-dev")
endif()
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS ${wanted})
# Debian's libxml2-dev names liblzma for static links without depending on it.
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "liblzma-dev, pkg-config")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "offline clock synchronization of event traces (development files)
Headers, the static library, files for pkg-config and CMake, the manual page
and examples for programs that synchronize traces by libcellsync.")

if(celltrace)
    list(APPEND CPACK_COMPONENTS_ALL celltrace)
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_NAME celltrace)
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_SECTION devel)
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_SHLIBDEPS ON)
    control_of_library(CELLTRACE libcelltrace ${PROJECT_VERSION_MAJOR} celltrace)
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_RECOMMENDS cellsync)
    # Up to 0.2.0, cellsync had the completions of celltrace.
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_BREAKS "cellsync (<< ${version})")
    set(CPACK_DEBIAN_CELLTRACE_PACKAGE_REPLACES "cellsync (<< ${version})")
    set(CPACK_DEBIAN_CELLTRACE_DESCRIPTION "record what the threads of a program do, for cellsync
celltrace starts a program and records what its threads, and those of the
programs that it starts, do and wait for, at the cost of reading the clock.
The library that it loads into them, which programs may also be linked with,
to record events of their own, is in this package.")
    foreach(mpi ${recorded_mpi})
        # The recorder's library for programs of one kind of MPI, in a package of its own: what records
        # other programs shall not ask for MPI.
        string(TOUPPER celltrace_${mpi} component)
        list(APPEND CPACK_COMPONENTS_ALL celltrace_${mpi})
        set(CPACK_DEBIAN_${component}_PACKAGE_NAME celltrace-${mpi})
        set(CPACK_DEBIAN_${component}_PACKAGE_SECTION devel)
        set(CPACK_DEBIAN_${component}_PACKAGE_SHLIBDEPS ON)
        set(CPACK_DEBIAN_${component}_PACKAGE_DEPENDS "celltrace (= ${version})")
        set(CPACK_DEBIAN_${component}_DESCRIPTION "record what programs of MPI do, for cellsync (${mpi})
What celltrace loads into programs that are linked with ${mpi}: it records
their messages and collective operations, too.")
        list(APPEND suggested celltrace-${mpi})
    endforeach()
    string(REPLACE ";" ", " CPACK_DEBIAN_CELLTRACE_PACKAGE_SUGGESTS "${suggested}")
endif()
include(CPack)
