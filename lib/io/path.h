/*
 * Paths of outputs.  One that is returned and not const is freed by the caller, NULL on no memory.
 */
#ifndef IO_PATH_H
#define IO_PATH_H

#include <stdbool.h>

/* What follows the last slash, in path itself. */
const char *path_name(const char *path);

/* What precedes that, with the slash, or "./". */
char *path_folder(const char *path);

/* A folder's path without slashes after its name. */
char *path_plain(const char *path);

/* The path that symbolic links lead to, or path itself where it does not exist. */
char *path_resolve(const char *path);

/* A path's folder as an absolute path, and its name; NULL also where there is no such folder. */
char *path_place(const char *path);

/* What a path leads to over links, as an absolute path, whether it exists or not; the name of a
 * descriptor is where it ends.  NULL also where there is no such folder, and of links in a
 * circle. */
char *path_canonical(const char *path);

/* Whether path is standard output: "-", or another name of the same file, such as /dev/stdout.
 * /dev/null is not, even if standard output goes there: several outputs may be discarded. */
bool path_is_standard(const char *path);

/* The descriptor of this process that path is a name of, such as /dev/fd/3, or a link to one; else
 * -1. */
int path_descriptor(const char *path);

/* Whether path is written by rename: it does not exist, or is a regular file; but neither a
 * descriptor nor in the file systems of /dev or /proc. */
bool path_is_regular(const char *path);

/* Whether two paths, of which either may be NULL, are, or would become, one regular file, or are
 * standard output.  A link that leads nowhere yet may become what it leads to or be replaced: both
 * count. */
bool path_same(const char *a, const char *b);

/* Open the folder of path for path_sync_folder; -1 where it cannot be, as errno says. */
int path_open_folder(const char *path);

/* Make the names in a folder durable; true also where it was not open, or is of a file system that
 * cannot do so. */
bool path_sync_folder(int folder_fd);

/* Have a folder for this process alone, while names are given in it, until flock(LOCK_UN); where
 * folders cannot be locked, without.  False where another one has it for so many seconds. */
bool path_lock_folder(int folder_fd, unsigned seconds);

#endif
