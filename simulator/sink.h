/* An output file that replaces its target only when it is complete: it is written under a temporary
 * name in the same folder, and then renamed. After a SIGKILL, the temporary file remains until a
 * later sink in this folder removes it. */
#ifndef PDTSIM_SINK_H
#define PDTSIM_SINK_H

#include <cellsync/cellsync.h>

struct sink;

/* Open an output file, in gzip format if `compress`. The caller closes it by sink_close. */
csy_status sink_open(const char *path, bool compress, struct sink **out, csy_error *error);

/* Append bytes or formatted text. sink_finish reports the first failure. */
void sink_write(struct sink *sink, const void *bytes, size_t size);
void sink_print(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Append text as the value of an XML attribute, with special characters escaped. */
void sink_print_escaped(struct sink *sink, const char *text);

/* sink_room returns room for `size` bytes, at most SINK_ROOM_MAX. After writing there, call
 * sink_advance with the number of bytes written. A row of a CSV takes at most ROW_BYTES_MAX. */
enum { SINK_ROOM_MAX = 65536, ROW_BYTES_MAX = 1024 };
uint8_t *sink_room(struct sink *sink, size_t size);
void sink_advance(struct sink *sink, size_t size);

bool sink_failed(const struct sink *sink);

/* Overwrite bytes near the start of an uncompressed file. */
void sink_patch(struct sink *sink, int64_t offset, const void *bytes, size_t size);

/* Sync and close the file under its temporary name. Write nothing afterwards. */
csy_status sink_finish(struct sink *sink, csy_error *error);

csy_status sink_publish(struct sink *sink, csy_error *error);

/* Free a sink, which may be NULL. Removes the file if it was not published. */
void sink_close(struct sink *sink);

#endif
