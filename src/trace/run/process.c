/* A process of a run. */
#include "trace/run/process.h"

#include "base/array.h"
#include "base/error.h"
#include "base/put.h"
#include "io/range.h"
#include "trace/pex/document.h"
#include "trace/pex/record.h"

#include <cellsync/cellsync.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The pages of a process that did not end, HOST.PID.live: pex(5), Runs. */

enum { ID_LIVE_FLUSH = 0x0900, LIVE_FLUSH_NUMBER = 2 }; /* the payload value that is a page's */

/* A page that may not be in the trace. */
struct live_page {
    uint64_t number, offset;
    bool dropped;
};

struct live_pages {
    int fd;
    bool shared; /* by all threads */
    bool found;  /* there is such a file, of which name is the name: */
    const char *name;
    uint64_t page_bytes;
    int64_t skew_ticks, skew_ppb;
    struct live_page *items; /* by their numbers */
    size_t count;
};

enum {
    HEADER_BYTES = 72,
    PAGE_HEAD_BYTES = 64, /* of a page */
    PAGE_MOST = 16 * 1024 * 1024,
    STATE_FILLING = 1,
    STATE_HANDED = 2,
    UNFINISHED = 0x80, /* a flag of records in shared pages */
    PPB = 1000000000
};

#define LIVE_MAGIC "PDTPAGES"

/* False: not all of it is there. */
static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    char *at = bytes;
    while (size > 0) {
        ssize_t n = pread(fd, at, size, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        at += n;
        offset += (uint64_t)n;
        size -= (size_t)n;
    }
    return true;
}

static int compare_pages(const void *a, const void *b)
{
    const struct live_page *x = a, *y = b;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* The first of the pages at `at` and after that is not in a hole of a sparse file. */
static uint64_t skip_hole(const struct live_pages *pages, uint64_t at, uint64_t step, uint64_t end)
{
    struct range range = {.fd = pages->fd, .next = at};
    range_skip_hole(&range);
    uint64_t data = range.next < end ? range.next : end;
    return at + (data - at) / step * step;
}

/* Pages that are full or being filled. */
static csy_status list_pages(struct live_pages *pages, uint64_t first, uint64_t step, uint64_t end,
                             csy_error *error)
{
    uint8_t head[PAGE_HEAD_BYTES];
    size_t capacity = 0;
    for (uint64_t at = first; end - at >= step; at += step) {
        if (!read_at(pages->fd, head, sizeof head, at))
            break;
        uint32_t state = load32(head);
        if (state == 0 && load64(head + 8) == 0 && at + step <= end - step)
            at = skip_hole(pages, at + step, step, end) - step;
        if (state != STATE_FILLING && state != STATE_HANDED)
            continue;
        if (!ARRAY_RESERVE(pages->items, capacity, pages->count + 1))
            return error_memory(error);
        pages->items[pages->count++] = (struct live_page){load64(head + 8), at, false};
    }
    if (pages->count > 1)
        qsort(pages->items, pages->count, sizeof *pages->items, compare_pages);
    return CSY_OK;
}

/* Where there is no such file, nothing is found.  name outlives it; live_pages_close also after a
 * failure. */
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
        return error_set(error, CSY_IO, "%s: it is not a regular file", name);
    if (!read_at(out->fd, header, sizeof header, 0) || memcmp(header, LIVE_MAGIC, 8) != 0)
        return error_set(error, CSY_INPUT, "%s: offset 0: this is no file of pages", name);
    uint64_t size = (uint64_t)st.st_size, first = load64(header + 8) & (UINT64_MAX >> 16);
    uint64_t step = load64(header + 24);
    out->page_bytes = load64(header + 16);
    out->skew_ticks = (int64_t)load64(header + 32);
    out->skew_ppb = (int64_t)load64(header + 40);
    out->shared = load64(header + 64) & 1;
    if (load16(header + 8) != 1)
        return error_set(error, CSY_INPUT, "%s: offset 8: the version is not 1, the only one known",
                         name);
    if (first < HEADER_BYTES || first > size || out->page_bytes > PAGE_MOST ||
        step < PAGE_HEAD_BYTES + out->page_bytes || step > 2 * (uint64_t)PAGE_MOST)
        return error_set(error, CSY_INPUT,
                         "%s: offset 8: the header, or a page, has an impossible size", name);
    out->found = true;
    return list_pages(out, first, step, size, error);
}

