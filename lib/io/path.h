/* Paths of outputs. The caller frees returned paths that are not const. NULL if memory runs out. */
#ifndef IO_PATH_H
#define IO_PATH_H

#include <stdbool.h>

/* Returns the part of the path after the last slash. */
const char *path_name(const char *path);

/* Returns the part of the path up to and including the last slash, or "./". */
char *path_folder(const char *path);

/* Returns the path of a folder without trailing slashes. */
char *path_plain(const char *path);

/* Returns the target of symbolic links, or the path itself if it does not exist. */
char *path_resolve(const char *path);

/* Returns the absolute path of the folder and the name. NULL if the folder does not exist. */
char *path_place(const char *path);

/* Returns the absolute path after symbolic links; names of descriptors are not followed. The file
 * need not exist. NULL also if the folder does not exist, or if links form a circle. */
char *path_canonical(const char *path);

/* Returns true if path is standard output: "-", or another name of the file, such as /dev/stdout.
 * False for /dev/null, which several outputs may share even if it is standard output. */
bool path_is_standard(const char *path);

/* Returns the descriptor of this process that the path (/dev/fd/3), or its link, names, or -1. */
int path_descriptor(const char *path);

/* Returns true if the file is written by rename: it is regular or does not exist, is no descriptor,
 * and is not in the file systems of /dev or /proc. */
bool path_is_regular(const char *path);

/* Returns true if both paths would become the same regular file, or are standard output. A path may
 * be NULL. A link without a target counts as a name to replace, and also as its target. */
bool path_same(const char *a, const char *b);

/* Open the folder of `path` for path_sync_folder. Returns -1 and sets errno on failure. */
int path_open_folder(const char *path);

/* Make the names in a folder durable. Returns true also if the folder is not open, or if its file
 * system cannot do this. */
bool path_sync_folder(int folder_fd);

/* Lock a folder for this process, until flock(LOCK_UN), to change names in the folder. Returns true
 * also if folders cannot be locked, and false if another process keeps the lock for `seconds`. */
bool path_lock_folder(int folder_fd, unsigned seconds);

#endif
