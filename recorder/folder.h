/* The folder of a run, and its files.
 *
 * The recorder has the rights of its user, and the names of its files are easy to guess. Another
 * user could therefore put links there that make the recorder overwrite files. To prevent this, the
 * folder must belong to the user, and no other user may have the right to write to it. All files
 * are opened relative to one descriptor of the folder, without following links. */
#ifndef CELLTRACE_FOLDER_H
#define CELLTRACE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

/* Modes of new folders and files, before the umask. */
enum { FOLDER_MODE = 0755, FOLDER_FILE_MODE = 0644 };

/* The reason why a folder, given by its descriptor, must not be used: a static text, or the text of
 * errno. NULL if it may be used. */
const char *folder_fault(int fd);

/* Move a descriptor to a high number, because programs may expect that low numbers are free.
 * Returns the new number, or fd if no number is free. */
int folder_lift(int fd);

struct folder {
    const char *path; /* owned by the caller, must outlive the struct */
    int fd;
    dev_t device;
    ino_t inode;
};

/* Open the folder, and create it if it does not exist. A link is rejected. Returns NULL, or the
 * reason of a failure as folder_fault does. */
const char *folder_open(struct folder *folder, const char *path);

/* Open a file of the folder by name. Returns -1 with errno on a failure. If a file is to be
 * created, it must not exist yet, unless flags contain O_APPEND. Links are rejected. */
int folder_file(struct folder *folder, const char *name, int flags);

bool folder_has(struct folder *folder, const char *name);
void folder_remove(struct folder *folder, const char *name);
bool folder_rename(struct folder *folder, const char *from, const char *to);

/* A file that stays open. Programs may close descriptors that they did not open, and then use their
 * numbers for other files. */
struct folder_open_file {
    struct folder *folder;
    const char *name; /* owned by the caller, must outlive the struct */
    int fd;
    dev_t device;
    ino_t inode;
};

bool folder_keep(struct folder_open_file *file, struct folder *folder, const char *name, int flags);

/* Make sure that file->fd still refers to this file. If the program has closed it, the file is
 * opened again by name. Returns false with errno if that fails. */
bool folder_check(struct folder_open_file *file);

#endif
