/* See chrome.h. */
#include "trace/json/chrome.h"

#include "base/array.h"
#include "base/error.h"
#include "trace/json/chrome_reading.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT(name) static const struct json_object name = JSON_OBJECT_OF(name##_fields)

static const struct json_field arguments_fields[] = {
    {"correlation", CHROME_CORRELATION, NULL},
    {"Collective name", CHROME_COLLECTIVE, NULL},
    {"Process Group Name", CHROME_GROUP, NULL},
    {"Process Group Ranks", CHROME_RANKS, NULL},
    {"In msg nelems", CHROME_ELEMENTS, NULL},
    {"Out msg nelems", CHROME_ELEMENTS, NULL},
    {"Rank", CHROME_ROOT, NULL},
    {"Seq", CHROME_SEQUENCE, NULL},
    {"External id", CHROME_EXTERNAL, NULL},
    {"context", CHROME_CONTEXT, NULL},
    {"stream", CHROME_STREAM, NULL},
    {"cuda_sync_kind", CHROME_SYNC, NULL},
    {"wait_on_stream", CHROME_WAIT_STREAM, NULL},
    {"wait_on_cuda_event_record_corr_id", CHROME_WAIT_RECORD, NULL},
    {"name", CHROME_LABEL, NULL}};
OBJECT(arguments);
static const struct json_field event_fields[] = {
    {"ph", CHROME_PHASE, NULL},          {"ts", CHROME_TIME, NULL},
    {"dur", CHROME_DURATION, NULL},      {"pid", CHROME_PROCESS, NULL},
    {"tid", CHROME_THREAD, NULL},        {"name", CHROME_NAME, NULL},
    {"cat", CHROME_CATEGORY, NULL},      {"id", CHROME_ID, NULL},
    {"args", CHROME_NOTHING, &arguments}};
OBJECT(event);
static const struct json_field distributed_fields[] = {{"rank", CHROME_RANK, NULL}};
OBJECT(distributed);
static const struct json_field other_fields[] = {{"producer", CHROME_WRITER, NULL}};
OBJECT(other);
/* A document is the array of events, or an object that contains it. */
static const struct json_field chrome_root_fields[] = {
    {"traceEvents", CHROME_EVENT, &event},
    {"baseTimeNanoseconds", CHROME_BASE, NULL},
    {"distributedInfo", CHROME_NOTHING, &distributed},
    {"otherData", CHROME_NOTHING, &other},
    {"cellsync", CHROME_CORRECTED, NULL},
    {"ph", CHROME_PHASE, NULL},
    {"ts", CHROME_TIME, NULL},
    {"dur", CHROME_DURATION, NULL},
    {"pid", CHROME_PROCESS, NULL},
    {"tid", CHROME_THREAD, NULL},
    {"name", CHROME_NAME, NULL},
    {"cat", CHROME_CATEGORY, NULL},
    {"id", CHROME_ID, NULL},
    {"args", CHROME_NOTHING, &arguments}};
const struct json_object chrome_root = JSON_OBJECT_OF(chrome_root_fields);

void chrome_clocks_fini(struct chrome_clocks *clocks)
{
    texts_fini(&clocks->processes);
    free(clocks->clock_of);
    free(clocks->bases);
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

static void keep(struct text *out, const struct json_value *value)
{
    out->size = value->size < TEXT_ROOM - 1 ? value->size : TEXT_ROOM - 1;
    memcpy(out->bytes, value->text, out->size);
    out->bytes[out->size] = 0;
}

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
    if (!ARRAY_RESERVE(r->documents, r->documents_capacity, r->ndocuments + 1))
        return error_memory(error);
    r->has_last = false;
    r->documents[r->ndocuments++] = (struct document){.first = r->items->count,
                                                      .prefix = r->prefix,
                                                      .rank = NO_DOCUMENT_RANK,
                                                      .main_clock = NO_TEXT};
    return CSY_OK;
}

