/* What the loader will do with a program. */
#ifndef CELLTRACE_LAUNCHER_NEEDED_H
#define CELLTRACE_LAUNCHER_NEEDED_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the loader has no part in it: nothing can be preloaded then. */
bool needed_is_static(const char *path);

/* Whether it names one of these libraries, n of them, as one that it needs. */
bool needed_has(const char *path, const char *const *names, size_t n);

#endif
