/* The record file of a synchronized .pex.  pex(5), Synchronized traces. */
#include "output/times.h"
#include "output/trace_out.h"

#include <string.h>

static void write_header(const struct csy_trace *trace, const struct csy_sync *sync,
                         struct outfile *out)
{
    uint8_t header[FILE_HEADER_BYTES] = FILE_MAGIC;
    size_t size = trace->records.header.header_bytes;
    store16(header + 8, 1);
    store16(header + 10, (uint16_t)size);
    store32(header + 12, FILE_GLOBAL_TIME);
    store64(header + 16, sync->survey.records);
    outfile_write(out, header, sizeof header);
    if (size > FILE_HEADER_BYTES)
        outfile_write(out, trace->header_extra, size - FILE_HEADER_BYTES);
}

static void write_record(const struct record *record, int64_t global_ticks, int64_t local_ticks,
                         struct outfile *out)
{
    uint8_t head[RECORD_PPE_BYTES];
    size_t read = record->spe ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    memcpy(head, record->bytes, RECORD_PREFIX_BYTES);
    store16(head, (uint16_t)(record->size + RECORD_PPE_BYTES - read));
    store64(head + 16, (uint64_t)global_ticks);
    store64(head + 24, placement_begin(record, global_ticks, local_ticks));
    outfile_write(out, head, sizeof head);
    outfile_write(out, record->bytes + read, record->size - read);
}

/* Room for a run of plain records. */
enum { ROOM_BYTES = 384 * 1024 };

static uint64_t claim(void *user, size_t size)
{
    return outfile_claim(user, size);
}

static void place(void *user, const uint8_t *bytes, size_t size, uint64_t at)
{
    outfile_place(user, bytes, size, at);
}

/* Plain records many at a time. */
static csy_status copy_plain(struct csy_events *events, struct outfile *out, csy_error *error)
{
    const struct segments_sink sink = {out, claim, place};
    struct lane_taken taken = {0};
    csy_status status = CSY_OK;
    if (outfile_is_shared(out))
        status = events_share(events, &sink, &taken, error);
    if (status || taken.records > 0)
        return status;
    uint8_t *room = outfile_room(out, ROOM_BYTES);
    status = events_copy(events, room, ROOM_BYTES, &taken, error);
    if (!status)
        outfile_advance(out, taken.written);
    return status;
}

/* Plain records many at a time, the others one by one. */
static csy_status copy_records(struct csy_events *events, struct outfile *out, csy_error *error)
{
    csy_event event;
    bool more = true;
    while (more && !outfile_failed(out)) {
        csy_status status = copy_plain(events, out, error);
        if (status)
            return status;
        status = csy_events_next(events, &event, &more, error);
        if (status)
            return status;
        if (!more)
            break;
        write_record(events->event.record, event.global_ticks, event.local_ticks, out);
    }
    return CSY_OK;
}

csy_status records_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                         uint32_t *original_crc32, csy_error *error)
{
    csy_events *events;
    csy_status status = events_open(trace, sync, &events, error);
    if (status)
        return status;
    write_header(trace, sync, out);
    if (original_crc32)
        bytes_crc_start(trace->bytes);
    status = copy_records(events, out, error);
    if (original_crc32)
        *original_crc32 = bytes_crc(trace->bytes);
    csy_events_free(events);
    return status;
}

csy_status records_crc32(struct csy_trace *trace, const struct csy_sync *sync,
                         uint32_t *original_crc32, csy_error *error)
{
    const uint8_t *at;
    const csy_cut *cut = csy_get_cut(sync);
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
