/* Reads trace events of Chrome. See items.h. */
#include "trace/json/items.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "io/path.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_ROOM = 256, NO_DOCUMENT_RANK = -1 };

/* A text that is cut to the size of the array. */
struct text {
    char bytes[TEXT_ROOM];
    size_t size;
};

struct number {
    bool has;
    int64_t value;
};

enum operation {
    OPERATION_NONE,
    OPERATION_OF_ALL,    /* each member waits for all others */
    OPERATION_FROM_ROOT, /* each member waits for the root, as in a broadcast */
    OPERATION_TO_ROOT    /* the root waits for each member */
};

/* The part of one rank in a collective operation. */
struct member {
    uint32_t item, document;
    uint32_t series; /* number that all operations of one kind in one group share */
    uint32_t launch; /* key of the call that launched the GPU kernel, or NO_TEXT */
    uint32_t ranks;  /* number of the list of the group's ranks in `lists`, or NO_TEXT */
    enum operation operation;
    struct number root; /* rank of the root in the group */
    struct number external;
    bool has_sequence;
    uint64_t sequence;
};

/* The root of a collective operation, which a record of the CPU states. The GPU kernel of the
 * operation has the same id `external`. */
struct named_root {
    uint32_t document;
    int64_t external, root;
};

/* One end of an arrow (flow) from an event to another one, or from a call to its GPU work. */
struct end {
    uint32_t key, item;
    bool begins;
};

/* GPU work that a call launched, on a lane: a stream, or all streams of a GPU context. */
struct work {
    uint32_t lane, item;
    /* key of the call that launched the work; after find_orders, track of the call */
    uint32_t launch;
    int64_t launch_ticks; /* begin of the call, which find_orders sets */
};

/* A call that waits until the work on a lane is done. */
struct wait {
    uint32_t call; /* key of the call */
    uint32_t copy; /* index of the copy that the call waits for, or NO_TEXT if it waits for all work
                    * of `lane` */
    uint32_t lane;
    /* key of the call that recorded the CUDA event for which this call waits. Only work before that
     * call is awaited. NO_TEXT: all earlier work is awaited. */
    uint32_t record;
};

/* A relation between two items: `from` ends before `to` ends. */
struct order {
    uint32_t from, to;
};

struct document {
    size_t first;     /* index of its first item */
    const char *file; /* name of the file */
    const char *prefix;
    int64_t base_ticks, rank;
    bool has_step;
    int64_t step, step_ticks; /* number and begin of the first event ProfilerStep#N */
    /* number of the clock of the first process that is not a GPU, or NO_TEXT */
    uint32_t main_clock;
};

struct process {
    uint32_t document, clock;
    bool is_gpu, numbered;
    char *label;
};

struct thread_of {
    /* `top` is the innermost item without an end event so far, or NO_TEXT */
    uint32_t process, top;
    char *label;
};

struct reading {
    struct json_reading json;
    struct items *items;
    struct chrome_clocks *clocks;
    struct chrome_counts *counts;
    struct document *documents;
    size_t ndocuments, documents_capacity;
    struct process *processes; /* properties of each process in clocks->processes */
    size_t processes_capacity;
    struct texts threads; /* texts of the form "PROCESS THREAD" */
    struct thread_of *thread_of;
    size_t threads_capacity;
    uint32_t *below;
    size_t below_capacity;
    struct texts series, keys;
    struct member *members;
    size_t nmembers, members_capacity;
    struct end *ends;
    size_t nends, ends_capacity;
    struct texts lanes, lists;
    struct named_root *roots;
    size_t nroots, roots_capacity;
    struct work *work;
    size_t nwork, work_capacity;
    struct wait *waits;
    size_t nwaits, waits_capacity;
    struct order *orders;
    size_t norders, orders_capacity;
    uint64_t unknown_roots;
    bool no_memory;
    /* The following members describe the event that is being read. */
    uint64_t place;
    char phase;
    bool has_time, has_duration, has_sequence, bare;
    struct number root, elements, external, context, stream, wait_stream;
    int64_t time_ticks, duration_ticks;
    uint64_t sequence;
    /* The following members describe the previous event in this document. */
    bool has_last;
    struct text last_process, last_thread;
    uint32_t last_process_number, last_thread_number;
    struct text process, thread, name, category, id, correlation, collective, group, label, ranks,
        sync, wait_record;
};

/* --- The format ------------------------------------------------------------------------------ */

static JSON_OBJECT(
    arguments, {"correlation", CHROME_CORRELATION, NULL},
    {"Collective name", CHROME_COLLECTIVE, NULL}, {"Process Group Name", CHROME_GROUP, NULL},
    {"Process Group Ranks", CHROME_RANKS, NULL}, {"In msg nelems", CHROME_ELEMENTS, NULL},
    {"Out msg nelems", CHROME_ELEMENTS, NULL}, {"Rank", CHROME_ROOT, NULL},
    {"Seq", CHROME_SEQUENCE, NULL}, {"External id", CHROME_EXTERNAL, NULL},
    {"context", CHROME_CONTEXT, NULL}, {"stream", CHROME_STREAM, NULL},
    {"cuda_sync_kind", CHROME_SYNC, NULL}, {"wait_on_stream", CHROME_WAIT_STREAM, NULL},
    {"wait_on_cuda_event_record_corr_id", CHROME_WAIT_RECORD, NULL}, {"name", CHROME_LABEL, NULL});
static JSON_OBJECT(event, {"ph", CHROME_PHASE, NULL}, {"ts", CHROME_TIME, NULL},
                   {"dur", CHROME_DURATION, NULL}, {"pid", CHROME_PROCESS, NULL},
                   {"tid", CHROME_THREAD, NULL}, {"name", CHROME_NAME, NULL},
                   {"cat", CHROME_CATEGORY, NULL}, {"id", CHROME_ID, NULL},
                   {"args", CHROME_NOTHING, &arguments});
