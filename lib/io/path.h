/* Paths of outputs. The caller frees returned paths that are not const; NULL if out of memory. */
#ifndef IO_PATH_H
#define IO_PATH_H

#include <stdbool.h>

/* The part of path after the last slash. */
const char *path_name(const char *path);

/* The part of path up to the last slash, including the slash; "./" if there is no slash. */
char *path_folder(const char *path);

/* A folder's path without slashes after its name. */
char *path_plain(const char *path);

/* The target of symbolic links, or path itself if it does not exist. */
char *path_resolve(const char *path);

/* The absolute path of the folder, followed by the name in it. NULL also if there is no such
 * folder. */
char *path_place(const char *path);

/* The absolute path after following links, even if it does not exist. The name of a descriptor is
 * not followed. NULL also if the folder does not exist, or if links form a circle. */
char *path_canonical(const char *path);

/* True if path is standard output: "-", or another name of the same file, such as /dev/stdout.
 * False for /dev/null, even if standard output goes there, so that several outputs may be
 * discarded. */
bool path_is_standard(const char *path);

/* The descriptor of this process that path names, such as /dev/fd/3, directly or by links;
 * otherwise -1. */
int path_descriptor(const char *path);

/* True if path is written by rename: it does not exist or is a regular file, and is neither a
 * descriptor nor in the file systems of /dev or /proc. */
bool path_is_regular(const char *path);

/* True if both paths are, or would become, the same regular file, or are standard output. Either
 * may be NULL. A link without a target may be replaced, or its target may be created; both cases
 * count. */
bool path_same(const char *a, const char *b);

/* Open the folder of path for path_sync_folder; -1 with errno set on failure. */
int path_open_folder(const char *path);

/* Make the names in a folder durable. True also if the folder was not open, or if its file system
 * does not support this. */
bool path_sync_folder(int folder_fd);

/* Lock a folder for this process while names are changed in it, until flock(LOCK_UN). True without
 * a lock if folders cannot be locked. False if another process keeps its lock for `seconds`. */
bool path_lock_folder(int folder_fd, unsigned seconds);

#endif
