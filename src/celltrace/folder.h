/*
 * The folder that a run is recorded into, and the files there.
 *
 * The recorder has the rights of its user, and files of a run have names that are easily guessed.
 * So nobody else may put links there: the folder is the user's own and nobody else may write to it,
 * and all files are opened relative to one descriptor, without following links.
 */
#ifndef CELLTRACE_FOLDER_H
#define CELLTRACE_FOLDER_H

#include <stdbool.h>
#include <sys/types.h>

/* Rights of a new folder and of new files, less what the umask takes. */
enum { FOLDER_MODE = 0755, FOLDER_FILE_MODE = 0644 };

/* Why the folder of this descriptor must not be used: a static text or that of errno; NULL if
 * it may be used. */
const char *folder_fault(int fd);

/* Move fd to a number that programs do not expect to be free; fd if there is none. */
int folder_lift(int fd);

struct folder {
    const char *path; /* of the caller, which outlives it */
    int fd;
    dev_t device;
    ino_t inode;
};

/* Make the folder if there is none, and open it; a link is refused.  NULL, or the fault, as
 * folder_fault has it. */
const char *folder_open(struct folder *folder, const char *path);

/* Open a file of the folder by its name: -1 with errno.  What is created must not be there unless
 * flags have O_APPEND; links are refused. */
int folder_file(struct folder *folder, const char *name, int flags);

bool folder_has(struct folder *folder, const char *name);
void folder_remove(struct folder *folder, const char *name);
bool folder_rename(struct folder *folder, const char *from, const char *to);

/* A file that stays open: programs may close descriptors that they have not opened, and open others
 * under their numbers. */
struct folder_open_file {
    struct folder *folder;
    const char *name; /* of the caller, which outlives it */
    int fd;
    dev_t device;
    ino_t inode;
};

bool folder_keep(struct folder_open_file *file, struct folder *folder, const char *name, int flags);

/* Have it open under file->fd, by its name if the program has closed it; false with errno: it is
 * not to be had. */
bool folder_check(struct folder_open_file *file);

#endif
