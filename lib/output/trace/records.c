/* The record files of a synchronized .pex. See pex(5), Synchronized traces. */
#include "base/crc.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"

#include <string.h>

/* How far the record files are written. */
struct record_copy {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    struct outfile *const *files; /* one output for each record file of the trace */
    struct outfile *out;          /* the file being written */
    size_t begun;                 /* index of the last file that was begun */
    uint32_t *original_crc32;     /* of the original records; NULL: not needed */
};

/* Write the header of the next file. */
static void begin_next(struct record_copy *c)
{
    const struct record_file *file = &c->trace->record_files[c->begun];
    uint8_t header[FILE_HEADER_BYTES] = FILE_MAGIC;
    c->out = c->files[c->begun++];
    store16(header + 8, 1);
    store16(header + 10, (uint16_t)file->header_bytes);
    store32(header + 12, FILE_GLOBAL_TIME);
    store64(header + 16, c->trace->nrecord_files > 1 ? file->records : c->sync->survey.records);
    outfile_write(c->out, header, sizeof header);
    if (file->header_bytes > FILE_HEADER_BYTES)
        outfile_write(c->out, file->header_extra, file->header_bytes - FILE_HEADER_BYTES);
}

static csy_status begin_file(void *user, csy_error *error)
{
    struct record_copy *c = user;
    (void)error;
    begin_next(c);
    if (c->trace->nrecord_files > 1 && c->original_crc32)
        *c->original_crc32 = 0;
    else if (c->original_crc32)
        bytes_crc_start(c->trace->bytes);
    return CSY_OK;
}

static csy_status write_record(void *user, const struct event *source, const csy_event *event,
                               csy_error *error)
{
    struct record_copy *c = user;
    const struct record *record = source->record;
    uint8_t head[RECORD_PPE_BYTES];
    size_t read = record->spe ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    (void)error;
    while (c->begun <= source->file)
        begin_next(c);
    if (c->trace->nrecord_files > 1 && c->original_crc32)
        *c->original_crc32 = crc_add(*c->original_crc32, record->bytes, record->size);
    memcpy(head, record->bytes, RECORD_PREFIX_BYTES);
    store16(head, (uint16_t)(record->size + RECORD_PPE_BYTES - read));
    store64(head + 16, (uint64_t)event->global_ticks);
    store64(head + 24, placement_begin(record, event->global_ticks, event->local_ticks));
    outfile_write(c->out, head, sizeof head);
    outfile_write(c->out, record->bytes + read, record->size - read);
    return CSY_OK;
}

/* Reserve room in the file for consecutive plain records. */
enum { ROOM_BYTES = OUTFILE_ROOM_MAX };

static uint64_t claim(void *user, size_t size)
{
    return outfile_claim(user, size);
}

static void place(void *user, const uint8_t *bytes, size_t size, uint64_t at)
{
    outfile_place(user, bytes, size, at);
}

static csy_status copy_plain(void *user, struct csy_events *events, csy_error *error)
{
    struct outfile *out = ((const struct record_copy *)user)->out;
    const struct fast_sink sink = {out, claim, place};
    struct fast_taken taken = {0};
    csy_status status = CSY_OK;
    if (outfile_can_place(out))
        status = events_share(events, &sink, &taken, error);
    if (status || taken.records > 0)
        return status;
    uint8_t *room = outfile_room(out, ROOM_BYTES);
    status = events_copy(events, room, ROOM_BYTES, &taken, error);
    if (!status)
        outfile_advance(out, taken.written);
    return status;
}

static csy_status end_file(void *user, csy_error *error)
{
    struct record_copy *c = user;
    (void)error;
    while (c->begun < c->trace->nrecord_files)
        begin_next(c);
    if (c->trace->nrecord_files == 1 && c->original_crc32)
        *c->original_crc32 = bytes_crc(c->trace->bytes);
    return CSY_OK;
}

static bool has_failed(const void *user)
{
    const struct record_copy *c = user;
    return c->out && outfile_failed(c->out);
}

/* written through the struct: NOLINTBEGIN(readability-non-const-parameter) */
csy_status records_write(struct csy_trace *trace, const struct csy_sync *sync,
                         struct outfile *const *files, uint32_t *original_crc32, csy_error *error)
{
    static const struct writer_format format = {.begin = begin_file,
                                                .take_plain = copy_plain,
                                                .event = write_record,
                                                .end = end_file,
                                                .failed = has_failed};
    struct record_copy copying = {trace, sync, files, NULL, 0, original_crc32};
    return writer_walk(&(struct writer){trace, sync, NULL, &format, &copying}, error);
}
/* NOLINTEND(readability-non-const-parameter) */

csy_status records_crc32(struct csy_trace *trace, const struct csy_sync *sync,
                         uint32_t *original_crc32, csy_error *error)
{
    const uint8_t *at;
    const csy_cut *cut = csy_sync_cut(sync);
    size_t have = 1;
    csy_status status = trace_rewind(trace, error);
    bytes_crc_start(trace->bytes);
    while (!status && have > 0) {
        status = bytes_peek(trace->bytes, 1, &at, &have, error);
        if (!status && cut && have > cut->place - bytes_offset(trace->bytes))
            have = (size_t)(cut->place - bytes_offset(trace->bytes));
        if (!status)
            bytes_skip(trace->bytes, have);
        progress_tell(&trace->progress, "summing", CSY_UNIT_BYTES,
                      bytes_file_offset(trace->bytes) - trace->record_start,
                      trace->record_bytes - trace->record_start);
    }
    *original_crc32 = bytes_crc(trace->bytes);
    return status;
}
