/* Reads trace events of Chrome. */
#include "trace/json/chrome.h"

#include "base/array.h"
#include "base/error.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OBJECT(name) static const struct json_object name = JSON_OBJECT_OF(name##_fields)

static const struct json_field arguments_fields[] = {{"correlation", CHROME_CORRELATION, NULL},
                                                     {"Collective name", CHROME_COLLECTIVE, NULL},
                                                     {"Process Group Name", CHROME_GROUP, NULL},
                                                     {"Seq", CHROME_SEQUENCE, NULL},
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
/* A document is an array of events, or an object that contains this array. */
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

enum { TEXT_ROOM = 256, NO_DOCUMENT_RANK = -1 };

/* A short text, cut off at its room. */
struct text {
    char bytes[TEXT_ROOM];
    size_t size;
};

/* The member of a collective operation that a rank runs. */
struct member {
    uint32_t item, document;
    uint32_t series; /* an operation and its group */
    uint32_t launch; /* key of the launch of a kernel; NO_TEXT: it is no kernel */
    bool has_sequence;
    uint64_t sequence;
};

/* An end of a flow, or of a launch. */
struct end {
    uint32_t key, item;
    bool begins;
};

struct document {
    size_t first; /* item */
    const char *prefix;
    int64_t base_ticks, rank;
    bool has_step;
    int64_t step, step_ticks; /* the first step */
    uint32_t main_clock;      /* the clock of its first process that is not a GPU; NO_TEXT: none */
};

struct process {
    uint32_t document, clock;
    bool is_gpu, numbered;
    char *label;
};

struct thread_of {
    uint32_t process, top; /* the innermost open event with an end of its own; or NO_TEXT */
    char *label;
};

struct reading {
    struct json_reading json;
    uint64_t first_place; /* of the file */
    const char *prefix;   /* of names in this file; NULL: none */
    struct items *items;
    struct chrome_clocks *clocks;
    struct chrome_counts *counts;
    struct document *documents;
    size_t ndocuments, documents_capacity;
    struct process *processes; /* by number in clocks->processes */
    size_t processes_capacity;
    struct texts threads; /* "PROCESS THREAD" */
    struct thread_of *thread_of;
    size_t threads_capacity;
    uint32_t *below; /* by item: the open event below it */
    size_t below_capacity;
    struct texts series, keys, names; /* names: of clocks, as printed */
    struct member *members;
    size_t nmembers, members_capacity;
    struct end *ends;
    size_t nends, ends_capacity;
    uint64_t unclosed;
    /* The event that is being read. */
    uint64_t place;
    char phase;
    bool has_time, has_duration, has_correlation, has_sequence, bare;
    int64_t time_ticks, duration_ticks;
    uint64_t sequence;
    /* The process and the thread of the event before, in the same document. */
    bool has_last;
    struct text last_process, last_thread;
    uint32_t last_process_number, last_thread_number;
    struct text process, thread, name, category, id, correlation, collective, group, label;
};

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
    struct text *const texts[] = {&r->process,     &r->thread,     &r->name,  &r->category, &r->id,
                                  &r->correlation, &r->collective, &r->group, &r->label,    NULL};
    for (size_t i = 0; texts[i]; i++)
        texts[i]->bytes[texts[i]->size = 0] = 0;
}

static bool is_gpu_event(const struct reading *r)
{
    return same(&r->category, "kernel") || same(&r->category, "gpu_memcpy") ||
           same(&r->category, "gpu_memset");
}

/* Find or add the process and the thread of the event. */
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

/* A metadata event names a process or a thread. */
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

static csy_status add_end(struct reading *r, const char *kind, const struct text *id, bool begins,
                          csy_error *error)
{
    char key[4 * TEXT_ROOM];
    bool added;
    bool flow = *kind == 'f';
    int n = snprintf(key, sizeof key, "%zu %s %s %s %s", r->ndocuments - 1, kind, id->bytes,
                     flow ? r->category.bytes : "", flow ? r->name.bytes : "");
    if (!ARRAY_RESERVE(r->ends, r->ends_capacity, r->nends + 1))
        return error_memory(error);
    struct end *end = &r->ends[r->nends++];
    *end = (struct end){.item = (uint32_t)r->items->count - 1, .begins = begins};
    return texts_find(&r->keys, key, (size_t)n < sizeof key ? (size_t)n : sizeof key - 1, &end->key,
                      &added)
               ? CSY_OK
               : error_memory(error);
}

