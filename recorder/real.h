/* Access to the functions that this library replaces. */
#ifndef CELLTRACE_REAL_H
#define CELLTRACE_REAL_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static inline void *symbol_of(void *library, const char *name)
{
    return library ? dlsym(library, name) : NULL;
}

/* Returns the function that would be called without this library, or ends the program. Condition
 * variables of x86-64 also have an older version in the C library, which is wrong here. */
static inline void *real_symbol(const char *name)
{
    void *found = NULL;
#if defined(__GLIBC__)
    if (strncmp(name, "pthread_cond_", sizeof "pthread_cond_" - 1) == 0)
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
    if (!found)
        found = dlsym(RTLD_NEXT, name);
    /* In a program linked with this library, the linker may have omitted GCC's OpenMP runtime,
     * because this library defines all functions that the program needs. */
    if (!found && (strncmp(name, "GOMP_", 5) == 0 || strncmp(name, "omp_", 4) == 0))
        found = symbol_of(dlopen("libgomp.so.1", RTLD_NOW), name);
    if (!found)
        abort();
    return found;
}

/* Define real_NAME(), which returns the replaced function NAME. */
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