static JSON_OBJECT(distributed, {"rank", CHROME_RANK, NULL});
static JSON_OBJECT(other, {"producer", CHROME_WRITER, NULL});
/* A document is an array of events, or an object that contains such an array. */
JSON_OBJECT(chrome_root, {"traceEvents", CHROME_EVENT, &event},
            {"baseTimeNanoseconds", CHROME_BASE, NULL},
            {"distributedInfo", CHROME_NOTHING, &distributed},
            {"otherData", CHROME_NOTHING, &other}, {"cellsync", CHROME_CORRECTED, NULL},
            {"ph", CHROME_PHASE, NULL}, {"ts", CHROME_TIME, NULL}, {"dur", CHROME_DURATION, NULL},
            {"pid", CHROME_PROCESS, NULL}, {"tid", CHROME_THREAD, NULL},
            {"name", CHROME_NAME, NULL}, {"cat", CHROME_CATEGORY, NULL}, {"id", CHROME_ID, NULL},
            {"args", CHROME_NOTHING, &arguments});

void chrome_clocks_fini(struct chrome_clocks *clocks)
{
    texts_fini(&clocks->processes);
    FREE_ALL(clocks->clock_of, clocks->bases);
    *clocks = (struct chrome_clocks){.clock_of = NULL};
}

static size_t process_key(char *key, size_t room, size_t document, const char *process, size_t size)
{
    int n = snprintf(key, room, "%zu %.*s", document, (int)(size < TEXT_ROOM ? size : TEXT_ROOM),
                     process);
    return (size_t)n < room ? (size_t)n : room - 1;
}

uint32_t chrome_clock(const struct chrome_clocks *clocks, size_t document, const char *process,
                      size_t size)
{
    char key[TEXT_ROOM + NUMBER_DIGITS_MAX + 2];
    uint32_t number;
    size_t n = process_key(key, sizeof key, document, process, size);
    return texts_look(&clocks->processes, key, n, &number) ? clocks->clock_of[number] : NO_TEXT;
}

/* --- Events ---------------------------------------------------------------------------------- */

/* For each field of an event: the offset in struct reading where its text or number is stored. */
static const size_t texts_of[CHROME_FIELDS] = {
    [CHROME_PROCESS] = offsetof(struct reading, process),
    [CHROME_THREAD] = offsetof(struct reading, thread),
    [CHROME_NAME] = offsetof(struct reading, name),
    [CHROME_CATEGORY] = offsetof(struct reading, category),
    [CHROME_ID] = offsetof(struct reading, id),
    [CHROME_CORRELATION] = offsetof(struct reading, correlation),
    [CHROME_COLLECTIVE] = offsetof(struct reading, collective),
    [CHROME_GROUP] = offsetof(struct reading, group),
    [CHROME_LABEL] = offsetof(struct reading, label),
    [CHROME_RANKS] = offsetof(struct reading, ranks),
    [CHROME_SYNC] = offsetof(struct reading, sync),
    [CHROME_WAIT_RECORD] = offsetof(struct reading, wait_record)};
static const size_t numbers_of[CHROME_FIELDS] = {
    [CHROME_ROOT] = offsetof(struct reading, root),
    [CHROME_EXTERNAL] = offsetof(struct reading, external),
    [CHROME_CONTEXT] = offsetof(struct reading, context),
    [CHROME_STREAM] = offsetof(struct reading, stream),
    [CHROME_WAIT_STREAM] = offsetof(struct reading, wait_stream)};

static bool begins(const struct text *text, const char *with)
{
    return strncmp(text->bytes, with, strlen(with)) == 0;
}

static bool same(const struct text *text, const char *with)
{
    return strcmp(text->bytes, with) == 0;
}

static bool same_text(const struct text *a, const struct text *b)
{
    return a->size == b->size && memcmp(a->bytes, b->bytes, a->size) == 0;
}

static struct document *current(struct reading *r)
{
    return &r->documents[r->ndocuments - 1];
}

static csy_status begin_document(struct reading *r, csy_error *error)
{
    r->has_last = false;
    return ARRAY_PUSH(r->documents, r->ndocuments, r->documents_capacity,
                      (struct document){.first = r->items->count,
                                        .file = r->json.name,
                                        .prefix = r->items->prefix,
                                        .rank = NO_DOCUMENT_RANK,
                                        .main_clock = NO_TEXT})
               ? CSY_OK
               : error_memory(error);
}

static csy_status end_document(struct reading *r, csy_error *error)
{
    struct document *document = current(r);
    struct chrome_clocks *clocks = r->clocks;
    for (size_t i = document->first; i < r->items->count; i++) {
        struct json_item *item = &r->items->all[i];
        if (__builtin_add_overflow(item->begin_ticks, document->base_ticks, &item->begin_ticks) ||
            __builtin_add_overflow(item->end_ticks, document->base_ticks, &item->end_ticks))
            return error_set(error, CSY_INPUT,
                             "a time plus \"baseTimeNanoseconds\" exceeds 64 bits");
    }
    document->step_ticks += document->has_step ? document->base_ticks : 0;
    return ARRAY_PUSH(clocks->bases, clocks->nbases, clocks->bases_capacity, document->base_ticks)
               ? CSY_OK
               : error_memory(error);
}

static bool is_gpu_event(const struct reading *r)
{
    return same(&r->category, "kernel") || same(&r->category, "gpu_memcpy") ||
           same(&r->category, "gpu_memset");
}

static csy_status find_thread(struct reading *r, uint32_t *process, uint32_t *thread,
                              csy_error *error)
{
    char key[2 * TEXT_ROOM];
    struct chrome_clocks *clocks = r->clocks;
    bool added;
    if (r->has_last && same_text(&r->process, &r->last_process) &&
        same_text(&r->thread, &r->last_thread)) {
        *process = r->last_process_number;
        *thread = r->last_thread_number;
        return CSY_OK;
    }
    size_t n = process_key(key, sizeof key, r->ndocuments - 1, r->process.bytes, r->process.size);
    if (!texts_find(&clocks->processes, key, n, process, &added) ||
        !ARRAY_RESERVE(r->processes, r->processes_capacity, (size_t)*process + 1))
        return error_memory(error);
    if (added) {
        bool numbered = r->process.size > 0;
        for (size_t i = 0; i < r->process.size; i++)
            numbered &= (r->process.bytes[i] >= '0' && r->process.bytes[i] <= '9') || i == 0;
        numbered &= r->process.bytes[0] == '-' ||
                    (r->process.bytes[0] >= '0' && r->process.bytes[0] <= '9');
        r->processes[*process] = (struct process){
            .document = (uint32_t)r->ndocuments - 1, .clock = NO_TEXT, .numbered = numbered};
    }
    n = (size_t)snprintf(key, sizeof key, "%" PRIu32 " %s", *process, r->thread.bytes);
    if (!texts_find(&r->threads, key, n, thread, &added) ||
        !ARRAY_RESERVE(r->thread_of, r->threads_capacity, (size_t)*thread + 1))
        return error_memory(error);
    r->has_last = true;
    r->last_process = r->process;
    r->last_thread = r->thread;
    r->last_process_number = *process;
    r->last_thread_number = *thread;
    if (!added)
        return CSY_OK;
    r->thread_of[*thread] = (struct thread_of){*process, NO_TEXT, NULL};
    uint32_t track;
    return items_add_track(r->items, NO_TEXT, &track, error);
}

