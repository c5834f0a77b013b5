# Build for s390x, which is big-endian, against a tree of Debian's packages; see ./dev cross.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR s390x)
set(CMAKE_C_COMPILER s390x-linux-gnu-gcc)
set(CMAKE_LIBRARY_ARCHITECTURE s390x-linux-gnu)
cmake_path(SET CMAKE_SYSROOT NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../../build/cross/root-s390x")
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-s390x -L "${CMAKE_SYSROOT}")
include("${CMAKE_CURRENT_LIST_DIR}/sysroot.cmake")
