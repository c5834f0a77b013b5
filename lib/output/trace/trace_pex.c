/* Writes a synchronized .pex (PDT-style trace): its XML document with a table <synchronization> of
 * clocks, and files of records. See pex(5), Synchronized traces. */
#include "base/crc.h"
#include "base/error.h"
#include "io/path.h"
#include "io/range.h"
#include "output/encode/escape.h"
#include "output/encode/text.h"
#include "output/file/outfile.h"
#include "output/file/recordname.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "trace/offsets.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The record files that the document refers to. Each buffer has one. */
struct trace_file {
    char **hrefs; /* attribute href of each buffer's file, or NULL if records are embedded */
    bool gzip;
    uint32_t original_crc32;
};

/* An attribute of a tag and its new value. */
struct setting {
    const char *name;
    const char *value; /* value in UTF-8, or NULL to remove the attribute */
    bool done;
};

struct copy {
    const struct csy_trace *trace;
    struct outfile *out;
    uint64_t copied;
    csy_error *error;
};

/* XML excludes most control characters, and all bytes that are not UTF-8. */
bool pex_can_name(const char *href)
{
    const unsigned char *at = (const unsigned char *)href, *end = at + strlen(href);
    for (size_t n; at < end; at += n) {
        n = utf8_length(at, (size_t)(end - at));
        uint32_t point = n ? utf8_point(at, n) : 0;
        if ((point < ' ' && !strchr("\t\n\r", (int)point)) || (point | 1) == 0xffff || !point)
            return false;
    }
    return true;
}

/* Write the value of an attribute in single or double quotes. */
static void write_value(const struct copy *copy, const char *value)
{
    const unsigned char *at = (const unsigned char *)value, *end = at + strlen(value);
    bool ascii = copy->trace->places->letters != LETTERS_UTF8;
    for (size_t n; at < end; at += n) {
        n = utf8_length(at, (size_t)(end - at));
        /* n is 0 for invalid bytes, but pex_can_name has refused these */
        n = n ? n : 1;
        uint32_t point = utf8_point(at, n);
        const char *entity = html_entity(point);
        if (entity)
            outfile_print(copy->out, "%s", entity);
        else if (point < ' ' || (ascii && point > '~'))
            outfile_print(copy->out, "&#%" PRIu32 ";", point);
        else
            outfile_write(copy->out, at, n);
    }
}

static csy_status read_document(struct copy *copy, uint8_t *to, size_t size)
{
    const struct csy_trace *trace = copy->trace;
    uint64_t start = trace->document_start + copy->copied;
    struct range range = {.fd = trace->fd, .name = trace->name, .start = start, .next = start};
    csy_status status = CSY_OK;
    size_t have = 0, got = 1;
    for (; !status && have < size && got > 0; have += got)
        status = range_read(&range, to + have, size - have, &got, copy->error);
    copy->copied += size;
    return status || have == size ? status : trace_refuse_changed(trace, copy->error);
}

static csy_status copy_up_to(struct copy *copy, uint64_t to)
{
    while (copy->copied < to) {
        uint64_t left = to - copy->copied;
        size_t n = left < OUTFILE_ROOM_MAX ? (size_t)left : OUTFILE_ROOM_MAX;
        csy_status status = read_document(copy, outfile_room(copy->out, n), n);
        if (status)
            return status;
        outfile_advance(copy->out, n);
    }
    return CSY_OK;
}

