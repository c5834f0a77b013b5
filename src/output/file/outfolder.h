/*
 * A folder of files being written so that nothing is lost: under a temporary name beside its own,
 * synced and renamed as a whole.  A folder of that name is replaced, with all files in it.  It may
 * hold folders of files, in which there are no others.
 */
#ifndef OUTPUT_FILE_OUTFOLDER_H
#define OUTPUT_FILE_OUTFOLDER_H

#include "base/progress.h"

struct outfolder;

/* path has no slash after its name.  Whether an old folder may be replaced is the caller's to
 * know. */
csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error);

/* Append to a file in it; the first failure sticks and comes out of outfolder_publish. */
void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size);
bool outfolder_failed(const struct outfolder *folder);

/* Copy a file into it, under a new name; where the file system can, both share their bytes on
 * disk.  linked: else they become one file, if they are of one file system.  *crc32 goes on over
 * its bytes.  CSY_IO where it cannot be read; failures of the folder are outfolder_publish's to
 * tell. */
csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error);

/* Where it stands now; holds until it is published. */
const char *outfolder_temp(const struct outfolder *folder);

/* The present path of a file in it; the caller frees it.  NULL on no memory. */
char *outfolder_path(const struct outfolder *folder, const char *name);

/* Sync it and give it its name.  progress may be NULL. */
csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error);

/* Free; unless it was published, nothing of it is left. */
void outfolder_close(struct outfolder *folder);

/* Call visit for each file in the folder at path, until one returns false: false then, too, or
 * where the folder cannot be read. */
bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user);

#endif
