/* The run of a program, a folder that celltrace(1) wrote, as a source of events. */
#include "base/array.h"
#include "base/error.h"
#include "base/near.h"
#include "base/put.h"
#include "base/sort.h"
#include "base/texts.h"
#include "trace/event.h"
#include "trace/pex/record.h"
#include "trace/pex/record_roles.h"
#include "trace/run/process.h"
#include "trace/trace.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- The files of the folder --------------------------------------------------------------- */

/* The stems of its documents, in order. */
struct stems {
    char **items;
    size_t count, capacity;
    char *anchor; /* of an archive beside them, the first by name, or NULL */
    bool ctf;     /* a file beside them is called as the metadata of CTF */
};

static bool ends_in(const char *name, const char *suffix)
{
    size_t size = strlen(name), n = strlen(suffix);
    return size > n && strcmp(name + size - n, suffix) == 0;
}

static void stems_free(struct stems *stems)
{
    free(stems->anchor);
    for (size_t i = 0; i < stems->count; i++)
        free(stems->items[i]);
    free(stems->items);
}

static int compare_stems(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool note_anchor(struct stems *stems, const char *name)
{
    if (stems->anchor && strcmp(stems->anchor, name) < 0)
        return true;
    free(stems->anchor);
    stems->anchor = strdup(name);
    return stems->anchor;
}

/* There is none. */
static csy_status refuse_folder(const struct csy_trace *trace, const struct stems *stems,
                                csy_error *error)
{
    const char *anchor = stems->anchor;
    if (!anchor)
        return error_set(error, CSY_IO,
                         stems->ctf ? "%s: this is a CTF trace, which is written only and not "
                                      "read: give the trace that it was made of"
                                    : "%s: this folder is no run of celltrace(1), the only kind of "
                                      "folder that is read: it has no .pex in it",
                         trace->name);
    char name[ERROR_ESCAPED_MAX];
    bool ended = trace->name[strlen(trace->name) - 1] == '/';
    return error_set(error, CSY_IO, "%s: it is a folder; the archive in it is called %s%s%s",
                     trace->name, trace->name, ended ? "" : "/",
                     error_escape(name, anchor, strlen(anchor)));
}

/* Those of the folder of this name; begun as 0.  CSY_IO where there is none. */
static csy_status stems_find(const struct csy_trace *trace, struct stems *stems, csy_error *error)
{
    static const char suffix[] = ".pex";
    const size_t suffix_size = sizeof suffix - 1;
    DIR *dir = opendir(trace->name);
    csy_status status = CSY_OK;
    if (!dir)
        return error_io(error, trace->name, NULL);
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (const struct dirent *entry; !status && (entry = readdir(dir));) {
        if (ends_in(entry->d_name, ".otf2") && !note_anchor(stems, entry->d_name))
            status = error_memory(error);
        stems->ctf |= strcmp(entry->d_name, "metadata") == 0;
        if (status || entry->d_name[0] == '.' || !ends_in(entry->d_name, suffix))
            continue;
        char *stem = strndup(entry->d_name, strlen(entry->d_name) - suffix_size);
        if (!stem || !ARRAY_RESERVE(stems->items, stems->capacity, stems->count + 1)) {
            free(stem);
            status = error_memory(error);
        } else {
            stems->items[stems->count++] = stem;
        }
    }
    closedir(dir);
    if (!status && stems->count == 0)
        return refuse_folder(trace, stems, error);
    sort_pointers(stems->items, stems->count, compare_stems);
    return status;
}

/* --- What events mean ---------------------------------------------------------------------- */

/* A routine's address is no value of its event. */
static bool take_field(struct csy_trace *trace, const struct process *p,
                       const struct said_meaning *item, const struct record_type *type)
{
    uint32_t routine = p->routines ? p->routines[type - p->metadata.types.items].field : 0;
    if (routine == item->field + 1)
        return true;
    return said_meanings_copy(&trace->metadata.meanings, item,
                              types_event_name(&p->metadata.types, type->id, false),
                              item->field - (routine > 0 && item->field >= routine));
}

/* trace->metadata.meanings gets it, for src/meaning to read: events are told by their names, of
 * which the first process that has it counts, as the first one does for states.  The caller frees
 * them, also after a failure. */
static csy_status process_meanings_take(struct csy_trace *trace, const struct process *processes,
                                        size_t count, csy_error *error)
{
    struct texts names = {0};
    bool good = true;
    for (size_t i = 0; i < count && good; i++) {
        const struct process *p = &processes[i];
        const struct record_type *last = NULL;
        bool added = false;
        for (size_t k = 0; k < p->metadata.meanings.count && good; k++) {
            const struct said_meaning *item = &p->metadata.meanings.items[k];
            const struct record_type *type = types_of_id(&p->metadata.types, item->id);
            const char *name = type ? types_event_name(&p->metadata.types, type->id, false) : NULL;
            uint32_t index;
            if (item->field == SAID_STATE && i == 0)
                good = said_meanings_copy(&trace->metadata.meanings, item, NULL, item->field);
            if (item->field == SAID_STATE || item->field == SAID_PLACE ||
                item->field == SAID_TOPOLOGY || !name)
                continue;
            if (type != last)
                good = texts_find(&names, name, strlen(name), &index, &added);
            last = type;
            if (good && added)
                good = item->field == SAID_TYPE
                           ? said_meanings_copy(&trace->metadata.meanings, item, name, item->field)
                           : take_field(trace, p, item, type);
        }
    }
    texts_fini(&names);
    return good ? CSY_OK : error_memory(error);
}

/* --- What records order -------------------------------------------------------------------- */

enum {
    GROUP_MPI = 0x08,
    GROUP_THREADS = 0x0c,
    GROUP_SYNC = 0x0d,
    COMMUNICATOR = 3, /* of records of MPI, the value that names it */
};

/* Calls of MPI, as the recorder knows them: without a communicator they are not matched; and it may
 * have missed sends, never the order of receives, which began when they were posted. */
static void keep_call(struct event_roles *own, const struct record *record)
{
    const uint8_t *payload = record_payload(record, false);
    if (record->npayload > COMMUNICATOR && load64(payload + 8 * (size_t)COMMUNICATOR) == 0) {
        own->send = own->recv = own->members = (csy_text){0};
        own->sync = false;
    }
    if (own->recv.size > 0 && record->interval) {
        own->posting = POSTING_GIVEN;
        own->posted_ticks = (int64_t)record->begin;
    }
}

/* Remove roles that have no meaning in a run.  A process has one clock, so operations between its
 * threads tell nothing about clocks. */
static void keep_of_run(struct event_roles *own, const struct record *record)
{
    uint8_t group = (uint8_t)record->id;
    if (group == GROUP_THREADS || group == GROUP_SYNC)
        *own = (struct event_roles){.late = true};
    if (group == GROUP_MPI)
        keep_call(own, record);
    own->spawn = own->join = (csy_text){0};
    own->spawned = false;
}

enum {
    VALUE_MAX = VALUE_TEXT_MAX + 1, /* a value and a blank */
    VALUES_MAX = 8190,              /* of a record */
    WITHIN_MAX = 20,                /* "+0x" and a distance */
};

static const char writer_label[] = "celltrace";

struct run {
    struct process *items;
    size_t count;
    size_t nclocks, nhosts; /* a host without a name is none */
    uint64_t bytes;
    struct symbol_files symbols;
};

/* --- The state of a trace ------------------------------------------------------------------ */

/* A place in it: the state of a trace. */
struct reading {
    struct run *run;
    size_t next; /* process to be begun */
    int fd;      /* of the one that is being read, -1 before and after */
    struct bytes *bytes;
    struct record_reader reader;
    struct record_roles *roles;
    size_t rest; /* of its pages, the next byte; they follow its file */
    bool in_rest;
    uint64_t done; /* bytes of the processes before */
    bool ordered;  /* something may come before something else */
    uint32_t tid;  /* of the last event: */
    const char *thread;
    size_t thread_size;
    char *room;                     /* for a thread's name */
    char *writer;                   /* who wrote its blocks */
    char *other;                    /* for the name of a thread that an event is about */
    char *values, *raw;             /* of an event, as text, by their types and without */
    struct address_cache addresses; /* of the process */
    char made[ADDRESS_ROOM];        /* a routine's name */
    char *within;                   /* the same of a place within it */
    size_t within_capacity;
    struct record last;       /* that was read */
    struct named_stamp stamp; /* the clock and the computer of the process */
};

static csy_status look(struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_INPUT, "%s: the run of a program is a folder", trace->name);
}

