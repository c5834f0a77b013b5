/* What gunzip makes of a file range. */
#include "io/gunzip.h"

#include "base/error.h"
#include "io/inflater.h"

#include <inttypes.h>
#include <stdlib.h>

enum { PACKED_BYTES = 256 * 1024 };

static const char cut_off[] = "the data are cut off";

struct gunzip {
    struct range file;
    struct inflater *inflater;
    bool by_zlib; /* always */
    struct inflater_input input;
    uint64_t position;        /* of the next byte, in what is made */
    uint64_t member_position; /* where the member begins, in what is made and in the file */
    uint64_t member_offset;
    bool in_member; /* some of it has been read, not all */
    bool again;     /* igzip has refused the member, and zlib makes it now */
    bool zeros;     /* the last member has passed: only bytes of zero may follow */
    bool ended;
    bool cut; /* where failed: the file ends too early */
    csy_status failed;
    csy_error error; /* where failed */
    uint8_t packed[PACKED_BYTES];
    uint8_t *scratch; /* a block that has been given out already, when it is made again */
};

csy_status gunzip_new(const struct range *file, bool by_zlib, struct gunzip **out, csy_error *error)
{
    struct gunzip *g = calloc(1, sizeof *g);
    if (g)
        g->inflater = inflater_new();
    if (!g || !g->inflater) {
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
    inflater_free(g->inflater);
    free(g->scratch);
    free(g);
}

/* What is read next is the header of a member. */
static void begin_member(struct gunzip *g, bool again)
{
    g->in_member = false;
    g->again = again;
    g->member_position = g->position;
    g->member_offset = g->file.next - g->input.size;
    inflater_start(g->inflater, g->by_zlib || again);
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

/* Input ends where it would if the file were read in one go: zlib's calls are the same then. */
static csy_status refill(struct gunzip *g, csy_error *error)
{
    size_t got = 0, size = PACKED_BYTES - (g->file.next - g->file.start) % PACKED_BYTES;
    csy_status status = range_read(&g->file, g->packed, size, &got, error);
    g->input = (struct inflater_input){g->packed, got};
    return status;
}

static csy_status refuse(const struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: offset %" PRIu64 ": gzip: %s", g->file.name, at, what);
}

/* igzip has refused the member, or found no end of it: make it again by zlib, which says why.
 * What has been given out of it goes to the scratch block. */
static csy_status make_again(struct gunzip *g, csy_error *error)
{
    if (!g->scratch && !(g->scratch = malloc(GUNZIP_BLOCK_BYTES)))
        return error_memory(error);
    g->position = g->member_position;
    g->file.next = g->member_offset;
    g->file.ended = false;
    g->input.size = 0;
    begin_member(g, true);
    return CSY_OK;
}

static csy_status refuse_member(struct gunzip *g, uint64_t at, const char *what, csy_error *error)
{
    return inflater_by_zlib(g->inflater) ? refuse(g, at, what, error) : make_again(g, error);
}

/* The member is complete.  zlib can have nothing against one that igzip has refused; then it is
 * not known what igzip has made of it, which must not have been given out. */
static csy_status end_member(struct gunzip *g, uint64_t given, csy_error *error)
{
    if (g->again && g->member_position < given)
        return refuse(g, g->member_offset, "igzip and zlib read it differently", error);
    begin_member(g, false);
    return CSY_OK;
}

/* What fills up a tape or a block after the last member. */
static csy_status skip_zeros(struct gunzip *g, csy_error *error)
{
    g->zeros = true;
    while (g->input.size > 0 && *g->input.at == 0) {
        g->input.at++;
        g->input.size--;
    }
    return g->input.size == 0 ? CSY_OK
                              : refuse(g, g->file.next - g->input.size,
                                       "something follows the bytes of zero after a member", error);
}

/* One call that makes bytes, which go where `block` has the place of their position, or ends a
 * member or skips zeros.  Those in front of `given` have been given out. */
static csy_status inflate_some(struct gunzip *g, uint64_t given, uint8_t *block, csy_error *error)
{
    size_t before = g->position % GUNZIP_BLOCK_BYTES, got;
    if (g->input.size == 0 && !g->file.ended) {
        csy_status status = refill(g, error);
        if (status)
            return status;
    }
    uint64_t at = g->file.next - g->input.size;
    if (g->input.size == 0 && !g->in_member) {
        g->ended = at > g->file.start;
        g->cut = !g->ended;
        return g->ended ? CSY_OK : refuse(g, at, cut_off, error);
    }
    if (g->zeros || (!g->in_member && at > g->file.start && *g->input.at == 0))
        return skip_zeros(g, error);
    g->in_member = true;
    enum inflater_result result =
        inflater_run(g->inflater, &g->input, block + before, GUNZIP_BLOCK_BYTES - before, &got);
    if (result == INFLATER_MEMORY)
        return error_memory(error);
    if (result == INFLATER_REFUSED && inflater_in_trailer(g->inflater))
        at = g->file.next - g->input.size;
    if (result == INFLATER_REFUSED)
        return refuse_member(g, at, inflater_reason(g->inflater), error);
    if (result == INFLATER_ON && got == 0 && g->input.size == 0 && g->file.ended) {
        g->cut = inflater_by_zlib(g->inflater);
        return refuse_member(g, g->file.next, cut_off, error);
    }
    g->position += got;
    return result == INFLATER_ENDED ? end_member(g, given, error) : CSY_OK;
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