/* Copy the document up to the end of a tag, with changes to the attributes of the tag. */
static csy_status change_tag(struct copy *copy, const struct tag *place, const char *name,
                             struct setting *settings, size_t n)
{
    csy_status status = copy_up_to(copy, place->begin);
    size_t size = place->end - place->begin;
    char *tag = status ? NULL : malloc(size);
    if (!status)
        status = tag ? read_document(copy, (uint8_t *)tag, size) : error_memory(copy->error);
    if (!status && !tag_is(tag, size, name))
        status = trace_refuse_changed(copy->trace, copy->error);
    if (status) {
        free(tag);
        return status;
    }
    struct outfile *out = copy->out;
    struct tag_attribute attribute;
    size_t at = tag_name_bytes(tag, size) + 1;
    outfile_write(out, tag, at);
    for (; tag_attribute(tag, size, at, &attribute); at = attribute.end) {
        struct setting *set = settings;
        while (set < settings + n && !tag_attribute_is(tag, &attribute, set->name))
            set++;
        if (set == settings + n) {
            outfile_write(out, tag + at, attribute.end - at);
            continue;
        }
        set->done = true;
        if (!set->value)
            continue;
        outfile_write(out, tag + at, attribute.value - at);
        write_value(copy, set->value);
        outfile_write(out, tag + attribute.end - 1, 1);
    }
    for (size_t i = 0; i < n; i++)
        if (!settings[i].done && settings[i].value) {
            outfile_print(out, " %s=\"", settings[i].name);
            write_value(copy, settings[i].value);
            outfile_print(out, "\"");
        }
    outfile_write(out, tag + at, size - at);
    free(tag);
    return CSY_OK;
}

/* Write the table <synchronization> before the end of the root element. */
static void write_table(const struct csy_trace *trace, const struct csy_sync *sync,
                        uint32_t original_crc32, struct outfile *out)
{
    const struct places *places = trace->places;
    char alpha[FRACTION_TEXT_MAX], delta[FRACTION_TEXT_MAX];
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_imprecision *imprecision = &sync->imprecision;
    const struct measured_offsets *offsets = trace->offsets;
    const csy_cut *cut = csy_sync_cut(sync);
    if (places->clock.end == 0)
        outfile_print(out, "<%sclock kind=\"global\"/>", places->prefix);
    outfile_print(out, "<%ssynchronization method=\"%s\"", places->prefix,
                  text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH)
        outfile_print(out,
                      " reference=\"%s\" alpha=\"%s\" center=\"%s\" relax=\"%s\" delta=\"%s\" "
                      "added_ticks=\"%" PRId64 "\"",
                      sync->views[sync->reference].name, fraction_text(sync->alpha, alpha),
                      text_center_words[sync->center], text_relax_words[imprecision->relax],
                      fraction_text(imprecision->delta, delta), imprecision->added_ticks);
    if (sync->latency_ticks > 0)
        outfile_print(out, " latency=\"%" PRId64 "\"", sync->latency_ticks);
    if (sync->partial && sync->latency_max_ticks < INT64_MAX)
        outfile_print(out, " max_latency=\"%" PRId64 "\"", sync->latency_max_ticks);
    if (offsets)
        outfile_print(out, " offsets=\"%zu:0x%08" PRIx32 "\"", offsets->count, offsets->crc32);
    for (size_t i = 0; i < sync->survey.ndropped; i++)
        outfile_print(out, "%s%" PRIu64 "%s", i > 0 ? " " : " dropped=\"", sync->survey.dropped[i],
                      i + 1 == sync->survey.ndropped ? "\"" : "");
    if (cut)
        outfile_print(out, " salvaged_until=\"%" PRIu64 "\"", cut->place);
    outfile_print(out,
                  " original_crc32=\"0x%08" PRIx32 "\" records=\"%" PRIu64 "\" wraps=\"%" PRId64
                  "\" splits=\"%" PRIu64 "\" assumed=\"%" PRIu64 "\" unwrap=\"%s\" "
                  "max_imprecision=\"%" PRId64 "\">",
                  original_crc32, sync->survey.records, clock->wraps, clock->splits, clock->assumed,
                  sync->survey.rules.strict ? "strict" : "assume",
                  sync->survey.rules.imprecision_ticks);
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        const csy_thread *thread = &sync->views[t];
        char earliest[TICKS_TEXT_MAX], latest[TICKS_TEXT_MAX];
        bool spe = thread->kind != CSY_KIND_PPE;
        outfile_print(out, "\n    <%s%s", places->prefix, spe ? "live_interval" : "ppe_thread");
        if (spe)
            outfile_print(out, " id=\"%zu\" ctx=\"%" PRId64 "\"", t, thread->context);
        if (spe && thread->spe != CSY_NO_SPE)
            outfile_print(out, " spe=\"%" PRIu64 "\"", thread->spe);
        outfile_print(out, " first_record=\"%" PRIu64 "\" records=\"%" PRIu64 "\"",
                      thread->first_record, thread->records);
        if (thread->kind == CSY_KIND_SPE)
            outfile_print(out, " decr_first=\"%" PRIu32 "\"", thread->decr_first);
        if (thread->offset_ticks != CSY_NO_OFFSET)
            outfile_print(out, " offset=\"%" PRId64 "\"", thread->offset_ticks);
        outfile_print(out, " earliest=\"%s\" latest=\"%s\"/>",
                      text_ticks(thread->earliest_ticks, "-inf", "inf", earliest),
                      text_ticks(thread->latest_ticks, "-inf", "inf", latest));
    }
    outfile_print(out, "\n  </%ssynchronization>\n", places->prefix);
}

