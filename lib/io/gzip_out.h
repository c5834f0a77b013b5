/* Writes gzip: divides data into pieces of GZIP_PIECE_BYTES. Each becomes a gzip member. Several
 * pieces are packed at the same time, and members are passed to the sink in order.
 *
 *                     +-> worker --+
 *    gzip_out_write --> a ring of pieces --> worker --> in order: sink
 *                     +-> caller --+
 *
 * The output depends on the data, the level, and zlib, but not on the number of threads. The caller
 * also packs pieces instead of waiting; with one thread it packs all. */
#ifndef IO_GZIP_OUT_H
#define IO_GZIP_OUT_H

#include <cellsync/cellsync.h>

enum { GZIP_PIECE_BYTES = 128 * 1024, GZIP_THREADS_MAX = 64 };

struct gzip_out;

/* Receives packed bytes. It is only called within gzip_out_write and gzip_out_finish. */
typedef void (*gzip_sink)(void *user, const void *bytes, size_t size);

/* Make a writer. `level` is 0 to 9. `nworkers` is the number of threads, including the caller, at
 * most GZIP_THREADS_MAX. Each takes 0.8 MiB. If this succeeds, later calls cannot fail. */
csy_status gzip_out_new(int level, unsigned nworkers, gzip_sink sink, void *user,
                        struct gzip_out **out, csy_error *error);

void gzip_out_write(struct gzip_out *z, const void *bytes, size_t size);

/* Pack the remaining data, and pass them to the sink. Without any data, writes an empty member. */
void gzip_out_finish(struct gzip_out *z);

/* Free a writer at any time. Data that were not passed to the sink are lost. */
void gzip_out_free(struct gzip_out *z);

#endif
