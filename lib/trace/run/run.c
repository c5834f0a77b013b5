/* Reads the events of a run, which is a folder that celltrace(1) has written. */
#include "trace/run/run.h"
#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "base/sort.h"
#include "io/range.h"
#include "trace/pex/document.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* --- HOST.PID.live, the pages of a process that did not end (cellsync-run(5), RUNS) --------- */

enum {
    ID_LIVE_FLUSH = 0x0900,
    LIVE_FLUSH_NUMBER = 2 /* index in the payload of ID_LIVE_FLUSH: number of the flushed page */
};

struct live_page {
    uint64_t number, offset;
    bool dropped; /* true if the record file also contains all records of the page */
};

struct live_pages {
    int fd;
    bool shared; /* true if all threads of the process share the pages */
    bool found;  /* true if the file `name` exists */
    const char *name;
    uint64_t page_bytes;
    int64_t skew_ticks, skew_ppb;
    struct live_page *items; /* sorted by number */
    size_t count;
};

enum {
    HEADER_BYTES = 72,
    PAGE_HEAD_BYTES = 64, /* size of the header of a page, in bytes */
    PAGE_MOST = 16 * 1024 * 1024,
    STATE_FILLING = 1,
    STATE_HANDED = 2,
    UNFINISHED = 0x80, /* flag of an incomplete record in a page that threads share */
    PPB = 1000000000
};

#define LIVE_MAGIC "PDTPAGES"

/* Open the file with pages of records that a killed process left, if any. `name` must outlive *out.
 * The caller closes out->fd and frees out->items, even after a failure. */