/* Read a metadata event, which names a process or a thread. */
static csy_status take_label(struct reading *r, csy_error *error)
{
    uint32_t process, thread;
    bool names_process = same(&r->name, "process_name");
    if (r->label.size == 0 || (!names_process && !same(&r->name, "thread_name")))
        return CSY_OK;
    csy_status status = find_thread(r, &process, &thread, error);
    if (status)
        return status;
    char **label = names_process ? &r->processes[process].label : &r->thread_of[thread].label;
    free(*label);
    *label = strdup(r->label.bytes);
    return *label ? CSY_OK : error_memory(error);
}

/* Find the number of a key for an id. Ids in different documents get different keys. */
static uint32_t find_key(struct reading *r, const char *kind, const struct text *id)
{
    char key[4 * TEXT_ROOM];
    bool flow = *kind == 'f';
    uint32_t number = 0;
    int n = snprintf(key, sizeof key, "%zu %s %s %s %s", r->ndocuments - 1, kind, id->bytes,
                     flow ? r->category.bytes : "", flow ? r->name.bytes : "");
    r->no_memory |= !texts_find(&r->keys, key, (size_t)n < sizeof key ? (size_t)n : sizeof key - 1,
                                &number, NULL);
    return number;
}

static void add_end(struct reading *r, const char *kind, const struct text *id, bool begins)
{
    r->no_memory |= !ARRAY_PUSH(r->ends, r->nends, r->ends_capacity,
                                (struct end){.key = find_key(r, kind, id),
                                             .item = (uint32_t)r->items->count - 1,
                                             .begins = begins});
}

/* Find an operation by a name such as "_allgather_base". `out` gets the name without "_". */
static enum operation find_operation(const char *name, char out[TEXT_ROOM])
{
    static const struct {
        const char *name;
        enum operation operation;
    } all[] = {{"allreduce", OPERATION_OF_ALL},    {"barrier", OPERATION_OF_ALL},
               {"allgather", OPERATION_OF_ALL},    {"reducescatter", OPERATION_OF_ALL},
               {"broadcast", OPERATION_FROM_ROOT}, {"scatter", OPERATION_FROM_ROOT},
               {"reduce", OPERATION_TO_ROOT},      {"gather", OPERATION_TO_ROOT}};
    size_t n = 0;
    for (; *name && n + 1 < TEXT_ROOM; name++)
        if (*name != '_')
            out[n++] = *name;
    out[n] = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strncmp(out, all[i].name, strlen(all[i].name)) == 0)
            return all[i].operation;
    return OPERATION_NONE;
}

/* If the event is a member of a collective operation, add it. Members are kernels of NCCL and
 * operations of gloo, because they end when the operation is complete. Other events end when the
 * operation is queued. Operations without elements do not wait, except for barriers. */
static void add_member(struct reading *r)
{
    char name[TEXT_ROOM], key[4 * TEXT_ROOM];
    bool gloo = begins(&r->name, "gloo:");
    bool kernel = same(&r->category, "kernel") && r->collective.size > 0;
    if (!gloo && !kernel) {
        r->counts->unnamed += same(&r->category, "kernel") && begins(&r->name, "nccl");
        return;
    }
    enum operation operation = find_operation(gloo ? r->name.bytes + 5 : r->collective.bytes, name);
    if (operation == OPERATION_NONE ||
        (r->elements.has && r->elements.value == 0 && strncmp(name, "barrier", 7) != 0))
        return;
    struct member member = {.item = (uint32_t)r->items->count - 1,
                            .launch = kernel && r->correlation.size > 0 ? r->ends[r->nends - 1].key
                                                                        : NO_TEXT,
                            .document = (uint32_t)r->ndocuments - 1,
                            .ranks = NO_TEXT,
                            .operation = operation,
                            .root = r->root,
                            .external = r->external,
                            .has_sequence = r->has_sequence,
                            .sequence = r->sequence};
    /* Different groups may have the same name, so the key contains the ranks, too. */
    int n = snprintf(key, sizeof key, "%s%s of group '%s'%s%s", gloo ? "gloo:" : "nccl:", name,
                     r->group.bytes, r->ranks.size > 0 ? " " : "", r->ranks.bytes);
    r->no_memory |= !texts_find(&r->series, key, (size_t)n, &member.series, NULL) ||
                    (operation != OPERATION_OF_ALL && r->ranks.size > 0 &&
                     !texts_find(&r->lists, r->ranks.bytes, r->ranks.size, &member.ranks, NULL)) ||
                    !ARRAY_PUSH(r->members, r->nmembers, r->members_capacity, member);
}

/* Find the number of the lane of `stream` or, if it is NULL, of all streams of the context. */
static uint32_t find_lane(struct reading *r, uint32_t process, const struct number *stream)
{
    char key[4 * NUMBER_DIGITS_MAX];
    uint32_t number = 0;
    int n = snprintf(key, sizeof key, "%" PRIu32 " %" PRId64, process, r->context.value);
    if (stream)
        n += snprintf(key + n, sizeof key - (size_t)n, " %" PRId64, stream->value);
    r->no_memory |= !texts_find(&r->lanes, key, (size_t)n, &number, NULL);
    return number;
}

