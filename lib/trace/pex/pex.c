/* Reads .pex traces as a source of events (trace/source.h). */
#include "base/error.h"
#include "base/portable.h"
#include "io/path.h"
#include "trace/pex/document.h"
#include "trace/pex/record_files.h"
#include "trace/pex/record_roles.h"
#include "trace/trace.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_record_file(const struct head *head)
{
    return head->size >= 8 && memcmp(head->bytes, FILE_MAGIC, 8) == 0;
}

/* Recognize a document by its first character '<', or by a file name that ends in .pex. */
static bool probe(const struct head *head)
{
    size_t size = strlen(head->name);
    size_t at = head->size >= 3 && memcmp(head->bytes, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    /* Bytes, no string: NOLINTNEXTLINE(bugprone-not-null-terminated-result) */
    while (at < head->size && memchr(" \t\r\n", head->bytes[at], 4))
        at++;
    return (at < head->size && head->bytes[at] == '<') || is_record_file(head) ||
           (size > 4 && strcmp(head->name + size - 4, ".pex") == 0);
}

/* Read the XML up to *end. Records follow a NUL byte, or are in the files that href names. */
static csy_status read_document(struct csy_trace *trace, uint64_t *end, csy_error *error)
{
    const struct metadata *m = &trace->metadata;
    char *xml;
    size_t size;
    bool embedded;
    csy_status status =
        document_load(trace->fd, trace->name, trace->document_start, &xml, &size, &embedded, error);
    if (!status)
        status = metadata_parse(trace->name, xml, size, &trace->metadata, error);
    *end = trace->document_start + size;
    free(xml);
    if (!status && m->files->href && embedded)
        return error_offset(error, trace->name, *end,
                            "records follow the document, but its element trace_file has an href");
    if (!status && !m->files->href && !embedded)
        return error_offset(
            error, trace->name, *end,
            "the element trace_file has no href, but no NUL byte with records follows "
            "the document");
    return status;
}

/* Start to read a record file. `extra` is passed to record_reader_open. */
static csy_status begin_file(struct csy_trace *trace, size_t index, uint8_t **extra,
                             csy_error *error)
{
    const struct record_file *file = &trace->record_files[index];
    csy_status status = CSY_OK;
    if (!trace->bytes || index != trace->record_file) {
        bytes_free(trace->bytes);
        trace->bytes = NULL;
        trace->record_file = index;
        trace->record_fd = file->fd;
        trace->record_name = file->name;
        trace->record_start = file->start;
        trace->record_bytes = file->bytes;
        trace->header_extra = file->header_extra;
        status = bytes_new(file->fd >= 0 ? file->fd : trace->fd, file->name, file->start,
                           trace->metadata.files[index].gzip, trace->workers, &trace->bytes, error);
    }
    if (!status)
        status =
            record_reader_open(&trace->records, trace->bytes, trace->record_name, extra, error);
    trace->records.salvage = trace->salvage;
    return status;
}

static csy_status rewind_records(struct csy_trace *trace, csy_error *error)
{
    trace->was_cut = false;
    if (trace->roles)
        record_roles_rewind(trace->roles);
    return begin_file(trace, 0, NULL, error);
}

/* Read the headers of all record files. If records BUFFER_FLUSH end the blocks of records, set
 * trace->granularity to GRANULARITY_FLUSH. */
static csy_status open_files(struct csy_trace *trace, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = trace->nrecord_files; i-- > 0 && !status;) {
        struct record_file *file = &trace->record_files[i];
        status = begin_file(trace, i, &file->header_extra, error);
        trace->header_extra = file->header_extra;
        file->header_bytes = trace->records.header.header_bytes;
        if (!status && trace->records.header.global != trace->metadata.global)
            status = error_set(error, CSY_INPUT,
                               "%s: offset 12: the .pex contains clock kind=\"%s\", but the flag "
                               "GLOBAL_TIME is %s in this file",
                               trace->record_name, trace->metadata.global ? "global" : "local",
                               trace->metadata.global ? "clear" : "set");
        csy_error unused; /* ignored here; readers of the records report errors */
        bool more = !status;
        while (more && trace->granularity == GRANULARITY_BLOCK)
            if (record_read(&trace->records, &trace->record, &more, &unused))
                more = false;
            else if (more && trace->record.id == ID_BUFFER_FLUSH)
                trace->granularity = GRANULARITY_FLUSH;
    }
    if (status || trace->metadata.granularity != GRANULARITY_BLOCK)
        return status;
    bytes_rewind(trace->bytes);
    return rewind_records(trace, error);
}

