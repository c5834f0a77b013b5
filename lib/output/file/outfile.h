/* An output file that replaces its target only when it is complete. The file is written beside the
 * target without a name, then synced and renamed; a file system that requires a name gets a
 * temporary one. A target that is not a regular file (a pipe, a terminal, /dev/full) is written
 * directly. A symbolic link stays, and the file that it leads to is replaced. */
#ifndef OUTPUT_FILE_OUTFILE_H
#define OUTPUT_FILE_OUTFILE_H

#include "trace/trace.h"

#include <string.h>

struct outfile;

/* Writes bytes to `file`. A relay (below) may call it in another thread. */
typedef void (*relay_write)(void *file, const void *bytes, size_t size);

enum { RELAY_PENDING = 4 };

/* A relay lets another thread write a buffer, while the calling thread fills other buffers. */
struct relay {
    /* Let the other thread call `write`, or call `write` here if the other thread is busy. Returns
     * when fewer than RELAY_PENDING writes are pending. The bytes must stay valid for RELAY_PENDING
     * further calls of `ask`, or until the relay is closed. */
    void (*ask)(void *user, relay_write write, void *file, const void *bytes, size_t size);
    void *user;
};

/* Open the file at path, or standard output for "-". Returns CSY_INPUT if path is one of the
 * input's files. `input` may be NULL; otherwise it gets the progress and must outlive the file. */
csy_status outfile_open(const char *path, const struct csy_trace *input, struct outfile **out,
                        csy_error *error);

/* Compress all bytes appended from now on, into gzip members (io/gzip_out.h). Call only once. */
csy_status outfile_compress(struct outfile *file, int level, unsigned nthreads, csy_error *error);

/* Write through the caller's `relay` from now on. If `relay` is NULL, wait for pending writes, and
 * write directly again. Gzip members are always written directly, and all data after memory runs
 * out. */
void outfile_relay(struct outfile *file, const struct relay *relay);

/* Append bytes or text. Calls need no checks, because outfile_finish returns the first failure. */
void outfile_write(struct outfile *file, const void *bytes, size_t size);
void outfile_print(struct outfile *file, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append text built with base/put.h, which ends in a NUL. The function may modify the text. */
void outfile_print_made(struct outfile *file, char *text, size_t length);

/* Treat text printed from now on as text for people, which csy_unescape converts for a UTF-8
 * terminal (csy_set_terminal). */
void outfile_show_text(struct outfile *file);

/* outfile_print_name prints an escaped name in a field of `columns` characters, right-aligned, or
 * left-aligned if negative. outfile_columns returns the displayed width of the name. */
void outfile_print_name(struct outfile *file, int columns, const char *escaped);
size_t outfile_columns(const struct outfile *file, const char *escaped);

/* Returns true if outfile_patch and outfile_place can write bytes before the end of the file. */
bool outfile_can_place(const struct outfile *file);

/* Overwrite bytes that were appended earlier. */
void outfile_patch(struct outfile *file, uint64_t at, const void *bytes, size_t size);

/* outfile_room returns room for at most OUTFILE_ROOM_MAX bytes at the end of the file.
 * outfile_advance appends the bytes that were used. Nothing may be written between the calls. */
enum { OUTFILE_ROOM_MAX = 128 * 1024 };
uint8_t *outfile_room(struct outfile *file, size_t size);
void outfile_advance(struct outfile *file, size_t size);

/* outfile_text returns room for text built with base/put.h. outfile_end appends it up to `end`. */
char *outfile_text(struct outfile *file, size_t size);
void outfile_end(struct outfile *file, const char *end);

/* Returns the number of bytes appended so far, before compression. */
uint64_t outfile_appended(const struct outfile *file);

/* Append text without any conversion. */
static inline void outfile_add(struct outfile *file, const char *text)
{
    outfile_write(file, text, strlen(text));
}

/* Several threads may write parts of the file at once. outfile_claim reserves `size` bytes at the
 * end and returns the offset. outfile_place writes bytes at an offset, before outfile_finish. */
uint64_t outfile_claim(struct outfile *file, size_t size);
void outfile_place(struct outfile *file, const void *bytes, size_t size, uint64_t at);

/* Returns true if a write has failed, so that a long loop can stop early. */
bool outfile_failed(const struct outfile *file);

/* Flush and sync the file. Returns CSY_IO also if the input files have changed. */
csy_status outfile_finish(struct outfile *file, csy_error *error);

/* Give a finished file its final name. If that replaces a .pex (PDT-style trace), remove its record
 * files. After CSY_IO, the file may exist, but a system crash may lose its name. */
csy_status outfile_publish(struct outfile *file, csy_error *error);

/* Publish a .pex and its n record files in one folder. `records` is NULL if the .pex contains the
 * records. All files get their names, or none. Other processes that write these names wait. */
csy_status outfile_publish_pex(struct outfile *file, struct outfile *const *records, size_t n,
                               csy_error *error);

/* Returns the final path, with symbolic links resolved. */
const char *outfile_path(const struct outfile *file);

/* Change the name of an unfinished file within its folder. Returns false if out of memory. */
bool outfile_rename(struct outfile *file, const char *path);

/* If status is CSY_OK, finish and publish the file. Close the file always. Returns the status. */
csy_status outfile_complete(struct outfile *file, csy_status status, csy_error *error);

/* Free the file. A file that was not published leaves nothing behind. */
void outfile_close(struct outfile *file);

/* Returns CSY_INPUT if path is one of the input's files. */
csy_status refuse_input(const struct csy_trace *input, const char *path, csy_error *error);

/* Report by errno why an output could not be created. The message names a missing folder. */
csy_status refuse_place(const char *path, csy_error *error);

#endif