/* Add GPU work to the lane of its stream, and to the lane of all streams of its context. If the
 * work copies to pageable memory, its launching call waits for it. */
static void add_work(struct reading *r, uint32_t process)
{
    const struct end *end = &r->ends[r->nends - 1];
    for (unsigned whole = 0; whole < 2 && r->context.has && r->stream.has; whole++)
        r->no_memory |=
            !ARRAY_PUSH(r->work, r->nwork, r->work_capacity,
                        (struct work){.lane = find_lane(r, process, whole ? NULL : &r->stream),
                                      .item = end->item,
                                      .launch = end->key});
    if (same(&r->category, "gpu_memcpy") && same(&r->name, "Memcpy DtoH (Device -> Pageable)"))
        r->no_memory |= !ARRAY_PUSH(
            r->waits, r->nwaits, r->waits_capacity,
            (struct wait){.call = end->key, .copy = end->item, .lane = NO_TEXT, .record = NO_TEXT});
}

/* Add a waiting call from a synchronization record of CUPTI, which states the stream. */
static void add_wait(struct reading *r, uint32_t process)
{
    bool by_event = same(&r->sync, "Event Sync"), whole = same(&r->sync, "Context Sync");
    const struct number *stream = by_event ? &r->wait_stream : &r->stream;
    if ((!by_event && !whole && !same(&r->sync, "Stream Sync")) || !r->context.has ||
        (!whole && (!stream->has || stream->value < 0)) ||
        (by_event && (r->wait_record.size == 0 || r->wait_record.bytes[0] == '-')))
        return;
    struct wait wait = {.copy = NO_TEXT, .record = NO_TEXT};
    wait.lane = find_lane(r, process, whole ? NULL : stream);
    wait.call = find_key(r, "c", &r->correlation);
    if (by_event)
        wait.record = find_key(r, "c", &r->wait_record);
    r->no_memory |= !ARRAY_PUSH(r->waits, r->nwaits, r->waits_capacity, wait);
}

/* Add the event that was read, and note its relations to other events. */
static csy_status end_event(struct reading *r, csy_error *error)
{
    uint32_t process, thread;
    if (r->phase == 'M')
        return take_label(r, error);
    if (!r->has_time || !r->phase || !strchr("XBEiIRstf", r->phase))
        return CSY_OK;
    csy_status status = find_thread(r, &process, &thread, error);
    if (status)
        return status;
    r->counts->events++;
    uint32_t *top = &r->thread_of[thread].top;
    if (r->phase == 'E') {
        if (*top == NO_TEXT)
            return CSY_OK; /* the begin is missing */
        struct json_item *begun = &r->items->all[*top];
        if (r->time_ticks > begun->begin_ticks)
            begun->end_ticks = r->time_ticks;
        *top = r->below[*top];
        return CSY_OK;
    }
    struct json_item item = {.begin_ticks = r->time_ticks,
                             .end_ticks = r->time_ticks,
                             .place = r->place,
                             .track = thread};
    if (r->phase == 'X' && r->has_duration && r->duration_ticks > 0 &&
        __builtin_add_overflow(r->time_ticks, r->duration_ticks, &item.end_ticks))
        return error_set(error, CSY_INPUT, "\"dur\": the end of the event exceeds 64 bits");
    r->counts->backwards += r->phase == 'X' && r->has_duration && r->duration_ticks < 0;
    size_t number = r->items->count;
    status = items_add(r->items, &item, r->name.bytes, r->name.size, error);
    if (status)
        return status;
    if (r->phase == 'B') {
        if (!ARRAY_RESERVE(r->below, r->below_capacity, number + 1))
            return error_memory(error);
        r->below[number] = *top;
        *top = (uint32_t)number;
    }
    r->processes[process].is_gpu |= is_gpu_event(r);
    /* Ignore flows from launches to kernels (ac2g). `correlation` gives the same relations, but an
     * ac2g flow may end at the record of a waiting call by mistake. */
    if (strchr("stf", r->phase)) {
        if (!same(&r->category, "ac2g") && r->phase != 't') /* 't' is not an end of the flow */
            add_end(r, "f", &r->id, r->phase == 's');
        return r->no_memory ? error_memory(error) : CSY_OK;
    }
    static const char step[] = "ProfilerStep#";
    struct document *document = current(r);
    if (begins(&r->name, step) && (!document->has_step || document->step_ticks > r->time_ticks)) {
        document->has_step = true;
        document->step = strtoll(r->name.bytes + sizeof step - 1, NULL, 10);
        document->step_ticks = r->time_ticks;
    }
    if (same(&r->name, "record_param_comms")) {
        char name[TEXT_ROOM]; /* PyTorch writes the root of an operation in the CPU record */
        if (r->root.has && r->external.has &&
            find_operation(r->collective.bytes, name) > OPERATION_OF_ALL)
            r->no_memory |= !ARRAY_PUSH(r->roots, r->nroots, r->roots_capacity,
                                        (struct named_root){.document = (uint32_t)r->ndocuments - 1,
                                                            .external = r->external.value,
                                                            .root = r->root.value});
    } else if (r->correlation.size > 0 && same(&r->category, "cuda_sync")) {
        add_wait(r, process);
    } else {
        if (r->correlation.size > 0 && !same(&r->category, "cuda_event"))
            add_end(r, "c", &r->correlation, !is_gpu_event(r));
        if (r->correlation.size > 0 && is_gpu_event(r) && !r->no_memory)
            add_work(r, process);
        if (!r->no_memory)
            add_member(r);
    }
    return r->no_memory ? error_memory(error) : CSY_OK;
}

