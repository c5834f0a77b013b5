/* Paths of outputs. The caller frees results that are not const; NULL means that memory ran out. */
#ifndef IO_PATH_H
#define IO_PATH_H

#include <stdbool.h>

/* Returns the part of the path after the last slash. */
const char *path_name(const char *path);

/* Returns the part of the path up to and including the last slash, or "./". */
char *path_folder(const char *path);

/* Returns the path of a folder without trailing slashes. */
char *path_plain(const char *path);

/* Returns the target of a symbolic link, or a copy of the path if it has no target. */
char *path_resolve(const char *path);

/* Returns the folder's absolute path and the file's name, or NULL if there is no such folder. */
char *path_place(const char *path);

/* Returns the absolute path after following symbolic links, but not names such as /dev/fd/3. The
 * file need not exist. Returns NULL if the folder does not exist, or if links form a circle. */
char *path_canonical(const char *path);

/* Returns true if the path means standard output: "-", /dev/stdout, or another name of that file.
 * Returns false for /dev/null, which several outputs may share. */
bool path_is_standard(const char *path);

/* Returns the file descriptor that the path (such as /dev/fd/3) or its link names, or -1. */
int path_descriptor(const char *path);

/* Returns true if outputs to `path` are made by renaming a temporary file. This requires a regular
 * file or no file at `path`, which must not name a descriptor or a file in /dev or /proc. */
bool path_is_regular(const char *path);

/* Returns true if outputs to both paths would go to the same regular file or both to standard
 * output. A path may be NULL. Links are compared both as names and by their targets. */
bool path_same(const char *a, const char *b);

/* Open the folder of `path` for path_sync_folder. Returns -1 and sets errno on failure. */
int path_open_folder(const char *path);

/* Make the names in a folder durable (fsync). Returns true also if this is not possible. */
bool path_sync_folder(int folder_fd);

/* Lock a folder before names in it are changed; flock(LOCK_UN) unlocks it. Returns false if another
 * process holds the lock for `seconds`. Returns true also if folders cannot be locked. */
bool path_lock_folder(int folder_fd, unsigned seconds);

#endif
