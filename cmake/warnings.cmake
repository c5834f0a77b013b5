# warnings: the target with the flags that all C files are compiled with. It includes the target hardening.
include(CheckCCompilerFlag)
include(CheckLinkerFlag)
include(CheckStructHasMember)
include(CheckSymbolExists)

add_library(warnings INTERFACE)
target_compile_options(warnings INTERFACE
    -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wdouble-promotion -Wbad-function-cast
    -Wshadow -Wundef -Wunused-macros -Wredundant-decls -Wnested-externs -Wold-style-definition
    -Wstrict-prototypes -Wmissing-prototypes -Wmissing-declarations -Wpointer-arith -Wcast-qual
    -Wwrite-strings -Wvla -Wdate-time -Wformat=2)
if(CMAKE_C_COMPILER_ID STREQUAL GNU)
    target_compile_options(warnings INTERFACE
        -Wcast-align=strict -Warith-conversion -Wduplicated-branches -Wduplicated-cond -Wlogical-op
        -Wjump-misses-init -Wimplicit-fallthrough=5 -Wstrict-overflow=2 -Wstringop-overflow=4
        -Wformat-overflow=2 -Wformat-signedness -Walloca -Wtrampolines)
elseif(CMAKE_C_COMPILER_ID STREQUAL Clang)
    target_compile_options(warnings INTERFACE
        -Wcast-align -Wvector-conversion -Wassign-enum -Wshift-sign-overflow -Wcomma
        -Wextra-semi-stmt -Wimplicit-fallthrough -Wunreachable-code-aggressive
        -Wmissing-variable-declarations -Wnewline-eof)
    if(CMAKE_C_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
        target_compile_options(warnings INTERFACE -Wreserved-identifier -Wreserved-macro-identifier)
    endif()
    if(CMAKE_SIZEOF_VOID_P EQUAL 4) # the 128-bit integers of lib/base/number.h, and lib/base/wide.c
        target_compile_options(warnings INTERFACE -Wno-bit-int-extension -Wno-reserved-identifier)
    endif()
endif()
target_include_directories(warnings INTERFACE lib stat ${PROJECT_SOURCE_DIR} include)

# Features that some systems lack (lib/base/portable.h); glibc has all of them.
set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)
check_symbol_exists(mallopt malloc.h HAVE_MALLOPT)
check_symbol_exists(renameat2 stdio.h HAVE_RENAMEAT2)
check_symbol_exists(renamex_np stdio.h HAVE_RENAMEX_NP)
check_symbol_exists(sched_getaffinity sched.h HAVE_SCHED_GETAFFINITY)
check_symbol_exists(tdestroy search.h HAVE_TDESTROY)
check_struct_has_member("struct stat" st_mtimespec sys/stat.h HAVE_ST_MTIMESPEC)
unset(CMAKE_REQUIRED_DEFINITIONS)
target_compile_definitions(warnings INTERFACE _GNU_SOURCE _FILE_OFFSET_BITS=64 _TIME_BITS=64)
foreach(feature MALLOPT RENAMEAT2 RENAMEX_NP SCHED_GETAFFINITY TDESTROY ST_MTIMESPEC)
    if(HAVE_${feature})
        target_compile_definitions(warnings INTERFACE HAVE_${feature})
    endif()
endforeach()

# Installed programs read files from strangers. If such a file triggers a bug, the program should stop. Distributions build
# with the type None and flags of their own.
set(optimized "$<CONFIG:None,Release,RelWithDebInfo,MinSizeRel>")
add_library(hardening INTERFACE)
target_compile_options(hardening INTERFACE
    "$<${optimized}:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3;-fstack-protector-strong>")
foreach(flag -fstack-clash-protection -fcf-protection -ftrivial-auto-var-init=zero)
    string(MAKE_C_IDENTIFIER "HAS${flag}" has)
    check_c_compiler_flag(${flag} ${has})
    if(${has})
        target_compile_options(hardening INTERFACE "$<${optimized}:${flag}>")
    endif()
endforeach()
# Only ELF linkers have these flags.
check_linker_flag(C -Wl,-z,relro,-z,now,-z,noexecstack HAVE_Z_RELRO)
if(HAVE_Z_RELRO)
    target_link_options(hardening INTERFACE "$<${optimized}:-Wl,-z,relro,-z,now,-z,noexecstack>")
endif()
target_link_libraries(warnings INTERFACE hardening)

# Unoptimized sanitizer builds compile in half the time. The tests spend their time in these files, so these are optimized.
set(slow_unoptimized
    stat/analysis/ranges/forms stat/analysis/ranges/swaps stat/analysis/window/window
    lib/bounds/pair_stats lib/bounds/rows lib/clock/intervals lib/clock/timeline lib/clock/unwrap
    lib/fast/records lib/fast/rows lib/graph/closure lib/graph/exact lib/graph/flow
    lib/graph/eliminate lib/graph/kernels lib/graph/minplus lib/graph/reduce lib/graph/search lib/graph/sweep
    lib/graph/windows lib/io/bytes simulator/context simulator/queue lib/sync/pass lib/trace/csv/csv
    lib/trace/csv/csv_header lib/trace/csv/csv_time lib/trace/pex/document lib/trace/pex/record)
list(TRANSFORM slow_unoptimized APPEND .c)
foreach(file IN LISTS slow_unoptimized)
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${file}") # a renamed file would be slow without notice
        message(FATAL_ERROR "slow_unoptimized: there is no ${file}")
    endif()
endforeach()
if(CMAKE_C_FLAGS MATCHES "(^| )-O0( |$)")
    set_property(SOURCE ${slow_unoptimized} APPEND PROPERTY COMPILE_OPTIONS -O1)
endif()