static csy_status take_scalar(struct reading *r, const struct json_value *value, csy_error *error)
{
    bool exact;
    int64_t number = 0;
    if (texts_of[value->what] > 0) {
        struct text *out = (void *)((char *)r + texts_of[value->what]);
        out->size = value->size < TEXT_ROOM - 1 ? value->size : TEXT_ROOM - 1;
        memcpy(out->bytes, value->text, out->size);
        out->bytes[out->size] = 0;
        return CSY_OK;
    }
    if (numbers_of[value->what] > 0) {
        struct number *out = (void *)((char *)r + numbers_of[value->what]);
        out->has = json_ticks(value->text, value->size, 0, &out->value, &exact) && exact;
        return CSY_OK;
    }
    switch ((enum chrome_field)value->what) {
    case CHROME_PHASE:
        r->phase = (char)(value->size == 1 ? value->text[0] : 0);
        break;
    case CHROME_TIME:
        return json_take_time(value, "\"ts\"", "microseconds", CHROME_DECIMALS, &r->has_time,
                              &r->time_ticks, error);
    case CHROME_DURATION:
        return json_take_time(value, "\"dur\"", "microseconds", CHROME_DECIMALS, &r->has_duration,
                              &r->duration_ticks, error);
    case CHROME_ELEMENTS: /* an event may state how many elements it sends and how many it
                           * receives */
        if (json_ticks(value->text, value->size, 0, &number, &exact) && exact) {
            r->elements.value = (r->elements.has && r->elements.value != 0) || number != 0;
            r->elements.has = true;
        }
        break;
    case CHROME_SEQUENCE:
        r->has_sequence = json_ticks(value->text, value->size, 0, &number, &exact) && exact;
        r->sequence = (uint64_t)number;
        break;
    case CHROME_BASE:
        if (!json_ticks(value->text, value->size, 0, &current(r)->base_ticks, &exact))
            return error_set(error, CSY_INPUT,
                             "\"baseTimeNanoseconds\" is not a time that fits 64 bits");
        break;
    case CHROME_RANK:
        if (json_ticks(value->text, value->size, 0, &number, &exact) && exact)
            current(r)->rank = number;
        break;
    case CHROME_CORRECTED:
        return error_set(error, CSY_INPUT,
                         "cellsync has corrected the times of this file; pass the original file");
    case CHROME_WRITER:
        if (value->size < 9 || memcmp(value->text, "cellsync ", 9) != 0)
            return CSY_OK;
        return error_set(error, CSY_INPUT, "cellsync wrote this file; pass the original trace");
    default:
        break;
    }
    return CSY_OK;
}

/* Handle a value. A value at depth 0 is a document: an object, or an array of events. */
static csy_status take(void *user, const struct json_value *value, csy_error *error)
{
    struct reading *r = user;
    bool document = value->what == CHROME_DOCUMENT;
    switch (value->kind) {
    case JSON_ARRAY:
        r->bare |= document;
        return document && value->depth == 0 ? begin_document(r, error) : CSY_OK;
    case JSON_ARRAY_END:
        if (!document || value->depth > 0)
            return CSY_OK;
        r->bare = false;
        return end_document(r, error);
    case JSON_OBJECT:
        if (document && !r->bare)
            return begin_document(r, error);
        if (!document && value->what == CHROME_EVENT && r->bare)
            return error_set(
                error, CSY_INPUT,
                "the key \"traceEvents\" is inside an array of events, expected at the top level");
        if (!document && value->what != CHROME_EVENT)
            return CSY_OK;
        r->place = r->items->first_place + json_end(&r->json) - 1;
        r->phase = 0;
        r->has_time = r->has_duration = r->has_sequence = r->elements.has = false;
        for (size_t i = 0; i < CHROME_FIELDS; i++) {
            struct text *text = (void *)((char *)r + texts_of[i]);
            struct number *number = (void *)((char *)r + numbers_of[i]);
            if (texts_of[i] > 0)
                text->bytes[text->size = 0] = 0;
            if (numbers_of[i] > 0)
                number->has = false;
        }
        return CSY_OK;
    case JSON_OBJECT_END:
        return document && !r->bare                      ? end_document(r, error)
               : document || value->what == CHROME_EVENT ? end_event(r, error)
                                                         : CSY_OK;
    default:
        return r->ndocuments > 0 && value->kind != JSON_KEY ? take_scalar(r, value, error) : CSY_OK;
    }
}

/* --- Clocks ---------------------------------------------------------------------------------- */

/* Returns the part of a key after the first blank. */
static const char *own_part(const struct texts *keys, size_t number, int *size)
{
    const csy_text key = texts_text(keys, number);
    const char *blank = memchr(key.bytes, ' ', key.size);
    *size = (int)(key.bytes + key.size - blank - 1);
    return blank + 1;
}

/* Give each process with a pid a separate clock. Processes without a pid share the clock of the
 * first process, or a clock with the name of the file. */
static csy_status make_clocks(struct reading *r, csy_error *error)
{
    struct chrome_clocks *clocks = r->clocks;
    size_t n = clocks->processes.count;
    char name[TEXT_ROOM + 64];
    csy_status status = CSY_OK;
    clocks->clock_of = malloc((n + 1) * sizeof *clocks->clock_of);
    if (!clocks->clock_of)
        return error_memory(error);
    bool any = r->processes && r->documents; /* always true if n > 0 */
    for (size_t i = 0; any && i < n && !status; i++) {
        struct process *process = &r->processes[i];
        struct document *document = &r->documents[process->document];
        int digits;
        const char *number = own_part(&clocks->processes, i, &digits);
        if (!process->numbered)
            continue;
        int64_t rank = document->rank;
        if (rank != NO_DOCUMENT_RANK && !process->is_gpu && document->main_clock == NO_TEXT)
            snprintf(name, sizeof name, "rank%" PRId64, rank);
        else if (rank != NO_DOCUMENT_RANK)
            snprintf(name, sizeof name, "rank%" PRId64 ".%s%.*s", rank,
                     process->is_gpu ? "gpu" : "pid", digits, number);
        else
            snprintf(name, sizeof name, "%s%.*s", process->is_gpu ? "gpu" : "pid", digits, number);
        status = items_add_clock(r->items, document->prefix, name, &process->clock, error);
        if (!process->is_gpu && document->main_clock == NO_TEXT)
            document->main_clock = process->clock;
    }
    for (size_t i = 0; any && i < n && !status; i++) {
        struct process *process = &r->processes[i];
        struct document *document = &r->documents[process->document];
        if (process->clock == NO_TEXT && document->main_clock == NO_TEXT) {
            /* Use the name of the file without folder and suffixes, such as "rank0", if any. */
            const char *base = path_name(document->file);
            int size = (int)strcspn(base, ".");
            snprintf(name, sizeof name, "%.*s", size < TEXT_ROOM ? size : TEXT_ROOM - 1, base);
            bool named = size > 0 && strcmp(name, "-") != 0;
            status = items_add_clock(r->items, document->prefix, named ? name : "unnumbered",
                                     &document->main_clock, error);
        }
        if (process->clock == NO_TEXT)
            process->clock = document->main_clock;
        clocks->clock_of[i] = process->clock;
    }
    return status;
}

