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
#ifndef OUTPUT_FILE_TEMPNAME_H
#define OUTPUT_FILE_TEMPNAME_H

#include <stdbool.h>

/* The n-th name of each kind beside path; the caller frees it.  NULL on no memory. */
char *tempname_name(const char *path, unsigned n);
char *tempname_pex_name(const char *path, unsigned n);
char *tempname_aside_name(const char *path, unsigned n);

/* Between the two nothing ends the process between one name and the next: signals wait, in this
 * thread, and so does tempname_abandon.  They may be nested. */
void tempname_hold(void);
void tempname_release(void);

/* Remove what this process has under such names beside path, and have it give no more: it is about
 * to end. */
void tempname_abandon(const char *path);

/* Remove from the folder of path what is of no use any more: regular files of this user, and
 * folders of this user that hold nothing but such files under names that an output folder has.
 * While another process has the folder locked (outfile_publish), nothing is done. */
void tempname_sweep(const char *path);

/* Remove a folder, the files in it and its folders, unless these hold folders; all of them where
 * the caller knows what they are, else under the conditions of tempname_sweep. */
void tempname_remove_folder(const char *path, bool known);

#endif
