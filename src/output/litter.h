/*
 * Names under which files wait for theirs, and what dead processes have left under such names.
 *
 *   .cellsync.HOST.PID.N         being written: of no use once its process is dead
 *   .cellsync.HOST.PID.N.pex     so is this, a .pex, and with it the record file that it names
 *   .cellsync.HOST.PID.N.NAME    moved aside: needed until something has the name of which NAME is
 *                                the CRC-32
 *
 * HOST is a CRC-32 that tells machines, and namespaces of process ids, apart.
 */
#ifndef OUTPUT_LITTER_H
#define OUTPUT_LITTER_H

#include <stdbool.h>

/* The n-th name of each kind beside path; the caller frees it.  NULL on no memory. */
char *litter_name(const char *path, unsigned n);
char *litter_pex_name(const char *path, unsigned n);
char *litter_aside_name(const char *path, unsigned n);

/* Between the two nothing ends the process between one name and the next: signals wait, in this
 * thread, and so does litter_abandon.  They may be nested. */
void litter_hold(void);
void litter_release(void);

/* Remove what this process has under such names beside path, and have it give no more: it is about
 * to end. */
void litter_abandon(const char *path);

/* Remove from the folder of path what is of no use any more: regular files of this user, and
 * folders of this user that hold nothing but such files under names that an output folder has.
 * While another process has the folder locked (outfile_publish), nothing is done. */
void litter_sweep(const char *path);

/* Remove a folder and the files in it, unless it holds folders; all of them where the caller knows
 * what they are, else under the conditions of litter_sweep. */
void litter_remove_folder(const char *path, bool known);

#endif