/* Not by what a file begins with. */
static bool probe(const struct head *head)
{
    (void)head;
    return false;
}

/* --- The folder -------------------------------------------------------------------------- */

static csy_status open_processes(struct csy_trace *trace, struct run *run, csy_error *error)
{
    struct stems stems = {0};
    csy_status status = stems_find(trace, &stems, error);
    run->items = calloc(stems.count + 1, sizeof *run->items);
    if (!status && !run->items)
        status = error_memory(error);
    size_t count = 0;
    while (count < stems.count && !status) {
        struct process *item = &run->items[count];
        status = process_open(trace, stems.items[count++], &run->symbols, item, error);
        run->bytes += status ? 0 : item->bytes;
    }
    run->count = count;
    stems_free(&stems);
    return status;
}

/* All clocks tick alike, but for what they drift. */
static csy_status check_rates(struct csy_trace *trace, const struct run *run, csy_error *error)
{
    const struct process *first = run->items;
    for (size_t i = 1; i < run->count; i++) {
        const struct process *p = &run->items[i];
        if (p->metadata.timebase_hz != first->metadata.timebase_hz)
            return error_set(error, CSY_INPUT,
                             "%s: the clock of %s has %" PRIu64 " Hz, that of %s has %" PRIu64
                             " Hz: they are no run that can be read as one",
                             trace->name, first->stem, first->metadata.timebase_hz, p->stem,
                             p->metadata.timebase_hz);
    }
    trace->timebase_hz = first->metadata.timebase_hz;
    return CSY_OK;
}

