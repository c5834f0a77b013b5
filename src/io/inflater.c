/* Inflating one gzip member at a time. */
#include "io/inflater.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#ifdef CELLSYNC_IGZIP
#include <isa-l/igzip_lib.h>
#endif

enum {
    WINDOW_BITS = 15 + 16, /* zlib: gzip members only */
    HEADER_READ = 128      /* zlib, in data_type: stands between header and data */
};

struct inflater {
    z_stream zlib;
    bool by_zlib, in_data;
#ifdef CELLSYNC_IGZIP
    struct inflate_state igzip;
#endif
};

struct inflater *inflater_new(void)
{
    struct inflater *f = calloc(1, sizeof *f);
    if (f && inflateInit2(&f->zlib, WINDOW_BITS) == Z_OK)
        return f;
    free(f);
    return NULL;
}

void inflater_free(struct inflater *f)
{
    if (!f)
        return;
    inflateEnd(&f->zlib);
    free(f);
}

void inflater_start(struct inflater *f, bool by_zlib)
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

bool inflater_by_zlib(const struct inflater *f)
{
    return f->by_zlib || !f->in_data;
}

const char *inflater_reason(const struct inflater *f)
{
    return f->zlib.msg ? f->zlib.msg : "broken data";
}

bool inflater_in_trailer(const struct inflater *f)
{
    const char *reason = inflater_reason(f);
    return strcmp(reason, "incorrect data check") == 0 ||
           strcmp(reason, "incorrect length check") == 0;
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

enum inflater_result inflater_run(struct inflater *f, struct inflater_input *input, uint8_t *to,
                                  size_t size, size_t *got)
{
#ifdef CELLSYNC_IGZIP
    if (!inflater_by_zlib(f))
        return run_igzip(f, input, to, size, got);
#endif
    return run_zlib(f, input, to, size, got);
}