static csy_status change_clock(struct copy *copy)
{
    struct setting of_clock = {"kind", "global", false};
    return change_tag(copy, &copy->trace->places->clock, "clock", &of_clock, 1);
}

/* Copy the XML document of the trace, and mark its times as global times. Add the attributes of
 * `file` to each trace_file, and the results as the last child of the root. O(document). */
static csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                                  const struct trace_file *file, struct outfile *out,
                                  csy_error *error)
{
    struct copy copy = {.trace = trace, .out = out, .error = error};
    const struct places *places = trace->places;
    bool clock = places->clock.end > 0; /* true until the element places->clock is copied */
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nrecord_files && !status; i++) {
        const struct tag *place = &trace->record_files[i].place;
        struct setting of_file[] = {{"compression", file->gzip ? "gzip" : "none", false},
                                    {"href", file->hrefs ? file->hrefs[i] : NULL, false}};
        if (clock && places->clock.begin < place->begin) {
            status = change_clock(&copy);
            clock = false;
        }
        status = status ? status : change_tag(&copy, place, "trace_file", of_file, 2);
    }
    if (!status && clock)
        status = change_clock(&copy);
    status = status ? status : copy_up_to(&copy, places->root_end.begin);
    if (status)
        return status;
    write_table(trace, sync, file->original_crc32, out);
    return copy_up_to(&copy, places->size);
}

static uint32_t add_text(uint32_t crc, const char *text)
{
    return crc_add(crc, (const uint8_t *)text, strlen(text) + 1);
}

static uint32_t add_number(uint32_t crc, uint64_t number)
{
    uint8_t bytes[8];
    store64(bytes, number);
    return crc_add(crc, bytes, sizeof bytes);
}

/* Returns a checksum of the original records, the document's name, and all that changes the
 * records, such as offsets. O(threads). */
static uint32_t synctable_tag(const char *name, const struct csy_trace *trace,
                              const struct csy_sync *sync, uint32_t original_crc32)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_cut *cut = csy_sync_cut(sync);
    uint32_t tag = add_text(add_text(0, name), text_method(sync->method));
    const uint64_t numbers[] = {original_crc32,
                                sync->survey.records,
                                (uint64_t)sync->origin_ticks,
                                cut ? cut->place : 0,
                                (uint64_t)sync->alpha.num,
                                (uint64_t)sync->alpha.den,
                                sync->center,
                                (uint64_t)imprecision->delta.num,
                                (uint64_t)imprecision->delta.den,
                                (uint64_t)clock->wraps,
                                clock->splits,
                                clock->assumed,
                                sync->survey.rules.strict,
                                (uint64_t)sync->survey.rules.imprecision_ticks};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        tag = add_number(tag, numbers[i]);
    for (size_t i = 0; i < trace->nrecord_files; i++) {
        const struct record_file *file = &trace->record_files[i];
        if (file->header_bytes > FILE_HEADER_BYTES)
            tag = crc_add(tag, file->header_extra, file->header_bytes - FILE_HEADER_BYTES);
        if (trace->nrecord_files > 1)
            tag = add_number(add_text(tag, file->buffer), file->records);
    }
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        tag = add_number(add_number(tag, sync->views[t].first_record),
                         (uint64_t)sync->views[t].offset_ticks);
    return tag;
}

/* --- Record files --------------------------------------------------------------------------- */

