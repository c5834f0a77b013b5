/* The C library's functions that ours replace. */
#ifndef CELLTRACE_REAL_H
#define CELLTRACE_REAL_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static inline void *symbol_of(void *library, const char *name)
{
    return library ? dlsym(library, name) : NULL;
}

/* The address of a function; without it, the program ends. For conditions, the C library of x86-64
 * also has an older version, which is not wanted. */
static inline void *real_symbol(const char *name)
{
    void *found = NULL;
#if defined(__GLIBC__)
    if (strncmp(name, "pthread_cond_", sizeof "pthread_cond_" - 1) == 0)
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    if (!found)
        found = dlsym(RTLD_NEXT, name);
    /* A program linked with this library gets all functions of GCC's OpenMP runtime that it needs
     * from here, so a linker may have omitted the runtime. */
    if (!found && (strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "omp_", 4) == 0))
        found = symbol_of(dlopen("libgomp.so.1", RTLD_NOW), name);
    if (!found)
        abort();
    return found;
}

/* Define real_NAME(), which returns the function. */
#define REAL(type, name, parameters)                                                               \
    typedef type name##_function parameters;                                                       \
    static name##_function *real_##name(void)                                                      \
    {                                                                                              \
        static _Atomic(name##_function *) known;                                                   \
        union {                                                                                    \
            void *symbol;                                                                          \
            name##_function *function;                                                             \
        } found = {.function = atomic_load_explicit(&known, memory_order_relaxed)};                \
        if (!found.function) {                                                                     \
            found.symbol = real_symbol(#name);                                                     \
            atomic_store_explicit(&known, found.function, memory_order_relaxed);                   \
        }                                                                                          \
        return found.function;                                                                     \
    }

#endif
