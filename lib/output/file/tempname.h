/* Temporary names of files, and removal of files that dead processes left under them.
 *
 *   .cellsync.HOST.PID.N         being written: useless once its process is dead
 *   .cellsync.HOST.PID.N.pex     the same for a .pex, along with the record files that it names
 *   .cellsync.HOST.PID.N.NAME    moved aside: needed until a file has the name with CRC-32 NAME
 *
 * HOST is a CRC-32 that distinguishes machines and namespaces of process ids. */
#ifndef OUTPUT_FILE_TEMPNAME_H
#define OUTPUT_FILE_TEMPNAME_H

#include <stdbool.h>

/* Each returns the n-th path of a kind, or NULL if out of memory. The caller frees the path. */
char *tempname_name(const char *path, unsigned n);
char *tempname_pex_name(const char *path, unsigned n);
char *tempname_aside_name(const char *path, unsigned n);

/* Call take(user, path) with paths that `make` returns until it accepts one. After an error other
 * than EEXIST, stop. Returns the path, which the caller frees, or NULL with errno. */
char *tempname_take(const char *path, char *make(const char *, unsigned),
                    bool take(void *user, const char *name), void *user);

/* Between tempname_hold and tempname_release, nothing ends the process, because signals to this
 * thread and tempname_abandon wait. Calls may be nested. */
void tempname_hold(void);
void tempname_release(void);

/* Call this before the process ends: remove its temporary files beside path. Afterwards, no thread
 * can take a temporary name. */
void tempname_abandon(const char *path);

/* Remove useless temporary files and folders of this user from the folder of path. A folder is
 * removed only if all its files have names that cellsync writes. Nothing happens while another
 * process has locked the folder (outfile_publish). */
void tempname_sweep(const char *path);

/* Remove a folder with its files and its folders of files. If `known` is false, the folder is
 * removed only if it passes the test that tempname_sweep makes. */
void tempname_remove_folder(const char *path, bool known);

#endif