/* Get the operation from a name such as "gloo:all_reduce" or "_allgather_base", without "_". False
 * if its members do not wait for each other, or wait for a root that is unknown. */
static bool find_operation(const char *name, char out[TEXT_ROOM], bool *rooted)
{
    static const char *const waiting[] = {"allreduce", "barrier", "allgather", "reducescatter"};
    static const char *const with_root[] = {"broadcast", "reduce", "gather", "scatter"};
    size_t n = 0;
    for (; *name && n + 1 < TEXT_ROOM; name++)
        if (*name != '_')
            out[n++] = *name;
    out[n] = 0;
    *rooted = false;
    for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
        if (strncmp(out, waiting[i], strlen(waiting[i])) == 0)
            return true;
    for (size_t i = 0; i < sizeof with_root / sizeof *with_root; i++)
        *rooted |= strncmp(out, with_root[i], strlen(with_root[i])) == 0;
    return false;
}

/* Add the event as a member of a collective operation if it is a kernel of NCCL or an operation of
 * gloo, because these end when the operation is complete.  Other events with the name of an
 * operation end when it is queued. */
static csy_status add_member(struct reading *r, csy_error *error)
{
    char operation[TEXT_ROOM], key[3 * TEXT_ROOM];
    bool gloo = begins(&r->name, "gloo:"), rooted, added;
    bool kernel = same(&r->category, "kernel") && r->collective.size > 0;
    if (!gloo && !kernel)
        return CSY_OK;
    if (!find_operation(gloo ? r->name.bytes + 5 : r->collective.bytes, operation, &rooted)) {
        r->counts->rooted += rooted;
        return CSY_OK;
    }
    if (!ARRAY_RESERVE(r->members, r->members_capacity, r->nmembers + 1))
        return error_memory(error);
    struct member *member = &r->members[r->nmembers++];
    *member = (struct member){
        .item = (uint32_t)r->items->count - 1,
        .launch = kernel && r->correlation.size > 0 ? r->ends[r->nends - 1].key : NO_TEXT,
        .document = (uint32_t)r->ndocuments - 1,
        .has_sequence = r->has_sequence,
        .sequence = r->sequence};
    int n = snprintf(key, sizeof key, "%s%s of group '%s'", gloo ? "gloo:" : "nccl:", operation,
                     r->group.bytes);
    return texts_find(&r->series, key, (size_t)n, &member->series, &added) ? CSY_OK
                                                                           : error_memory(error);
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

/* Handle the end of an event whose begin was an event of its own. */
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
    if (strchr("stf", r->phase))
        return add_end(r, "f", &r->id, r->phase == 's', error);
    note_step(r);
    if (r->correlation.size > 0)
        status = add_end(r, "c", &r->correlation, !is_gpu_event(r), error);
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

/* A document begins and ends at depth 0: an object, or an array whose objects are events. */
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

/* The part of a key after its first blank. */
static const char *own_part(const struct texts *keys, size_t number, int *size)
{
    const struct text_item *item = &keys->items[number];
    const char *key = keys->bytes + item->at, *blank = memchr(key, ' ', item->size);
    *size = (int)(key + item->size - blank - 1);
    return blank + 1;
}

/* Give each process with a number a clock, and each other process the clock of the first one. */
static csy_status make_clocks(struct reading *r, csy_error *error)
{
    struct chrome_clocks *clocks = r->clocks;
    size_t n = clocks->processes.count;
    char name[TEXT_ROOM + 64], own[2 * TEXT_ROOM + 80];
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
        bool added = false;
        uint32_t text;
        if (rank != NO_DOCUMENT_RANK && !process->is_gpu && document->main_clock == NO_TEXT)
            snprintf(name, sizeof name, "rank%" PRId64, rank);
        else if (rank != NO_DOCUMENT_RANK)
            snprintf(name, sizeof name, "rank%" PRId64 ".%s%.*s", rank,
                     process->is_gpu ? "gpu" : "pid", digits, number);
        else
            snprintf(name, sizeof name, "%s%.*s", process->is_gpu ? "gpu" : "pid", digits, number);
        const char *prefix = document->prefix ? document->prefix : "";
        const char *slash = document->prefix ? "/" : "";
        snprintf(own, sizeof own, "%.200s%s%s", prefix, slash, name);
        for (unsigned k = 2; !added && !status; k++) {
            if (!texts_find(&r->names, own, strlen(own), &text, &added))
                status = error_memory(error);
            if (!added)
                snprintf(own, sizeof own, "%.200s%s%s#%u", prefix, slash, name, k);
        }
        if (!status)
            status = items_add_clock(r->items, own, strlen(own), &process->clock, error);
        if (!process->is_gpu && document->main_clock == NO_TEXT)
            document->main_clock = process->clock;
    }
    for (size_t i = 0; any && i < n && !status; i++) {
        struct process *process = &r->processes[i];
        struct document *document = &r->documents[process->document];
        if (process->clock == NO_TEXT && document->main_clock == NO_TEXT)
            status = items_add_clock(r->items, "unnumbered", 10, &document->main_clock, error);
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
        /* Processes without numbers share a clock, so their names keep threads apart. */
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

/* --- Relations ------------------------------------------------------------------------------- */

static int compare_ends(const void *a, const void *b)
{
    const struct end *x = a, *y = b;
    return x->key != y->key         ? (x->key < y->key ? -1 : 1)
           : x->begins != y->begins ? (x->begins ? -1 : 1)
                                    : (x->item > y->item) - (x->item < y->item);
}

static int compare_sequences(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    return x->series != y->series               ? (x->series < y->series ? -1 : 1)
           : x->has_sequence != y->has_sequence ? (x->has_sequence ? -1 : 1)
           : x->sequence != y->sequence         ? (x->sequence < y->sequence ? -1 : 1)
           : x->document != y->document         ? (x->document < y->document ? -1 : 1)
                                                : (x->item > y->item) - (x->item < y->item);
}

/* --- k-th with k-th -------------------------------------------------------------------------- */

/* A member with its document and begin, for counting. */
struct counted {
    int64_t begin_ticks;
    uint32_t series, document, member;
};

static int compare_counted(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    return x->series != y->series             ? (x->series < y->series ? -1 : 1)
           : x->document != y->document       ? (x->document < y->document ? -1 : 1)
           : x->begin_ticks != y->begin_ticks ? (x->begin_ticks < y->begin_ticks ? -1 : 1)
                                              : (x->member > y->member) - (x->member < y->member);
}

static const char *rank_text(const struct reading *r, size_t document, char text[64])
{
    int64_t rank = r->documents[document].rank;
    snprintf(text, 64, rank == NO_DOCUMENT_RANK ? "document %" PRId64 : "rank %" PRId64,
             rank == NO_DOCUMENT_RANK ? (int64_t)document : rank);
    return text;
}

/* CSY_INPUT unless all ranks count from the same step. */
static csy_status check_steps(const struct reading *r, const char *series, csy_error *error)
{
    char one[64], two[64];
    for (size_t i = 0; i < r->ndocuments; i++) {
        const struct document *d = &r->documents[i], *first = &r->documents[0];
        if (!d->has_step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without Seq can only be counted from a step of the profiler, "
                             "but %s has no ProfilerStep; call step() of the profiler, or record "
                             "with a PyTorch that writes Seq",
                             r->json.name, series, rank_text(r, i, one));
        if (d->step != first->step)
            return error_set(error, CSY_INPUT,
                             "%s: %s without Seq can only be counted from the same step, but %s "
                             "begins at ProfilerStep#%" PRId64 ", and %s at #%" PRId64,
                             r->json.name, series, rank_text(r, 0, one), first->step,
                             rank_text(r, i, two), d->step);
    }
    return CSY_OK;
}

/* CSY_INPUT unless all ranks have equally many members of the series.  The members of the series
 * are next to each other. */
static csy_status check_counts(const struct reading *r, const struct counted *all, size_t n,
                               const char *series, csy_error *error)
{
    char one[64], two[64];
    size_t first = 0, at = 0;
    for (size_t document = 0; document < r->ndocuments; document++) {
        size_t count = 0;
        for (; at < n && all[at].document == document; at++)
            count++;
        first = document == 0 ? count : first;
        if (count != first)
            return error_set(error, CSY_INPUT,
                             "%s: without Seq, the k-th operations of all ranks belong together "
                             "only if all ranks have as many, but %s has %zu %s, and %s has %zu",
                             r->json.name, rank_text(r, 0, one), first, series,
                             rank_text(r, document, two), count);
    }
    return CSY_OK;
}

/* Get the time, by the clock of the rank's process, at which the member's operation began.  False
 * if it is unknown, for example because a GPU has a clock of its own.  Needs sorted ends. */
static bool find_begin(const struct reading *r, const struct member *member, int64_t *out)
{
    size_t low = 0, high = r->nends;
    uint32_t item = member->item;
    bool gloo = member->launch == NO_TEXT;
    BISECT(low, high, middle, r->ends[middle].key < member->launch);
    if (!gloo && low < r->nends && r->ends[low].key == member->launch && r->ends[low].begins)
        item = r->ends[low].item;
    else if (!gloo)
        return false;
    *out = r->items->all[item].begin_ticks;
    return !r->processes[r->thread_of[r->items->all[item].track].process].is_gpu;
}

/* Number the members without Seq in each series, and use the number as Seq. */
static csy_status count_members(struct reading *r, csy_error *error)
{
    struct counted *all = malloc((r->nmembers + 1) * sizeof *all);
    size_t n = 0;
    csy_status status = all ? CSY_OK : error_memory(error);
    for (size_t i = 0; i < r->nmembers && !status; i++) {
        const struct member *member = &r->members[i];
        const struct document *document = &r->documents[member->document];
        int64_t begin;
        if (!member->has_sequence && find_begin(r, member, &begin) &&
            (!document->has_step || begin >= document->step_ticks))
            all[n++] = (struct counted){begin, member->series, member->document, (uint32_t)i};
    }
    if (!status && n > 0 && r->ndocuments > 1)
        qsort(all, n, sizeof *all, compare_counted);
    for (size_t i = 0, next; i < n && r->ndocuments > 1 && !status; i = next) {
        const struct text_item *text = &r->series.items[all[i].series];
        char series[ERROR_ESCAPED_MAX];
        error_escape(series, r->series.bytes + text->at, text->size);
        for (next = i; next < n && all[next].series == all[i].series; next++) {
        }
        status = check_steps(r, series, error);
        if (!status)
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

static void tie(struct items *items, void *user)
{
    struct reading *r = user;
    struct chrome_counts *counts = r->counts;
    counts->flows = counts->reused_flows = counts->launches = 0;
    counts->collectives = counts->members = counts->unclear = 0;
    /* Flows and launches: one begin, and its ends. */
    for (size_t i = 0, next; i < r->nends; i = next) {
        const struct end *first = &r->ends[i];
        for (next = i + 1; next < r->nends && r->ends[next].key == first->key; next++) {
        }
        const char *key = r->keys.bytes + r->keys.items[first->key].at;
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
        counts->collectives++;
        counts->members += next - i;
        for (size_t k = i; k < next; k++) {
            items_role(items, r->members[k].item, ITEM_ENTER, items->nkeys);
            items_role(items, r->members[k].item, ITEM_LEAVE, items->nkeys);
        }
        items->nkeys++;
    }
}

csy_status chrome_read(struct items *items, const char *name, struct chrome_clocks *clocks,
                       struct chrome_counts *counts, csy_error *error)
{
    struct reading r = {.items = items, .clocks = clocks, .counts = counts};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < items->nparts && !status; i++) {
        const struct csy_trace *part = items_begin_part(items, i);
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
    if (r.nends > 0)
        qsort(r.ends, r.nends, sizeof *r.ends, compare_ends);
    r.json.name = name;
    if (!status)
        status = make_clocks(&r, error);
    if (!status)
        status = name_tracks(&r, error);
    if (!status)
        status = count_members(&r, error);
    if (!status) {
        if (r.nmembers > 0)
            qsort(r.members, r.nmembers, sizeof *r.members, compare_sequences);
        status = items_tie(items, tie, &r, error);
    }
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
    texts_fini(&r.threads);
    texts_fini(&r.series);
    texts_fini(&r.keys);
    texts_fini(&r.names);
    return status;
}
