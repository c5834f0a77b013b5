/* See recorder.h; what the bytes mean is described in pex(5). */
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "blocks.h"
#include "counter.h"
#include "recorder/clock.h"
#include "recorder/record.h"
#include "recorder/shared.h"
#include "recorder/writer.h"

enum {
    HEADER_BYTES = 32,
    PPE_RECORD_BYTES = 32, /* in front of the payload */
    SPE_RECORD_BYTES = 24,
    CORE_PPE = 0,
    CORE_SPE = 1,
    INTERVAL = 1,
    STAMPS_PER_INTERRUPT = 16,
    PATH_MOST = 4096
};

struct recorder {
    struct counter counter;
    uint64_t hz;
    enum stamping stamping;
    struct blocks *blocks; /* or NULL: all write into one buffer, */
    char raw[PATH_MOST];   /* which goes to this file, */
    char path[PATH_MOST];  /* of this folder */
    struct folder folder;
    bool ended;
    _Atomic uint64_t stamps, records, switches, lost, lag_ticks;
};

struct recorder *recorder_new(uint64_t hz, enum stamping stamping, bool hardware)
{
    struct recorder *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    counter_init(&r->counter, hz, hardware);
    r->hz = hz;
    r->stamping = stamping;
    return r;
}

void recorder_free(struct recorder *r)
{
    if (r) {
        if (r->raw[0])
            unlink(r->raw);
        blocks_free(r->blocks);
    }
    free(r);
}

static void note_nothing(void)
{
}

bool recorder_share(struct recorder *r, const char *name)
{
    static const struct settings settings = {.full = FULL_WAIT,
                                             .order = ORDER_BUFFER,
                                             .page_bytes = PAGE_BYTES_MIN,
                                             .buffer_bytes = BUFFER_BYTES};
    static char live[PATH_MOST];
    struct folder_open_file file;
    const char *slash = strrchr(name, '/'), *base = slash ? slash + 1 : name;
    int size = slash ? (int)(slash - name) + 1 : 0;
    if (snprintf(r->path, sizeof r->path, "%.*s.", size, name) < 0 ||
        snprintf(r->raw, sizeof r->raw, "%s.raw", name) < 0 ||
        snprintf(live, sizeof live, "%s.live", base) < 0)
        return false;
    unlink(r->raw);
    /* Others may write to the folder of a test. */
    (void)folder_open(&r->folder, r->path);
    folder_remove(&r->folder, live);
    if (!folder_keep(&file, &r->folder, live, O_RDWR | O_CREAT))
        return false;
    bool good = pages_open(&file, &settings, r->hz) && shared_open(&settings) &&
                writer_start(&r->folder, r->raw + (base - name), &(struct skew){0}, note_nothing);
    folder_remove(&r->folder, live); /* it stays mapped */
    return good;
}

bool recorder_gather(struct recorder *r, unsigned ncontexts, unsigned records)
{
    r->blocks = blocks_new(&r->counter, ncontexts, records);
    return r->blocks != NULL;
}

void recorder_finish(struct recorder *r)
{
    if (r->blocks) {
        blocks_finish(r->blocks);
        return;
    }
    shared_end(&local);
    pages_end(&local);
    r->lost += pages_sum().lost;
    if (writer_end().reason)
        r->lost++;
    r->ended = true;
}

uint64_t recorder_now(const struct recorder *r)
{
    return counter_ticks(&r->counter);
}

static void raise_to(_Atomic uint64_t *greatest, uint64_t value)
{
    uint64_t old = atomic_load(greatest);
    while (value > old && !atomic_compare_exchange_weak(greatest, &old, value))
        ;
}

/* What a thread that is stamped too early has to fear: every so often it loses its core just
 * then. */
static void be_interrupted(struct recorder *r)
{
    if (atomic_fetch_add(&r->stamps, 1) % STAMPS_PER_INTERRUPT == 0)
        sched_yield();
}

