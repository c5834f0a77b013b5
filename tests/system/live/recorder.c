/* See recorder.h; what the bytes mean is described in pex(5). */
#include "recorder.h"

#include <inttypes.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "celltrace/clock.h"
#include "counter.h"

enum {
    HEADER_BYTES = 32,
    PPE_RECORD_BYTES = 32, /* in front of the payload */
    SPE_RECORD_BYTES = 24,
    CORE_PPE = 0,
    CORE_SPE = 1,
    INTERVAL = 1,
    STAMPS_PER_INTERRUPT = 16
};

struct recorder {
    struct counter counter;
    uint64_t hz;
    enum stamping stamping;
    size_t room_bytes;
    uint8_t *bytes;
    struct blocks *blocks; /* or NULL: all write into the buffer */
    _Atomic size_t used_bytes;
    _Atomic uint64_t stamps, records, switches, lost, lag_ticks;
};

struct recorder *recorder_new(uint64_t hz, size_t buffer_bytes, enum stamping stamping,
                              bool hardware)
{
    struct recorder *r = calloc(1, sizeof *r);
    uint8_t *bytes = malloc(buffer_bytes);
    if (!r || !bytes) {
        free(r);
        free(bytes);
        return NULL;
    }
    counter_init(&r->counter, hz, hardware);
    r->hz = hz;
    r->stamping = stamping;
    r->room_bytes = buffer_bytes;
    r->bytes = bytes;
    return r;
}

void recorder_free(struct recorder *r)
{
    if (r) {
        free(r->bytes);
        blocks_free(r->blocks);
    }
    free(r);
}

bool recorder_gather(struct recorder *r, unsigned ncontexts, unsigned records)
{
    r->blocks = blocks_new(&r->counter, ncontexts, records);
    return r->blocks != NULL;
}

void recorder_finish(struct recorder *r)
{
    if (r->blocks)
        blocks_finish(r->blocks);
}

uint64_t recorder_now(const struct recorder *r)
{
    return counter_ticks(&r->counter);
}

static uint8_t *put(uint8_t *p, uint64_t value, int bytes)
{
    for (int i = bytes; i-- > 0; value >>= 8)
        p[i] = (uint8_t)value;
    return p + bytes;
}

/* Take the next place; *ticks is a time when it was the next one.  NULL: no room. */
static uint8_t *take_place(struct recorder *r, size_t size_bytes, uint64_t *ticks)
{
    size_t used = atomic_load(&r->used_bytes);
    do {
        *ticks = counter_ticks(&r->counter);
        if (size_bytes > r->room_bytes - used)
            return NULL;
    } while (!atomic_compare_exchange_weak(&r->used_bytes, &used, used + size_bytes));
    return r->bytes + used;
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

/* Take a place of that size for a record, and its stamp, as the mode wants it. */
static uint8_t *stamped_place(struct recorder *r, size_t size_bytes, uint64_t *stamp)
{
    uint64_t before = counter_ticks(&r->counter), within;
    if (r->stamping == STAMP_BEFORE)
        be_interrupted(r);
    uint8_t *place = take_place(r, size_bytes, &within);
    *stamp = r->stamping == STAMP_BEFORE ? before : within;
    raise_to(&r->lag_ticks, within - *stamp);
    atomic_fetch_add(place ? &r->records : &r->lost, 1);
    return place;
}

static uint8_t *put_prefix(uint8_t *p, size_t size_bytes, unsigned core, const struct event *event,
                           uint32_t thread)
{
    p = put(p, size_bytes, 2);
    p = put(p, core, 1);
    p = put(p, event->begin ? INTERVAL : 0, 1);
    p = put(p, event->id, 2);
    p = put(p, event->nvalues, 2);
    p = put(p, thread, 4);
    return put(p, 0, 4); /* the program counter, of which we know nothing */
}

static void put_values(uint8_t *p, const struct event *event)
{
    for (unsigned i = 0; i < event->nvalues; i++)
        p = put(p, event->values[i], 8);
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
    p = put_prefix(p, size_bytes, CORE_PPE, event, tid);
    p = put(p, stamp, 8);
    p = put(p, event->begin, 8);
    put_values(p, event);
}

uint64_t recorder_spe(struct recorder *r, uint32_t context, unsigned stay, uint64_t zero,
                      const struct event *event)
{
    if (r->blocks)
        return blocks_spe(r->blocks, context, stay, event);
    size_t size_bytes = SPE_RECORD_BYTES + 8 * (size_t)event->nvalues;
    uint64_t stamp;
    uint8_t *p = stamped_place(r, size_bytes, &stamp);
    if (!p)
        return stamp;
    p = put_prefix(p, size_bytes, CORE_SPE, event, context);
    p = put(p, zero - stamp, 4);
    p = put(p, event->begin ? zero - event->begin : 0, 4);
    put_values(p, event);
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

/* The events by name, for whoever reads the trace; cellsync carries it and needs none of it. */
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

static void write_records(FILE *file, const struct recorder *r)
{
    uint8_t header[HEADER_BYTES] = "PDTTRACE", *p = header + 8;
    p = put(p, 1, 2); /* version */
    p = put(p, HEADER_BYTES, 2);
    p = put(p, 0, 4); /* flags: stamps are local */
    put(p, r->records, 8);
    fwrite(header, 1, sizeof header, file);
    fwrite(r->bytes, 1, r->used_bytes, file);
}

static bool closed(FILE *file)
{
    bool good = !ferror(file);
    return fclose(file) == 0 && good;
}

bool recorder_save(const struct recorder *r, const char *name, const char *application)
{
    char path[4096];
    if (r->blocks)
        return blocks_save(r->blocks, name, r->hz);
    snprintf(path, sizeof path, "%s.trace", name);
    FILE *file = fopen(path, "wb");
    if (!file)
        return false;
    write_records(file, r);
    if (!closed(file))
        return false;

    const char *slash = strrchr(path, '/');
    char trace_name[4096];
    snprintf(trace_name, sizeof trace_name, "%s", slash ? slash + 1 : path);
    snprintf(path, sizeof path, "%s.pex", name);
    file = fopen(path, "w");
    if (!file)
        return false;
    write_pex(file, r, trace_name, application);
    return closed(file);
}
