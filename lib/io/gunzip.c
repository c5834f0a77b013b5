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

/* zlib reads all headers. Data are inflated by zlib or, if built in, by igzip (of ISA-L). igzip
 * takes two thirds of the time, but gives no reasons for a refusal, and refuses some streams that
 * zlib accepts. So zlib inflates a member again that igzip refuses. */

enum inflater_result {
    INFLATER_ON,      /* more room is needed or, if room is left, more input */
    INFLATER_ENDED,   /* the member is complete */
    INFLATER_REFUSED, /* the data are wrong; zlib.msg may have the reason */
    INFLATER_MEMORY
};

/* Packed bytes. Both members move past the bytes that were used. */
struct inflater_input {
    const uint8_t *at;
    size_t size; /* number of bytes, below 4 GiB, like the output of inflater_run */
};

enum {
    WINDOW_BITS = 15 + 16, /* parameter of zlib: accept gzip members only */
    HEADER_READ = 128      /* bit in zlib's data_type: the header was just read */
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

/* Returns true if zlib, not igzip, reported that the data are wrong. */
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

/* Inflate up to `size` bytes. *got is the number of inflated bytes. */
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
    bool by_zlib; /* igzip is never used */
    struct inflater_input input;
    uint64_t position;        /* offset of the next unpacked byte */
    uint64_t member_position; /* begin of the member: in the unpacked data, and in the file */
    uint64_t member_offset;
    bool in_member; /* a part of the member was read */
    bool again;     /* zlib inflates the member that igzip has refused */
    bool zeros;     /* all members were read; only zero bytes may follow */
    bool ended;
    bool cut; /* the failure is that the file ended too early */
    csy_status failed;
    csy_error error; /* the error, if `failed` is true */
    uint8_t packed[PACKED_BYTES];
    /* receives blocks that were returned before, while zlib repeats their member */
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
    free(g->scratch);
    free(g);
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

/* If igzip refuses a member, or does not find its end, inflate the member again by zlib, which
 * reports the reason. Bytes that were already returned go to the scratch block. */
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

/* Make one call that produces bytes in `block`, ends a member, or skips zeros. The bytes before the
 * offset `given` were already returned. */
static csy_status inflate_some(struct gunzip *g, uint64_t given, uint8_t *block, csy_error *error)
{
    size_t before = g->position % GUNZIP_BLOCK_BYTES, got;
    if (g->input.size == 0 && !g->file.ended) {
        /* Read to the same offsets as in a pass over the whole file, so zlib gets the same
         * calls. */
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
    /* zlib has inflated a member that igzip refused. The bytes of igzip may be different, so the
     * member is an error if some were returned. */
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