static void live_pages_close(struct live_pages *pages)
{
    if (pages->fd >= 0)
        close(pages->fd);
    free(pages->items);
    *pages = (struct live_pages){.fd = -1};
}

/* The page of that number is in the trace. */
static void live_pages_drop(struct live_pages *pages, uint64_t number)
{
    const struct live_page key = {.number = number};
    struct live_page *page =
        pages->count ? bsearch(&key, pages->items, pages->count, sizeof key, compare_pages) : NULL;
    if (page)
        page->dropped = true;
}

/* Keep the whole records of a page: those that it begins with, or, where threads share it, also
 * those after places that were taken, but not filled.  The bytes of all. */
static size_t keep_whole(uint8_t *bytes, size_t size, bool shared)
{
    size_t at = 0, kept = 0;
    while (size - at >= RECORD_PPE_BYTES) {
        size_t record = load16(bytes + at);
        size_t least = RECORD_PPE_BYTES + 8 * (size_t)load16(bytes + at + 6);
        bool unfinished = shared && (record == 0 || (bytes[at + 3] & UNFINISHED));
        if (unfinished && record == 0)
            record = 8;
        if ((!unfinished && record < least) || record % 8 || record == 0 || record > size - at ||
            bytes[at + 2] != CORE_PPE)
            break;
        if (!unfinished) {
            memmove(bytes + kept, bytes + at, record);
            kept += record;
        }
        at += record;
    }
    return kept;
}

static uint64_t skewed(const struct live_pages *pages, uint64_t ticks)
{
    return ticks + (uint64_t)pages->skew_ticks +
           (uint64_t)(int64_t)((int128)ticks * pages->skew_ppb / PPB);
}

static void skew(const struct live_pages *pages, uint8_t *bytes, size_t size)
{
    for (size_t at = 0; at < size; at += load16(bytes + at)) {
        store64(bytes + at + 16, skewed(pages, load64(bytes + at + 16)));
        if (bytes[at + 3] & RECORD_INTERVAL)
            store64(bytes + at + 24, skewed(pages, load64(bytes + at + 24)));
    }
}

/* The whole records of the others, as the writer would have written them; the caller frees them. */
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
        if (!read_at(pages->fd, bytes + used, page, pages->items[i].offset + PAGE_HEAD_BYTES)) {
            free(bytes);
            return error_io(error, pages->name, NULL);
        }
        size_t whole = keep_whole(bytes + used, page, pages->shared);
        if (pages->skew_ticks || pages->skew_ppb)
            skew(pages, bytes + used, whole);
        used += whole;
    }
    *out = bytes;
    *size = used;
    return CSY_OK;
}

/* --- The process --------------------------------------------------------------------------- */

/* FOLDER/NAME and what follows it. */
static char *path_in(const char *folder, const char *name, const char *suffix)
{
    size_t size = strlen(folder) + strlen(name) + strlen(suffix) + 2;
    char *path = malloc(size);
    if (path)
        snprintf(path, size, "%s/%s%s", folder, name, suffix);
    return path;
}

static csy_status parse(const char *name, int fd, struct metadata *out, csy_error *error)
{
    char *xml;
    size_t size;
    bool embedded;
    csy_status status = document_load(fd, name, 0, &xml, &size, &embedded, error);
    if (!status)
        status = metadata_parse(name, xml, size, out, error);
    free(xml);
    return status;
}

