/* See gzip_out.h. */
#include "io/gzip_out.h"

#include "base/array.h"
#include "base/error.h"
#include "base/worker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
    WINDOW_BITS = 15 + 16, /* parameter of zlib: write gzip members */
    MEMORY_LEVEL = 8
};

/* A piece of the data, plain and packed. The writer fills it, then a thread packs it and sets
 * `done`, and then the writer passes it to the sink. */
struct piece {
    uint8_t *plain, *packed;
    size_t nplain, npacked;
    bool done;
};

struct packer {
    struct gzip_out *z;
    z_stream stream;
    pthread_t thread;
};

struct gzip_out {
    gzip_sink sink;
    void *user;
    struct piece *pieces;
    size_t npieces;
    size_t room;            /* size of the buffer `packed` of each piece */
    struct packer *packers; /* array; the first packer belongs to the thread of the writer */
    /* numbers of packers: all, those with a zlib stream, and those with a running thread */
    unsigned npackers, nstreams, nworkers;

    pthread_mutex_t lock;
    pthread_cond_t work, done;
    /* numbers of pieces that the writer filled, packers took, and the sink received */
    uint64_t filled, taken, written;
    bool stop;
};

static struct piece *piece_at(const struct gzip_out *z, uint64_t index)
{
    return &z->pieces[index % z->npieces];
}

/* Pack the next piece. The caller holds the lock, which is released during packing. */
static void pack_next(struct gzip_out *z, z_stream *stream)
{
    struct piece *piece = piece_at(z, z->taken++);
    pthread_mutex_unlock(&z->lock);
    size_t room = z->room;
    deflateReset(stream);
    stream->next_in = piece->plain;
    stream->avail_in = (unsigned)piece->nplain;
    stream->next_out = piece->packed;
    stream->avail_out = (unsigned)room;
    deflate(stream, Z_FINISH); /* cannot fail: the output buffer has the size from deflateBound */
    piece->npacked = room - stream->avail_out;
    pthread_mutex_lock(&z->lock);
    piece->done = true;
    pthread_cond_signal(&z->done);
}

static void *run_packer(void *user)
{
    struct packer *packer = user;
    struct gzip_out *z = packer->z;
    pthread_mutex_lock(&z->lock);
    while (!z->stop) {
        if (z->taken < z->filled)
            pack_next(z, &packer->stream);
        else
            pthread_cond_wait(&z->work, &z->lock);
    }
    pthread_mutex_unlock(&z->lock);
    return NULL;
}

csy_status gzip_out_new(int level, unsigned nworkers, gzip_sink sink, void *user,
                        struct gzip_out **out, csy_error *error)
{
    struct gzip_out *z = calloc(1, sizeof *z);
    if (!z)
        return error_memory(error);
    z->sink = sink;
    z->user = user;
    z->npackers = nworkers < GZIP_THREADS_MAX ? nworkers : GZIP_THREADS_MAX;
    pthread_mutex_init(&z->lock, NULL);
    pthread_cond_init(&z->work, NULL);
    pthread_cond_init(&z->done, NULL);
    z->packers = calloc(z->npackers, sizeof *z->packers);
    bool good = z->packers != NULL;
    while (good && z->nstreams < z->npackers) {
        struct packer *packer = &z->packers[z->nstreams];
        packer->z = z;
        good = deflateInit2(&packer->stream, level, Z_DEFLATED, WINDOW_BITS, MEMORY_LEVEL,
                            Z_DEFAULT_STRATEGY) == Z_OK;
        z->nstreams += good;
    }
    /* Each of several threads gets two pieces, so that no thread waits for the writer. */
    z->room = good ? deflateBound(&z->packers[0].stream, GZIP_PIECE_BYTES) : 0;
    z->npieces = z->npackers == 1 ? 1 : 2 * (size_t)z->npackers;
    z->pieces = calloc(z->npieces, sizeof *z->pieces);
    good = good && z->pieces;
    for (size_t i = 0; good && i < z->npieces; i++) {
        z->pieces[i].plain = malloc(GZIP_PIECE_BYTES);
        z->pieces[i].packed = malloc(z->room);
        good = z->pieces[i].plain && z->pieces[i].packed;
    }
    if (!good) {
        gzip_out_free(z);
        return error_memory(error);
    }
    for (z->nworkers = 1; z->nworkers < z->npackers; z->nworkers++) {
        struct packer *packer = &z->packers[z->nworkers];
        if (!worker_start(&packer->thread, run_packer, packer))
            break;
    }
    *out = z;
    return CSY_OK;
}

void gzip_out_free(struct gzip_out *z)
{
    if (!z)
        return;
    pthread_mutex_lock(&z->lock);
    z->stop = true;
    pthread_cond_broadcast(&z->work);
    pthread_mutex_unlock(&z->lock);
    for (unsigned i = 1; i < z->nworkers; i++)
        pthread_join(z->packers[i].thread, NULL);
    for (unsigned i = 0; i < z->nstreams; i++)
        deflateEnd(&z->packers[i].stream);
    for (size_t i = 0; z->pieces && i < z->npieces; i++) {
        FREE_ALL(z->pieces[i].plain, z->pieces[i].packed);
    }
    pthread_cond_destroy(&z->done);
    pthread_cond_destroy(&z->work);
    pthread_mutex_destroy(&z->lock);
    FREE_ALL(z->packers, z->pieces, z);
}

/* Pass the oldest piece to the sink if it is packed. Otherwise pack or wait. Needs the lock. */
static void advance(struct gzip_out *z)
{
    struct piece *oldest = piece_at(z, z->written);
    if (oldest->done) {
        pthread_mutex_unlock(&z->lock);
        z->sink(z->user, oldest->packed, oldest->npacked);
        oldest->nplain = 0;
        oldest->done = false;
        pthread_mutex_lock(&z->lock);
        z->written++;
    } else if (z->taken < z->filled) {
        pack_next(z, &z->packers[0].stream);
    } else {
        pthread_cond_wait(&z->done, &z->lock);
    }
}

/* Give the current piece to the packers. Wait until at most `pending` pieces are not written. */
static void submit(struct gzip_out *z, size_t pending)
{
    pthread_mutex_lock(&z->lock);
    z->filled++;
    pthread_cond_signal(&z->work);
    while (z->filled - z->written > pending)
        advance(z);
    pthread_mutex_unlock(&z->lock);
}

void gzip_out_write(struct gzip_out *z, const void *bytes, size_t size)
{
    const uint8_t *from = bytes;
    while (size > 0) {
        struct piece *piece = piece_at(z, z->filled);
        size_t room = GZIP_PIECE_BYTES - piece->nplain;
        size_t n = size < room ? size : room;
        memcpy(piece->plain + piece->nplain, from, n);
        piece->nplain += n;
        from += n;
        size -= n;
        if (piece->nplain == GZIP_PIECE_BYTES)
            submit(z, z->npieces - 1);
    }
}

void gzip_out_finish(struct gzip_out *z)
{
    if (piece_at(z, z->filled)->nplain > 0 || z->filled == 0) {
        submit(z, 0);
        return;
    }
    pthread_mutex_lock(&z->lock);
    while (z->filled > z->written)
        advance(z);
    pthread_mutex_unlock(&z->lock);
}
