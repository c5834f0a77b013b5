/* An output folder that replaces its target only when it is complete. It is written under a
 * temporary name beside the target, synced, and renamed as a whole. An existing folder is replaced
 * with all its files. A folder may contain folders of files, but no deeper ones. */
#ifndef OUTPUT_FILE_OUTFOLDER_H
#define OUTPUT_FILE_OUTFOLDER_H

#include "base/progress.h"

struct outfolder;

/* Create the folder. path must not end in a slash. The caller checks whether it may be replaced. */
csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error);

/* Append to the file `name`. outfolder_publish returns the first failure. */
void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size);
bool outfolder_failed(const struct outfolder *folder);

/* Copy a file into the folder under a new name. The copy shares the bytes on disk if the file
 * system can do that. linked: otherwise make a hard link if both are on one file system. *crc32
 * continues over the bytes. CSY_IO if the source cannot be read; outfolder_publish returns other
 * failures. */
csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error);

/* The present path of the folder, valid until it is published. */
const char *outfolder_temp(const struct outfolder *folder);

/* The present path of a file in the folder; the caller frees it. NULL: out of memory. */
char *outfolder_path(const struct outfolder *folder, const char *name);

/* Sync the folder and give it its final name. progress may be NULL. */
csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error);

/* Free the folder. If it was not published, nothing is left behind. */
void outfolder_close(struct outfolder *folder);

/* Call visit for each file in the folder at path until visit returns false. Returns false if visit
 * did, or if the folder cannot be read. */
bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user);

#endif