/* Take a place of that size for a record, and its stamp, as the mode wants it; NULL: it is lost. */
static uint8_t *stamped_place(struct recorder *r, size_t size_bytes, uint64_t *stamp)
{
    struct shared_place place;
    uint64_t before = counter_ticks(&r->counter);
    if (r->stamping == STAMP_BEFORE)
        be_interrupted(r);
    *stamp = before;
    if (!shared_take(&local, size_bytes, &place))
        return NULL;
    uint64_t within = counter_scaled(&r->counter, place.ticks);
    if (r->stamping == STAMP_IN_PLACE)
        *stamp = within;
    raise_to(&r->lag_ticks, within - *stamp);
    atomic_fetch_add(&r->records, 1);
    return place.bytes;
}

/* Fill a place: all but its stamps, which are words of their own, and in the end its first word. */
static void publish(uint8_t *p, size_t size_bytes, unsigned core, const struct event *event,
                    uint32_t thread)
{
    size_t first = core == CORE_SPE ? SPE_RECORD_BYTES : PPE_RECORD_BYTES;
    word_store(p + 8, (uint64_t)thread << 32); /* of the program counter we know nothing */
    for (unsigned i = 0; i < event->nvalues; i++)
        word_store(p + first + 8 * (size_t)i, event->values[i]);
    word_publish(p, (uint64_t)size_bytes << 48 | (uint64_t)core << 40 |
                        (uint64_t)(event->begin ? INTERVAL : 0) << 32 | (uint64_t)event->id << 16 |
                        event->nvalues);
}

void recorder_ppe(struct recorder *r, uint32_t tid, const struct event *event)
{
    size_t size_bytes = PPE_RECORD_BYTES + 8 * (size_t)event->nvalues;
    uint64_t stamp;
    if (event->id == SPE_SWITCH_IN || event->id == SPE_SWITCH_OUT)
        atomic_fetch_add(&r->switches, 1);
    if (r->blocks) {
        blocks_ppe(r->blocks, event);
        return;
    }
    uint8_t *p = stamped_place(r, size_bytes, &stamp);
    if (!p)
        return;
    word_store(p + 16, stamp);
    word_store(p + 24, event->begin);
    publish(p, size_bytes, CORE_PPE, event, tid);
}

uint64_t recorder_spe(struct recorder *r, uint32_t context, unsigned stay, uint64_t zero,
                      const struct event *event)
{
    if (r->blocks)
        return blocks_spe(r->blocks, context, stay, event);
    size_t size_bytes = SPE_RECORD_BYTES + 8 * (size_t)event->nvalues;
    if (size_bytes < RECORD_BYTES) /* the least that the writer takes for one */
        size_bytes = RECORD_BYTES;
    uint64_t stamp;
    uint8_t *p = stamped_place(r, size_bytes, &stamp);
    if (!p)
        return stamp;
    uint32_t decr = (uint32_t)(zero - stamp);
    uint32_t decr_begin = event->begin ? (uint32_t)(zero - event->begin) : 0;
    word_store(p + 16, (uint64_t)decr << 32 | decr_begin);
    publish(p, size_bytes, CORE_SPE, event, context);
    return stamp;
}

struct recorder_summary recorder_summary(const struct recorder *r)
{
    if (r->blocks)
        return (struct recorder_summary){clock_source(), blocks_records(r->blocks), r->switches,
                                         blocks_lost(r->blocks), 0};
    return (struct recorder_summary){clock_source(), r->records, r->switches, r->lost,
                                     r->lag_ticks};
}

