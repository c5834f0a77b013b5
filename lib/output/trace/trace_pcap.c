/* Packet captures with corrected timestamps.
 *
 *   CSY_FORMAT_PCAP    each capture again, byte for byte except for the timestamps of its packets
 *                      and statistics
 *   CSY_FORMAT_PCAPNG  one section with the packets of all captures, an interface for each host and
 *                      kind of link, and nanoseconds; options of packets are kept if their byte
 *                      order is the order of the new file
 *
 * Times are dates by the clock of the reference, so its timestamps do not change. Each event states
 * the file and the offset of its packet. The events of one file come in the order of the file, so
 * each file is read in parallel with the events. */
#include "base/array.h"
#include "base/error.h"
#include "base/heap.h"
#include "output/encode/fine.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "trace/pcap/pcap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { HELD_PACKETS = 1 << 14, HELD_BYTES = 32 << 20, QUEUE_LEAST = 64 };

/* Memory of written packets is used again for packets of at most SPARE_BYTES. */
enum { SPARE_STEP = 64, SPARE_BYTES = 2048 };

struct copy {
    struct host *host;
    struct capture_block block; /* the next block to copy */
    bool more;
    int64_t shift_ns;   /* time that was added to the last packet of this capture */
    size_t *interfaces; /* if merged: for each interface, its number in the output */
    size_t ninterfaces, capacity;
};

/* A packet of the merged file that is held back, because earlier packets may follow. */
struct held {
    int64_t time_ns;
    uint64_t number;
    uint8_t *bytes; /* bytes of the whole block */
    size_t size;
    struct queue *queue; /* queue of the packet, or NULL if it came out of order */
};

/* Held packets of one thread, in ascending order of time. The first is in pcap_copy.heap. */
struct queue {
    struct held *items;  /* a ring buffer with all packets except the first one */
    uint64_t first, end; /* numbers of the first packet in the ring and of the next packet to add */
    size_t capacity;
    int64_t last_ns; /* time of the last packet in the queue */
    bool any;        /* true if the heap has a packet of this queue */
};

struct pcap_copy {
    struct csy_trace *trace;
    const struct csy_sync *sync;
    struct hosts hosts; /* all captures, each read in parallel with its events */
    struct copy *copies;
    bool merged;
    int128 dates_ns;              /* number that is added to a global time to get a date */
    struct outfile *const *files; /* an output for each capture or, if merged, only one output */
    struct queue *queues;         /* if merged, a queue for each thread */
    struct held *heap;            /* first packets of queues, and packets out of their thread's
                                   * order */
    size_t nheap, nheld, held_bytes;
    uint64_t packets;
    /* lists of unused memory, one for each multiple of SPARE_STEP bytes; each piece begins with
     * a pointer to the next one */
    void *spare[SPARE_BYTES / SPARE_STEP + 1];
    size_t spare_bytes; /* size of all unused memory, at most HELD_BYTES */
    size_t ninterfaces; /* if merged, the number of interfaces written so far */
    uint8_t *block;     /* copy of the block that is being written */
    size_t room;
};

/* --- Copying --------------------------------------------------------------------------------- */

static csy_status next_block(struct pcap_copy *w, struct copy *copy, csy_error *error)
{
    return capture_next(&copy->host->capture, &copy->block, &copy->more, w->trace->salvage, error);
}

static csy_status refuse_time(const struct copy *copy, csy_error *error)
{
    return error_set(error, CSY_INPUT,
                     "%s: offset %" PRIu64 ": the corrected time does not fit into the capture",
                     copy->host->trace->name, copy->block.place);
}

/* Write the present block of a capture with a new timestamp. */
static csy_status copy_block(struct pcap_copy *w, struct copy *copy, csy_error *error)
{
    const struct capture_block *block = &copy->block;
    struct outfile *out = w->files[copy - w->copies];
    if (block->kind != CAPTURE_PACKET && block->kind != CAPTURE_STATISTICS) {
        outfile_write(out, block->bytes, block->size);
        return CSY_OK;
    }
    if (!ARRAY_RESERVE(w->block, w->room, block->size))
        return error_memory(error);
    memcpy(w->block, block->bytes, block->size);
    if (!capture_shift(&copy->host->capture, block, w->block, copy->shift_ns))
        return refuse_time(copy, error);
    outfile_write(out, w->block, block->size);
    return CSY_OK;
}

/* --- The merged file ------------------------------------------------------------------------- */

static void put32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static size_t padded(size_t size)
{
    return (size + 3) & ~(size_t)3;
}

