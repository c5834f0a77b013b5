/*
 * Gzip on its way out: what is written is cut into pieces of GZIP_PIECE_BYTES, each becomes a
 * member of its own, several at a time, and the members reach the sink in order.
 *
 *                                        +-> worker --+
 *     gzip_out_write --> a ring of pieces --> worker --> in order: sink
 *                                        +-> caller --+
 *
 * What comes out follows from what is written, and from level and zlib, and not from the number
 * of threads. The caller packs pieces, too, whenever it would only wait; with one thread it does
 * all of it.
 */
#ifndef IO_GZIP_OUT_H
#define IO_GZIP_OUT_H

#include <cellsync/cellsync.h>

enum { GZIP_PIECE_BYTES = 128 * 1024, GZIP_THREADS_MAX = 64 };

struct gzip_out;

/* Takes packed bytes; called within gzip_out_write and gzip_out_finish, by the caller's own
 * thread. */
typedef void (*gzip_sink)(void *user, const void *bytes, size_t size);

/* level: 0 to 9, as zlib has them.  nworkers: the caller's included, at most GZIP_THREADS_MAX
 * count; where the system gives fewer, fewer work.  Memory: 0.8 MiB a worker.  Nothing can fail
 * later. */
csy_status gzip_out_new(int level, unsigned nworkers, gzip_sink sink, void *user,
                        struct gzip_out **out, csy_error *error);

/* Append. */
void gzip_out_write(struct gzip_out *z, const void *bytes, size_t size);

/* Pack what is left and give all of it to the sink; of no bytes at all, one empty member. */
void gzip_out_finish(struct gzip_out *z);

/* At any moment; what has not reached the sink is lost. */
void gzip_out_free(struct gzip_out *z);

#endif
