/*
 * A file being written so that nothing is lost: without a name (or under a temporary one, where the
 * file system knows no better) beside its own, synced and renamed.  What is not a regular file (a
 * pipe, a terminal, /dev/full) is written directly; a symbolic link is followed first, so that it
 * goes on pointing to what it pointed to.
 */
#ifndef OUTPUT_FILE_OUTFILE_H
#define OUTPUT_FILE_OUTFILE_H

#include "output/file/relay.h"
#include "trace/trace.h"

#include <string.h>

struct outfile;

/* Open path, "-" for standard output.  CSY_INPUT where it is one of the input's files.  input,
 * which is told of progress and must stay, may be NULL. */
csy_status outfile_open(const char *path, const struct csy_trace *input, struct outfile **out,
                        csy_error *error);

/* Pack what is appended from here on into gzip members (io/gzip_out.h), once at most. */
csy_status outfile_compress(struct outfile *file, int level, unsigned nthreads, csy_error *error);

/* From here on the bytes appended are written by way of a relay, which is the caller's; NULL: no
 * longer, now that its writes are done.  Gzip members, and all where there is no memory, are
 * written by the worker that appends, as before. */
void outfile_relay(struct outfile *file, const struct relay *relay);

/* Append.  The first failure sticks and comes out of outfile_finish, so that writers need not look
 * at every call. */
void outfile_write(struct outfile *file, const void *bytes, size_t size);
void outfile_print(struct outfile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same of text made by hand (base/put.h) that ends in a NUL; the text may change. */
void outfile_print_made(struct outfile *file, char *text, size_t length);

/* What is printed from here on is text for people: where the file is a terminal that has UTF-8
 * (csy_set_terminal), it is shown as csy_unescape has it. */
void outfile_show_text(struct outfile *file);

/* Print a name, escaped, with blanks in front of it (columns below 0: after it) as far as it takes
 * less columns than so many where it is shown; and how many it takes. */
void outfile_print_name(struct outfile *file, int columns, const char *escaped);
size_t outfile_columns(const struct outfile *file, const char *escaped);

/* True if bytes can be written elsewhere than at the end: outfile_patch, outfile_place. */
bool outfile_can_place(const struct outfile *file);

/* Write bytes anew that were appended. */
void outfile_patch(struct outfile *file, uint64_t at, const void *bytes, size_t size);

/* Room for that many bytes (at most OUTFILE_ROOM_MAX) at the end of the file, and how many of them
 * were used; nothing else is written in between. */
enum { OUTFILE_ROOM_MAX = 128 * 1024 };
uint8_t *outfile_room(struct outfile *file, size_t size);
void outfile_advance(struct outfile *file, size_t size);

/* The same for text that is made by hand (base/put.h), and where it ends. */
char *outfile_text(struct outfile *file, size_t size);
void outfile_end(struct outfile *file, const char *end);

/* How many bytes were appended so far, as they are before they are packed. */
uint64_t outfile_appended(const struct outfile *file);

/* Append text as it is. */
static inline void outfile_add(struct outfile *file, const char *text)
{
    outfile_write(file, text, strlen(text));
}

/* Several threads can write parts of the file at once: outfile_claim appends size bytes without
 * writing them and returns where, and outfile_place writes them there, before outfile_finish. */
uint64_t outfile_claim(struct outfile *file, size_t size);
void outfile_place(struct outfile *file, const void *bytes, size_t size, uint64_t at);

/* True once a write has failed: a long loop may stop. */
bool outfile_failed(const struct outfile *file);

/* Flush and sync; the file does not have its name yet.  CSY_IO also where the input has changed. */
csy_status outfile_finish(struct outfile *file, csy_error *error);

/* Give a finished file its name, to last; a record file that an old .pex there named is removed.
 * CSY_IO also where it cannot be made sure that the name lasts: then the file stands all the
 * same. */
csy_status outfile_publish(struct outfile *file, csy_error *error);

/* The same for a .pex and its n record files, which are in its folder: when the .pex gets its name,
 * all have theirs at once, or none.  0 where they are inside of it.  Writers of one name take
 * turns. */
csy_status outfile_publish_pex(struct outfile *file, struct outfile *const *records, size_t n,
                               csy_error *error);

/* Its name, links followed. */
const char *outfile_path(const struct outfile *file);

/* Have a file that is not finished yet get another name in its folder; false on no memory. */
bool outfile_rename(struct outfile *file, const char *path);

/* Both, for a file that stands alone; with another status than CSY_OK neither.  Returns the
 * status. */
csy_status outfile_complete(struct outfile *file, csy_status status, csy_error *error);

/* Free; unless it was published, nothing of it is left. */
void outfile_close(struct outfile *file);

#endif