struct record_copy {
    const struct csy_trace *trace;
    const struct csy_sync *sync;
    struct outfile *const *files; /* outputs, one for each record file of the trace */
    struct outfile *out;          /* the record file that is being written */
    size_t begun;
    uint32_t *original_crc32; /* NULL, or the CRC-32 of the original records so far */
};

static void begin_next(struct record_copy *c)
{
    const struct record_file *file = &c->trace->record_files[c->begun];
    uint8_t header[FILE_HEADER_BYTES] = FILE_MAGIC;
    c->out = c->files[c->begun++];
    store16(header + 8, 1);
    store16(header + 10, (uint16_t)file->header_bytes);
    store32(header + 12, FILE_GLOBAL_TIME);
    store64(header + 16, c->trace->nrecord_files > 1 ? file->records : c->sync->survey.records);
    outfile_write(c->out, header, sizeof header);
    if (file->header_bytes > FILE_HEADER_BYTES)
        outfile_write(c->out, file->header_extra, file->header_bytes - FILE_HEADER_BYTES);
}

static csy_status begin_file(void *user, csy_error *error)
{
    struct record_copy *c = user;
    (void)error;
    begin_next(c);
    if (c->trace->nrecord_files == 1 && c->original_crc32)
        bytes_crc_start(c->trace->bytes);
    return CSY_OK;
}

static csy_status write_record(void *user, const struct event *source, const csy_event *event,
                               csy_error *error)
{
    struct record_copy *c = user;
    const struct record *record = source->record;
    uint8_t head[RECORD_PPE_BYTES];
    size_t read = record->spe ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    (void)error;
    while (c->begun <= source->file)
        begin_next(c);
    if (c->trace->nrecord_files > 1 && c->original_crc32)
        *c->original_crc32 = crc_add(*c->original_crc32, record->bytes, record->size);
    memcpy(head, record->bytes, RECORD_PREFIX_BYTES);
    store16(head, (uint16_t)(record->size + RECORD_PPE_BYTES - read));
    store64(head + 16, (uint64_t)event->global_ticks);
    store64(head + 24, placement_begin(record, event->global_ticks, event->local_ticks));
    outfile_write(c->out, head, sizeof head);
    outfile_write(c->out, record->bytes + read, record->size - read);
    return CSY_OK;
}

static uint64_t claim(void *user, size_t size)
{
    return outfile_claim(user, size);
}

static void place(void *user, const uint8_t *bytes, size_t size, uint64_t at)
{
    outfile_place(user, bytes, size, at);
}

static csy_status copy_plain(void *user, struct csy_events *events, csy_error *error)
{
    struct outfile *out = ((const struct record_copy *)user)->out;
    const struct fast_sink sink = {out, claim, place};
    struct fast_taken taken = {0};
    csy_status status = CSY_OK;
    if (outfile_can_place(out))
        status = events_share(events, &sink, &taken, error);
    if (status || taken.records > 0)
        return status;
    uint8_t *room = outfile_room(out, OUTFILE_ROOM_MAX);
    status = events_copy(events, room, OUTFILE_ROOM_MAX, &taken, error);
    if (!status)
        outfile_advance(out, taken.written);
    return status;
}

static csy_status end_file(void *user, csy_error *error)
{
    struct record_copy *c = user;
    (void)error;
    while (c->begun < c->trace->nrecord_files)
        begin_next(c);
    if (c->trace->nrecord_files == 1 && c->original_crc32)
        *c->original_crc32 = bytes_crc(c->trace->bytes);
    return CSY_OK;
}

static bool has_failed(const void *user)
{
    const struct record_copy *c = user;
    return c->out && outfile_failed(c->out);
}

/* --- The document and its record files ------------------------------------------------------ */

/* Write the record files: the original records with global timestamps. Files are compressed if
 * level >= 0. *original_crc32 becomes the CRC-32 of the originals, unless original_crc32 is NULL.
 * NOLINTBEGIN(readability-non-const-parameter): it is written through the struct. */