static uint8_t *put_option(uint8_t *at, unsigned code, const void *value, size_t size)
{
    at[0] = (uint8_t)code;
    at[1] = (uint8_t)(code >> 8);
    at[2] = (uint8_t)size;
    at[3] = (uint8_t)(size >> 8);
    memset(at + 4, 0, padded(size));
    if (size > 0)
        memcpy(at + 4, value, size);
    return at + 4 + padded(size);
}

/* Write a block: its type, its length, the body up to `end`, and the length again. */
static void finish_block(struct pcap_copy *w, uint8_t *block, uint8_t *end, uint32_t type)
{
    size_t size = (size_t)(end - block) + 4;
    put32(block, type);
    put32(block + 4, (uint32_t)size);
    put32(end, (uint32_t)size);
    outfile_write(w->files[0], block, size);
}

/* Returns true if a clock is a segment of the clock NAME: NAME, NAME/2, or NAME@POSITION, see
 * clock/names.h. */
static bool is_segment(const char *clock, const char *name)
{
    size_t size = strlen(name);
    if (strncmp(clock, name, size) != 0)
        return false;
    const char *end = clock + size;
    size_t digits = *end ? strspn(end + 1, "0123456789") : 0;
    return !*end || ((*end == '/' || *end == '@') && digits > 0 && !end[1 + digits]);
}

/* Describe, for people, by how much the clock of a host may be wrong. */
static void describe_bound(const struct pcap_copy *w, const struct host *host, size_t index,
                           char *text, size_t room)
{
    const struct csy_sync *sync = w->sync;
    const csy_drift *drift = csy_sync_drift(sync);
    const char *reference = sync->views[sync->reference].name;
    int64_t greatest = 0;
    size_t segments = 0, unbounded = 0;
    bool is_reference = false;
    const char *names[] = {pcap_thread(w->trace, index, CAPTURE_WAY_OUT),
                           pcap_thread(w->trace, index, CAPTURE_WAY_IN)};
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const csy_thread *thread = &sync->views[t];
        if (!is_segment(thread->name, names[0]) && !is_segment(thread->name, names[1]))
            continue;
        segments++;
        is_reference |= t == sync->reference;
        int64_t error = 0;
        if (drift) {
            unbounded += !drift->clocks[t].bounded;
            error = fine_up(drift->clocks[t].max_error);
        } else if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX) {
            unbounded++;
        } else {
            error = thread->latest_ticks - thread->earliest_ticks;
        }
        greatest = error > greatest ? error : greatest;
    }
    if (is_reference && segments == 1)
        snprintf(text, room, "%s: the reference; its timestamps are unchanged", host->name);
    else if (unbounded == segments)
        snprintf(text, room, "%s: the clock of this host has no bounds", host->name);
    else if (unbounded > 0)
        snprintf(text, room,
                 "%s: synchronized to %s; the clock of this host was set, and %zu of its %zu "
                 "segments have no bounds; in the others, it is off by at most %" PRId64 " ns",
                 host->name, reference, unbounded, segments, greatest);
    else
        snprintf(text, room,
                 "%s: synchronized to %s; the clock of this host is off by at most %" PRId64 " ns",
                 host->name, reference, greatest);
}

/* Write those interfaces of a capture that were read so far. More interfaces may follow packets. */
static csy_status write_interfaces(struct pcap_copy *w, struct copy *copy, csy_error *error)
{
    const struct capture *capture = &copy->host->capture;
    size_t name = strlen(copy->host->name);
    while (copy->ninterfaces < capture->ninterfaces) {
        const struct capture_interface *from = &capture->interfaces[copy->ninterfaces];
        char text[512];
        uint8_t unit = 9, *block = malloc(640 + padded(name));
        if (!block)
            return error_memory(error);
        uint8_t *at = block + 16;
        describe_bound(w, copy->host, (size_t)(copy - w->copies), text, sizeof text);
        put32(block + 8, from->link);
        put32(block + 12, from->snap_bytes);
        at = put_option(at, 2, copy->host->name, name);
        at = put_option(at, 3, text, strlen(text));
        if (from->has_mac)
            at = put_option(at, 6, from->mac, sizeof from->mac);
        at = put_option(at, 9, &unit, 1);
        at = put_option(at, 0, NULL, 0);
        finish_block(w, block, at, 1);
        free(block);
        if (!ARRAY_PUSH(copy->interfaces, copy->ninterfaces, copy->capacity, w->ninterfaces++))
            return error_memory(error);
    }
    return CSY_OK;
}

/* Returns the number of steps in `size` bytes, or 0 if such memory is not used again. */
static size_t steps_of(size_t size)
{
    return size <= SPARE_BYTES ? (size + SPARE_STEP - 1) / SPARE_STEP : 0;
}