static csy_status name_tracks(struct reading *r, csy_error *error)
{
    struct items *items = r->items;
    for (size_t i = 0; r->thread_of && r->processes && i < items->ntracks; i++) {
        const struct thread_of *thread = &r->thread_of[i];
        const struct process *process = &r->processes[thread->process];
        int size, pid_size;
        const char *tid = own_part(&r->threads, i, &size);
        struct json_track *track = &items->tracks[i];
        track->clock = process->clock;
        /* Processes without a pid share a clock, so thread names contain the process. */
        const char *pid = own_part(&r->clocks->processes, thread->process, &pid_size);
        pid_size = process->numbered ? 0 : pid_size;
        if (asprintf(&track->name, "%s/%.*s%s%s%s%.*s", items->clocks[track->clock].name, pid_size,
                     pid, pid_size > 0 ? "/" : "", thread->label ? thread->label : "",
                     thread->label ? "." : "", size, tid) < 0) {
            track->name = NULL;
            return error_memory(error);
        }
    }
    return CSY_OK;
}

/* --- Relations: the members of collective operations ------------------------------------------ */

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return 4 * COMPARE(x->key, y->key) + 2 * COMPARE(y->begins, x->begins) +
           COMPARE(x->item, y->item);
}

static int compare_sequences(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return 16 * COMPARE(x->series, y->series) + 8 * COMPARE(y->has_sequence, x->has_sequence) +
           4 * COMPARE(x->sequence, y->sequence) + 2 * COMPARE(x->document, y->document) +
           COMPARE(x->item, y->item);
}

/* A member of a collective operation without a number (Seq), which is found by counting. */
struct counted {
    int64_t begin_ticks;
    uint32_t series, document, member;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return 8 * COMPARE(x->series, y->series) + 4 * COMPARE(x->document, y->document) +
           2 * COMPARE(x->begin_ticks, y->begin_ticks) + COMPARE(x->member, y->member);
}

static const char *rank_text(const struct reading *r, size_t document, char text[64])
{
    int64_t rank = r->documents[document].rank;
    snprintf(text, 64, rank == NO_DOCUMENT_RANK ? "document %" PRId64 : "rank %" PRId64,
             rank == NO_DOCUMENT_RANK ? (int64_t)document : rank);
    return text;
}

static int compare_ranks(const void *a, const void *b)
{
    const struct document *x = *(const struct document *const *)a;
    const struct document *y = *(const struct document *const *)b;
    return 2 * COMPARE(x->rank, y->rank) + COMPARE(x, y);
}

/* Check that no two documents have the same rank: operations of different jobs must not be matched.
 * Returns CSY_INPUT if two documents do. */
static csy_status check_ranks(const struct reading *r, csy_error *error)
{
    const struct document **sorted = malloc((r->ndocuments + 1) * sizeof(const struct document *));
    csy_status status = sorted ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < r->ndocuments && !status; i++)
        sorted[i] = &r->documents[i];
    if (!status)
        sort_pointers(sorted, r->ndocuments, compare_ranks);
    for (size_t i = 1; i < r->ndocuments && !status; i++) {
        const struct document *one = sorted[i - 1], *two = sorted[i];
        if (one->rank == two->rank && two->rank != NO_DOCUMENT_RANK)
            status = error_set(error, CSY_INPUT,
                               "%s: this profile is of rank %" PRId64 ", and so is one in %s, so "
                               "they are from different runs or jobs; pass --table to synchronize "
                               "each file separately",
                               two->file, two->rank, one->file);
    }
    free(sorted);
    return status;
}

/* Returns CSY_INPUT unless members without Seq can be matched by counting: all ranks begin at the
 * same ProfilerStep, and have equally many of the n members in `all`. */
static csy_status check_counts(const struct reading *r, const struct counted *all, size_t n,
                               const char *series, csy_error *error)
{
    char one[64], two[64];
    size_t first_count = 0, at = 0;
    const struct document *first = &r->documents[0];
    for (size_t i = 0; i < r->ndocuments; i++) {
        const struct document *d = &r->documents[i];
        if (!d->has_step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without \"Seq\" can be matched only by counting from a step "
                             "of the profiler, but %s has no ProfilerStep; call step() of the "
                             "profiler, or record with a PyTorch that writes \"Seq\"",
                             r->json.name, series, rank_text(r, i, one));
        if (d->step != first->step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without \"Seq\" can be matched only by counting from the same "
                             "step, but %s begins at ProfilerStep#%" PRId64 ", and %s at #%" PRId64,
                             r->json.name, series, rank_text(r, 0, one), first->step,
                             rank_text(r, i, two), d->step);
    }
    for (size_t i = 0; i < r->ndocuments; i++) {
        size_t count = 0;
        for (; at < n && all[at].document == i; at++)
            count++;
        first_count = i == 0 ? count : first_count;
        if (count != first_count)
            return error_set(error, CSY_INPUT,
                             "%s: without \"Seq\", operations can be matched by counting only if "
                             "all ranks have the same number, but %s has %zu %s, and %s has %zu",
                             r->json.name, rank_text(r, 0, one), first_count, series,
                             rank_text(r, i, two), count);
    }
    return CSY_OK;
}

/* Returns the call with this key, or NULL if there are several or none. r->ends must be sorted. */
static const struct end *find_call(const struct reading *r, uint32_t key)
{
    size_t low = 0, high = r->nends;
    BISECT(low, high, middle, r->ends[middle].key < key);
    bool found = low < r->nends && r->ends[low].key == key && r->ends[low].begins;
    bool several =
        found && low + 1 < r->nends && r->ends[low + 1].key == key && r->ends[low + 1].begins;
    return found && !several ? &r->ends[low] : NULL;
}

