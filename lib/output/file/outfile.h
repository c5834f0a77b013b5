/* An output file that replaces its target only when it is complete: it is written next to its
 * target without a name (or under a temporary name, if the file system requires one), synced, and
 * renamed. A target that is not a regular file (a pipe, a terminal, /dev/full) is written directly.
 * A symbolic link is resolved first and keeps its target. */
#ifndef OUTPUT_FILE_OUTFILE_H
#define OUTPUT_FILE_OUTFILE_H

#include "output/file/relay.h"
#include "trace/trace.h"

#include <string.h>

struct outfile;

/* Open path, or standard output for "-". CSY_INPUT if it is one of the input's files. input
 * receives progress and must outlive the file; it may be NULL. */
csy_status outfile_open(const char *path, const struct csy_trace *input, struct outfile **out,
                        csy_error *error);

/* Compress bytes appended from now on into gzip members (io/gzip_out.h). Call at most once. */
csy_status outfile_compress(struct outfile *file, int level, unsigned nthreads, csy_error *error);

/* Write appended bytes through a relay of the caller from now on; NULL stops that, after its writes
 * are done. Gzip members are still written by the worker that appends, as is everything if memory
 * runs out. */
void outfile_relay(struct outfile *file, const struct relay *relay);

/* Append. outfile_finish returns the first failure, so that callers need not check each call. */
void outfile_write(struct outfile *file, const void *bytes, size_t size);
void outfile_print(struct outfile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The same for text built with base/put.h, with a NUL at the end; the text may be modified. */
void outfile_print_made(struct outfile *file, char *text, size_t length);

/* Treat printed text from now on as text for people: on a UTF-8 terminal (csy_set_terminal) it is
 * converted by csy_unescape. */
void outfile_show_text(struct outfile *file);

/* Print an escaped name, padded with blanks in front (columns < 0: behind) to this width as
 * displayed; and get its width. */
void outfile_print_name(struct outfile *file, int columns, const char *escaped);
size_t outfile_columns(const struct outfile *file, const char *escaped);

/* True if bytes can be written before the end, with outfile_patch and outfile_place. */
bool outfile_can_place(const struct outfile *file);

/* Overwrite appended bytes. */
void outfile_patch(struct outfile *file, uint64_t at, const void *bytes, size_t size);

/* Get room for this many bytes (at most OUTFILE_ROOM_MAX) at the end of the file, then state how
 * many were used; no other write may come in between. */
enum { OUTFILE_ROOM_MAX = 128 * 1024 };
uint8_t *outfile_room(struct outfile *file, size_t size);
void outfile_advance(struct outfile *file, size_t size);

/* The same for text built with base/put.h; `end` is the end of the text. */
char *outfile_text(struct outfile *file, size_t size);
void outfile_end(struct outfile *file, const char *end);

/* The number of bytes appended so far, before compression. */
uint64_t outfile_appended(const struct outfile *file);

/* Append text unchanged. */
static inline void outfile_add(struct outfile *file, const char *text)
{
    outfile_write(file, text, strlen(text));
}

/* Several threads can write parts of the file at once: outfile_claim appends size bytes without
 * writing them and returns their offset; outfile_place writes them there, before outfile_finish. */
uint64_t outfile_claim(struct outfile *file, size_t size);
void outfile_place(struct outfile *file, const void *bytes, size_t size, uint64_t at);

/* True after a failed write, so that a long loop can stop. */
bool outfile_failed(const struct outfile *file);

/* Flush and sync; the file does not have its name yet. CSY_IO also if the input has changed. */
csy_status outfile_finish(struct outfile *file, csy_error *error);

/* Give a finished file its name permanently; record files of a .pex that it replaces are removed.
 * CSY_IO also if the name may not be permanent; the file then exists all the same. */
csy_status outfile_publish(struct outfile *file, csy_error *error);

/* The same for a .pex and its n record files in the same folder, which get their names together or
 * not at all. Records are NULL if they are inside the .pex. Writers of one name wait for each
 * other. */
csy_status outfile_publish_pex(struct outfile *file, struct outfile *const *records, size_t n,
                               csy_error *error);

/* Its name with symbolic links resolved. */
const char *outfile_path(const struct outfile *file);

/* Change the name of an unfinished file within its folder. False if out of memory. */
bool outfile_rename(struct outfile *file, const char *path);

/* Finish and publish a single file if status is CSY_OK, and close it. Returns the status. */
csy_status outfile_complete(struct outfile *file, csy_status status, csy_error *error);

/* Free; an unpublished file leaves nothing behind. */
void outfile_close(struct outfile *file);

#endif