static int compare_clocks(const void *a, const void *b)
{
    const struct said_process *x = &(*(struct process *const *)a)->metadata.process;
    const struct said_process *y = &(*(struct process *const *)b)->metadata.process;
    int hosts = strcmp(x->host, y->host), ids = strcmp(x->clock_id, y->clock_id);
    return hosts                                                       ? hosts
           : ids                                                       ? ids
           : *(struct process *const *)a < *(struct process *const *)b ? -1
                                                                       : 1;
}

/* Whether two clock ids are of one machine.  celltrace --skew appends '+' and a process id. */
static bool same_machine(const char *a, const char *b)
{
    size_t length = strcspn(a, "+");
    return length == strcspn(b, "+") && memcmp(a, b, length) == 0;
}

/* A clock is called as its host, or, of several of a host, as its first process. */
static csy_status name_clocks(struct run *run, csy_error *error)
{
    /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    struct process **sorted = malloc((run->count + 1) * sizeof *sorted);
    if (!sorted)
        return error_memory(error);
    for (size_t i = 0; i < run->count; i++)
        sorted[i] = &run->items[i];
    sort_pointers(sorted, run->count, compare_clocks);
    csy_status status = CSY_OK;
    for (size_t i = 0, end; i < run->count && !status; i = end) {
        const char *host = sorted[i]->metadata.process.host, *id = NULL, *name = NULL;
        for (end = i; end < run->count && strcmp(sorted[end]->metadata.process.host, host) == 0;)
            end++;
        bool one = strcmp(sorted[end - 1]->metadata.process.clock_id,
                          sorted[i]->metadata.process.clock_id) == 0 &&
                   host[0];
        for (size_t k = i; k < end && !status; k++) {
            if (!id || strcmp(id, sorted[k]->metadata.process.clock_id) != 0) {
                run->nhosts += !id || !same_machine(id, sorted[k]->metadata.process.clock_id);
                id = sorted[k]->metadata.process.clock_id;
                name = one ? host : sorted[k]->stem;
                run->nclocks++;
            }
            sorted[k]->clock = strdup(name);
            status = sorted[k]->clock ? CSY_OK : error_memory(error);
        }
    }
    free(sorted);
    return status;
}

/* What the recorder itself says is not there. */
static void warn_of_losses(struct csy_trace *trace, const struct run *run)
{
    size_t losers = 0;
    uint64_t lost = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct said_process *said = &run->items[i].metadata.process;
        losers += said->lost > 0;
        lost += said->lost;
    }
    if (losers > 0 && trace->nwarnings < TRACE_WARNINGS_MAX)
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "%" PRIu64 " record%s of %zu process%s %s lost while recording", lost,
                 lost == 1 ? "" : "s", losers, losers == 1 ? "" : "es", lost == 1 ? "was" : "were");
}

/* --- Reading ----------------------------------------------------------------------------- */

