/*
 * A file being written under a temporary name in the same folder, which takes its own name when all
 * is well, so that no failure costs an old file or leaves half of a new one.  SIGKILL leaves the
 * temporary file; the next sink in that folder removes it.
 */
#ifndef PDTSIM_SINK_H
#define PDTSIM_SINK_H

#include <cellsync/cellsync.h>

struct sink;

/* compress: gzip what is written. */
csy_status sink_open(const char *path, bool compress, struct sink **out, csy_error *error);

/* Append; the first failure sticks and comes out of sink_finish. */
void sink_write(struct sink *sink, const void *bytes, size_t size);
void sink_print(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Room for at least that many bytes (at most SINK_ROOM_MAX), and how many of them were used.  A row
 * of a CSV takes at most ROW_BYTES_MAX. */
enum { SINK_ROOM_MAX = 65536, ROW_BYTES_MAX = 1024 };
uint8_t *sink_room(struct sink *sink, size_t size);
void sink_advance(struct sink *sink, size_t size);

bool sink_failed(const struct sink *sink);

/* Write over bytes near the start of a file that is not compressed. */
void sink_patch(struct sink *sink, int64_t offset, const void *bytes, size_t size);

/* All bytes are on their medium; the file does not have its name yet.  It is closed, and nothing
 * is written to it any more. */
csy_status sink_finish(struct sink *sink, csy_error *error);

csy_status sink_publish(struct sink *sink, csy_error *error);

/* Free; unless it was published, nothing of it is left.  Accepts NULL. */
void sink_close(struct sink *sink);

#endif