static uint8_t *take_bytes(struct pcap_copy *w, size_t size)
{
    size_t steps = steps_of(size);
    void *bytes = w->spare[steps];
    if (!bytes)
        return malloc(steps ? steps * SPARE_STEP : size);
    memcpy(&w->spare[steps], bytes, sizeof w->spare[steps]);
    w->spare_bytes -= steps * SPARE_STEP;
    return bytes;
}

static void give_bytes(struct pcap_copy *w, uint8_t *bytes, size_t size)
{
    size_t steps = steps_of(size);
    if (steps == 0 || w->spare_bytes + steps * SPARE_STEP > HELD_BYTES) {
        free(bytes);
        return;
    }
    memcpy(bytes, &w->spare[steps], sizeof w->spare[steps]);
    w->spare[steps] = bytes;
    w->spare_bytes += steps * SPARE_STEP;
}

static bool is_earlier(const void *a, const void *b)
{
    const struct held *x = a, *y = b;
    return x->time_ns != y->time_ns ? x->time_ns < y->time_ns : x->number < y->number;
}

/* Write the earliest packet of those that are held. */
static void release_one(struct pcap_copy *w)
{
    struct held first;
    heap_take(w->heap, &w->nheap, sizeof *w->heap, &first, is_earlier);
    outfile_write(w->files[0], first.bytes, first.size);
    w->nheld--;
    w->held_bytes -= first.size;
    give_bytes(w, first.bytes, first.size);
    struct queue *queue = first.queue;
    if (!queue)
        return;
    queue->any = queue->first < queue->end;
    if (queue->any) {
        const struct held *next = &queue->items[queue->first++ & (queue->capacity - 1)];
        const struct held *later = &queue->items[(queue->first + 3) & (queue->capacity - 1)];
        if (queue->first + 3 < queue->end) { /* load the next bytes into the processor's cache */
            __builtin_prefetch(later->bytes);
            __builtin_prefetch(later->bytes + 64);
        }
        heap_put(w->heap, &w->nheap, sizeof *w->heap, next, is_earlier);
    }
}

/* Hold a packet back, in its queue or the heap. If too many are held, write the earliest. */
static csy_status hold_packet(struct pcap_copy *w, struct copy *copy, struct queue *queue,
                              int64_t time_ns, csy_error *error)
{
    const struct capture_block *block = &copy->block;
    const struct capture *capture = &copy->host->capture;
    if (copy->ninterfaces < capture->ninterfaces) {
        csy_status status = write_interfaces(w, copy, error);
        if (status)
            return status;
    }
    const uint8_t *options = block->packet + padded(block->captured);
    const uint8_t *end = block->bytes + block->size - 4;
    bool keep = capture->pcapng && !capture->swapped && options < end;
    size_t noptions = keep ? (size_t)(end - options) : 0;
    size_t size = 32 + padded(block->captured) + noptions;
    uint8_t *bytes = take_bytes(w, size);
    if (!bytes)
        return error_memory(error);
    put32(bytes, 6);
    put32(bytes + 4, (uint32_t)size);
    put32(bytes + 8, (uint32_t)copy->interfaces[block->interface]);
    put32(bytes + 12, (uint32_t)((uint64_t)time_ns >> 32));
    put32(bytes + 16, (uint32_t)time_ns);
    put32(bytes + 20, block->captured);
    put32(bytes + 24, block->length);
    memset(bytes + 28 + block->captured, 0, padded(block->captured) - block->captured);
    memcpy(bytes + 28, block->packet, block->captured);
    if (noptions > 0)
        memcpy(bytes + 28 + padded(block->captured), options, noptions);
    put32(bytes + size - 4, (uint32_t)size);
    struct held held = {time_ns, w->packets++, bytes, size, NULL};
    bool follows = queue->any && time_ns >= queue->last_ns;
    if (follows && queue->end - queue->first == queue->capacity &&
        !RING_GROW(queue->items, queue->capacity, QUEUE_LEAST, queue->first, queue->end)) {
        free(bytes);
        return error_memory(error);
    }
    if (follows || !queue->any) {
        held.queue = queue;
        queue->any = true;
        queue->last_ns = time_ns;
    }
    if (follows)
        queue->items[queue->end++ & (queue->capacity - 1)] = held;
    else
        heap_put(w->heap, &w->nheap, sizeof *w->heap, &held, is_earlier);
    w->nheld++;
    w->held_bytes += size;
    while (w->nheld == HELD_PACKETS || (w->held_bytes > HELD_BYTES && w->nheld > 1))
        release_one(w);
    return CSY_OK;
}

/* --- The pass over the events ---------------------------------------------------------------- */