/* Whether it is what celltrace(1) writes. */
static csy_status check_document(const char *folder, const char *name, const struct metadata *m,
                                 csy_error *error)
{
    if (m->process.complete == COMPLETE_UNSAID || !m->process.clock_id[0])
        return error_set(error, CSY_INPUT,
                         "%s: this folder is no run of celltrace(1), the only kind of folder that "
                         "is read: %s has no element recording, or no clock id; name each trace "
                         "in it by itself",
                         folder, name);
    if (m->nfiles != 1 || !m->files->href || m->event80 || m->global || m->files->gzip ||
        (m->granularity != GRANULARITY_BLOCK && m->granularity != GRANULARITY_RECORD))
        return error_set(error, CSY_INPUT,
                         "%s: a process of a run has one plain record file, of blocks or of one "
                         "buffer",
                         name);
    return CSY_OK;
}

static int compare_tids(const void *a, const void *b)
{
    const struct listed_thread *x = a, *y = b;
    return x->tid < y->tid ? -1 : x->tid > y->tid;
}

/* A listed thread and its name. */
struct named {
    const char *name;
    size_t index;
};

static int compare_named(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : x->index < y->index ? -1 : 1;
}

/* "STEM/NAME", with the tid where another thread has the name, too. */
static char *make_label(const struct process *p, const char *name, uint32_t tid, bool alone)
{
    size_t size = strlen(p->stem) + strlen(name) + PROCESS_TID_MAX + 3;
    char *label = malloc(size);
    if (!label)
        return NULL;
    char *at = put_text(put_text(put_text(label, p->stem), "/"), name);
    if (!alone)
        at = put_unsigned(at, ".", tid);
    *at = 0;
    return label;
}

static csy_status make_labels(struct process *p, csy_error *error)
{
    struct metadata *m = &p->metadata;
    size_t n = m->nlisted;
    struct named *named = malloc((n + 1) * sizeof *named);
    p->labels = calloc(n + 1, sizeof *p->labels);
    if (!named || !p->labels) {
        free(named);
        return error_memory(error);
    }
    if (n > 1)
        qsort(m->listed, n, sizeof *m->listed, compare_tids);
    for (size_t i = 0; i < n; i++) {
        const char *name = types_text(&m->types, m->listed[i].name);
        named[i] = (struct named){name ? name + strspn(name, " \t") : "", i};
    }
    if (n > 1)
        qsort(named, n, sizeof *named, compare_named);
    csy_status status = CSY_OK;
    for (size_t i = 0; i < n && !status; i++) {
        bool alone = (i == 0 || strcmp(named[i - 1].name, named[i].name) != 0) &&
                     (i + 1 == n || strcmp(named[i + 1].name, named[i].name) != 0);
        if (!named[i].name[0])
            continue;
        char *label = make_label(p, named[i].name, m->listed[named[i].index].tid, alone);
        p->labels[named[i].index] = label;
        status = label ? CSY_OK : error_memory(error);
    }
    free(named);
    return status;
}

/* Which types are of routines, and of other threads. */
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