/* The events by name, for readers of the trace; cellsync carries it and needs none of it. */
static const char groups[] =
    "  <pdtGroup name=\"LIBSYNC\" id=\"0x03\">\n"
    "    <subGroup name=\"MUTEX\">\n"
    "      <recordType name=\"MUTEX_LOCK\" id=\"0x0503\" type=\"interval\" stall=\"yes\">\n"
    "        <field name=\"lock\" type=\"u64\"/><field name=\"miss\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "      <recordType name=\"MUTEX_UNLOCK\" id=\"0x0703\">\n"
    "        <field name=\"lock\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "    </subGroup>\n"
    "  </pdtGroup>\n"
    "  <pdtGroup name=\"USER\" id=\"0x05\">\n"
    "    <subGroup name=\"QUEUE\">\n"
    "      <recordType name=\"QUEUE_PUT\" id=\"0x0105\">\n"
    "        <field name=\"item\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "      <recordType name=\"QUEUE_GET\" id=\"0x0205\" type=\"interval\" stall=\"yes\">\n"
    "        <field name=\"item\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "    </subGroup>\n"
    "    <recordType name=\"CLOCK_PROBE\" id=\"0x0505\">\n"
    "      <field name=\"context\" type=\"u64\"/><field name=\"index\" type=\"u64\"/>\n"
    "    </recordType>\n"
    "    <subGroup name=\"BARRIER\">\n"
    "      <recordType name=\"BARRIER_ENTER\" id=\"0x0305\">\n"
    "        <field name=\"round\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "      <recordType name=\"BARRIER_LEAVE\" id=\"0x0405\">\n"
    "        <field name=\"round\" type=\"u64\"/>\n"
    "      </recordType>\n"
    "    </subGroup>\n"
    "  </pdtGroup>\n";

static void write_pex(FILE *file, const struct recorder *r, const char *trace_name,
                      const char *application)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<pdt_trace version=\"1\" application=\"%s\">\n"
            "  <machine name=\"live\" timebase_hz=\"%" PRIu64 "\"/>\n"
            "  <trace_file href=\"%s\"/>\n"
            "  <switch_source kind=\"switch_log\"/>\n"
            "%s"
            "</pdt_trace>\n",
            application, r->hz, trace_name, groups);
}

/* Those of pages and of threads, which have no place among records of a Cell. */
static bool is_own(unsigned id)
{
    return id == ID_BUFFER_FLUSH || id == ID_PAGE_WAIT || id == ID_THREAD_TIMES;
}

/* What the writer has written, but for what is its own; false, with errno, if that cannot be. */
static bool write_records(FILE *file, FILE *raw)
{
    static _Alignas(uint64_t) uint8_t record[1 << 16];
    uint64_t records = 0, header[HEADER_BYTES / 8];
    fseek(raw, HEADER_BYTES, SEEK_SET);
    fseek(file, HEADER_BYTES, SEEK_SET);
    while (fread(record, 8, 1, raw) == 1) {
        size_t size = record_published_size(record);
        if (size < 8 || fread(record + 8, size - 8, 1, raw) != 1) {
            errno = EILSEQ;
            return false;
        }
        if (is_own(head_id(word_load(record))))
            continue;
        fwrite(record, size, 1, file);
        records++;
    }
    memcpy(header, "PDTTRACE", 8);
    word_store(&header[1], UINT64_C(1) << 48 | (uint64_t)HEADER_BYTES << 32); /* version, size */
    word_store(&header[2], records);
    header[3] = 0;
    rewind(file);
    fwrite(header, sizeof header, 1, file);
    return !ferror(raw);
}

/* Have all of it written that is recorded. */
static void empty_buffer(const struct recorder *r)
{
    struct page *page = r->ended ? NULL : shared_give(&local);
    if (page)
        pages_wait(page);
}

static bool closed(FILE *file)
{
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

bool recorder_save(struct recorder *r, const char *name, const char *application)
{
    char path[PATH_MOST];
    if (r->blocks)
        return blocks_save(r->blocks, name, r->hz);
    empty_buffer(r);
    snprintf(path, sizeof path, "%s.trace", name);
    FILE *raw = fopen(r->raw, "rb"), *file = raw ? fopen(path, "wb") : NULL;
    bool good = file && write_records(file, raw);
    if (raw)
        fclose(raw);
    if (!file || !closed(file) || !good)
        return false;

    const char *slash = strrchr(path, '/');
    char trace_name[PATH_MOST];
    snprintf(trace_name, sizeof trace_name, "%s", slash ? slash + 1 : path);
    snprintf(path, sizeof path, "%s.pex", name);
    file = fopen(path, "w");
    if (!file)
        return false;
    write_pex(file, r, trace_name, application);
    return closed(file);
}
