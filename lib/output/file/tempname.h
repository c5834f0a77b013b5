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

/* The n-th name of each kind next to path; the caller frees it. NULL: out of memory. */
char *tempname_name(const char *path, unsigned n);
char *tempname_pex_name(const char *path, unsigned n);
char *tempname_aside_name(const char *path, unsigned n);

/* Pass the names that `make` gives for path to `take`, until `take` accepts one. Returns that name,
 * which the caller frees, or NULL with errno. Only after EEXIST is a further name tried. */
char *tempname_take(const char *path, char *make(const char *, unsigned),
                    bool take(void *user, const char *name), void *user);

/* From tempname_hold to tempname_release, nothing ends the process between two renames: signals to
 * this thread and tempname_abandon wait. Calls may be nested. */
void tempname_hold(void);
void tempname_release(void);

/* Remove this process's temporary files beside path, because the process is about to end. No
 * further temporary names are given. */
void tempname_abandon(const char *path);

/* Remove useless files from the folder of path: regular files of this user, and folders of this
 * user in which all files have names that cellsync writes. Does nothing while another process has
 * locked the folder (outfile_publish). */
void tempname_sweep(const char *path);

/* Remove a folder, its files, and its folders of files. If `known` is false, first apply the test
 * of tempname_sweep. */
void tempname_remove_folder(const char *path, bool known);

#endif
