/* Temporary names of files, and removal of files that dead processes left under them.
 *
 *   .cellsync.HOST.PID.N         a file being written: useless once process PID is dead
 *   .cellsync.HOST.PID.N.pex     the same for a .pex, which also names its record files
 *   .cellsync.HOST.PID.N.NAME    an old file moved aside: useless once a new file has its name
 *
 * NAME is a CRC-32 of the old file's name. HOST is a CRC-32 that distinguishes machines and
 * namespaces of process ids. */
#ifndef OUTPUT_FILE_TEMPNAME_H
#define OUTPUT_FILE_TEMPNAME_H

#include <stdbool.h>

/* Return the n-th name of the forms N, N.pex, and N.NAME, in the folder of path. Return NULL if out
 * of memory. The caller frees the name. */
char *tempname_name(const char *path, unsigned n);
char *tempname_pex_name(const char *path, unsigned n);
char *tempname_aside_name(const char *path, unsigned n);

/* Call take(user, path) with paths that `make` returns until it accepts one. After an error other
 * than EEXIST, stop. Returns the path, which the caller frees, or NULL with errno. */
char *tempname_take(const char *path, char *make(const char *, unsigned),
                    bool take(void *user, const char *name), void *user);

/* Keep the process alive between tempname_hold and tempname_release: signals to this thread and
 * calls of tempname_abandon wait. Calls may be nested. */
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