/* Copy the blocks of a capture, up to the packet of an event. */
static csy_status put_packet(void *user, const struct event *source, const csy_event *event,
                             csy_error *error)
{
    struct pcap_copy *w = user;
    struct copy *copy = &w->copies[source->file];
    uint64_t place = source->place;
    trace_place(w->trace, &place);
    csy_status status = CSY_OK;
    while (!status && copy->more && copy->block.place < place) {
        if (!w->merged)
            status = copy_block(w, copy, error);
        status = status ? status : next_block(w, copy, error);
    }
    if (status)
        return status;
    if (!copy->more || copy->block.place != place || copy->block.kind != CAPTURE_PACKET)
        return trace_refuse_changed(copy->host->trace, error);
    int128 date = event->global_ticks + w->dates_ns;
    int128 shift = date - copy->block.time_ns;
    if (!fits_int64(date) || !fits_int64(shift) || (w->merged && date < 0))
        return refuse_time(copy, error);
    copy->shift_ns = (int64_t)shift;
    status = w->merged ? hold_packet(w, copy, &w->queues[event->thread], (int64_t)date, error)
                       : copy_block(w, copy, error);
    return status ? status : next_block(w, copy, error);
}

static bool has_failed(const void *user)
{
    const struct pcap_copy *w = user;
    bool failed = false;
    for (size_t i = 0; i < (w->merged ? 1 : w->hosts.count); i++)
        failed |= outfile_failed(w->files[i]);
    return failed;
}

/* Copy the blocks that follow the last packet of each capture. */
static csy_status put_rest(void *user, csy_error *error)
{
    struct pcap_copy *w = user;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < w->hosts.count && !status; i++) {
        struct copy *copy = &w->copies[i];
        while (copy->more && !status && !has_failed(w)) {
            if (copy->block.kind == CAPTURE_PACKET)
                return trace_refuse_changed(copy->host->trace, error);
            if (!w->merged)
                status = copy_block(w, copy, error);
            status = status ? status : next_block(w, copy, error);
        }
    }
    while (w->nheld > 0)
        release_one(w);
    return status;
}

csy_status pcap_write(struct csy_trace *trace, const struct csy_sync *sync, bool merged,
                      struct outfile *const *files, csy_error *error)
{
    static const struct writer_format format = {
        .event = put_packet, .end = put_rest, .failed = has_failed};
    const struct selection all = {.all = true};
    struct pcap_copy w = {.trace = trace, .sync = sync, .merged = merged, .files = files};
    const struct hosts *hosts = pcap_hosts(trace);
    const size_t nqueues = sync->survey.threads.count;
    csy_status status = hosts_fork(hosts, trace->workers, &w.hosts, error);
    w.copies = calloc(hosts->count, sizeof *w.copies);
    w.queues = merged ? calloc(nqueues + 1, sizeof *w.queues) : NULL;
    w.heap = merged ? calloc(HELD_PACKETS, sizeof *w.heap) : NULL;
    if (!status && (!w.copies || (merged && (!w.queues || !w.heap))))
        status = error_memory(error);
    for (size_t i = 0; i < w.hosts.count && !status; i++) {
        struct copy *copy = &w.copies[i];
        copy->host = &w.hosts.items[i];
        host_rewind(copy->host);
        status = next_block(&w, copy, error);
    }
    int64_t first = hosts->items[0].first_ns;
    w.dates_ns = first - placement_of(sync, sync->reference, first);
    if (!status && merged) { /* section header; 0xff: unknown length */
        static const char program[] = "cellsync " CSY_VERSION;
        uint8_t block[128], *at = block + 24;
        put32(block + 8, 0x1a2b3c4d);
        put32(block + 12, 1);
        memset(block + 16, 0xff, 8);
        at = put_option(at, 4, program, sizeof program - 1);
        at = put_option(at, 0, NULL, 0);
        finish_block(&w, block, at, 0x0a0d0d0a);
    }
    trace->skips_roles = true;
    status = status ? status : writer_walk(&(struct writer){trace, sync, &all, &format, &w}, error);
    trace->skips_roles = false;
    for (size_t i = 0; i < w.hosts.count && w.copies; i++)
        free(w.copies[i].interfaces);
    for (size_t i = 0; w.heap && i < w.nheap; i++)
        free(w.heap[i].bytes);
    for (size_t i = 0; w.queues && i < nqueues; i++) {
        struct queue *queue = &w.queues[i];
        for (; queue->first < queue->end; queue->first++)
            free(queue->items[queue->first & (queue->capacity - 1)].bytes);
        free(queue->items);
    }
    for (size_t steps = 1; steps <= SPARE_BYTES / SPARE_STEP; steps++)
        while (w.spare[steps])
            free(take_bytes(&w, steps * SPARE_STEP));
    FREE_ALL(w.queues, w.heap, w.copies, w.block);
    hosts_fini(&w.hosts);
    return status;
}
