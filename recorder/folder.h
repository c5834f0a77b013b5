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

/* Returns the reason why the folder with descriptor fd must not be used, as a static text or the
 * text of errno. Returns NULL if the folder may be used. */
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

/* Open the folder, or create it. Links are rejected. Returns NULL, or the reason of the failure. */
const char *folder_open(struct folder *folder, const char *path);

/* Open a file of the folder; links are rejected. If flags contain O_CREAT without O_APPEND, the
 * file must not exist. Returns -1 with errno on failure. */
int folder_file(struct folder *folder, const char *name, int flags);

bool folder_has(struct folder *folder, const char *name);
void folder_remove(struct folder *folder, const char *name);
bool folder_rename(struct folder *folder, const char *from, const char *to);

/* A file that is reopened if the program closes its descriptor. Some programs close descriptors
 * that they did not open, and reuse the numbers. */
struct folder_open_file {
    struct folder *folder;
    const char *name; /* owned by the caller, must outlive the struct */
    int fd;
    dev_t device;
    ino_t inode;
};

bool folder_keep(struct folder_open_file *file, struct folder *folder, const char *name, int flags);

/* Reopen the file by name if file->fd no longer refers to the file. Returns false with errno on
 * failure. */
bool folder_check(struct folder_open_file *file);

#endif