static void end_process(struct reading *r)
{
    bytes_free(r->bytes);
    if (r->fd >= 0)
        close(r->fd);
    record_roles_free(r->roles);
    free(r->room);
    free(r->other);
    free(r->writer);
    r->bytes = NULL;
    r->fd = -1;
    r->roles = NULL;
    r->room = r->other = r->writer = NULL;
    r->thread = NULL;
}

static csy_status begin_process(const struct csy_trace *trace, struct reading *r, csy_error *error)
{
    const struct process *p = &r->run->items[r->next++];
    r->room = malloc(process_room(p));
    r->other = malloc(process_room(p));
    r->writer = malloc(strlen(p->stem) + sizeof writer_label + 1);
    if (!r->room || !r->other || !r->writer)
        return error_memory(error);
    *put_text(put_text(put_text(r->writer, p->stem), "/"), writer_label) = 0;
    r->addresses = (struct address_cache){0};
    r->stamp =
        (struct named_stamp){.clock = p->clock,
                             .clock_size = strlen(p->clock),
                             .node = {p->metadata.process.host, strlen(p->metadata.process.host)}};
    r->rest = 0;
    r->in_rest = false;
    r->fd = open(p->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (r->fd < 0)
        return error_io(error, p->trace_name, NULL);
    csy_status status = trace_check_file(trace, p->file, r->fd, error);
    if (!status)
        status = bytes_new(r->fd, p->trace_name, 0, false, trace->workers, &r->bytes, error);
    r->reader = (struct record_reader){.salvage = false};
    if (!status)
        status = record_reader_open(&r->reader, r->bytes, p->trace_name, NULL, error);
    r->reader.salvage = p->is_pieced;
    return status ? status : record_roles_new(&p->metadata, true, &r->roles, error);
}

/* The next record of the process; *more is false after its last one. */
static csy_status next_of_process(struct reading *r, struct record *record, bool *more,
                                  csy_error *error)
{
    const struct process *p = &r->run->items[r->next - 1];
    csy_status status = CSY_OK;
    *more = !r->in_rest && !(p->is_pieced && r->reader.next_position == p->written);
    if (*more)
        status = record_read(&r->reader, record, more, error);
    if (status || *more)
        return status;
    r->in_rest = true;
    *more = r->rest < p->rest_bytes;
    if (*more) {
        record_load(record, p->rest + r->rest, false);
        record->offset = r->rest;
        r->rest += record->size;
    }
    return CSY_OK;
}

static csy_status next_record(const struct csy_trace *trace, struct reading *r,
                              struct record *record, bool *more, csy_error *error)
{
    csy_status status = CSY_OK;
    *more = false;
    while (!status && !*more) {
        if (r->fd < 0 && r->next == r->run->count)
            return CSY_OK;
        if (r->fd < 0)
            status = begin_process(trace, r, error);
        if (!status)
            status = next_of_process(r, record, more, error);
        if (!status && !*more) {
            r->done += r->run->items[r->next - 1].bytes;
            status = trace_check_file(trace, r->run->items[r->next - 1].file, r->fd, error);
            end_process(r);
        }
    }
    return status;
}

/* Who recorded it: a thread; or its writer, whose stamps of blocks may be later than what the
 * thread records meanwhile. */
static void name_thread(struct reading *r, const struct record *record, struct named_stamp *stamp)
{
    const struct process *p = &r->run->items[r->next - 1];
    if (record->id == ID_BUFFER_FLUSH) {
        stamp->thread = r->writer;
        stamp->thread_size = strlen(r->writer);
        r->thread = NULL;
        return;
    }
    stamp->same = r->thread && r->tid == record->thread;
    if (!stamp->same) {
        r->tid = record->thread;
        r->thread = process_thread(p, r->tid, r->room, &r->thread_size);
    }
    stamp->thread = r->thread;
    stamp->thread_size = r->thread_size;
}

/* Payload values, with a blank between them, but for the routine's address (from 1).  typed: what
 * they are; NULL: all are unsigned. */
static size_t put_values(const struct reading *r, const struct record *record, uint32_t routine,
                         const struct record_type *typed, char *begin)
{
    const uint8_t *payload = record_payload(record, false);
    const struct metadata *metadata = &r->run->items[r->next - 1].metadata;
    char *at = begin;
    for (unsigned i = 0; i < record->npayload && i < VALUES_MAX; i++) {
        if (i + 1 == routine)
            continue;
        if (at > begin)
            *at++ = ' ';
        at = value_put(at, types_value_kind(&metadata->types, typed, i),
                       load64(payload + 8 * (size_t)i));
    }
    return (size_t)(at - begin);
}

/* The routine of an event, whose address is a field (from 1). */
static csy_status name_routine(struct reading *r, const struct record *record, uint32_t field,
                               csy_text *out, csy_error *error)
{
    const struct process *p = &r->run->items[r->next - 1];
    const struct symbol *symbol;
    *out = (csy_text){0};
    if (field == 0 || field > record->npayload)
        return CSY_OK;
    uint64_t address = load64(record_payload(record, false) + 8 * (size_t)(field - 1));
    *out = addresses_name(&p->addresses, &r->addresses, address, r->made, &symbol);
    uint64_t distance = symbol ? addresses_distance(&p->addresses, symbol, address) : 0;
    if (distance == 0)
        return CSY_OK;
    if (!ARRAY_RESERVE(r->within, r->within_capacity, out->size + WITHIN_MAX))
        return error_memory(error);
    memcpy(r->within, out->bytes, out->size);
    int n = snprintf(r->within + out->size, WITHIN_MAX, "+0x%" PRIx64, distance);
    *out = (csy_text){r->within, out->size + (n > 0 ? (size_t)n : 0)};
    return CSY_OK;
}

/* Without any order between clocks nothing can be said. */
static csy_status check_order(const struct csy_trace *trace, const struct reading *r,
                              csy_error *error)
{
    if (r->ordered || r->run->nclocks < 2)
        return CSY_OK;
    return error_set(error, CSY_INPUT, "%s: no messages between its %zu clocks", trace->name,
                     r->run->nclocks);
}

/* What its document and symbols say of a record: its name, its values, and whom it is about. */
static csy_status describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct reading *r = trace->state;
    const struct process *p = &r->run->items[r->next - 1];
    const struct record *record = &r->last;
    const struct metadata *m = &p->metadata;
    const struct record_type *type = p->routines ? types_of_id(&m->types, record->id) : NULL;
    const struct process_routine routine =
        type ? p->routines[type - m->types.items] : (struct process_routine){0};
    event->name = types_event_name(&m->types, record->id, false);
    event->name_size = strlen(event->name);
    event->call = routine.call;
    event->about = process_other(p, record, routine.thread, r->other);
    event->bytes = (const uint8_t *)r->values;
    const struct record_type *typed = types_typed(&m->types, record->id);
    event->size = put_values(r, record, routine.field, typed, r->values);
    event->raw = (csy_text){0};
    if (typed)
        event->raw = (csy_text){r->raw, put_values(r, record, routine.field, NULL, r->raw)};
    return name_routine(r, record, routine.field, &event->routine, error);
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct reading *r = trace->state;
    const struct record *record = &r->last;
    struct event_roles *own;
    csy_status status = next_record(trace, r, &r->last, more, error);
    if (status || !*more)
        return status ? status : check_order(trace, r, error);
    const struct process *p = &r->run->items[r->next - 1];
    event->place = record->offset;
    event->record = NULL;
    event->row = NULL;
    if (record->spe || record->stamp > INT64_MAX || (record->interval && record->begin > INT64_MAX))
        return error_set(error, CSY_INPUT,
                         "%s: offset %" PRIu64
                         ": a record of a run is the PPE's, with stamps below "
                         "2^63",
                         p->trace_name, record->offset);
    event->stamp = r->stamp;
    event->stamp.time_ticks = (int64_t)record->stamp;
    event->stamp.interval = record->interval;
    event->stamp.begin_ticks = (int64_t)record->begin;
    name_thread(r, record, &event->stamp);
    status = record_roles_of_run(r->roles, record, p->trace_name, &own, error);
    if (status)
        return status;
    event->roles = own;
    keep_of_run(own, record);
    r->ordered = r->ordered || own->send.size + own->members.size + own->post.size > 0;
    return CSY_OK;
}

