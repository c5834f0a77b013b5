# Build for i386, which is of 32 bits, against a tree of Debian's packages; see ./dev cross.
# By clang, which has _BitInt(128) there.  x86-64 runs its programs by itself, unless the kernel denies that.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR i686)
set(CMAKE_C_COMPILER clang)
set(CMAKE_C_COMPILER_TARGET i686-linux-gnu)
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
cmake_path(SET CMAKE_SYSROOT NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../build/cross/root-i386")
set(loader "${CMAKE_SYSROOT}/lib/ld-linux.so.2")
set(libraries "${CMAKE_SYSROOT}/lib/i386-linux-gnu:${CMAKE_SYSROOT}/usr/lib/i386-linux-gnu")
set(CMAKE_EXE_LINKER_FLAGS_INIT
    "-Wl,--dynamic-linker=${loader} -Wl,--disable-new-dtags -Wl,-rpath,${libraries}")
execute_process(COMMAND "${loader}" --version RESULT_VARIABLE denied OUTPUT_QUIET ERROR_QUIET)
if(denied)
    set(CMAKE_CROSSCOMPILING_EMULATOR qemu-i386)
endif()
include("${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake")