/* The record file is closed again: a run may have more than a process may open. */
static csy_status see_records(struct csy_trace *trace, struct process *p, csy_error *error)
{
    struct stat st;
    int fd = open(p->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return error_io(error, p->trace_name, NULL);
    csy_status status = trace_remember_file(trace, fd, &st, p->trace_name, error);
    close(fd);
    if (status)
        return status;
    p->file = trace->nfiles - 1;
    trace->files[p->file].fd = -1;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a regular file", p->trace_name);
    p->bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

csy_status process_open(struct csy_trace *trace, const char *stem, struct symbol_files *files,
                        struct process *out, csy_error *error)
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
        status = error_set(error, CSY_IO, "%s: it is not a regular file", name);
    else
        status = parse(name, fd, &out->metadata, error);
    if (fd >= 0)
        close(fd);
    if (!status)
        status = check_document(trace->name, name, &out->metadata, error);
    if (!status)
        status =
            symbol_files_read(files, trace, name, &out->metadata.symbols, &out->addresses, error);
    free(name);
    if (!status)
        status = make_labels(out, error);
    if (!status)
        status = find_routines(out, error);
    if (status)
        return status;
    trace->has_routines = trace->has_routines || out->has_routines;
    out->trace_name = path_in(trace->name, out->metadata.files->href, "");
    return out->trace_name ? see_records(trace, out, error) : error_memory(error);
}

void process_fini(struct process *p)
{
    for (size_t i = 0; p->labels && i < p->metadata.nlisted; i++)
        free(p->labels[i]);
    free(p->labels);
    metadata_fini(&p->metadata);
    addresses_fini(&p->addresses);
    free(p->routines);
    free(p->stem);
    free(p->trace_name);
    free(p->clock);
    free(p->rest);
}

/* Go over the records: how many precede the end of the last whole block, and which pages have
 * become blocks. */
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
            p->written = reader.next_position; /* there is nothing else */
        } else if (record.id == ID_LIVE_FLUSH && record.npayload > LIVE_FLUSH_NUMBER) {
            const uint8_t *payload = record_payload(&record, false);
            live_pages_drop(pages, load64(payload + 8 * (size_t)LIVE_FLUSH_NUMBER));
            p->written = reader.next_position;
        }
    }
    if (reader.is_cut)
        p->cut = reader.cut;
    p->is_cut = reader.is_cut;
    bytes_free(bytes);
    return status;
}

/* The records of a process that ended may be cut off. */
static csy_status find_cut(const struct csy_trace *trace, struct process *p, csy_error *error)
{
    struct live_pages none = {0};
    int fd = open(p->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    csy_status status =
        fd < 0 ? error_io(error, p->trace_name, NULL) : scan_blocks(trace, p, fd, &none, error);
    p->is_pieced = !status && p->is_cut;
    if (fd >= 0)
        close(fd);
    return status;
}

csy_status process_piece(const struct csy_trace *trace, struct process *p, csy_error *error)
{
    struct live_pages pages = {0};
    if (p->is_pieced)
        return CSY_OK;
    if (p->metadata.process.complete == COMPLETE_YES)
        return trace->salvage ? find_cut(trace, p, error) : CSY_OK;
    char *name = path_in(trace->name, p->stem, ".live");
    int fd = open(p->trace_name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    csy_status status = !name    ? error_memory(error)
                        : fd < 0 ? error_io(error, p->trace_name, NULL)
                                 : live_pages_open(name, &pages, error);
    if (!status)
        status = scan_blocks(trace, p, fd, &pages, error);
    if (!status)
        status = live_pages_read(&pages, &p->rest, &p->rest_bytes, error);
    p->is_pieced = !status;
    live_pages_close(&pages);
    if (fd >= 0)
        close(fd);
    free(name);
    return status;
}

csy_text process_other(const struct process *p, const struct record *record, uint32_t field,
                       char *room)
{
    bool flush = record->id == ID_LIVE_FLUSH;
    uint64_t tid = record->thread;
    csy_text other = {0};
    if (!flush && (field == 0 || field > record->npayload))
        return other;
    if (!flush)
        tid = load64(record_payload(record, false) + 8 * (size_t)(field - 1));
    if (tid <= UINT32_MAX)
        other.bytes = process_thread(p, (uint32_t)tid, room, &other.size);
    return other;
}

size_t process_room(const struct process *p)
{
    return strlen(p->stem) + PROCESS_TID_MAX + 1;
}

const char *process_thread(const struct process *p, uint32_t tid, char *room, size_t *size)
{
    const struct metadata *m = &p->metadata;
    const struct listed_thread key = {tid, 0};
    const struct listed_thread *listed =
        m->nlisted ? bsearch(&key, m->listed, m->nlisted, sizeof key, compare_tids) : NULL;
    const char *label = listed ? p->labels[listed - m->listed] : NULL;
    if (label) {
        *size = strlen(label);
        return label;
    }
    char *end = put_unsigned(put_text(put_text(room, p->stem), "/"), "", tid);
    *size = (size_t)(end - room);
    return room;
}