/* --- The source -------------------------------------------------------------------------- */

static struct reading *new_reading(struct run *run)
{
    struct reading *r = calloc(1, sizeof *r);
    if (r)
        r->values = malloc((size_t)2 * VALUE_MAX * VALUES_MAX);
    if (!r || !r->values) {
        free(r);
        return NULL;
    }
    r->raw = r->values + VALUE_MAX * (size_t)VALUES_MAX;
    r->run = run;
    r->fd = -1;
    return r;
}

static void free_reading(struct reading *r)
{
    end_process(r);
    free(r->values);
    free(r->within);
    free(r);
}

static csy_status open_run(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    (void)start;
    struct run *run = calloc(1, sizeof *run);
    struct reading *r = trace->state = run ? new_reading(run) : NULL;
    if (!r) {
        free(run);
        return error_memory(error);
    }
    trace->partial = trace->has_begins = trace->independent = true;
    trace->sends = SENDS_COUNTED;
    csy_status status = open_processes(trace, run, error);
    if (!status)
        status = process_meanings_take(trace, run->items, run->count, error);
    if (!status)
        status = check_rates(trace, run, error);
    if (!status)
        status = name_clocks(run, error);
    trace->hosts = run->nhosts;
    if (!status)
        warn_of_losses(trace, run);
    return status;
}