static csy_status open_pex(struct csy_trace *trace, uint64_t start, csy_error *error)
{
    uint64_t end;
    if (is_record_file(&trace->head))
        return error_set(error, CSY_INPUT,
                         "%s: offset 0: this is a record file; give the name of its .pex instead",
                         trace->name);
    if (trace->gzip)
        return error_set(error, CSY_INPUT,
                         "%s: the whole .pex is compressed by gzip; decompress it with gunzip "
                         "(only its records may be compressed)",
                         trace->name);
    trace->document_start = start;
    csy_status status = read_document(trace, &end, error);
    if (!status && trace->metadata.event80) {
        trace->source = &source_event80;
        return trace->source->open(trace, start, error);
    }
    if (status)
        return status;
    struct metadata *m = &trace->metadata;
    trace->record_files = calloc(m->nfiles, sizeof *trace->record_files);
    if (!trace->record_files)
        return error_memory(error);
    while (trace->nrecord_files < m->nfiles && !status) {
        const struct said_file *said = &m->files[trace->nrecord_files];
        struct record_file *file = &trace->record_files[trace->nrecord_files++];
        *file = (struct record_file){.fd = -1, .buffer = said->buffer, .place = said->place};
        if (said->href) {
            status =
                record_file_open(trace, said->href, &file->name, &file->fd, &file->bytes, error);
            continue;
        }
        file->start = end + 1;
        file->bytes = trace->record_bytes;
        file->name = strdup(trace->name);
        status = file->name ? CSY_OK : error_memory(error);
    }
    if (!status)
        status = record_files_part(trace, error);
    if (status)
        return status;
    trace->timebase_hz = m->timebase_hz;
    trace->types = &m->types;
    trace->places = &m->places;
    trace->table = &m->table;
    trace->table_rows = &m->rows;
    trace->listed = m->listed;
    trace->nlisted = m->nlisted;
    trace->is_global = m->global;
    trace->notifier = m->notifier;
    trace->granularity = m->granularity;
    trace->partial = m->nfiles > 1 || m->granularity != GRANULARITY_RECORD || m->orders.count > 0;
    trace->has_keys = type_orders_have_keys(&m->orders);
    trace->limits = m->orders.limit;
    trace->block_after = m->block_after;
    trace->sends = m->sends_complete ? SENDS_STATED : SENDS_UNKNOWN;
    status = open_files(trace, error);
    if (!status && trace->partial)
        status = record_roles_new(m, trace->granularity == GRANULARITY_FLUSH, &trace->roles, error);
    if (!status && m->process.complete != COMPLETE_UNSAID && !m->global) {
        size_t size = (size_t)(path_name(trace->name) - trace->name);
        size -= size > 1;
        char folder[ERROR_ESCAPED_MAX];
        /* This trace has only one clock, and lacks the messages to other processes. */
        trace_warn(trace,
                   "this file is one process of a run recorded by celltrace; to synchronize all "
                   "processes, give the folder, %s",
                   error_escape(folder, size ? trace->name : ".", size ? size : 1));
    }
    return status;
}

/* Check a document before the records that follow it in a pipe, after a NUL byte, arrive. */
static csy_status look(struct csy_trace *trace, csy_error *error)
{
    char *xml;
    size_t size;
    bool embedded;
    struct metadata metadata = {0};
    csy_status status = document_load(trace->fd, trace->name, 0, &xml, &size, &embedded, error);
    if (!status && embedded)
        status = metadata_parse(trace->name, xml, size, &metadata, error);
    metadata_fini(&metadata);
    free(xml);
    return status;
}

static csy_status fork_pex(const struct csy_trace *trace, struct csy_trace *fork, csy_error *error)
{
    fork->roles = NULL;
    fork->is_fork = true;
    csy_status status = rewind_records(fork, error);
    return status || !trace->partial
               ? status
               : record_roles_new(&fork->metadata, fork->granularity == GRANULARITY_FLUSH,
                                  &fork->roles, error);
}

static void join_pex(struct csy_trace *fork)
{
    record_roles_free(fork->roles);
}

static csy_status next_record(struct csy_trace *trace, struct event *event, bool *more,
                              csy_error *error)
{
    struct record *record = &trace->record;
    csy_status status = record_read(&trace->records, record, more, error);
    while (!status && !*more) {
        if (!trace->is_fork) /* forks may run at the same time */
            trace->record_files[trace->record_file].records = trace->records.next_position;
        if (trace->record_file + 1 == trace->nrecord_files)
            break;
        if (trace->records.is_cut && !trace->was_cut)
            trace->first_cut = trace->records.cut;
        trace->was_cut = trace->was_cut || trace->records.is_cut;
        status = begin_file(trace, trace->record_file + 1, NULL, error);
        if (!status)
            status = record_read(&trace->records, record, more, error);
    }
    if (trace->nrecord_files > 1)
        record->position = event->position;
    event->place = record->offset;
    event->bytes = record->bytes;
    event->size = record->size;
    event->record = record;
    event->row = NULL;
    event->file = trace->record_file;
    if (!status && *more && trace->partial)
        status = record_roles_read(trace->roles, record, trace->metadata.global, trace->record_file,
                                   trace->record_name, &event->stamp, &event->roles, error);
    return status;
}

static void close_pex(struct csy_trace *trace)
{
    bytes_free(trace->bytes); /* first, because its worker may still read the files */
    trace->bytes = NULL;
    record_roles_free(trace->roles);
    for (size_t i = 0; i < trace->nrecord_files; i++) {
        struct record_file *file = &trace->record_files[i];
        if (file->fd >= 0)
            close(file->fd);
        free(file->header_extra);
        free(file->name);
    }
    free(trace->record_files);
    metadata_fini(&trace->metadata);
}

static const csy_cut *cut(const struct csy_trace *trace)
{
    return trace->was_cut ? &trace->first_cut : trace->records.is_cut ? &trace->records.cut : NULL;
}

static void progress(const struct csy_trace *trace, uint64_t *done, uint64_t *total)
{
    *done = bytes_file_offset(trace->bytes) - trace->record_start;
    *total = 0;
    for (size_t i = 0; i < trace->nrecord_files; i++) {
        const struct record_file *file = &trace->record_files[i];
        *done += i < trace->record_file ? file->bytes - file->start : 0;
        *total += file->bytes - file->start;
    }
}

const struct source source_pex = {
    .format = CSY_FORMAT_PEX,
    .written_as = CSY_FORMAT_PEX,
    .title = "a .pex",
    .place = "offset",
    .buffer = true,
    .probe = probe,
    .look = look,
    .open = open_pex,
    .rewind = rewind_records,
    .next = next_record,
    .close = close_pex,
    .fork = fork_pex,
    .join = join_pex,
    .cut = cut,
    .progress = progress,
};
