# Libraries that the library uses; igzip and libotf2 are optional. dependencies: the target that links them.
find_package(LibXml2 REQUIRED)
find_package(ZLIB REQUIRED)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
add_library(dependencies INTERFACE)
target_link_libraries(dependencies INTERFACE LibXml2::LibXml2 ZLIB::ZLIB Threads::Threads)

# igzip, a part of ISA-L, inflates in two thirds of zlib's time and computes CRC-32 in a tenth of it. On AArch64, versions up
# to 2.31 return wrong bytes.
option(CELLSYNC_IGZIP "Inflate by igzip (ISA-L) where it is installed, on x86-64" ON)
find_library(IGZIP_LIBRARY isal)
find_path(IGZIP_INCLUDE_DIR isa-l/igzip_lib.h)
if(CELLSYNC_IGZIP AND IGZIP_LIBRARY AND IGZIP_INCLUDE_DIR AND
   CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(IGZIP yes)
    target_link_libraries(dependencies INTERFACE ${IGZIP_LIBRARY})
    set_source_files_properties(lib/io/gunzip.c lib/io/features.c lib/base/crc.c PROPERTIES
        COMPILE_DEFINITIONS CELLSYNC_IGZIP INCLUDE_DIRECTORIES ${IGZIP_INCLUDE_DIR})
    set(pc_igzip " libisal")
else()
    set(IGZIP no)
endif()
message(STATUS "Inflate by igzip: ${IGZIP}")

# libotf2 reads the archives of Score-P, Vampir, TAU, and EZTrace. Without it, the library refuses them.
option(CELLSYNC_OTF2 "Read OTF2 archives where libotf2 3 or later is installed" ON)
find_package(PkgConfig)
if(CELLSYNC_OTF2 AND PKG_CONFIG_FOUND)
    pkg_check_modules(OTF2 IMPORTED_TARGET otf2>=3.0)
endif()
if(CELLSYNC_OTF2 AND OTF2_FOUND)
    set(OTF2 yes)
    target_link_libraries(dependencies INTERFACE PkgConfig::OTF2)
    set_property(SOURCE lib/io/features.c APPEND PROPERTY COMPILE_DEFINITIONS CELLSYNC_LIBOTF2)
    set(pc_otf2 " otf2")
else()
    set(OTF2 no)
endif()
message(STATUS "Read OTF2: ${OTF2}")