/* Number the operations of each series that have no Seq, by counting. */
static csy_status count_members(struct reading *r, csy_error *error)
{
    struct counted *all = malloc((r->nmembers + 1) * sizeof *all);
    size_t n = 0;
    csy_status status = all ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < r->nmembers && !status; i++) {
        const struct member *member = &r->members[i];
        const struct document *document = &r->documents[member->document];
        bool gloo = member->launch == NO_TEXT;
        const struct end *call = gloo ? NULL : find_call(r, member->launch);
        if (member->has_sequence || (!gloo && !call))
            continue;
        const struct json_item *item = &r->items->all[gloo ? member->item : call->item];
        /* Operations are counted in the order of their begins on a CPU, so leave out work of a
         * GPU. */
        if (!r->processes[r->thread_of[item->track].process].is_gpu &&
            (!document->has_step || item->begin_ticks >= document->step_ticks))
            all[n++] =
                (struct counted){item->begin_ticks, member->series, member->document, (uint32_t)i};
    }
    if (!status && n > 0 && r->ndocuments > 1)
        SORT(all, n, compare_counted);
    for (size_t i = 0, next; i < n && r->ndocuments > 1 && !status; i = next) {
        const csy_text text = texts_text(&r->series, all[i].series);
        char series[ERROR_ESCAPED_MAX];
        error_escape(series, text.bytes, text.size);
        for (next = i; next < n && all[next].series == all[i].series; next++) {
        }
        status = check_counts(r, all + i, next - i, series, error);
        for (size_t k = i, number = 0; k < next && !status; k++) {
            number = k > i && all[k].document == all[k - 1].document ? number + 1 : 0;
            r->members[all[k].member].sequence = number;
            r->members[all[k].member].has_sequence = true;
        }
    }
    free(all);
    return status;
}

/* --- Roots ----------------------------------------------------------------------------------- */

static int compare_roots(const void *a, const void *b)
{
    const struct named_root *x = a, *y = b;
    return 4 * COMPARE(x->document, y->document) + 2 * COMPARE(x->external, y->external) +
           COMPARE(x->root, y->root);
}

/* Find the roots of operations that another record states. Remove operations with unknown roots. */
static void find_roots(struct reading *r)
{
    size_t kept = 0;
    SORT(r->roots, r->nroots, compare_roots);
    for (size_t i = 0; i < r->nmembers; i++) {
        struct member *member = &r->members[i];
        const struct named_root want = {member->document, member->external.value, INT64_MIN};
        size_t low = 0, high = r->nroots;
        bool rooted = member->operation != OPERATION_OF_ALL;
        if (rooted && !member->root.has && member->external.has) {
            BISECT(low, high, middle, compare_roots(&r->roots[middle], &want) < 0);
            member->root.has = low < r->nroots && r->roots[low].document == want.document &&
                               r->roots[low].external == want.external;
            member->root.value = member->root.has ? r->roots[low].root : 0;
        }
        bool known = !rooted || (member->root.has && member->ranks != NO_TEXT);
        r->unknown_roots += !known;
        if (known)
            r->members[kept++] = *member;
    }
    r->nmembers = kept;
}

/* Returns number `index` of a list such as "[0, 1, ..., 31]", or -1 if the list omits it. */
static int64_t nth_rank(const struct reading *r, uint32_t list, int64_t index)
{
    const csy_text text = texts_text(&r->lists, list);
    const char *at = text.bytes, *end = at + text.size;
    for (int64_t n = 0; at < end; n++) {
        int64_t rank = -1;
        while (at < end && (*at == '[' || *at == ' ' || *at == ','))
            at++;
        for (; at < end && *at >= '0' && *at <= '9' && rank < INT32_MAX; at++)
            rank = (rank < 0 ? 0 : rank) * 10 + (*at - '0');
        if (rank < 0 || at == end || (*at != ',' && *at != ']'))
            return -1;
        if (n == index)
            return rank;
    }
    return -1;
}

/* Returns the member that is the root of an operation, or NULL if it is missing. Also returns NULL
 * if members state different roots: some profilers write each member's own rank as root. */
static const struct member *find_root(const struct reading *r, const struct member *first, size_t n)
{
    int64_t rank = nth_rank(r, first->ranks, first->root.value);
    const struct member *root = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct member *member = &first[i];
        if (member->ranks != first->ranks || member->root.value != first->root.value)
            return NULL;
        if (rank >= 0 && r->documents[member->document].rank == rank)
            root = member;
    }
    return root;
}

/* --- Calls that wait for a GPU --------------------------------------------------------------- */

static int compare_work(const void *a, const void *b)
{
    const struct work *x = a, *y = b;
    return 8 * COMPARE(x->lane, y->lane) + 4 * COMPARE(x->launch, y->launch) +
           2 * COMPARE(x->launch_ticks, y->launch_ticks) + COMPARE(x->item, y->item);
}

/* Returns true if the item is a call that copies memory. Otherwise, the copy belongs to a CUDA
 * graph: the call only launched the graph, and does not wait. */
static bool is_copy(const struct items *items, size_t item)
{
    static const char *const calls[] = {"cudaMemcpy", "cuMemcpyDtoH"};
    const char *name = texts_text(&items->names, items->all[item].name).bytes;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (strncmp(name, calls[i], strlen(calls[i])) == 0)
            return true;
    return false;
}

/* For each waiting call, find the last work that its thread launched before on the awaited lane
 * (one stream, or all streams of a context). Streams work in order, so the work ends before the
 * call. CUDA graphs are left out, because their kernels are recorded on other streams. */