/* Processes that did not end are read as far as they came, if that is wanted. */
static csy_status piece_all(struct csy_trace *trace, struct run *run, csy_error *error)
{
    size_t ended_badly = 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < run->count && !status; i++) {
        struct process *p = &run->items[i];
        bool bad = p->metadata.process.complete == COMPLETE_NO;
        if (bad && !trace->salvage)
            return error_set(
                error, CSY_INPUT,
                "%s: the recording of %s is not complete: it was killed, still runs, or "
                "could not write; --salvage reads what is there",
                trace->name, p->stem);
        ended_badly += bad && !p->is_pieced;
        status = process_piece(trace, p, error);
    }
    if (!status && ended_badly > 0 && trace->nwarnings < TRACE_WARNINGS_MAX)
        snprintf(trace->warnings[trace->nwarnings++], CSV_WARNING_MAX,
                 "%zu process%s did not end: what was recorded until then is there", ended_badly,
                 ended_badly == 1 ? "" : "es");
    return status;
}

static csy_status rewind_run(struct csy_trace *trace, csy_error *error)
{
    struct reading *r = trace->state;
    end_process(r);
    r->next = 0;
    r->done = 0;
    r->ordered = false;
    return trace->is_fork ? CSY_OK : piece_all(trace, r->run, error);
}

static void close_run(struct csy_trace *trace)
{
    struct reading *r = trace->state;
    struct run *run = r ? r->run : NULL;
    if (r)
        free_reading(r);
    for (size_t i = 0; run && i < run->count; i++)
        process_fini(&run->items[i]);
    said_meanings_fini(&trace->metadata.meanings);
    if (run) {
        free(run->items);
        symbol_files_fini(&run->symbols);
    }
    free(run);
}

static csy_status fork_run(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    const struct reading *of = trace->state;
    fork->is_fork = true;
    fork->state = new_reading(of->run);
    return fork->state ? CSY_OK : error_memory(error);
}

static void join_run(struct csy_trace *fork)
{
    if (fork->state)
        free_reading(fork->state);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct reading *r = trace->state;
    for (size_t i = 0; i < r->run->count; i++)
        if (r->run->items[i].is_cut && r->run->items[i].metadata.process.complete == COMPLETE_YES)
            return &r->run->items[i].cut;
    return NULL; /* blocks and pages of processes that did not end are whole */
}

static const char *place_file(const struct csy_trace *trace)
{
    const struct reading *r = trace->state;
    return r->next ? r->run->items[r->next - 1].trace_name : trace->name;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct reading *r = trace->state;
    *done = r->done + (r->bytes ? bytes_file_offset(r->bytes) : 0);
    *total = r->run->bytes;
}

const struct source source_run = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_CSV,
    .title = "the run of a program",
    .place = "offset",
    .folder = true,
    .valued = true,
    .record_calls = "celltrace(1) records calls of a program that was compiled with "
                    "-finstrument-functions, and of MPI",
    .record_messages = "celltrace(1) records those of a program of MPI, by -e mpi",
    .probe = probe,
    .look = look,
    .open = open_run,
    .rewind = rewind_run,
    .next = next_event,
    .describe = describe,
    .close = close_run,
    .fork = fork_run,
    .join = join_run,
    .cut = cut,
    .place_file = place_file,
    .progress = progress,
};
