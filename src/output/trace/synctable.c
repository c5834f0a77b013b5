/* The XML of a synchronized trace: a copy of the document with a few tags changed. */
#include "output/trace/synctable.h"

#include "base/crc.h"
#include "base/error.h"
#include "io/range.h"
#include "output/encode/html.h"
#include "output/encode/utf8.h"
#include "output/encode/words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COPY_BYTES = 256 * 1024 };

/* A new value of an attribute. */
struct setting {
    const char *name;
    const char *value; /* in UTF-8; NULL: no attribute */
    bool done;
};

/* A document being copied. */
struct copy {
    const struct csy_trace *trace;
    struct outfile *out;
    uint8_t *block;  /* COPY_BYTES */
    uint64_t copied; /* bytes of the document copied so far */
    csy_error *error;
};

bool synctable_can_name(const char *href)
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

/* Write a value in quotes of a suitable kind. */
static void write_value(const struct copy *copy, const char *value)
{
    const unsigned char *at = (const unsigned char *)value, *end = at + strlen(value);
    bool ascii = copy->trace->places->letters != LETTERS_UTF8;
    for (size_t n; at < end; at += n) {
        n = utf8_length(at, (size_t)(end - at));
        n = n ? n : 1; /* synctable_can_name has rejected others */
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

/* Read the next bytes of the document. */
static csy_status take(struct copy *copy, uint8_t *to, size_t size)
{
    const struct csy_trace *trace = copy->trace;
    uint64_t start = trace->document_start + copy->copied;
    struct range range = {.fd = trace->fd, .name = trace->name, .start = start, .next = start};
    size_t have = 0, got = 0;
    do {
        csy_status status = range_read(&range, to + have, size - have, &got, copy->error);
        if (status)
            return status;
        have += got;
    } while (have < size && got > 0);
    copy->copied += size;
    return have < size ? trace_refuse_changed(trace, copy->error) : CSY_OK;
}

static csy_status copy_up_to(struct copy *copy, uint64_t to)
{
    while (copy->copied < to) {
        uint64_t left = to - copy->copied;
        size_t n = left < COPY_BYTES ? (size_t)left : COPY_BYTES;
        csy_status status = take(copy, copy->block, n);
        if (status)
            return status;
        outfile_write(copy->out, copy->block, n);
    }
    return CSY_OK;
}

/* Write a start tag with changed attributes. */
static void write_tag(const struct copy *copy, const char *tag, size_t size,
                      struct setting *settings, size_t n)
{
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
}

/* Copy up to the end of a tag, changing its attributes. */
static csy_status change_tag(struct copy *copy, const struct tag *place, const char *name,
                             struct setting *settings, size_t n)
{
    csy_status status = copy_up_to(copy, place->begin);
    size_t size = place->end - place->begin;
    char *tag = status ? NULL : malloc(size);
    if (!status)
        status = tag ? take(copy, (uint8_t *)tag, size) : error_memory(copy->error);
    if (!status && !tag_is(tag, size, name))
        status = trace_refuse_changed(copy->trace, copy->error);
    if (!status)
        write_tag(copy, tag, size, settings, n);
    free(tag);
    return status;
}

/* Write the attributes of <synchronization>. */
static void describe(struct outfile *out, const struct csy_sync *sync, uint32_t original_crc32)
{
    char alpha[FRACTION_TEXT_MAX], delta[FRACTION_TEXT_MAX];
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_cut *cut = csy_sync_cut(sync);
    outfile_print(out, " method=\"%s\"", words_method(sync->method));
    if (sync->method == CSY_METHOD_BHH)
        outfile_print(out,
                      " reference=\"%s\" alpha=\"%s\" center=\"%s\" relax=\"%s\" delta=\"%s\" "
                      "added_ticks=\"%" PRId64 "\"",
                      sync->views[sync->reference].name, fraction_text(sync->alpha, alpha),
                      words_center(sync->center), words_relax(imprecision->relax),
                      fraction_text(imprecision->delta, delta), imprecision->added_ticks);
    if (sync->latency_ticks > 0)
        outfile_print(out, " latency=\"%" PRId64 "\"", sync->latency_ticks);
    if (sync->survey.ndropped > 0) {
        outfile_print(out, " dropped=\"");
        for (size_t i = 0; i < sync->survey.ndropped; i++)
            outfile_print(out, "%s%" PRIu64, i > 0 ? " " : "", sync->survey.dropped[i]);
        outfile_print(out, "\"");
    }
    if (cut)
        outfile_print(out, " salvaged_until=\"%" PRIu64 "\"", cut->place);
    outfile_print(out,
                  " original_crc32=\"0x%08" PRIx32 "\" records=\"%" PRIu64 "\" wraps=\"%" PRId64
                  "\" splits=\"%" PRIu64 "\" assumed=\"%" PRIu64 "\" unwrap=\"%s\" "
                  "max_imprecision=\"%" PRId64 "\"",
                  original_crc32, sync->survey.records, clock->wraps, clock->splits, clock->assumed,
                  sync->survey.rules.strict ? "strict" : "assume",
                  sync->survey.rules.imprecision_ticks);
}

static void write_thread(struct outfile *out, const char *prefix, size_t index,
                         const csy_thread *thread)
{
    char earliest[TICKS_TEXT_MAX], latest[TICKS_TEXT_MAX];
    outfile_print(out, "\n    <%s", prefix);
    if (thread->kind == CSY_KIND_PPE) {
        outfile_print(out, "ppe_thread");
    } else {
        outfile_print(out, "live_interval id=\"%zu\" ctx=\"%" PRId64 "\"", index, thread->context);
        if (thread->spe != CSY_NO_SPE)
            outfile_print(out, " spe=\"%" PRIu64 "\"", thread->spe);
    }
    outfile_print(out, " first_record=\"%" PRIu64 "\" records=\"%" PRIu64 "\"",
                  thread->first_record, thread->records);
    if (thread->kind == CSY_KIND_SPE)
        outfile_print(out, " decr_first=\"%" PRIu32 "\"", thread->decr_first);
    if (thread->offset_ticks != CSY_NO_OFFSET)
        outfile_print(out, " offset=\"%" PRId64 "\"", thread->offset_ticks);
    outfile_print(out, " earliest=\"%s\" latest=\"%s\"/>",
                  words_ticks(thread->earliest_ticks, "-inf", "inf", earliest),
                  words_ticks(thread->latest_ticks, "-inf", "inf", latest));
}

/* Write the table, which is added to the end of the root. */
static void write_table(const struct csy_trace *trace, const struct csy_sync *sync,
                        const struct trace_file *file, struct outfile *out)
{
    const struct places *places = trace->places;
    if (places->clock.end == 0)
        outfile_print(out, "<%sclock kind=\"global\"/>", places->prefix);
    outfile_print(out, "<%ssynchronization", places->prefix);
    describe(out, sync, file->original_crc32);
    outfile_print(out, ">");
    for (size_t t = 0; t < sync->survey.threads.count; t++)
        write_thread(out, places->prefix, t, &sync->views[t]);
    outfile_print(out, "\n  </%ssynchronization>\n", places->prefix);
}

static csy_status change_clock(struct copy *copy)
{
    struct setting of_clock = {"kind", "global", false};
    return change_tag(copy, &copy->trace->places->clock, "clock", &of_clock, 1);
}

/* Change the trace_files and the clock. */
static csy_status change_tags(struct copy *copy, const struct trace_file *file)
{
    const struct csy_trace *trace = copy->trace;
    const struct tag *place = &trace->places->clock;
    bool clock = place->end > 0;
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nrecord_files && !status; i++) {
        struct setting of_file[] = {{"compression", file->gzip ? "gzip" : "none", false},
                                    {"href", file->hrefs ? file->hrefs[i] : NULL, false}};
        if (clock && place->begin < trace->record_files[i].place.begin) {
            status = change_clock(copy);
            clock = false;
        }
        if (!status)
            status = change_tag(copy, &trace->record_files[i].place, "trace_file", of_file, 2);
    }
    return status || !clock ? status : change_clock(copy);
}

csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                           const struct trace_file *file, struct outfile *out, csy_error *error)
{
    struct copy copy = {.trace = trace, .out = out, .block = malloc(COPY_BYTES), .error = error};
    const struct places *places = trace->places;
    csy_status status = copy.block ? change_tags(&copy, file) : error_memory(error);
    if (!status)
        status = copy_up_to(&copy, places->root_end.begin);
    if (!status)
        write_table(trace, sync, file, out);
    if (!status)
        status = copy_up_to(&copy, places->size);
    free(copy.block);
    return status;
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

uint32_t synctable_tag(const char *name, const struct csy_trace *trace, const struct csy_sync *sync,
                       uint32_t original_crc32)
{
    const csy_imprecision *imprecision = &sync->imprecision;
    const csy_clock_report *clock = &sync->survey.clock_report;
    const csy_cut *cut = csy_sync_cut(sync);
    uint32_t tag = add_text(add_text(0, name), words_method(sync->method));
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
        size_t extra = file->header_bytes - FILE_HEADER_BYTES;
        if (extra > 0)
            tag = crc_add(tag, file->header_extra, extra);
        if (trace->nrecord_files > 1) {
            tag = add_text(tag, trace->record_files[i].buffer);
            tag = add_number(tag, file->records);
        }
    }
    for (size_t t = 0; t < sync->survey.threads.count; t++) {
        tag = add_number(tag, sync->views[t].first_record);
        tag = add_number(tag, (uint64_t)sync->views[t].offset_ticks);
    }
    return tag;
}
