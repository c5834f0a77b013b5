/* See gunzip.h. */
#include "io/gunzip.h"

#include "base/array.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef CELLSYNC_IGZIP
#include <isa-l/igzip_lib.h>
#endif

/* zlib reads all headers. igzip (of ISA-L), if it is built in, inflates the data, otherwise zlib.
 * igzip takes two thirds of the time, but it gives no reason for an error, and refuses some valid
 * streams. So zlib inflates a gzip member again from its begin if igzip refuses the member. */

enum inflated {
    INFLATED_ON,      /* the member is not complete: more input or more room for output is needed */
    INFLATED_ENDED,   /* the member is complete */
    INFLATED_REFUSED, /* the data are wrong; zlib.msg may have the reason */
    INFLATED_MEMORY
};

enum {
    WINDOW_BITS = 15 + 16, /* parameter of zlib: accept gzip members only */
    HEADER_READ = 128,     /* bit of data_type in zlib: the gzip header was just read */
    PACKED_BYTES = 256 * 1024
};

static const char cut_off[] = "the compressed data are cut off";

struct gunzip {
    struct range file;
    z_stream zlib;
#ifdef CELLSYNC_IGZIP
    struct inflate_state igzip;
#endif
    bool by_zlib;         /* true if igzip is never used */
    bool in_data;         /* true if igzip inflates the member, and the header was read */
    const uint8_t *input; /* ninput packed bytes that are not inflated yet */
    size_t ninput;
    uint64_t position;        /* offset of the next unpacked byte */
    uint64_t member_position; /* begin of the member in the unpacked data */
    uint64_t member_offset;   /* begin of the member in the file */
    bool in_member;           /* true if a part of the member was read */
    bool again;               /* true while zlib inflates a member that igzip has refused */
    bool zeros;               /* true after the last gzip member, after which only zero bytes may
                               * follow */
    bool ended;
    bool cut; /* true if the failure is that the file ended too early */
    csy_status failed;
    csy_error error; /* the error, if `failed` is not CSY_OK */
    uint8_t packed[PACKED_BYTES];
    /* for zlib, which repeats a member: memory for bytes that the caller has already got */
    uint8_t *scratch;
};

/* Returns true if zlib, not igzip, handles the current part of the member. */
static bool uses_zlib(const struct gunzip *g)
{
    return g->by_zlib || g->again || !g->in_data;
}

/* Inflate up to `size` bytes of a member. *got is their number. Moves g->input past used bytes. */
static enum inflated inflate_input(struct gunzip *g, uint8_t *to, size_t size, size_t *got)
{
#ifdef CELLSYNC_IGZIP
    if (!uses_zlib(g)) {
        struct inflate_state *i = &g->igzip;
        i->next_in = unconst(g->input);
        i->avail_in = (uint32_t)g->ninput;
        i->next_out = to;
        i->avail_out = (uint32_t)size;
        int code = isal_inflate(i);
        g->input = i->next_in;
        g->ninput = i->avail_in;
        *got = size - i->avail_out;
        return code != ISAL_DECOMP_OK                ? INFLATED_REFUSED
               : i->block_state == ISAL_BLOCK_FINISH ? INFLATED_ENDED
                                                     : INFLATED_ON;
    }
#endif
    z_stream *z = &g->zlib;
    z->next_in = unconst(g->input);
    z->avail_in = (unsigned)g->ninput;
    z->next_out = to;
    z->avail_out = (unsigned)size;
    int code = inflate(z, g->by_zlib || g->again ? Z_NO_FLUSH : Z_BLOCK);
    g->input = z->next_in;
    g->ninput = z->avail_in;
    *got = size - z->avail_out;
    g->in_data = (z->data_type & HEADER_READ) != 0;
    return code == Z_STREAM_END                  ? INFLATED_ENDED
           : code == Z_OK || code == Z_BUF_ERROR ? INFLATED_ON
           : code == Z_MEM_ERROR                 ? INFLATED_MEMORY
                                                 : INFLATED_REFUSED;
}

csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out, csy_error *error)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (!g || inflateInit2(&g->zlib, WINDOW_BITS) != Z_OK) {
        free(g);
        return error_memory(error);
    }
    g->file = *file;
#ifdef CELLSYNC_IGZIP
    g->by_zlib = by_zlib;
#else
    (void)by_zlib;
    g->by_zlib = true;
#endif
    gunzip_rewind(g);
    *out = g;
    return CSY_OK;
}

void gunzip_free(struct gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->zlib);
    FREE_ALL(g->scratch, g);
}