static csy_status write_records(struct csy_trace *trace, const struct csy_sync *sync, int level,
                                struct outfile *const *files, uint32_t *original_crc32,
                                csy_error *error)
{
    static const struct writer_format format = {.begin = begin_file,
                                                .take_plain = copy_plain,
                                                .event = write_record,
                                                .end = end_file,
                                                .failed = has_failed};
    struct record_copy copying = {trace, sync, files, NULL, 0, original_crc32};
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nrecord_files && level >= 0 && !status; i++)
        status = outfile_compress(files[i], level, trace->workers, error);
    return status ? status
                  : writer_walk(&(struct writer){trace, sync, NULL, &format, &copying}, error);
}
/* NOLINTEND(readability-non-const-parameter) */

static csy_status write_embedded(struct csy_trace *trace, const struct csy_sync *sync,
                                 const char *path, int level, csy_error *error)
{
    struct outfile *file;
    struct trace_file described = {NULL, level >= 0, 0};
    csy_status status = outfile_open(path, trace, &file, error);
    if (status)
        return status;
    /* Compute the CRC-32 of the original records in a pass that does not decode records. */
    const uint8_t *at;
    const csy_cut *cut = csy_sync_cut(sync);
    size_t have = 1;
    status = trace_rewind(trace, error);
    bytes_crc_start(trace->bytes);
    while (!status && have > 0) {
        status = bytes_peek(trace->bytes, 1, &at, &have, error);
        if (!status && cut && have > cut->place - bytes_offset(trace->bytes))
            have = (size_t)(cut->place - bytes_offset(trace->bytes));
        if (!status)
            bytes_skip(trace->bytes, have);
        progress_tell(&trace->progress, "summing", CSY_UNIT_BYTES,
                      bytes_file_offset(trace->bytes) - trace->record_start,
                      trace->record_bytes - trace->record_start);
    }
    described.original_crc32 = bytes_crc(trace->bytes);
    status = status ? status : synctable_write(trace, sync, &described, file, error);
    outfile_write(file, "", 1);
    status = status ? status : write_records(trace, sync, level, &file, NULL, error);
    status = status ? status : outfile_finish(file, error);
    status = status ? status : outfile_publish_pex(file, NULL, 0, error);
    outfile_close(file);
    return status;
}

/* An array of pointers: NOLINTBEGIN(bugprone-sizeof-expression) */
csy_status pex_write(struct csy_trace *trace, const struct csy_sync *sync, const char *path,
                     bool embedded, int level, csy_error *error)
{
    if (embedded)
        return write_embedded(trace, sync, path, level, error);
    size_t n = trace->nrecord_files;
    struct outfile *pex = NULL, **records = calloc(n, sizeof *records);
    struct trace_file described = {.hrefs = calloc(n, sizeof *described.hrefs), .gzip = level >= 0};
    csy_status status =
        records && described.hrefs ? outfile_open(path, trace, &pex, error) : error_memory(error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_open(path, trace, &records[i], error);
    if (!status)
        status = write_records(trace, sync, level, records, &described.original_crc32, error);
    const char *pex_path = status ? NULL : outfile_path(pex);
    uint32_t tag =
        status ? 0 : synctable_tag(path_name(pex_path), trace, sync, described.original_crc32);
    for (size_t i = 0; i < n && !status; i++) {
        const char *buffer = n > 1 ? trace->record_files[i].buffer : NULL;
        char *own = record_path(pex_path, buffer, tag, described.gzip);
        const char *name = own ? path_name(own) : NULL;
        /* "./" prevents that a name with a colon looks like a URL. */
        if (name && asprintf(&described.hrefs[i], "%s%s", strchr(name, ':') ? "./" : "", name) < 0)
            described.hrefs[i] = NULL;
        status =
            described.hrefs[i] && outfile_rename(records[i], own) ? CSY_OK : error_memory(error);
        status = status ? status : refuse_input(trace, own, error);
        free(own);
    }
    status = status ? status : synctable_write(trace, sync, &described, pex, error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_finish(records[i], error);
    status = status ? status : outfile_finish(pex, error);
    status = status ? status : outfile_publish_pex(pex, records, n, error);
    for (size_t i = 0; i < n; i++) {
        if (described.hrefs)
            free(described.hrefs[i]);
        if (records)
            outfile_close(records[i]);
    }
    free(described.hrefs);
    free(records);
    outfile_close(pex);
    return status;
}
/* NOLINTEND(bugprone-sizeof-expression) */
