/* Paths of outputs. The caller frees returned paths that are not const; NULL if memory runs out. */
#ifndef IO_PATH_H
#define IO_PATH_H

#include <stdbool.h>

/* Returns the part after the last slash. */
const char *path_name(const char *path);

/* Returns the part up to and including the last slash, or "./". */
char *path_folder(const char *path);

/* Returns the path of a folder without trailing slashes. */
char *path_plain(const char *path);

/* Returns the target of symbolic links, or path itself if it does not exist. */
char *path_resolve(const char *path);

/* Returns the absolute path of the folder, and the name in it. NULL if there is no such folder. */
char *path_place(const char *path);

/* Returns the absolute path after following links, but not names of descriptors. The file need not
 * exist. NULL also if the folder does not exist, or if links form a circle. */
char *path_canonical(const char *path);

/* Returns true for standard output: "-", or another name of the same file, such as /dev/stdout.
 * False for /dev/null, which several outputs may share even if standard output goes there. */
bool path_is_standard(const char *path);

/* Returns the descriptor of this process that path, or its link, names (/dev/fd/3), or -1. */
int path_descriptor(const char *path);

/* Returns true if path is written by rename: it is a regular file or does not exist, is no
 * descriptor, and is not in the file systems of /dev or /proc. */
bool path_is_regular(const char *path);

/* Returns true if both paths become the same regular file, or are standard output. Either may be
 * NULL. A link without a target counts both as a name to replace and as its target. */
bool path_same(const char *a, const char *b);

/* Open the folder of path for path_sync_folder. Returns -1 with errno on failure. */
int path_open_folder(const char *path);

/* Make the names in a folder durable. Returns true also if the folder is not open, or if its file
 * system does not support this. */
bool path_sync_folder(int folder_fd);

/* Lock a folder for this process while it changes names, until flock(LOCK_UN). Returns true also if
 * folders cannot be locked, and false if another process keeps its lock for `seconds`. */
bool path_lock_folder(int folder_fd, unsigned seconds);

#endif