static void begin_member(struct gunzip *g, bool again)
{
    g->in_member = false;
    g->again = again;
    g->member_position = g->position;
    g->member_offset = g->file.next - g->ninput;
    g->in_data = false;
    inflateReset(&g->zlib);
#ifdef CELLSYNC_IGZIP
    isal_inflate_init(&g->igzip);
    g->igzip.crc_flag = ISAL_GZIP_NO_HDR_VER;
#endif
}

void gunzip_rewind(struct gunzip *g)
{
    range_rewind(&g->file);
    g->ninput = 0;
    g->position = 0;
    g->zeros = g->ended = g->cut = false;
    g->failed = CSY_OK;
    begin_member(g, false);
}

static csy_status refuse(const struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    return error_offset(error, g->file.name, at, "gzip: %s", what);
}

/* Refuse a gzip member or, if igzip found the error, let zlib inflate the member again. */
static csy_status refuse_member(struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    if (uses_zlib(g))
        return refuse(g, at, what, error);
    if (!g->scratch && !(g->scratch = malloc(GUNZIP_BLOCK_BYTES)))
        return error_memory(error);
    g->position = g->member_position;
    g->file.next = g->member_offset;
    g->file.ended = false;
    g->ninput = 0;
    begin_member(g, true);
    return CSY_OK;
}

/* Inflate bytes to `block`, end a member, or skip zero bytes. `given` is the number of bytes that
 * the caller has already got. */
static csy_status inflate_some(struct gunzip *g, uint64_t given, uint8_t *block, csy_error *error)
{
    size_t before = g->position % GUNZIP_BLOCK_BYTES, got;
    if (g->ninput == 0 && !g->file.ended) {
        /* End each read at a multiple of PACKED_BYTES, so that zlib always gets the same pieces. */
        size_t read = 0, size = PACKED_BYTES - (g->file.next - g->file.start) % PACKED_BYTES;
        csy_status status = range_read(&g->file, g->packed, size, &read, error);
        g->input = g->packed;
        g->ninput = read;
        if (status)
            return status;
    }
    uint64_t at = g->file.next - g->ninput;
    if (g->ninput == 0 && !g->in_member) {
        g->ended = at > g->file.start;
        g->cut = !g->ended;
        return g->ended ? CSY_OK : refuse(g, at, cut_off, error);
    }
    if (g->zeros || (!g->in_member && at > g->file.start && *g->input == 0)) {
        g->zeros = true;
        while (g->ninput > 0 && *g->input == 0) {
            g->input++;
            g->ninput--;
        }
        return g->ninput == 0
                   ? CSY_OK
                   : refuse(g, g->file.next - g->ninput,
                            "other bytes follow the zero bytes after a gzip member", error);
    }
    g->in_member = true;
    enum inflated result = inflate_input(g, block + before, GUNZIP_BLOCK_BYTES - before, &got);
    if (result == INFLATED_MEMORY)
        return error_memory(error);
    if (result == INFLATED_REFUSED) {
        const char *reason = g->zlib.msg ? g->zlib.msg : "the compressed data are damaged";
        if (strcmp(reason, "incorrect data check") == 0 ||
            strcmp(reason, "incorrect length check") == 0)
            at = g->file.next - g->ninput; /* the last bytes of the member are wrong */
        return refuse_member(g, at, reason, error);
    }
    if (result == INFLATED_ON && got == 0 && g->ninput == 0 && g->file.ended) {
        g->cut = uses_zlib(g);
        return refuse_member(g, g->file.next, cut_off, error);
    }
    g->position += got;
    /* If zlib accepts a member after igzip refused it, the caller may have got wrong bytes. */
    if (result != INFLATED_ENDED)
        return CSY_OK;
    if (g->again && g->member_position < given)
        return refuse(g, g->member_offset,
                      "igzip and zlib decompress it differently, so the data are damaged", error);
    begin_member(g, false);
    return CSY_OK;
}

csy_status gunzip_block(struct gunzip *g, uint8_t *to, size_t *got, csy_error *error)
{
    uint64_t given = g->position;
    while (g->position < given + GUNZIP_BLOCK_BYTES && !g->ended && !g->failed)
        g->failed = inflate_some(g, given, g->position < given ? g->scratch : to, &g->error);
    *got = g->position > given ? (size_t)(g->position - given) : 0;
    if (*got > 0 || !g->failed)
        return CSY_OK;
    if (error)
        *error = g->error;
    return g->failed;
}

bool gunzip_is_cut(const struct gunzip *g)
{
    return g->cut;
}

uint64_t gunzip_file_offset(const struct gunzip *g)
{
    return g->file.next;
}
