/*
 * Names under which files wait for theirs, and what dead processes have left under such names.
 *
 *   .cellsync.HOST.PID.N         being written: of no use to anybody once its process is dead
 *   .cellsync.HOST.PID.N.NAME    needed until a file is written under the name of which NAME is
 *                                the CRC-32: an old file of that name, or records that a .pex of
 *                                that name names
 *
 * HOST is a CRC-32 that tells machines, and namespaces of process ids, apart.
 */
#ifndef OUTPUT_LITTER_H
#define OUTPUT_LITTER_H

/* The n-th name beside path; the caller frees it.  NULL on no memory. */
char *litter_name(const char *path, unsigned n);
char *litter_aside_name(const char *path, unsigned n);

/* Between the two nothing ends the process between one name and the next: signals wait, in this
 * thread, and so does litter_abandon.  They may be nested. */
void litter_hold(void);
void litter_release(void);

/* Remove what this process has under such names beside path, and have it give no more: it is about
 * to end. */
void litter_abandon(const char *path);

/* A file stands at path, whole: remove what processes of this user and host that are dead have left
 * in its folder, but what they moved aside from other names. */
void litter_sweep(const char *path);

/* Remove a folder and the files in it, unless it holds folders. */
void litter_remove_folder(const char *path);

#endif