static csy_status live_pages_open(const char *name, struct live_pages *out, csy_error *error)
{
    uint8_t header[HEADER_BYTES];
    struct stat st;
    *out = (struct live_pages){.name = name, .fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
    if (out->fd < 0 && errno == ENOENT)
        return CSY_OK;
    if (out->fd < 0 || fstat(out->fd, &st) < 0)
        return error_io(error, name, NULL);
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: this is not a regular file", name);
    if (!range_read_at(out->fd, header, sizeof header, 0) || memcmp(header, LIVE_MAGIC, 8) != 0)
        return error_set(error, CSY_INPUT,
                         "%s: offset 0: this is not a file of pages, which celltrace(1) writes",
                         name);
    uint64_t size = (uint64_t)st.st_size, first = load64(header + 8) & (UINT64_MAX >> 16);
    uint64_t step = load64(header + 24);
    out->page_bytes = load64(header + 16);
    out->skew_ticks = (int64_t)load64(header + 32);
    out->skew_ppb = (int64_t)load64(header + 40);
    out->shared = load64(header + 64) & 1;
    if (load16(header + 8) != 1)
        return error_set(error, CSY_INPUT, "%s: offset 8: unknown version, expected 1", name);
    if (first < HEADER_BYTES || first > size || out->page_bytes > PAGE_MOST ||
        step < PAGE_HEAD_BYTES + out->page_bytes || step > 2 * (uint64_t)PAGE_MOST)
        return error_set(error, CSY_INPUT,
                         "%s: offset 8: the size of the header or of a page is wrong", name);
    out->found = true;
    uint8_t head[PAGE_HEAD_BYTES];
    size_t capacity = 0;
    for (uint64_t at = first; size - at >= step; at += step) {
        if (!range_read_at(out->fd, head, sizeof head, at))
            break;
        uint32_t state = load32(head);
        if (state == 0 && load64(head + 8) == 0 && at + step <= size - step) {
            /* Skip pages that were never used, which are a hole in the file. */
            struct range range = {.fd = out->fd, .next = at + step};
            range_skip_hole(&range);
            uint64_t data = range.next < size ? range.next : size;
            at += (data - at - step) / step * step;
        }
        if (state != STATE_FILLING && state != STATE_HANDED)
            continue;
        if (!ARRAY_PUSH(out->items, out->count, capacity,
                        (struct live_page){load64(head + 8), at, false}))
            return error_memory(error);
    }
    SORT(out->items, out->count, compare_numbers);
    return CSY_OK;
}

/* Convert a time to the clock of the record file, which celltrace --skew has changed. */
static uint64_t skewed(const struct live_pages *pages, uint64_t ticks)
{
    return ticks + (uint64_t)pages->skew_ticks +
           (uint64_t)(int64_t)((int128)ticks * pages->skew_ppb / PPB);
}

/* Read the records of all pages that are not dropped, with times of the record file's clock. The
 * caller frees *out. */
static csy_status live_pages_read(const struct live_pages *pages, uint8_t **out, size_t *size,
                                  csy_error *error)
{
    uint8_t *bytes = NULL;
    size_t capacity = 0, used = 0, page = (size_t)pages->page_bytes;
    for (size_t i = 0; i < pages->count; i++) {
        if (pages->items[i].dropped)
            continue;
        if (!ARRAY_RESERVE(bytes, capacity, used + page)) {
            free(bytes);
            return error_memory(error);
        }
        if (!range_read_at(pages->fd, bytes + used, page,
                           pages->items[i].offset + PAGE_HEAD_BYTES)) {
            free(bytes);
            return error_io(error, pages->name, NULL);
        }
        /* Keep complete records. In a page that threads share, incomplete ones may precede them. */
        uint8_t *from = bytes + used;
        size_t left = page;
        while (left >= RECORD_PPE_BYTES) {
            size_t record = record_size_at(from);
            size_t least = RECORD_PPE_BYTES + 8 * (size_t)load16(from + 6);
            bool unfinished = pages->shared && (record == 0 || (from[3] & UNFINISHED));
            if (unfinished && record == 0)
                record = 8;
            if ((!unfinished && record < least) || record % 8 || record == 0 || record > left ||
                from[2] != CORE_PPE)
                break;
            if (!unfinished) {
                uint8_t *to = memmove(bytes + used, from, record);
                store64(to + 16, skewed(pages, load64(to + 16)));
                if (to[3] & RECORD_INTERVAL)
                    store64(to + 24, skewed(pages, load64(to + 24)));
                used += record;
            }
            from += record;
            left -= record;
        }
    }
    *out = bytes;
    *size = used;
    return CSY_OK;
}

/* --- A process ------------------------------------------------------------------------------- */

/* A process has a document, HOST.PID.pex, and records. Each of its pages (buffers) becomes a
 * block of the record file. If the process did not end, the records are in two files:
 *     HOST.PID.trace   complete blocks, and perhaps one incomplete block
 *     HOST.PID.live    all pages that are not complete blocks of HOST.PID.trace */

static char *path_in(const char *folder, const char *name, const char *suffix)
{
    char *path;
    return asprintf(&path, "%s/%s%s", folder, name, suffix) < 0 ? NULL : path;
}

enum { PROCESS_TID_MAX = 16 };

/* Make a name for each thread in the document: STEM/NAME, or STEM/NAME.TID if names are equal. */
static csy_status make_labels(struct process *p, csy_error *error)
{
    struct metadata *m = &p->metadata;
    size_t n = m->nlisted;
    struct texts names = {0};
    uint32_t *numbers = malloc((n + 1) * sizeof *numbers);
    bool *has_twin = calloc(n + 1, sizeof *has_twin), added;
    p->labels = calloc(n + 1, sizeof *p->labels);
    bool good = numbers && has_twin && p->labels;
    SORT(m->listed, n, compare_ids);
    for (size_t i = 0; i < n && good; i++) {
        const char *name = types_text(&m->types, m->listed[i].name);
        name = name ? name + strspn(name, " \t") : "";
        good = texts_find(&names, name, strlen(name), &numbers[i], &added);
        if (good && !added)
            has_twin[numbers[i]] = true;
    }
    for (size_t i = 0; i < n && good; i++) {
        const csy_text name = texts_text(&names, numbers[i]);
        if (name.size == 0)
            continue;
        char *label = p->labels[i] = malloc(strlen(p->stem) + name.size + PROCESS_TID_MAX + 3);
        good = label != NULL;
        if (!good)
            break;
        char *end = put_bytes(put_text(put_text(label, p->stem), "/"), name.bytes, name.size);
        *(has_twin[numbers[i]] ? put_unsigned(end, ".", m->listed[i].tid) : end) = 0;
    }
    texts_fini(&names);
    FREE_ALL(numbers, has_twin);
    return good ? CSY_OK : error_memory(error);
}

/* Find which fields of event types contain the address of a routine (function) or the id of another
 * thread, and which event types enter or leave routines. */
static csy_status find_routines(struct process *p, csy_error *error)
{
    const struct said_meanings *said = &p->metadata.meanings;
    for (size_t i = 0; i < said->count; i++) {
        const struct said_meaning *item = &said->items[i];
        const struct record_type *type = types_of_id(&p->metadata.types, item->id);
        bool enter = element_says(&item->element, "role", "enter");
        bool leave = element_says(&item->element, "role", "exit");
        bool routine = element_says(&item->element, "role", "routine");
        bool thread = element_says(&item->element, "role", "thread");
        if (item->field == SAID_STATE || !type ||
            !(item->field == SAID_TYPE ? enter || leave : routine || thread))
            continue;
        if (!p->routines)
            p->routines = calloc(p->metadata.types.count, sizeof *p->routines);
        if (!p->routines)
            return error_memory(error);
        struct process_routine *of = &p->routines[type - p->metadata.types.items];
        p->has_routines |= !thread;
        if (item->field == SAID_TYPE)
            of->call = enter ? EVENT_ENTERS : EVENT_LEAVES;
        else
            *(thread ? &of->thread : &of->field) = item->field + 1;
    }
    return CSY_OK;
}

/* Read the document FOLDER/STEM.pex. Its symbols are added to `files`, and its record file to
 * trace->files. close_run frees *out, even after a failure. */
static csy_status process_open(struct csy_trace *trace, const char *stem,
                               struct symbol_files *files, struct process *out, csy_error *error)
{
    *out = (struct process){.stem = strdup(stem)};
    char *name = path_in(trace->name, stem, ".pex");
    if (!name || !out->stem) {
        free(name);
        return error_memory(error);
    }
    struct stat st;
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    csy_status status;
    if (fd < 0 || fstat(fd, &st) < 0)
        status = error_io(error, name, NULL);
    else if (!S_ISREG(st.st_mode))
        status = error_set(error, CSY_IO, "%s: this is not a regular file", name);
    else {
        char *xml = NULL;
        size_t size;
        bool embedded;
        status = document_load(fd, name, 0, &xml, &size, &embedded, error);
        status = status ? status : metadata_parse(name, xml, size, &out->metadata, error);
        free(xml);
    }
    if (fd >= 0)
        close(fd);
    const struct metadata *m = &out->metadata;
    if (!status && (m->process.complete == COMPLETE_UNSAID || !m->process.clock_id[0]))
        status = error_set(error, CSY_INPUT,
                           "%s: this folder is neither an OTF2 archive (no traces.otf2) nor a run "
                           "of celltrace(1): %s has no element \"recording\", or no clock id; give "
                           "the name of each trace in the folder instead",
                           trace->name, name);
    if (!status && (m->nfiles != 1 || !m->files || !m->files->href || m->event80 || m->global ||
                    m->files->gzip ||
                    (m->granularity != GRANULARITY_BLOCK && m->granularity != GRANULARITY_RECORD)))
        status = error_set(error, CSY_INPUT,
                           "%s: the .pex of a process in a run must have exactly one record file, "
                           "uncompressed, with blocks or one buffer",
                           name);
    if (!status)
        status =
            symbol_files_read(files, trace, name, &out->metadata.symbols, &out->addresses, error);
    free(name);
    status = status ? status : make_labels(out, error);
    status = status ? status : find_routines(out, error);
    if (status || !m->files)
        return status;
    trace->has_routines = trace->has_routines || out->has_routines;
    out->trace_name = path_in(trace->name, m->files->href, "");
    if (!out->trace_name)
        return error_memory(error);
    /* Close the record file, because a run may have more files than a process may open. */
    fd = open(out->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_io(error, out->trace_name, NULL);
    status = trace_remember_file(trace, fd, &st, out->trace_name, error);
    close(fd);
    if (status)
        return status;
    out->file = trace->nfiles - 1;
    trace->files[out->file].fd = -1;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: this is not a regular file", out->trace_name);
    out->bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

/* Count the records in complete blocks of the process's record file. Set live_page.dropped for
 * pages if their records are also in such a block. */
static csy_status scan_blocks(const struct csy_trace *trace, struct process *p, int fd,
                              struct live_pages *pages, csy_error *error)
{
    struct record_reader reader = {.salvage = true};
    struct record record;
    struct bytes *bytes;
    bool more = true;
    csy_status status = bytes_new(fd, p->trace_name, 0, false, trace->workers, &bytes, error);
    if (status)
        return status;
    status = record_reader_open(&reader, bytes, p->trace_name, NULL, error);
    reader.salvage = true;
    while (!status && !(status = record_read(&reader, &record, &more, error)) && more) {
        if (!pages->found) {
            p->written = reader.next_position;
        } else if (record.id == ID_LIVE_FLUSH && record.npayload > LIVE_FLUSH_NUMBER) {
            const uint8_t *payload = record_payload(&record, false);
            const uint64_t number = payload_value(payload, LIVE_FLUSH_NUMBER);
            struct live_page *page = FIND(&number, pages->items, pages->count, compare_numbers);
            if (page)
                page->dropped = true;
            p->written = reader.next_position;
        }
    }
    if (reader.is_cut)
        p->cut = reader.cut;
    p->is_cut = reader.is_cut;
    bytes_free(bytes);
    return status;
}

/* Returns the name of a thread: STEM/NAME, or STEM/TID, which is written to `room`. */
static const char *process_thread(const struct process *p, uint32_t tid, char *room, size_t *size)
{
    const struct metadata *m = &p->metadata;
    const struct listed_thread *listed = FIND(&tid, m->listed, m->nlisted, compare_ids);
    const char *label = listed ? p->labels[listed - m->listed] : NULL;
    if (label) {
        *size = strlen(label);
        return label;
    }
    char *end = put_unsigned(put_text(room, p->stem), "/", tid);
    *size = (size_t)(end - room);
    return room;
}

/* --- The files of the folder --------------------------------------------------------------- */

static bool ends_in(const char *name, const char *suffix)
{
    size_t size = strlen(name), n = strlen(suffix);
    return size > n && strcmp(name + size - n, suffix) == 0;
}

static int compare_stems(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Open the processes of the folder, HOST.PID.pex, sorted by name. */
static csy_status open_processes(struct csy_trace *trace, struct run *run, csy_error *error)
{
    const char *folder = trace->name;
    char **stems = NULL, *anchor = NULL, escaped[ERROR_ESCAPED_MAX];
    size_t n = 0, capacity = 0;
    bool ctf = false;
    DIR *dir = opendir(folder);
    csy_status status = dir ? CSY_OK : error_io(error, folder, NULL);
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (const struct dirent *entry; !status && dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        if (ends_in(name, ".otf2") && (!anchor || strcmp(anchor, name) >= 0)) {
            free(anchor); /* suggest the first anchor file in the alphabet */
            anchor = strdup(name);
            status = anchor ? CSY_OK : error_memory(error);
        }
        ctf |= strcmp(name, "metadata") == 0;
        if (status || name[0] == '.' || !ends_in(name, ".pex"))
            continue;
        char *stem = strndup(name, strlen(name) - strlen(".pex"));
        if (!stem || !ARRAY_PUSH(stems, n, capacity, stem)) {
            free(stem);
            status = error_memory(error);
        }
    }
    if (dir)
        closedir(dir);
    if (!status && n == 0 && anchor)
        status =
            error_set(error, CSY_IO,
                      "%s: this is a folder; for the archive in the folder, give the name %s%s%s",
                      folder, folder, ends_in(folder, "/") || strcmp(folder, "/") == 0 ? "" : "/",
                      error_escape(escaped, anchor, strlen(anchor)));
    else if (!status && n == 0)
        status = error_set(
            error, CSY_IO,
            ctf ? "%s: this is a CTF trace, which cellsync writes but cannot read; pass the "
                  "trace that it was made from"
                : "%s: this folder is neither an OTF2 archive (no traces.otf2) nor a run of "
                  "celltrace(1): it contains no .pex",
            folder);
    free(anchor);
    sort_pointers(stems, n, compare_stems);
    run->items = calloc(n + 1, sizeof *run->items);
    if (!status && !run->items)
        status = error_memory(error);
    while (run->count < n && !status) {
        struct process *item = &run->items[run->count];
        status = process_open(trace, stems[run->count++], &run->symbols, item, error);
        run->bytes += status ? 0 : item->bytes;
    }
    for (size_t i = 0; i < n; i++)
        free(stems[i]);
    free(stems);
    return status;
}

/* --- Meanings of events -------------------------------------------------------------------- */

/* Copy meanings of events and states to trace->metadata.meanings. If processes differ, the meaning
 * of an event is from the first process that has the event, and meanings of states are from the
 * first process of the run. The caller frees the copies, even after a failure. */
static csy_status copy_meanings(struct csy_trace *trace, const struct run *run, csy_error *error)
{
    struct texts names = {0};
    bool good = true;
    for (size_t i = 0; i < run->count && good; i++) {
        const struct process *p = &run->items[i];
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
            if (!good || !added)
                continue;
            uint32_t routine = 0, field = item->field;
            if (field != SAID_TYPE && p->routines)
                routine = p->routines[type - p->metadata.types.items].field;
            if (routine == 0 || routine != field + 1)
                good = said_meanings_copy(&trace->metadata.meanings, item, name,
                                          field - (routine > 0 && field >= routine));
        }
    }
    texts_fini(&names);
    return good ? CSY_OK : error_memory(error);
}

/* --- Clocks -------------------------------------------------------------------------------- */

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

/* Give each clock the name of its host or, if a host has several, of the clock's first process. */
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
        for (end = i + 1;
             end < run->count && strcmp(sorted[end]->metadata.process.host, host) == 0;)
            end++;
        /* each process has a clock id: NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker) */
        bool one = strcmp(sorted[end - 1]->metadata.process.clock_id,
                          sorted[i]->metadata.process.clock_id) == 0 &&
                   host[0];
        for (size_t k = i; k < end && !status; k++) {
            const char *own = sorted[k]->metadata.process.clock_id;
            size_t length = strcspn(own, "+"); /* With celltrace --skew, the clock id ends in '+'
                                                * and a process id. */
            run->skewed |= own[length] == '+';
            if (!id || strcmp(id, own) != 0) {
                run->nhosts += !id || strcspn(id, "+") != length || memcmp(id, own, length) != 0;
                id = own;
                name = one ? host : sorted[k]->stem;
                run->nclocks++;
            }
            sorted[k]->clock_number = (uint32_t)run->nclocks - 1;
            sorted[k]->clock = strdup(name);
            status = sorted[k]->clock ? CSY_OK : error_memory(error);
        }
    }
    free(sorted);
    return status;
}

/* --- Reading ----------------------------------------------------------------------------- */

enum {
    GROUP_MPI = 0x08,
    GROUP_THREADS = 0x0c,
    GROUP_SYNC = 0x0d,
    COMMUNICATOR = 3,               /* index of the communicator in the values of an MPI record */
    VALUE_MAX = VALUE_TEXT_MAX + 1, /* size in bytes of a value as text, with a blank */
    VALUES_MAX = 8190,              /* maximum number of values of a record */
    WITHIN_MAX = 20                 /* size in bytes of "+0x" and an offset in hexadecimal */
};

void run_end_process(struct run_cursor *r)
{
    bytes_free(r->bytes);
    if (r->fd >= 0)
        close(r->fd);
    record_roles_free(r->roles);
    FREE_ALL(r->room, r->other, r->writer);
    r->bytes = NULL;
    r->fd = -1;
    r->roles = NULL;
    r->room = r->other = r->writer = NULL;
    r->thread = NULL;
}

csy_status run_begin_process(const struct csy_trace *trace, struct run_cursor *r, bool narrow,
                             csy_error *error)
{
    const struct process *p = &r->run->items[r->next++];
    size_t room = strlen(p->stem) + PROCESS_TID_MAX + 1; /* enough bytes for each STEM/TID */
    r->room = malloc(room);
    r->other = malloc(room);
    r->writer = path_in(p->stem, "celltrace", "");
    if (!r->room || !r->other || !r->writer)
        return error_memory(error);
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
        status = bytes_new(r->fd, p->trace_name, 0, false, narrow ? 0 : trace->workers, &r->bytes,
                           error);
    r->reader = (struct record_reader){.salvage = false};
    status = status ? status : record_reader_open(&r->reader, r->bytes, p->trace_name, NULL, error);
    r->reader.salvage = p->is_pieced;
    return status ? status : record_roles_new(&p->metadata, true, &r->roles, error);
}

csy_status run_next_of_process(struct run_cursor *r, struct record *record, bool *more,
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

csy_text run_thread_name(struct run_cursor *r, const struct record *record)
{
    const struct process *p = &r->run->items[r->next - 1];
    if (record->id == ID_BUFFER_FLUSH) {
        r->thread = NULL;
        return (csy_text){r->writer, strlen(r->writer)};
    }
    if (!r->thread || r->tid != record->thread) {
        r->tid = record->thread;
        r->thread = process_thread(p, r->tid, r->room, &r->thread_size);
    }
    return (csy_text){r->thread, r->thread_size};
}

/* Write values, except field number `routine` (from 1). If `typed` is NULL, all are unsigned. */
static size_t put_values(const struct run_cursor *r, const struct record *record, uint32_t routine,
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
        at = value_put(at, types_value_kind(&metadata->types, typed, i), payload_value(payload, i));
    }
    return (size_t)(at - begin);
}

static csy_status describe(struct csy_trace *trace, struct event *event, csy_error *error)
{
    struct run_cursor *r = trace->state;
    const struct process *p = &r->run->items[r->next - 1];
    const struct record *record = &r->last;
    const struct metadata *m = &p->metadata;
    const struct record_type *type = p->routines ? types_of_id(&m->types, record->id) : NULL;
    const struct process_routine routine =
        type ? p->routines[type - m->types.items] : (struct process_routine){0};
    event->name = types_event_name(&m->types, record->id, false);
    event->name_size = strlen(event->name);
    event->call = routine.call;
    /* A flush record concerns the thread of the written block. */
    bool flush = record->id == ID_LIVE_FLUSH;
    uint64_t tid = record->thread;
    event->about = (csy_text){0};
    if (!flush && routine.thread > 0 && routine.thread <= record->npayload)
        tid = payload_value(record_payload(record, false), routine.thread - 1);
    else if (!flush)
        tid = UINT64_MAX;
    if (tid <= UINT32_MAX)
        event->about.bytes = process_thread(p, (uint32_t)tid, r->other, &event->about.size);
    event->bytes = (const uint8_t *)r->values;
    const struct record_type *typed = types_typed(&m->types, record->id);
    event->size = put_values(r, record, routine.field, typed, r->values);
    if (typed)
        event->raw = (csy_text){r->raw, put_values(r, record, routine.field, NULL, r->raw)};
    event->routine = (csy_text){0};
    if (routine.field == 0 || routine.field > record->npayload)
        return CSY_OK;
    const struct symbol *symbol;
    uint64_t address = payload_value(record_payload(record, false), routine.field - 1);
    csy_text name = addresses_name(&p->addresses, &r->addresses, address, r->made, &symbol);
    uint64_t distance = symbol ? addresses_distance(&p->addresses, symbol, address) : 0;
    event->routine = name;
    if (distance == 0)
        return CSY_OK;
    if (!ARRAY_RESERVE(r->within, r->within_capacity, name.size + WITHIN_MAX))
        return error_memory(error);
    memcpy(r->within, name.bytes, name.size);
    int n = snprintf(r->within + name.size, WITHIN_MAX, "+0x%" PRIx64, distance);
    event->routine = (csy_text){r->within, name.size + (n > 0 ? (size_t)n : 0)};
    return CSY_OK;
}

csy_status run_read_roles(struct run_cursor *r, const struct record *record, struct event *event,
                          csy_error *error)
{
    const struct process *p = &r->run->items[r->next - 1];
    struct event_roles *own;
    csy_status status = record_roles_of_run(r->roles, record, p->trace_name, &own, error);
    if (status)
        return status;
    event->roles = own;
    /* All threads of a process use one clock, so constraints between them would not limit the
     * offset of any clock. */
    const uint8_t *payload = record_payload(record, false);
    uint8_t group = (uint8_t)record->id;
    if (group == GROUP_THREADS || group == GROUP_SYNC)
        *own = (struct event_roles){.late = true};
    /* MPI calls without a communicator cannot be matched. A receive is posted at its begin. */
    if (group == GROUP_MPI && record->npayload > COMMUNICATOR &&
        payload_value(payload, COMMUNICATOR) == 0) {
        own->send = own->recv = own->members = (csy_text){0};
        own->sync = false;
    }
    if (group == GROUP_MPI && own->recv.size > 0 && record->interval) {
        own->posting = POSTING_GIVEN;
        own->posted_ticks = (int64_t)record->begin;
    }
    own->spawn = own->join = (csy_text){0};
    own->spawned = false;
    return CSY_OK;
}

static csy_status next_event(struct csy_trace *trace, struct event *event, bool *more,
                             csy_error *error)
{
    struct run_cursor *r = trace->state;
    const struct record *record = &r->last;
    csy_status status = CSY_OK;
    *more = false;
    while (!*more && (r->fd >= 0 || r->next < r->run->count)) {
        if (r->fd < 0)
            status = run_begin_process(trace, r, false, error);
        trace->record_name = r->run->items[r->next - 1].trace_name;
        status = status ? status : run_next_of_process(r, &r->last, more, error);
        if (status)
            return status;
        if (!*more) {
            r->done += r->run->items[r->next - 1].bytes;
            status = trace_check_file(trace, r->run->items[r->next - 1].file, r->fd, error);
            run_end_process(r);
            if (status)
                return status;
        }
    }
    if (!*more && !r->ordered && r->run->nclocks >= 2)
        return error_set(
            error, CSY_INPUT,
            "%s: the run has no messages between its %zu clocks, so the clocks cannot be compared",
            trace->name, r->run->nclocks);
    if (!*more)
        return CSY_OK;
    const struct process *p = &r->run->items[r->next - 1];
    event->place = record->offset;
    if (record->spe || record->stamp > INT64_MAX || (record->interval && record->begin > INT64_MAX))
        return error_offset(
            error, p->trace_name, record->offset,
            "a record of a run must belong to the PPE and have timestamps below 2^63");
    event->stamp = r->stamp;
    event->stamp.time_ticks = (int64_t)record->stamp;
    event->stamp.interval = record->interval;
    event->stamp.begin_ticks = (int64_t)record->begin;
    event->stamp.same = r->thread && r->tid == record->thread && record->id != ID_BUFFER_FLUSH;
    const csy_text thread = run_thread_name(r, record);
    event->stamp.thread = thread.bytes;
    event->stamp.thread_size = thread.size;
    status = run_read_roles(r, record, event, error);
    if (status)
        return status;
    const struct event_roles *own = event->roles;
    r->ordered = r->ordered || own->send.size + own->members.size + own->post.size > 0;
    return CSY_OK;
}

/* --- The source -------------------------------------------------------------------------- */

struct run_cursor *run_cursor_new(struct run *run)
{
    struct run_cursor *r = calloc(1, sizeof *r);
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

void run_cursor_free(struct run_cursor *r)
{
    if (!r)
        return;
    run_end_process(r);
    FREE_ALL(r->values, r->within, r);
}

static csy_status open_run(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    (void)start;
    struct run *run = calloc(1, sizeof *run);
    struct run_cursor *r = trace->state = run ? run_cursor_new(run) : NULL;
    if (!r || pthread_mutex_init(&run->lock, NULL) != 0) {
        run_cursor_free(r);
        trace->state = NULL;
        free(run);
        return error_memory(error);
    }
    trace->partial = trace->has_begins = trace->independent = trace->has_keys = true;
    /* A channel of messages lacks no send: after a send that was not recorded, the recorder records
     * later messages with another channel. */
    trace->sends = SENDS_COUNTED;
    csy_status status = open_processes(trace, run, error);
    status = status ? status : copy_meanings(trace, run, error);
    const struct process *first = run->items;
    for (size_t i = 1; i < run->count && !status; i++) {
        const struct process *p = &run->items[i];
        if (p->metadata.timebase_hz != first->metadata.timebase_hz)
            status =
                error_set(error, CSY_INPUT,
                          "%s: the clock of %s has %" PRIu64 " Hz, but the clock of %s has %" PRIu64
                          " Hz, so they cannot be read as one run",
                          trace->name, first->stem, first->metadata.timebase_hz, p->stem,
                          p->metadata.timebase_hz);
    }
    if (!status) {
        trace->timebase_hz = first->metadata.timebase_hz;
        status = name_clocks(run, error);
    }
    trace->hosts = run->nhosts;
    trace->skewed = run->skewed;
    size_t losers = 0;
    uint64_t lost = 0;
    for (size_t i = 0; i < run->count; i++) {
        const struct said_process *process = &run->items[i].metadata.process;
        losers += process->lost > 0;
        lost += process->lost;
        /* If records could not be written, sends may be missing, too. */
        if (process->lost > 0 && process->complete == COMPLETE_NO)
            trace->sends = SENDS_UNKNOWN;
    }
    if (!status && losers > 0)
        trace_warn(trace, "%" PRIu64 " record%s of %zu process%s %s lost during the recording",
                   lost, lost == 1 ? "" : "s", losers, losers == 1 ? "" : "es",
                   lost == 1 ? "was" : "were");
    return status;
}

csy_status run_piece(struct csy_trace *trace, csy_error *error)
{
    const struct run *run = ((struct run_cursor *)trace->state)->run;
    size_t ended_badly = 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < run->count && !status; i++) {
        struct process *p = &run->items[i];
        bool bad = p->metadata.process.complete == COMPLETE_NO;
        bool ended = p->metadata.process.complete == COMPLETE_YES; /* false after an exec */
        if (bad && !trace->salvage)
            return error_set(
                error, CSY_INPUT,
                "%s: the recording of %s is not complete: the process was killed, still runs, or "
                "could not write; to read the existing records, pass --salvage",
                trace->name, p->stem);
        ended_badly += bad && !p->is_pieced;
        if (p->is_pieced || (ended && !trace->salvage))
            continue;
        /* The record file may be cut off even if the process has ended. */
        struct live_pages pages = {.fd = -1};
        char *name = path_in(trace->name, p->stem, ".live");
        int fd = open(p->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        status = !name    ? error_memory(error)
                 : fd < 0 ? error_io(error, p->trace_name, NULL)
                 : ended  ? CSY_OK
                          : live_pages_open(name, &pages, error);
        status = status ? status : scan_blocks(trace, p, fd, &pages, error);
        if (!status && !ended)
            status = live_pages_read(&pages, &p->rest, &p->rest_bytes, error);
        p->is_pieced = !status && (!ended || p->is_cut);
        if (pages.fd >= 0)
            close(pages.fd);
        free(pages.items);
        if (fd >= 0)
            close(fd);
        free(name);
    }
    if (!status && ended_badly > 0)
        trace_warn(
            trace,
            "%zu process%s did not end normally; only the records that were written are read",
            ended_badly, ended_badly == 1 ? "" : "es");
    return status;
}

static csy_status rewind_run(struct csy_trace *trace, csy_error *error)
{
    struct run_cursor *r = trace->state;
    run_end_process(r);
    trace->record_name = NULL;
    r->next = 0;
    r->done = 0;
    r->ordered = false;
    return trace->is_fork ? CSY_OK : run_piece(trace, error);
}

static void close_run(struct csy_trace *trace)
{
    struct run_cursor *r = trace->state;
    said_meanings_fini(&trace->metadata.meanings);
    if (!r)
        return;
    struct run *run = r->run;
    run_cursor_free(r);
    for (size_t i = 0; i < run->count; i++) {
        struct process *p = &run->items[i];
        for (size_t k = 0; p->labels && k < p->metadata.nlisted; k++)
            free(p->labels[k]);
        free(p->labels);
        metadata_fini(&p->metadata);
        addresses_fini(&p->addresses);
        FREE_ALL(p->routines, p->stem, p->trace_name, p->clock, p->rest, p->threads);
    }
    symbol_files_fini(&run->symbols);
    texts_fini(&run->locations);
    texts_fini(&run->keys[0]);
    texts_fini(&run->keys[1]);
    pthread_mutex_destroy(&run->lock);
    FREE_ALL(run->items, run);
}

static csy_status fork_run(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    const struct run_cursor *of = trace->state;
    fork->is_fork = true;
    fork->state = run_cursor_new(of->run);
    return fork->state ? CSY_OK : error_memory(error);
}

static void join_run(struct csy_trace *fork)
{
    run_cursor_free(fork->state);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    const struct run_cursor *r = trace->state;
    for (size_t i = 0; i < r->run->count; i++)
        if (r->run->items[i].is_cut && r->run->items[i].metadata.process.complete == COMPLETE_YES)
            return &r->run->items[i].cut;
    return NULL; /* if a process did not end, its incomplete blocks and pages are not read */
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    const struct run_cursor *r = trace->state;
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
    .record_calls = "celltrace(1) records MPI and programs built with -finstrument-functions",
    .record_messages = "celltrace(1) records the messages of an MPI program with --events=mpi",
    .open = open_run,
    .rewind = rewind_run,
    .next = next_event,
    .describe = describe,
    .close = close_run,
    .fork = fork_run,
    .join = join_run,
    .cut = cut,
    .streams = &run_streams,
    .progress = progress,
};