static csy_status find_orders(struct reading *r, csy_error *error)
{
    const struct items *items = r->items;
    size_t kept = 0;
    if (!ARRAY_RESERVE(r->orders, r->orders_capacity, r->nwaits))
        return error_memory(error);
    for (size_t i = 0; i < r->nwork && r->nwaits > 0; i++) {
        const struct end *call = find_call(r, r->work[i].launch);
        if (!call)
            continue;
        const struct json_item *item = &items->all[call->item];
        const csy_text name = texts_text(&items->names, item->name);
        if (memmem(name.bytes, name.size, "Graph", 5))
            continue;
        r->work[kept++] =
            (struct work){r->work[i].lane, r->work[i].item, item->track, item->begin_ticks};
    }
    SORT(r->work, kept, compare_work);
    for (size_t i = 0; i < r->nwaits; i++) {
        const struct wait *wait = &r->waits[i];
        const struct end *call = find_call(r, wait->call), *last = call;
        if (wait->record != NO_TEXT)
            last = find_call(r, wait->record);
        if (!call || !last || (wait->copy != NO_TEXT && !is_copy(items, call->item)))
            continue;
        const struct json_item *item = &items->all[last->item];
        const struct work want = {wait->lane, 0, item->track, item->begin_ticks};
        size_t low = 0, high = kept;
        BISECT(low, high, middle, compare_work(&r->work[middle], &want) < 0);
        bool found = low > 0 && r->work[low - 1].lane == want.lane &&
                     r->work[low - 1].launch == want.launch &&
                     r->work[low - 1].launch_ticks < want.launch_ticks &&
                     item->begin_ticks <= items->all[call->item].begin_ticks;
        uint32_t from = found ? r->work[low - 1].item : wait->copy;
        if (from != NO_TEXT && items_clock(items, from) != items_clock(items, call->item))
            r->orders[r->norders++] = (struct order){from, call->item};
    }
    return CSY_OK;
}

/* --- Ties ------------------------------------------------------------------------------------ */

static void tie(struct items *items, void *user)
{
    struct reading *r = user;
    struct chrome_counts *counts = r->counts;
    counts->flows = counts->reused_flows = counts->launches = 0;
    counts->collectives = counts->unclear = 0;
    counts->rooted = r->unknown_roots;
    for (size_t i = 0, next; i < r->nends; i = next) {
        const struct end *first = &r->ends[i];
        for (next = i + 1; next < r->nends && r->ends[next].key == first->key; next++) {
        }
        const char *key = texts_text(&r->keys, first->key).bytes;
        bool flow = strncmp(strchr(key, ' ') + 1, "f ", 2) == 0;
        size_t ends = next - i - 1;
        if (!first->begins || ends == 0)
            continue;
        if (r->ends[i + 1].begins || (flow && ends > 1)) {
            counts->reused_flows++;
            continue;
        }
        for (size_t k = i + 1; k < next; k++) {
            if (items_clock(items, first->item) == items_clock(items, r->ends[k].item))
                continue;
            items_role(items, first->item, ITEM_SEND, items->nkeys);
            items_role(items, r->ends[k].item, ITEM_RECV_BEGIN, items->nkeys++);
            counts->flows += flow;
            counts->launches += !flow;
        }
    }
    for (size_t i = 0, next; i < r->nmembers; i = next) {
        const struct member *first = &r->members[i];
        bool clear = first->has_sequence, several = false;
        for (next = i + 1; next < r->nmembers && r->members[next].series == first->series &&
                           r->members[next].has_sequence == first->has_sequence &&
                           r->members[next].sequence == first->sequence;
             next++) {
            clear &= r->members[next].has_sequence &&
                     r->members[next].document != r->members[next - 1].document;
            several |= items_clock(items, r->members[next].item) != items_clock(items, first->item);
        }
        counts->unclear += !clear && r->ndocuments > 1;
        if (!clear || !several)
            continue;
        bool of_all = first->operation == OPERATION_OF_ALL;
        const struct member *root = of_all ? NULL : find_root(r, first, next - i);
        if (!of_all && !root) {
            counts->rooted++;
            continue;
        }
        counts->collectives++;
        for (size_t k = i; k < next; k++) {
            const struct member *member = &r->members[k];
            if (of_all) {
                items_role(items, member->item, ITEM_ENTER, items->nkeys);
                items_role(items, member->item, ITEM_LEAVE, items->nkeys);
            } else if (items_clock(items, member->item) != items_clock(items, root->item)) {
                bool from = first->operation == OPERATION_FROM_ROOT;
                items_role(items, (from ? root : member)->item, ITEM_SEND, items->nkeys);
                items_role(items, (from ? member : root)->item, ITEM_RECV_END, items->nkeys++);
            }
        }
        items->nkeys += of_all;
    }
    for (size_t i = 0; i < r->norders; i++) {
        items_role(items, r->orders[i].from, ITEM_SEND_END, items->nkeys);
        items_role(items, r->orders[i].to, ITEM_RECV_END, items->nkeys++);
    }
    counts->waits = r->norders;
}

/* --- The trace -------------------------------------------------------------------------------- */

csy_status chrome_read(struct items *items, const char *name, struct chrome_clocks *clocks,
                       struct chrome_counts *counts, csy_error *error)
{
    struct reading r = {.items = items, .clocks = clocks, .counts = counts};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < items->nparts && !status; i++) {
        items->parts[i].document = r.ndocuments;
        r.json = (struct json_reading){.root = &chrome_root,
                                       .root_what = CHROME_DOCUMENT,
                                       .take = take,
                                       .open_ended = true,
                                       .user = &r};
        r.bare = false;
        status = items_read_part(items, i, &r.json, error);
        if (!status && r.json.ended_open)
            status = end_document(&r, error);
    }
    r.json.name = name;
    status = status ? status : check_ranks(&r, error);
    status = status ? status : make_clocks(&r, error);
    status = status ? status : name_tracks(&r, error);
    if (!status) {
        SORT(r.ends, r.nends, compare_ends);
        find_roots(&r);
        status = count_members(&r, error);
    }
    status = status ? status : find_orders(&r, error);
    if (!status) {
        SORT(r.members, r.nmembers, compare_sequences);
        status = items_tie(items, tie, &r, error);
    }
    if (!status)
        items_find_steps(items);
    for (size_t i = 0; i < clocks->processes.count && r.processes; i++)
        free(r.processes[i].label);
    for (size_t i = 0; i < r.threads.count && r.thread_of; i++)
        free(r.thread_of[i].label);
    FREE_ALL(r.documents, r.processes, r.thread_of, r.below, r.members, r.ends, r.roots, r.work,
             r.waits, r.orders);
    texts_fini(&r.lanes);
    texts_fini(&r.lists);
    texts_fini(&r.threads);
    texts_fini(&r.series);
    texts_fini(&r.keys);
    return status;
}
