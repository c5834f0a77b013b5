/* An output folder that replaces its target only when it is complete: it is written under a
 * temporary name next to its target, synced, and renamed as a whole. An existing folder is
 * replaced, with all its files. It may contain folders of files, but no deeper ones. */
#ifndef OUTPUT_FILE_OUTFOLDER_H
#define OUTPUT_FILE_OUTFOLDER_H

#include "base/progress.h"

struct outfolder;

/* path must not end in a slash. The caller decides whether an existing folder may be replaced. */
csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error);

/* Append to a file in the folder. outfolder_publish returns the first failure. */
void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size);
bool outfolder_failed(const struct outfolder *folder);

/* Copy a file into the folder under a new name; if the file system can, both share their bytes on
 * disk. linked: otherwise make a hard link if both are on one file system. *crc32 continues over
 * the bytes. CSY_IO if the source cannot be read; outfolder_publish returns failures of the folder.
 */
csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error);

/* The present path of the folder, valid until it is published. */
const char *outfolder_temp(const struct outfolder *folder);

/* The present path of a file in it; the caller frees it. NULL: out of memory. */
char *outfolder_path(const struct outfolder *folder, const char *name);

/* Sync the folder and give it its name. progress may be NULL. */
csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error);

/* Free; an unpublished folder leaves nothing behind. */
void outfolder_close(struct outfolder *folder);

/* Call visit for each file in the folder at path until it returns false. Returns false then, too,
 * and if the folder cannot be read. */
bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user);

#endif
