/* See gunzip.h. */
#include "io/gunzip.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef CELLSYNC_IGZIP
#include <isa-l/igzip_lib.h>
#endif

/* zlib reads all headers. The data are inflated by igzip (of ISA-L) if it is built in, otherwise by
 * zlib. igzip takes two thirds of the time, but gives no reason for an error, and refuses some
 * streams that zlib accepts. So if igzip refuses a gzip member, zlib inflates the member again. */

enum inflater_result {
    INFLATER_ON,      /* the member is not complete: more input or more room for output is needed */
    INFLATER_ENDED,   /* the member is complete */
    INFLATER_REFUSED, /* the data are wrong; zlib.msg may have the reason */
    INFLATER_MEMORY
};

/* Packed bytes. inflater_run advances `at` and reduces `size` by the bytes that it used. */
struct inflater_input {
    const uint8_t *at;
    size_t size; /* number of bytes, below 4 GiB */
};

enum {
    WINDOW_BITS = 15 + 16, /* parameter of zlib: accept gzip members only */
    HEADER_READ = 128      /* bit of data_type in zlib: the gzip header was just read */
};

struct inflater {
    z_stream zlib;
    bool by_zlib, in_data;
#ifdef CELLSYNC_IGZIP
    struct inflate_state igzip;
#endif
};

static void inflater_start(struct inflater *f, bool by_zlib)
{
    inflateReset(&f->zlib);
    f->in_data = false;
#ifdef CELLSYNC_IGZIP
    f->by_zlib = by_zlib;
    isal_inflate_init(&f->igzip);
    f->igzip.crc_flag = ISAL_GZIP_NO_HDR_VER;
#else
    (void)by_zlib;
    f->by_zlib = true;
#endif
}

/* Returns true if zlib, not igzip, handles the current part of the member. */
static bool inflater_by_zlib(const struct inflater *f)
{
    return f->by_zlib || !f->in_data;
}

static enum inflater_result run_zlib(struct inflater *f, struct inflater_input *input, uint8_t *to,
                                     size_t size, size_t *got)
{
    z_stream *z = &f->zlib;
    z->next_in = unconst(input->at);
    z->avail_in = (unsigned)input->size;
    z->next_out = to;
    z->avail_out = (unsigned)size;
    int code = inflate(z, f->by_zlib ? Z_NO_FLUSH : Z_BLOCK);
    *input = (struct inflater_input){z->next_in, z->avail_in};
    *got = size - z->avail_out;
    f->in_data = (z->data_type & HEADER_READ) != 0;
    return code == Z_STREAM_END                  ? INFLATER_ENDED
           : code == Z_OK || code == Z_BUF_ERROR ? INFLATER_ON
           : code == Z_MEM_ERROR                 ? INFLATER_MEMORY
                                                 : INFLATER_REFUSED;
}

#ifdef CELLSYNC_IGZIP
static enum inflater_result run_igzip(struct inflater *f, struct inflater_input *input, uint8_t *to,
                                      size_t size, size_t *got)
{
    struct inflate_state *i = &f->igzip;
    i->next_in = unconst(input->at);
    i->avail_in = (uint32_t)input->size;
    i->next_out = to;
    i->avail_out = (uint32_t)size;
    int code = isal_inflate(i);
    *input = (struct inflater_input){i->next_in, i->avail_in};
    *got = size - i->avail_out;
    return code != ISAL_DECOMP_OK                ? INFLATER_REFUSED
           : i->block_state == ISAL_BLOCK_FINISH ? INFLATER_ENDED
                                                 : INFLATER_ON;
}
#endif

static enum inflater_result inflater_run(struct inflater *f, struct inflater_input *input,
                                         uint8_t *to, size_t size, size_t *got)
{
#ifdef CELLSYNC_IGZIP
    if (!inflater_by_zlib(f))
        return run_igzip(f, input, to, size, got);
#endif
    return run_zlib(f, input, to, size, got);
}

enum { PACKED_BYTES = 256 * 1024 };

static const char cut_off[] = "the compressed data are cut off";

struct gunzip {
    struct range file;
    struct inflater inflater;
    bool by_zlib; /* true if igzip is never used */
    struct inflater_input input;
    uint64_t position;        /* offset of the next unpacked byte */
    uint64_t member_position; /* begin of the member in the unpacked data */
    uint64_t member_offset;   /* begin of the member in the file */
    bool in_member;           /* true if a part of the member was read */
    bool again;               /* true while zlib inflates a member that igzip has refused */
    bool zeros;               /* true if all members were read, so only zero bytes may follow */
    bool ended;
    bool cut; /* true if the failure is that the file ended too early */
    csy_status failed;
    csy_error error; /* the error, if `failed` is not CSY_OK */
    uint8_t packed[PACKED_BYTES];
    /* receives bytes that were already returned, while zlib inflates their member again */
    uint8_t *scratch;
};

csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out, csy_error *error)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (!g || inflateInit2(&g->inflater.zlib, WINDOW_BITS) != Z_OK) {
        free(g);
        return error_memory(error);
    }
    g->file = *file;
    g->by_zlib = by_zlib;
    gunzip_rewind(g);
    *out = g;
    return CSY_OK;
}

void gunzip_free(struct gunzip *g)
{
    if (!g)
        return;
    inflateEnd(&g->inflater.zlib);
    FREE_ALL(g->scratch, g);
}

static void begin_member(struct gunzip *g, bool again)
{
    g->in_member = false;
    g->again = again;
    g->member_position = g->position;
    g->member_offset = g->file.next - g->input.size;
    inflater_start(&g->inflater, g->by_zlib || again);
}

void gunzip_rewind(struct gunzip *g)
{
    range_rewind(&g->file);
    g->input.size = 0;
    g->position = 0;
    g->zeros = g->ended = g->cut = false;
    g->failed = CSY_OK;
    begin_member(g, false);
}

static csy_status refuse(const struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: offset %" PRIu64 ": gzip: %s", g->file.name, at, what);
}

/* Report an error of a gzip member. If it is from igzip, let zlib inflate the member again. */
static csy_status refuse_member(struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    if (inflater_by_zlib(&g->inflater))
        return refuse(g, at, what, error);
    if (!g->scratch && !(g->scratch = malloc(GUNZIP_BLOCK_BYTES)))
        return error_memory(error);
    g->position = g->member_position;
    g->file.next = g->member_offset;
    g->file.ended = false;
    g->input.size = 0;
    begin_member(g, true);
    return CSY_OK;
}

/* Inflate bytes to `block`, end a member, or skip zero bytes. Bytes before `given` are repeated. */
static csy_status inflate_some(struct gunzip *g, uint64_t given, uint8_t *block, csy_error *error)
{
    size_t before = g->position % GUNZIP_BLOCK_BYTES, got;
    if (g->input.size == 0 && !g->file.ended) {
        /* End each read at a multiple of PACKED_BYTES: zlib must get the same calls again. */
        size_t read = 0, size = PACKED_BYTES - (g->file.next - g->file.start) % PACKED_BYTES;
        csy_status status = range_read(&g->file, g->packed, size, &read, error);
        g->input = (struct inflater_input){g->packed, read};
        if (status)
            return status;
    }
    uint64_t at = g->file.next - g->input.size;
    if (g->input.size == 0 && !g->in_member) {
        g->ended = at > g->file.start;
        g->cut = !g->ended;
        return g->ended ? CSY_OK : refuse(g, at, cut_off, error);
    }
    if (g->zeros || (!g->in_member && at > g->file.start && *g->input.at == 0)) {
        g->zeros = true;
        while (g->input.size > 0 && *g->input.at == 0) {
            g->input.at++;
            g->input.size--;
        }
        return g->input.size == 0
                   ? CSY_OK
                   : refuse(g, g->file.next - g->input.size,
                            "other bytes follow the zero bytes after a gzip member", error);
    }
    g->in_member = true;
    enum inflater_result result =
        inflater_run(&g->inflater, &g->input, block + before, GUNZIP_BLOCK_BYTES - before, &got);
    if (result == INFLATER_MEMORY)
        return error_memory(error);
    if (result == INFLATER_REFUSED) {
        const char *reason =
            g->inflater.zlib.msg ? g->inflater.zlib.msg : "the compressed data are damaged";
        if (strcmp(reason, "incorrect data check") == 0 ||
            strcmp(reason, "incorrect length check") == 0)
            at = g->file.next - g->input.size; /* the trailer was read, and is wrong */
        return refuse_member(g, at, reason, error);
    }
    if (result == INFLATER_ON && got == 0 && g->input.size == 0 && g->file.ended) {
        g->cut = inflater_by_zlib(&g->inflater);
        return refuse_member(g, g->file.next, cut_off, error);
    }
    g->position += got;
    /* If zlib accepts a member that igzip refused, bytes that igzip returned may be wrong. */
    if (result != INFLATER_ENDED)
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
