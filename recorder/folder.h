/* The folder of a run, and its files.
 *
 * The recorder has the rights of its user, and names of files are easy to guess. So nobody else may
 * be able to put links there: the folder belongs to the user and nobody else may write to it, and
 * all files are opened relative to one descriptor, without following links. */
#ifndef CELLTRACE_FOLDER_H
#define CELLTRACE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

/* Modes of new folders and files, before the umask. */
enum { FOLDER_MODE = 0755, FOLDER_FILE_MODE = 0644 };

/* The reason why the folder of this descriptor must not be used, a static text or the text of
 * errno; NULL if it may be used. */
const char *folder_fault(int fd);

/* Move fd to a number that programs do not expect to be free. Returns fd if there is none. */
int folder_lift(int fd);

struct folder {
    const char *path; /* of the caller, which must outlive it */
    int fd;
    dev_t device;
    ino_t inode;
};

/* Open the folder, creating it if necessary; a link is rejected. Returns NULL or a fault as
 * folder_fault does. */
const char *folder_open(struct folder *folder, const char *path);

/* Open a file of the folder by name; -1 with errno. A new file must not exist yet unless flags
 * contain O_APPEND. Links are rejected. */
int folder_file(struct folder *folder, const char *name, int flags);

bool folder_has(struct folder *folder, const char *name);
void folder_remove(struct folder *folder, const char *name);
bool folder_rename(struct folder *folder, const char *from, const char *to);

/* A file that stays open: programs may close descriptors that they did not open, and reuse their
 * numbers. */
struct folder_open_file {
    struct folder *folder;
    const char *name; /* of the caller, which must outlive it */
    int fd;
    dev_t device;
    ino_t inode;
};

bool folder_keep(struct folder_open_file *file, struct folder *folder, const char *name, int flags);

/* Make sure that file->fd is the open file, reopening it by name if the program has closed it.
 * False with errno if that fails. */
bool folder_check(struct folder_open_file *file);

#endif