static csy_status end_document(struct reading *r, csy_error *error)
{
    struct document *document = current(r);
    struct chrome_clocks *clocks = r->clocks;
    for (size_t i = document->first; i < r->items->count; i++) {
        struct json_item *item = &r->items->all[i];
        if (__builtin_add_overflow(item->begin_ticks, document->base_ticks, &item->begin_ticks) ||
            __builtin_add_overflow(item->end_ticks, document->base_ticks, &item->end_ticks))
            return error_set(error, CSY_INPUT, "a time with baseTimeNanoseconds exceeds 64 bits");
    }
    document->step_ticks += document->has_step ? document->base_ticks : 0;
    if (!ARRAY_RESERVE(clocks->bases, clocks->bases_capacity, r->ndocuments))
        return error_memory(error);
    clocks->bases[clocks->nbases++] = document->base_ticks;
    return CSY_OK;
}

static void begin_event(struct reading *r)
{
    r->place = r->first_place + json_end(&r->json) - 1;
    r->phase = 0;
    r->has_time = r->has_duration = r->has_sequence = false;
    r->root.has = r->elements.has = r->external.has = false;
    r->context.has = r->stream.has = r->wait_stream.has = false;
    struct text *const texts[] = {&r->process, &r->thread,      &r->name,       &r->category,
                                  &r->id,      &r->correlation, &r->collective, &r->group,
                                  &r->label,   &r->ranks,       &r->sync,       &r->wait_record,
                                  NULL};
    for (size_t i = 0; texts[i]; i++)
        texts[i]->bytes[texts[i]->size = 0] = 0;
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

/* Find the number of an id, or give it one. Ids are unique in a document. */
static csy_status find_key(struct reading *r, const char *kind, const struct text *id,
                           uint32_t *out, csy_error *error)
{
    char key[4 * TEXT_ROOM];
    bool added, flow = *kind == 'f';
    int n = snprintf(key, sizeof key, "%zu %s %s %s %s", r->ndocuments - 1, kind, id->bytes,
                     flow ? r->category.bytes : "", flow ? r->name.bytes : "");
    return texts_find(&r->keys, key, (size_t)n < sizeof key ? (size_t)n : sizeof key - 1, out,
                      &added)
               ? CSY_OK
               : error_memory(error);
}

static csy_status add_end(struct reading *r, const char *kind, const struct text *id, bool begins,
                          csy_error *error)
{
    if (!ARRAY_RESERVE(r->ends, r->ends_capacity, r->nends + 1))
        return error_memory(error);
    struct end *end = &r->ends[r->nends++];
    *end = (struct end){.item = (uint32_t)r->items->count - 1, .begins = begins};
    return find_key(r, kind, id, &end->key, error);
}

/* Find the operation with a name such as "gloo:all_reduce" or "_allgather_base", without "_". */
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

/* Add the event if it is a member of a collective operation: a kernel of NCCL, or an operation of
 * gloo, which both end when they are complete. Other events that name an operation end when it is
 * queued. An operation without elements waits for nobody, except a barrier. */
static csy_status add_member(struct reading *r, csy_error *error)
{
    char name[TEXT_ROOM], key[4 * TEXT_ROOM];
    bool gloo = begins(&r->name, "gloo:"), added;
    bool kernel = same(&r->category, "kernel") && r->collective.size > 0;
    if (!gloo && !kernel)
        return CSY_OK;
    enum operation operation = find_operation(gloo ? r->name.bytes + 5 : r->collective.bytes, name);
    if (operation == OPERATION_NONE ||
        (r->elements.has && r->elements.value == 0 && strncmp(name, "barrier", 7) != 0))
        return CSY_OK;
    if (!ARRAY_RESERVE(r->members, r->members_capacity, r->nmembers + 1))
        return error_memory(error);
    struct member *member = &r->members[r->nmembers++];
    *member = (struct member){
        .item = (uint32_t)r->items->count - 1,
        .launch = kernel && r->correlation.size > 0 ? r->ends[r->nends - 1].key : NO_TEXT,
        .document = (uint32_t)r->ndocuments - 1,
        .ranks = NO_TEXT,
        .operation = operation,
        .root = r->root,
        .external = r->external,
        .has_sequence = r->has_sequence,
        .sequence = r->sequence};
    /* Groups with other ranks may have the same name. */
    int n = snprintf(key, sizeof key, "%s%s of group '%s'%s%s", gloo ? "gloo:" : "nccl:", name,
                     r->group.bytes, r->ranks.size > 0 ? " " : "", r->ranks.bytes);
    return texts_find(&r->series, key, (size_t)n, &member->series, &added) &&
                   (operation == OPERATION_OF_ALL || r->ranks.size == 0 ||
                    texts_find(&r->lists, r->ranks.bytes, r->ranks.size, &member->ranks, &added))
               ? CSY_OK
               : error_memory(error);
}

/* Note the root of an operation, which PyTorch writes as the rank of its record on the CPU. */
static csy_status add_root(struct reading *r, csy_error *error)
{
    char name[TEXT_ROOM];
    if (!r->root.has || !r->external.has ||
        find_operation(r->collective.bytes, name) <= OPERATION_OF_ALL)
        return CSY_OK;
    if (!ARRAY_RESERVE(r->roots, r->roots_capacity, r->nroots + 1))
        return error_memory(error);
    r->roots[r->nroots++] = (struct named_root){.document = (uint32_t)r->ndocuments - 1,
                                                .external = r->external.value,
                                                .root = r->root.value};
    return CSY_OK;
}

/* Find the number of a stream of a GPU, or of all streams together if `stream` is NULL. */
static csy_status find_lane(struct reading *r, uint32_t process, const struct number *stream,
                            uint32_t *out, csy_error *error)
{
    char key[4 * NUMBER_DIGITS_MAX];
    bool added;
    int n = snprintf(key, sizeof key, "%" PRIu32 " %" PRId64, process, r->context.value);
    if (stream)
        n += snprintf(key + n, sizeof key - (size_t)n, " %" PRId64, stream->value);
    return texts_find(&r->lanes, key, (size_t)n, out, &added) ? CSY_OK : error_memory(error);
}

/* Note work of a GPU on its stream and context. If the work is a copy to pageable memory, the call
 * that launched it ends after it. */
static csy_status add_work(struct reading *r, uint32_t process, csy_error *error)
{
    const struct end *end = &r->ends[r->nends - 1];
    csy_status status = CSY_OK;
    if (r->context.has && r->stream.has) {
        if (!ARRAY_RESERVE(r->work, r->work_capacity, r->nwork + 2))
            return error_memory(error);
        for (unsigned whole = 0; whole < 2 && !status; whole++) {
            struct work *work = &r->work[r->nwork++];
            *work = (struct work){.item = end->item, .launch = end->key};
            status = find_lane(r, process, whole ? NULL : &r->stream, &work->lane, error);
        }
    }
    if (status || !same(&r->category, "gpu_memcpy") ||
        strcmp(r->name.bytes, "Memcpy DtoH (Device -> Pageable)") != 0)
        return status;
    if (!ARRAY_RESERVE(r->waits, r->waits_capacity, r->nwaits + 1))
        return error_memory(error);
    r->waits[r->nwaits++] =
        (struct wait){.call = end->key, .copy = end->item, .lane = NO_TEXT, .record = NO_TEXT};
    return CSY_OK;
}

/* Add CUPTI's record of a call that waits. Only this record names the stream. */
static csy_status add_wait(struct reading *r, uint32_t process, csy_error *error)
{
    struct wait wait = {.copy = NO_TEXT, .record = NO_TEXT};
    bool by_event = same(&r->sync, "Event Sync"), whole = same(&r->sync, "Context Sync");
    const struct number *stream = by_event ? &r->wait_stream : &r->stream;
    if ((!by_event && !whole && !same(&r->sync, "Stream Sync")) || !r->context.has ||
        (!whole && (!stream->has || stream->value < 0)) ||
        (by_event && (r->wait_record.size == 0 || r->wait_record.bytes[0] == '-')))
        return CSY_OK;
    if (!ARRAY_RESERVE(r->waits, r->waits_capacity, r->nwaits + 1))
        return error_memory(error);
    csy_status status = find_lane(r, process, whole ? NULL : stream, &wait.lane, error);
    if (!status)
        status = find_key(r, "c", &r->correlation, &wait.call, error);
    if (!status && by_event)
        status = find_key(r, "c", &r->wait_record, &wait.record, error);
    if (!status)
        r->waits[r->nwaits++] = wait;
    return status;
}

static void note_step(struct reading *r)
{
    static const char step[] = "ProfilerStep#";
    struct document *document = current(r);
    if (!begins(&r->name, step) || (document->has_step && document->step_ticks <= r->time_ticks))
        return;
    document->has_step = true;
    document->step = strtoll(r->name.bytes + sizeof step - 1, NULL, 10);
    document->step_ticks = r->time_ticks;
}

/* End an event that began as a separate event. */
static void close_event(struct reading *r, struct thread_of *thread)
{
    if (thread->top == NO_TEXT) {
        r->unclosed++;
        return;
    }
    struct json_item *item = &r->items->all[thread->top];
    if (r->time_ticks > item->begin_ticks)
        item->end_ticks = r->time_ticks;
    thread->top = r->below[thread->top];
}

static csy_status end_event(struct reading *r, csy_error *error)
{
    uint32_t process, thread;
    if (r->phase == 'M')
        return take_label(r, error);
    if (!r->has_time || !r->phase || !strchr("XBEiIRstf", r->phase)) {
        r->counts->others++;
        return CSY_OK;
    }
    csy_status status = find_thread(r, &process, &thread, error);
    if (status)
        return status;
    r->counts->events++;
    if (r->phase == 'E') {
        close_event(r, &r->thread_of[thread]);
        return CSY_OK;
    }
    struct json_item item = {.begin_ticks = r->time_ticks,
                             .end_ticks = r->time_ticks,
                             .place = r->place,
                             .track = thread};
    if (r->phase == 'X' && r->has_duration && r->duration_ticks > 0 &&
        __builtin_add_overflow(r->time_ticks, r->duration_ticks, &item.end_ticks))
        return error_set(error, CSY_INPUT, "dur: the end of the event exceeds 64 bits");
    size_t number = r->items->count;
    status = items_add(r->items, &item, r->name.bytes, r->name.size, error);
    if (status)
        return status;
    if (r->phase == 'B') {
        if (!ARRAY_RESERVE(r->below, r->below_capacity, number + 1))
            return error_memory(error);
        r->below[number] = r->thread_of[thread].top;
        r->thread_of[thread].top = (uint32_t)number;
    }
    r->processes[process].is_gpu |= is_gpu_event(r);
    /* Ignore flows from launches to kernels (ac2g). They repeat the correlation, and end falsely at
     * records of waiting calls, with times by the CPU's clock. */
    if (strchr("stf", r->phase))
        return same(&r->category, "ac2g") ? CSY_OK
                                          : add_end(r, "f", &r->id, r->phase == 's', error);
    note_step(r);
    if (same(&r->name, "record_param_comms"))
        return add_root(r, error);
    if (r->correlation.size > 0 && same(&r->category, "cuda_sync"))
        return add_wait(r, process, error);
    if (r->correlation.size > 0 && !same(&r->category, "cuda_event"))
        status = add_end(r, "c", &r->correlation, !is_gpu_event(r), error);
    if (!status && r->correlation.size > 0 && is_gpu_event(r))
        status = add_work(r, process, error);
    return status ? status : add_member(r, error);
}

static csy_status take_time(const struct json_value *value, const char *field, bool *has,
                            int64_t *ticks, csy_error *error)
{
    char text[ERROR_ESCAPED_MAX];
    bool exact;
    *has = value->kind != JSON_NULL;
    if (!*has || ((value->kind == JSON_NUMBER || value->kind == JSON_STRING) &&
                  json_ticks(value->text, value->size, CHROME_DECIMALS, ticks, &exact)))
        return CSY_OK;
    return error_set(error, CSY_INPUT, "%s: expected microseconds of at most 64 bits, found '%s'",
                     field, error_escape(text, value->text, value->size));
}

static void take_number(const struct json_value *value, struct number *out)
{
    bool exact;
    out->has = json_ticks(value->text, value->size, 0, &out->value, &exact) && exact;
}

static csy_status take_scalar(struct reading *r, const struct json_value *value, csy_error *error)
{
    bool exact;
    int64_t number = 0;
    switch ((enum chrome_field)value->what) {
    case CHROME_PHASE:
        r->phase = (char)(value->size == 1 ? value->text[0] : 0);
        break;
    case CHROME_TIME:
        return take_time(value, "ts", &r->has_time, &r->time_ticks, error);
    case CHROME_DURATION:
        return take_time(value, "dur", &r->has_duration, &r->duration_ticks, error);
    case CHROME_PROCESS:
        keep(&r->process, value);
        break;
    case CHROME_THREAD:
        keep(&r->thread, value);
        break;
    case CHROME_NAME:
        keep(&r->name, value);
        break;
    case CHROME_CATEGORY:
        keep(&r->category, value);
        break;
    case CHROME_ID:
        keep(&r->id, value);
        break;
    case CHROME_CORRELATION:
        keep(&r->correlation, value);
        break;
    case CHROME_COLLECTIVE:
        keep(&r->collective, value);
        break;
    case CHROME_GROUP:
        keep(&r->group, value);
        break;
    case CHROME_LABEL:
        keep(&r->label, value);
        break;
    case CHROME_RANKS:
        keep(&r->ranks, value);
        break;
    case CHROME_ELEMENTS: /* numbers of sent and of received elements */
        if (json_ticks(value->text, value->size, 0, &number, &exact) && exact) {
            r->elements.value = (r->elements.has && r->elements.value != 0) || number != 0;
            r->elements.has = true;
        }
        break;
    case CHROME_ROOT:
        take_number(value, &r->root);
        break;
    case CHROME_EXTERNAL:
        take_number(value, &r->external);
        break;
    case CHROME_CONTEXT:
        take_number(value, &r->context);
        break;
    case CHROME_STREAM:
        take_number(value, &r->stream);
        break;
    case CHROME_SYNC:
        keep(&r->sync, value);
        break;
    case CHROME_WAIT_STREAM:
        take_number(value, &r->wait_stream);
        break;
    case CHROME_WAIT_RECORD:
        keep(&r->wait_record, value);
        break;
    case CHROME_SEQUENCE:
        r->has_sequence = json_ticks(value->text, value->size, 0, &number, &exact) && exact;
        r->sequence = (uint64_t)number;
        break;
    case CHROME_BASE:
        if (!json_ticks(value->text, value->size, 0, &current(r)->base_ticks, &exact))
            return error_set(error, CSY_INPUT, "baseTimeNanoseconds is no time of 64 bits");
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
        return error_set(error, CSY_INPUT,
                         "cellsync wrote this file; pass the trace that it was made from");
    default:
        break;
    }
    return CSY_OK;
}

/* Read a value. A document begins and ends at depth 0: an object, or an array of events. */
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
            return error_set(error, CSY_INPUT, "traceEvents inside an array of events");
        if (document || value->what == CHROME_EVENT)
            begin_event(r);
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

/* Returns the part of a key after its first blank. */
static const char *own_part(const struct texts *keys, size_t number, int *size)
{
    const struct text_item *item = &keys->items[number];
    const char *key = keys->bytes + item->at, *blank = memchr(key, ' ', item->size);
    *size = (int)(key + item->size - blank - 1);
    return blank + 1;
}

/* Add a clock of a document, with its prefix, and a number if another clock has the name. */
static csy_status add_clock(struct reading *r, const struct document *document, const char *name,
                            uint32_t *out, csy_error *error)
{
    char own[2 * TEXT_ROOM + 80];
    const char *prefix = document->prefix ? document->prefix : "";
    const char *slash = document->prefix ? "/" : "";
    bool added = false;
    uint32_t text;
    snprintf(own, sizeof own, "%.200s%s%s", prefix, slash, name);
    for (unsigned k = 2; !added; k++) {
        if (!texts_find(&r->names, own, strlen(own), &text, &added))
            return error_memory(error);
        if (!added)
            snprintf(own, sizeof own, "%.200s%s%s#%u", prefix, slash, name, k);
    }
    return items_add_clock(r->items, own, strlen(own), out, error);
}

/* Give each process with a pid its own clock. Others share the clock of the first one. */
static csy_status make_clocks(struct reading *r, csy_error *error)
{
    struct chrome_clocks *clocks = r->clocks;
    size_t n = clocks->processes.count;
    char name[TEXT_ROOM + 64];
    csy_status status = CSY_OK;
    clocks->clock_of = malloc((n + 1) * sizeof *clocks->clock_of);
    if (!clocks->clock_of)
        return error_memory(error);
    bool any = r->processes && r->documents; /* true if n > 0 */
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
        status = add_clock(r, document, name, &process->clock, error);
        if (!process->is_gpu && document->main_clock == NO_TEXT)
            document->main_clock = process->clock;
    }
    for (size_t i = 0; any && i < n && !status; i++) {
        struct process *process = &r->processes[i];
        struct document *document = &r->documents[process->document];
        if (process->clock == NO_TEXT && document->main_clock == NO_TEXT)
            status = add_clock(r, document, "unnumbered", &document->main_clock, error);
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
        /* Processes without a pid share a clock; then names of threads contain the process. */
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

csy_status chrome_read(struct items *items, const char *name, struct chrome_clocks *clocks,
                       struct chrome_counts *counts, csy_error *error)
{
    struct reading r = {.items = items, .clocks = clocks, .counts = counts};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < items->nparts && !status; i++) {
        const struct csy_trace *part = items_begin_part(items, i);
        items->parts[i].document = r.ndocuments;
        r.json = (struct json_reading){.name = part->name,
                                       .root = &chrome_root,
                                       .root_what = CHROME_DOCUMENT,
                                       .take = take,
                                       .open_ended = true,
                                       .user = &r};
        r.first_place = (uint64_t)i << ITEMS_PART_SHIFT;
        r.prefix = part->part_name;
        r.bare = false;
        status = json_read(part->bytes, &r.json, error);
        if (!status && r.json.ended_open)
            status = end_document(&r, error);
    }
    r.json.name = name;
    if (!status)
        status = make_clocks(&r, error);
    if (!status)
        status = name_tracks(&r, error);
    if (!status)
        status = chrome_tie(&r, error);
    if (!status)
        items_find_steps(items);
    for (size_t i = 0; i < clocks->processes.count && r.processes; i++)
        free(r.processes[i].label);
    for (size_t i = 0; i < r.threads.count && r.thread_of; i++)
        free(r.thread_of[i].label);
    free(r.documents);
    free(r.processes);
    free(r.thread_of);
    free(r.below);
    free(r.members);
    free(r.ends);
    free(r.roots);
    free(r.work);
    free(r.waits);
    free(r.orders);
    texts_fini(&r.lanes);
    texts_fini(&r.lists);
    texts_fini(&r.threads);
    texts_fini(&r.series);
    texts_fini(&r.keys);
    texts_fini(&r.names);
    return status;
}
