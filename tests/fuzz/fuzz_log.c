/*
 * A log of event80: the first byte says what its bytes are like, the second one how long a tick is.
 *
 * Records are of slots within the file, one after the other, and end not before they begin, within
 * 2^53 ticks; a second pass reads the same; salvaged, a log that is cut off ends there, after the
 * same records.
 */
#include "support.h"
#include "trace/event80/log.h"

enum { LITTLE = 1, ENDS = 2, PAGES = 4, CHOICES = 2 };

struct outcome {
    csy_status status;
    uint64_t records, sum; /* of what they say */
    bool is_cut;
};

static void look(const struct log_record *record, size_t size, bool pages)
{
    must(record->begin_ticks >= 0 && record->begin_ticks <= record->time_ticks, "begin");
    must(record->time_ticks <= FINE_TICKS_MAX, "end");
    must(record->place + LOG_RECORD_BYTES <= size, "place");
    must(pages ? record->place % LOG_PAGE_BYTES % LOG_RECORD_BYTES == LOG_PAGE_HEAD_BYTES
               : record->place % LOG_RECORD_BYTES == 0,
         "slot");
    must((unsigned)record->type < LOG_TYPES && record->flag != 0, "type");
}

static struct outcome read_all(struct bytes *bytes, const struct log_shape *shape, size_t size,
                               bool salvage, csy_error *error)
{
    struct log_reader reader = {.bytes = bytes,
                                .name = "fuzz",
                                .shape = *shape,
                                .in_page = LOG_PAGE_RECORDS,
                                .salvage = salvage};
    struct outcome out = {CSY_OK, 0, 0, false};
    struct log_record record;
    bool more = true;
    uint64_t next = 0;
    bytes_rewind(bytes);
    while (!out.status && more) {
        out.status = log_read(&reader, &record, &more, error);
        if (out.status || !more)
            break;
        look(&record, size, shape->pages);
        must(record.place >= next, "order");
        next = record.place + LOG_RECORD_BYTES;
        out.records++;
        out.sum =
            out.sum * 31 + (uint64_t)record.time_ticks + record.enx + (uint32_t)record.data[0];
    }
    must_be_told(out.status, error);
    must(reader.records == out.records, "count");
    must(out.status || reader.is_cut || bytes_offset(bytes) == size, "something is left");
    must(!reader.is_cut || reader.cut.records == out.records, "cut");
    out.is_cut = reader.is_cut;
    return out;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const uint64_t timebases[] = {1, 14318000, 79800000, UINT64_MAX};
    struct bytes *bytes;
    csy_error error = {0};
    if (size < CHOICES)
        return 0;
    const struct log_shape shape = {timebases[data[1] % 4], data[0] & LITTLE, data[0] & ENDS,
                                    data[0] & PAGES};
    data += CHOICES;
    size -= CHOICES;
    must_be_ok(bytes_new(memory_file(data, size), "fuzz", 0, false, 1, &bytes, &error), error);
    struct outcome first = read_all(bytes, &shape, size, false, &error);
    struct outcome second = read_all(bytes, &shape, size, false, &error);
    must(first.status == second.status && first.records == second.records &&
             first.sum == second.sum,
         "another pass");
    struct outcome salvaged = read_all(bytes, &shape, size, true, &error);
    must(salvaged.records >= first.records, "salvaged records");
    must(!salvaged.status || first.status, "salvaged");
    must(!first.is_cut || shape.pages || (!salvaged.status && salvaged.records == first.records),
         "salvaged records");
    bytes_free(bytes);
    return 0;
}
