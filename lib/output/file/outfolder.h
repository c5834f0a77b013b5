/* An output folder that replaces its target only when it is complete. The folder is written under a
 * temporary name beside the target, synced, and renamed as a whole. An existing folder is replaced
 * with all its files. A folder may contain folders of files, but no deeper ones. */
#ifndef OUTPUT_FILE_OUTFOLDER_H
#define OUTPUT_FILE_OUTFOLDER_H

#include "base/progress.h"

#include <sys/types.h>

struct outfolder;

/* Create a folder. path must not end in a slash. The caller checks that path may be replaced. */
csy_status outfolder_open(const char *path, struct outfolder **out, csy_error *error);

/* Append bytes to the file `name` in the folder. outfolder_publish returns the first failure. */
void outfolder_append(struct outfolder *folder, const char *name, const void *bytes, size_t size);
bool outfolder_failed(const struct outfolder *folder);

/* Copy a file into the folder under a new name. The files share bytes on disk if possible;
 * otherwise, if `linked` is true, the copy is a hard link if possible. *crc32 is updated. Returns
 * CSY_IO if the source cannot be read; outfolder_publish returns other failures. */
csy_status outfolder_copy(struct outfolder *folder, const char *name, const char *from, bool linked,
                          uint32_t *crc32, csy_error *error);

/* Returns the temporary path of the folder, valid until the folder is published. */
const char *outfolder_temp(const struct outfolder *folder);

/* Returns a file's temporary path, which the caller frees, or NULL if out of memory. */
char *outfolder_path(const struct outfolder *folder, const char *name);

/* Sync the folder and give the folder its final name. `progress` may be NULL. */
csy_status outfolder_publish(struct outfolder *folder, const struct progress *progress,
                             csy_error *error);

/* Free the folder. A folder that was not published leaves nothing behind. */
void outfolder_close(struct outfolder *folder);

/* Test whether a folder can be written to path. The path must lead to nothing, to an empty folder,
 * or to a folder for which `holds` returns true. Messages call the folder `what`, such as "a CTF
 * trace". Returns CSY_USAGE for standard output. */
csy_status outfolder_check_target(const char *path, const char *what, bool holds(const char *path),
                                  csy_error *error);

/* Read the head of a regular file. Returns the number of bytes, or -1 on failure or for other
 * files. */
ssize_t outfolder_read_head(int folder_fd, const char *name, void *head, size_t size);

/* Call `visit` for each file in the folder at path, until `visit` returns false. Returns false if
 * `visit` did, or if the folder cannot be read. */
bool outfolder_visit(const char *path, bool (*visit)(void *user, int folder_fd, const char *name),
                     void *user);

#endif
