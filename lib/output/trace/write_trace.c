/* csy_sync_write_trace: choose the format, and write the files in order. */
#include "base/ascii.h"
#include "base/crc.h"
#include "base/error.h"
#include "io/path.h"
#include "io/range.h"
#include "output/encode/html.h"
#include "output/encode/text.h"
#include "output/encode/utf8.h"
#include "output/file/outfile.h"
#include "output/file/recordname.h"
#include "output/file/refuse.h"
#include "output/file/tempname.h"
#include "output/trace/otf2_folder.h"
#include "output/trace/selection.h"
#include "output/trace/settings.h"
#include "output/trace/trace_out.h"
#include "sync/method.h"
#include "sync/options.h"
#include "sync/placement.h"
#include "sync/solution.h"
#include "trace/offsets.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A synchronized .pex is the document of the trace with a table <synchronization>. */

/* How the document refers to its records, with one file for each buffer. */
struct trace_file {
    char **hrefs; /* NULL: records are embedded */
    bool gzip;
    uint32_t original_crc32;
};

enum { COPY_BYTES = 256 * 1024 };

/* An attribute and its new value. */
struct setting {
    const char *name;
    const char *value; /* in UTF-8; NULL: remove the attribute */
    bool done;
};

/* State of copying a document. */
struct copy {
    const struct csy_trace *trace;
    struct outfile *out;
    uint8_t *block;  /* buffer of COPY_BYTES */
    uint64_t copied; /* bytes copied so far */
    csy_error *error;
};

/* True if an XML document can contain the name of this record file. XML excludes all but three
 * control characters, and bytes that are not UTF-8. */
static bool synctable_can_name(const char *href)
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

/* Write a value in single or double quotes. */
static void write_value(const struct copy *copy, const char *value)
{
    const unsigned char *at = (const unsigned char *)value, *end = at + strlen(value);
    bool ascii = copy->trace->places->letters != LETTERS_UTF8;
    for (size_t n; at < end; at += n) {
        n = utf8_length(at, (size_t)(end - at));
        n = n ? n : 1; /* synctable_can_name has rejected invalid bytes */
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
        csy_status status = read_document(copy, copy->block, n);
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

/* Copy the document up to the end of a tag, and change attributes of the tag. */
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
    outfile_print(out, " method=\"%s\"", text_method(sync->method));
    if (sync->method == CSY_METHOD_BHH)
        outfile_print(out,
                      " reference=\"%s\" alpha=\"%s\" center=\"%s\" relax=\"%s\" delta=\"%s\" "
                      "added_ticks=\"%" PRId64 "\"",
                      sync->views[sync->reference].name, fraction_text(sync->alpha, alpha),
                      text_center(sync->center), text_relax(imprecision->relax),
                      fraction_text(imprecision->delta, delta), imprecision->added_ticks);
    if (sync->latency_ticks > 0)
        outfile_print(out, " latency=\"%" PRId64 "\"", sync->latency_ticks);
    if (sync->partial && sync->latency_max_ticks < INT64_MAX)
        outfile_print(out, " max_latency=\"%" PRId64 "\"", sync->latency_max_ticks);
    const struct measured_offsets *offsets = sync->trace->offsets;
    if (offsets)
        outfile_print(out, " offsets=\"%zu:0x%08" PRIx32 "\"", offsets->count, offsets->crc32);
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
                  text_ticks(thread->earliest_ticks, "-inf", "inf", earliest),
                  text_ticks(thread->latest_ticks, "-inf", "inf", latest));
}

/* Write the table <synchronization> at the end of the root element. */
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

/* Write the document of trace: its own bytes, but with clock kind="global", these trace_files, and
 * the table as the root's last child. O(document); the table is streamed. */
static csy_status synctable_write(const struct csy_trace *trace, const struct csy_sync *sync,
                                  const struct trace_file *file, struct outfile *out,
                                  csy_error *error)
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

/* Compute a checksum of the original records, the name of the document, and how records were
 * changed. O(threads). */
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

/* Compression level if the name ends in .gz. */
enum { GZIP_LEVEL = 6 };

/* --- The format by the name of an output: cellsync(1), -o and -r --- */

struct suffix {
    const char *text;
    int format;
};

static bool ends_in(const char *text, size_t size, const char *suffix)
{
    size_t n = strlen(suffix);
    return size > n && ascii_same(text + size - n, suffix, n);
}

/* The last suffix of a name with its dot, or NULL. */
static const char *last_suffix(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot > name && dot[1] ? dot : NULL;
}

static bool is_gzip(const char *path)
{
    const char *name = path_name(path);
    return ends_in(name, strlen(name), ".gz");
}

static const struct suffix *find_suffix(const struct suffix *known, const char *path)
{
    const char *name = path_name(path);
    for (; known->text; known++)
        if (ends_in(name, strlen(name), known->text))
            return known;
    return NULL;
}

static csy_status refuse_suffix(const char *path, const char *expected, const char *option,
                                csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    const char *suffix = last_suffix(path);
    error_escape(shown, suffix, strlen(suffix));
    return error_set(error, CSY_USAGE,
                     "%s: unknown suffix %s: expected %s; %s writes a format under any name", path,
                     shown, expected, option);
}

/* Find the format for the suffix of path. CSY_FORMAT_AUTO if there is no suffix, or if it is
 * unknown and path is not a regular file; CSY_USAGE for an unknown suffix of a regular file. If a
 * name has only one dot, at its begin, it has no suffix. */
static csy_status format_by_suffix(const char *path, csy_format *out, csy_error *error)
{
    static const struct suffix known[] = {{".pex", CSY_FORMAT_PEX},
                                          {".csv", CSY_FORMAT_CSV},
                                          {".csv.gz", CSY_FORMAT_CSV},
                                          {".json", CSY_FORMAT_JSON},
                                          {".json.gz", CSY_FORMAT_JSON},
                                          {".jsonl", CSY_FORMAT_JSON},
                                          {".jsonl.gz", CSY_FORMAT_JSON},
                                          {".pftrace", CSY_FORMAT_PFTRACE},
                                          {".pftrace.gz", CSY_FORMAT_PFTRACE},
                                          {".pcap", CSY_FORMAT_PCAP},
                                          {".pcap.gz", CSY_FORMAT_PCAP},
                                          {".pcapng", CSY_FORMAT_PCAPNG},
                                          {".pcapng.gz", CSY_FORMAT_PCAPNG},
                                          {".tar", CSY_FORMAT_TAR},
                                          {".tar.gz", CSY_FORMAT_TAR},
                                          {NULL, 0}};
    const struct suffix *found = find_suffix(known, path);
    size_t n = strlen(path);
    while (n > 0 && path[n - 1] == '/') /* a folder's name may end in slashes */
        n--;
    bool ctf = n > 4 && path[n - 5] != '/' && ends_in(path, n, ".ctf");
    *out = found ? (csy_format)found->format : ctf ? CSY_FORMAT_CTF : CSY_FORMAT_AUTO;
    if (*out != CSY_FORMAT_AUTO || !last_suffix(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse_suffix(
        path,
        ".pex, .csv, .csv.gz, .json, .json.gz, .pftrace, .pftrace.gz, .pcap, .pcapng, .tar or "
        ".ctf",
        "-r writes a report, --to", error);
}

csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error)
{
    static const struct suffix known[] = {{".txt", CSY_REPORT_TEXT},  {".csv", CSY_REPORT_CSV},
                                          {".json", CSY_REPORT_JSON}, {".htm", CSY_REPORT_HTML},
                                          {".html", CSY_REPORT_HTML}, {".tex", CSY_REPORT_TEX},
                                          {".md", CSY_REPORT_MD},     {NULL, 0}};
    const struct suffix *found = find_suffix(known, path);
    *out = found ? (csy_report_format)found->format : CSY_REPORT_TEXT;
    if (found || !last_suffix(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse_suffix(path, ".txt, .csv, .json, .html, .htm, .tex or .md", "--report-format",
                         error);
}

/* --- Plans --- */

/* The files to write, and their formats. csy_sync_write_trace and checks in advance make a plan. */
struct plan {
    csy_format format;
    csy_output output;
    bool embedded;
    int compress_level; /* for the records or the whole file; -1: none */
    char *path;         /* with symbolic links resolved */
    bool edited;        /* copy JSON bytes, with other times */
    bool parts;         /* path is a folder with a file for each part of a joined trace */
    char *folder;       /* folder of path, made if missing; NULL: must exist */
};

/* True for formats that are written only from a trace of the same format, by changing its times. */
static bool is_spans(csy_format format)
{
    return format == CSY_FORMAT_OTLP || format == CSY_FORMAT_JAEGER || format == CSY_FORMAT_ZIPKIN;
}

/* True if the events of a profiler are written as they were read, with other times. */
static bool is_profile(const struct csy_trace *trace, const csy_output *output)
{
    return trace->source->written_as == CSY_FORMAT_JSON && !selection_is_part(output) &&
           output->json_args == CSY_JSON_ALL && !output->ranges;
}

/* True if the other output would be one of the plan's files, under any name that they may get. */
static bool plan_makes(const struct plan *plan, const char *other)
{
    if (!plan->path || !other)
        return false;
    if (plan->format != CSY_FORMAT_PEX || plan->embedded)
        return path_same(plan->path, other);
    char *pex = path_canonical(plan->path), *ends[] = {path_canonical(other), path_place(other)};
    bool made = path_same(plan->path, other);
    for (size_t i = 0; i < 2; i++) {
        made |= pex && ends[i] && record_is_of(pex, ends[i]);
        free(ends[i]);
    }
    free(pex);
    return made;
}

static bool is_pcap(csy_format format)
{
    return format == CSY_FORMAT_PCAP || format == CSY_FORMAT_PCAPNG;
}

/* Write a CSV, JSON, a Perfetto trace, or a packet capture. */
static csy_status write_one(struct csy_trace *trace, const struct csy_sync *sync, const char *path,
                            const struct plan *plan, csy_error *error)
{
    struct outfile *file;
    csy_status status = outfile_open(path, trace, &file, error);
    if (status)
        return status;
    if (plan->compress_level >= 0)
        status = outfile_compress(file, plan->compress_level, trace->workers, error);
    if (!status)
        status =
            plan->edited                      ? edited_write(trace, sync, &file, 1, error)
            : plan->format == CSY_FORMAT_JSON ? json_write(trace, sync, &plan->output, file, error)
            : plan->format == CSY_FORMAT_PFTRACE
                ? pftrace_write(trace, sync, &plan->output, file, error)
            : is_pcap(plan->format)
                ? pcap_write(trace, sync, plan->format == CSY_FORMAT_PCAPNG, &file, error)
            : plan->format == CSY_FORMAT_TAR ? tar_write(trace, sync, file, error)
                                             : csv_write(trace, sync, &plan->output, file, error);
    return outfile_complete(file, status, error);
}

/* Write the records, compressed if requested. original_crc32 may be NULL. */
static csy_status write_records(struct csy_trace *trace, const struct csy_sync *sync,
                                const struct plan *plan, struct outfile *const *files,
                                uint32_t *original_crc32, csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nrecord_files && plan->compress_level >= 0 && !status; i++)
        status = outfile_compress(files[i], plan->compress_level, trace->workers, error);
    return status ? status : records_write(trace, sync, files, original_crc32, error);
}

static csy_status write_embedded(struct csy_trace *trace, const struct csy_sync *sync,
                                 const char *path, const struct plan *plan, csy_error *error)
{
    struct outfile *file;
    struct trace_file described = {NULL, plan->compress_level >= 0, 0};
    csy_status status = outfile_open(path, trace, &file, error);
    if (status)
        return status;
    status = records_crc32(trace, sync, &described.original_crc32, error);
    if (!status)
        status = synctable_write(trace, sync, &described, file, error);
    outfile_write(file, "", 1);
    if (!status)
        status = write_records(trace, sync, plan, &file, NULL, error);
    if (!status)
        status = outfile_finish(file, error);
    if (!status)
        status = outfile_publish_pex(file, NULL, 0, error);
    outfile_close(file);
    return status;
}

/* Make a reference to a record file beside the .pex. A colon must not make it look like a URL. */
static char *record_href(const char *path)
{
    const char *name = path_name(path);
    char *href;
    return asprintf(&href, "%s%s", strchr(name, ':') ? "./" : "", name) < 0 ? NULL : href;
}

/* Write the .pex and its records. An array of pointers: NOLINTBEGIN(bugprone-sizeof-expression) */
static csy_status write_pair(struct csy_trace *trace, const struct csy_sync *sync,
                             const struct plan *plan, csy_error *error)
{
    size_t n = trace->nrecord_files;
    struct outfile *pex = NULL, **records = calloc(n, sizeof *records);
    struct trace_file described = {.hrefs = calloc(n, sizeof *described.hrefs),
                                   .gzip = plan->compress_level >= 0};
    csy_status status = records && described.hrefs ? outfile_open(plan->path, trace, &pex, error)
                                                   : error_memory(error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_open(plan->path, trace, &records[i], error);
    if (!status)
        status = write_records(trace, sync, plan, records, &described.original_crc32, error);
    const char *pex_path = status ? NULL : outfile_path(pex);
    uint32_t tag =
        status ? 0 : synctable_tag(path_name(pex_path), trace, sync, described.original_crc32);
    for (size_t i = 0; i < n && !status; i++) { /* the files' names depend on the records */
        const char *buffer = n > 1 ? trace->record_files[i].buffer : NULL;
        char *path = record_path(pex_path, buffer, tag, described.gzip);
        described.hrefs[i] = path ? record_href(path) : NULL;
        status =
            described.hrefs[i] && outfile_rename(records[i], path) ? CSY_OK : error_memory(error);
        if (!status)
            status = refuse_input(trace, path, error);
        free(path);
    }
    if (!status)
        status = synctable_write(trace, sync, &described, pex, error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_finish(records[i], error);
    if (!status)
        status = outfile_finish(pex, error);
    if (!status)
        status = outfile_publish_pex(pex, records, n, error);
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

/* --- A file for each part of a joined trace --- */

/* The path of a part's file; NULL if out of memory. */
static char *part_path(const struct csy_trace *trace, const char *folder, size_t part)
{
    char *path;
    const char *name = path_name(trace->parts[part]->name);
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* CSY_USAGE or CSY_INPUT if two parts have the same name or one is an input file. */
static csy_status check_parts(const struct csy_trace *trace, const struct plan *plan,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nparts && !status; i++) {
        const char *name = trace->parts[i]->name;
        if (strcmp(name, "-") == 0)
            return error_set(error, CSY_USAGE,
                             "%s/: standard input has no name for a file there; -o FILE merges all "
                             "traces",
                             plan->path);
        for (size_t k = 0; k < i; k++)
            if (strcmp(path_name(name), path_name(trace->parts[k]->name)) == 0)
                return error_set(error, CSY_USAGE,
                                 "%s and %s would be one file in %s/: rename one, or merge them by "
                                 "-o FILE",
                                 trace->parts[k]->name, name, plan->path);
        char *path = part_path(trace, plan->path, i);
        status = path ? refuse_input(trace, path, error) : error_memory(error);
        free(path);
    }
    return status;
}

static csy_status write_parts(struct csy_trace *trace, const struct csy_sync *sync,
                              const struct plan *plan, csy_error *error)
{
    size_t n = trace->nparts;
    struct outfile **files = calloc(n, sizeof(struct outfile *));
    csy_status status = files ? check_parts(trace, plan, error) : error_memory(error);
    bool made = !status && mkdir(plan->path, 0777) == 0;
    if (!status && !made && errno != EEXIST)
        status = error_io(error, plan->path, NULL);
    for (size_t i = 0; i < n && !status; i++) {
        char *path = part_path(trace, plan->path, i);
        status = path ? outfile_open(path, trace, &files[i], error) : error_memory(error);
        int level = plan->output.compress_level >= 0 ? plan->output.compress_level : GZIP_LEVEL;
        if (!status && (plan->output.compress_level >= 0 || is_gzip(path)))
            status = outfile_compress(files[i], level, trace->workers, error);
        free(path);
    }
    if (!status)
        status = plan->edited ? edited_write(trace, sync, files, n, error)
                 : plan->format == CSY_FORMAT_PCAP
                     ? pcap_write(trace, sync, false, files, error)
                     : csv_write_parts(trace, sync, &plan->output, files, error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_finish(files[i], error);
    for (size_t i = 0; i < n && !status; i++)
        status = outfile_publish(files[i], error);
    for (size_t i = 0; files && i < n; i++)
        if (files[i])
            outfile_close(files[i]);
    free(files);
    if (status && made)
        rmdir(plan->path); /* fails if a file is in it */
    return status;
}

/* Check whether this format and the other settings can express the trace. */
static csy_status check_format(const struct csy_trace *trace, const char *path,
                               const csy_output *output, csy_format to, csy_error *error)
{
    bool has_arguments = to == CSY_FORMAT_JSON || to == CSY_FORMAT_PFTRACE;
    if (to == CSY_FORMAT_PEX && trace->source->written_as != CSY_FORMAT_PEX)
        return error_set(error, CSY_USAGE, "%s: %s cannot be written as .pex; write a CSV instead",
                         trace->name, trace->source->title);
    if (to != CSY_FORMAT_PEX && output->embed)
        return error_set(error, CSY_USAGE, "%s: only a .pex can have its records inside", path);
    if (to != CSY_FORMAT_CSV &&
        (output->csv_header != CSY_CSV_COMMENT || output->csv_time != CSY_CSV_TICKS))
        return error_set(error, CSY_USAGE,
                         "%s: this output is no CSV, so it has no header or columns to choose",
                         path);
    if (output->ranges && to != CSY_FORMAT_CSV && !has_arguments)
        return error_set(error, CSY_USAGE,
                         "%s: only CSV, JSON, and Perfetto traces can have ranges of times", path);
    if (output->ranges && has_arguments && output->json_args == CSY_JSON_NONE)
        return error_set(error, CSY_USAGE,
                         "%s: ranges are arguments of events: choose all or short ones", path);
    if (to != CSY_FORMAT_CSV && output->sort)
        return error_set(error, CSY_USAGE, "%s: only a CSV can be sorted", path);
    if (output->sort &&
        (!trace->partial || trace->types || (!trace->loose && !trace->source->shaped)))
        return error_set(error, CSY_USAGE,
                         "%s: --sort is for rows that messages order: the order of these %ss says "
                         "what came before what",
                         trace->name, trace->source->called ? trace->source->called : "record");
    if (!has_arguments && output->json_args != CSY_JSON_ALL)
        return error_set(error, CSY_USAGE,
                         "%s: only JSON and Perfetto traces have arguments to choose", path);
    if (to == CSY_FORMAT_OTF2 && trace->source->written_as != CSY_FORMAT_OTF2)
        return error_set(error, CSY_USAGE,
                         "%s: only of an OTF2 archive one can be made; write CSV, JSON or CTF",
                         trace->name);
    if (is_spans(to) && trace->source->written_as != to)
        return error_set(error, CSY_USAGE,
                         "%s: spans are written only in the format in which they were read, and "
                         "this is %s; write CSV, JSON or CTF",
                         trace->name, trace->source->title);
    if (is_pcap(to) && trace->source->written_as != CSY_FORMAT_PCAP)
        return error_set(error, CSY_USAGE,
                         "%s: only of packet captures one can be made; write CSV, JSON or CTF",
                         trace->name);
    if (to == CSY_FORMAT_TAR && trace->source->written_as != CSY_FORMAT_JSON)
        return error_set(error, CSY_USAGE,
                         "%s: a TAR for Perfetto is made of profiles in Chrome JSON, and this is "
                         "%s; write JSON or a Perfetto trace",
                         trace->name, trace->source->title);
    if (to != CSY_FORMAT_OTF2 && output->linked)
        return error_set(error, CSY_USAGE, "%s: only an OTF2 archive has event files to link",
                         path);
    if ((to == CSY_FORMAT_PEX || to == CSY_FORMAT_OTF2 || to == CSY_FORMAT_TAR || is_pcap(to) ||
         is_spans(to)) &&
        selection_is_part(output))
        return error_set(error, CSY_USAGE,
                         "%s: only CSV, JSON, Perfetto traces and CTF can be a part of a trace",
                         path);
    if (to == CSY_FORMAT_CSV && trace->lines.counters.wraps && selection_is_part(output))
        return error_set(error, CSY_USAGE,
                         "%s: a part of a CSV could not be read: nothing would tell how often its "
                         "counters wrapped before. Write all of it, or another format",
                         path);
    if ((to == CSY_FORMAT_CTF || to == CSY_FORMAT_OTF2) && output->compress_level >= 0)
        return error_set(error, CSY_USAGE, "%s: %s is not compressed", path,
                         to == CSY_FORMAT_CTF ? "CTF" : "OTF2");
    if (to != CSY_FORMAT_PEX && output->compress_level >= 0 && path_is_regular(path) &&
        last_suffix(path) && !is_gzip(path))
        return error_set(error, CSY_USAGE, "%s: it would be gzip: name it %s.gz", path,
                         path_name(path));
    return CSY_OK;
}

/* True if path ends in a slash or is an existing folder. */
static bool is_folder(const char *path)
{
    struct stat at;
    size_t size = strlen(path);
    return path[size - (size > 0)] == '/' || (stat(path, &at) == 0 && S_ISDIR(at.st_mode));
}

static csy_status make_plan(const struct csy_trace *trace, const char *path,
                            const csy_output *output, struct plan *plan, csy_error *error);

/* Plan to write a single file into a folder, with its own name and format.
 * The plan it makes is for a file. NOLINTNEXTLINE(misc-no-recursion) */
static csy_status plan_in_folder(const struct csy_trace *trace, const char *path, csy_format to,
                                 const csy_output *output, struct plan *plan, csy_error *error)
{
    csy_output own = *output;
    char *folder, *name;
    own.format = trace->source->written_as;
    if (to != own.format)
        return error_set(error, CSY_USAGE,
                         "%s: in a folder, a trace keeps its format, which is %s; name a file",
                         path, trace->source->title);
    if (strcmp(trace->name, "-") == 0)
        return error_set(error, CSY_USAGE,
                         "%s: standard input has no name for a file there; name a file", path);
    folder = path_plain(path);
    if (!folder || asprintf(&name, "%s/%s", folder, path_name(trace->name)) < 0) {
        free(folder);
        return error_memory(error);
    }
    csy_status status = make_plan(trace, name, &own, plan, error);
    plan->folder = folder;
    free(name);
    return status;
}

/* plan_in_folder calls it once. NOLINTNEXTLINE(misc-no-recursion) */
static csy_status make_plan(const struct csy_trace *trace, const char *path,
                            const csy_output *output, struct plan *plan, csy_error *error)
{
    output = output ? output : &settings_default;
    csy_format to = output->format;
    csy_status status = CSY_OK;
    *plan = (struct plan){.path = NULL};
    if (to == CSY_FORMAT_AUTO)
        status = format_by_suffix(path, &to, error);
    if (!status && to == CSY_FORMAT_AUTO) {
        /* Use the format of the trace, unless that is a folder and the output cannot be one. */
        struct stat st;
        bool folder = path_is_regular(path) || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
        to = trace->source->written_as;
        to = to == CSY_FORMAT_OTF2 && !folder             ? CSY_FORMAT_CSV
             : to == CSY_FORMAT_PCAP && trace->nparts > 1 ? CSY_FORMAT_PCAPNG
                                                          : to;
    } else if (output->format == CSY_FORMAT_AUTO && to == CSY_FORMAT_JSON && trace->source->spans) {
        to = trace->source->written_as; /* all formats of spans are named .json */
    }
    bool parts = trace->parts && is_folder(path);
    if (!status && !trace->parts && to != CSY_FORMAT_OTF2 && to != CSY_FORMAT_CTF &&
        is_folder(path))
        return plan_in_folder(trace, path, to, output, plan, error);
    if (!status && parts && to == CSY_FORMAT_PCAPNG && trace->source->written_as == CSY_FORMAT_PCAP)
        to = CSY_FORMAT_PCAP; /* a file for each capture */
    bool edited = is_spans(to) || (to == CSY_FORMAT_JSON && is_profile(trace, output) &&
                                   (parts || trace->nparts < 2));
    if (!status && edited && !parts && trace->nparts > 1 && to != CSY_FORMAT_OTLP)
        status = error_set(error, CSY_USAGE,
                           "%s: only OTLP JSON of several files can be written to one file; name a "
                           "folder, as in -o synced/",
                           path);
    if (!status && parts && to != CSY_FORMAT_CSV && to != CSY_FORMAT_PCAP && !edited)
        status = error_set(error, CSY_USAGE,
                           "%s: several traces are written to a folder as CSV, captures, spans, or "
                           "profiles; -o FILE merges them",
                           path);
    if (!status)
        status = check_format(trace, path, output, to, error);
    if (status)
        return status;
    *plan =
        (struct plan){.format = to, .output = *output, .compress_level = output->compress_level};
    if (plan->compress_level < 0 && to != CSY_FORMAT_PEX && is_gzip(path))
        plan->compress_level = GZIP_LEVEL;
    plan->edited = edited;
    if (parts) {
        plan->parts = true;
        plan->path = path_plain(path);
        return plan->path ? check_parts(trace, plan, error) : error_memory(error);
    }
    if (to == CSY_FORMAT_PCAP && trace->nparts > 1)
        return error_set(error, CSY_USAGE,
                         "%s: a pcap has no place for several hosts: write a .pcapng, or a folder "
                         "with a slash at its end",
                         path);
    if (to == CSY_FORMAT_CTF || to == CSY_FORMAT_OTF2) {
        char *plain = path_plain(path);
        plan->path = plain ? path_resolve(plain) : NULL;
        free(plain);
        return !plan->path            ? error_memory(error)
               : to == CSY_FORMAT_CTF ? ctf_check_target(plan->path, error)
                                      : otf2_check_target(trace, plan->path, error);
    }
    plan->embedded = output->embed || !path_is_regular(path);
    plan->path = path_resolve(path);
    if (!plan->path)
        return error_memory(error);
    if (to == CSY_FORMAT_PEX && plan->embedded && trace->nrecord_files > 1)
        return error_set(error, CSY_USAGE,
                         "%s: a .pex with %zu buffers cannot have its records inside: write it "
                         "to a file of its own, without --embed",
                         path, trace->nrecord_files);
    if (to == CSY_FORMAT_PEX && !plan->embedded && !synctable_can_name(path_name(plan->path)))
        return error_set(error, CSY_USAGE,
                         "%s: a .pex cannot contain this name of its record file, because XML has "
                         "neither control "
                         "characters nor bytes that are not UTF-8; pass --embed",
                         path);
    return CSY_OK;
}

/* Refuse formats that have only offsets of clocks, if the method moves single events. */
static csy_status check_clocks(const struct csy_trace *trace, csy_format to, bool monotonic,
                               bool moves_threads, csy_error *error)
{
    if ((is_spans(to) || to == CSY_FORMAT_TAR) && (!moves_threads || monotonic))
        return error_set(error, CSY_USAGE,
                         "%s: %s are moved with their clocks, and not by themselves, as %s "
                         "does; write CSV, JSON or CTF",
                         trace->name, is_spans(to) ? "spans" : "the files of a TAR",
                         monotonic ? "--monotonic" : "this method");
    if (to != CSY_FORMAT_OTF2 || (moves_threads && !monotonic))
        return CSY_OK;
    return error_set(error, CSY_USAGE,
                     "%s: an OTF2 archive has offsets of clocks, and no times of events by "
                     "themselves, which %s gives; write CSV, JSON or CTF",
                     trace->name, monotonic ? "--monotonic" : "this method");
}

static csy_status refuse_monotonic(const struct csy_trace *trace, csy_error *error)
{
    return error_set(error, CSY_USAGE,
                     "%s: a .pex of monotonic times could not be undone, and --check would "
                     "prove nothing of it; write CSV, JSON or CTF, which keep both times",
                     trace->name);
}

static csy_status check_ranges(const struct csy_trace *trace, const csy_output *output,
                               csy_method method, bool monotonic, csy_error *error)
{
    if (!output->ranges || (method == CSY_METHOD_BHH && !monotonic))
        return CSY_OK;
    return error_set(error, CSY_USAGE, "%s: --ranges: %s", trace->name,
                     monotonic ? "monotonic times are not those of clocks alone"
                               : "only method bhh gives bounds");
}

static csy_status refuse_drifting(const struct csy_trace *trace, csy_error *error)
{
    return error_set(
        error, CSY_USAGE,
        "%s: a .pex of clocks that drift could not be undone, as two readings may share "
        "a tick of global time; write CSV, JSON or CTF, which keep both times",
        trace->name);
}

csy_status csy_sync_write_trace(const csy_sync *sync, const char *path, const csy_output *output,
                                csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct plan plan;
    csy_status status = solution_check_feasible(sync, error);
    if (status)
        return status;
    status = make_plan(trace, path, output, &plan, error);
    trace->progress.stage = "writing";
    if (!status && plan.format == CSY_FORMAT_PEX && sync->monotonic)
        status = refuse_monotonic(trace, error);
    if (!status && plan.format == CSY_FORMAT_PEX && sync->drift)
        status = refuse_drifting(trace, error);
    if (!status)
        status =
            check_clocks(trace, plan.format, sync->monotonic, placement_moves_threads(sync), error);
    if (!status)
        status = check_ranges(trace, &plan.output, sync->method, sync->monotonic, error);
    bool made = !status && plan.folder && mkdir(plan.folder, 0777) == 0;
    if (!status && plan.folder && !made && errno != EEXIST)
        status = error_io(error, plan.folder, NULL);
    if (plan.folder)
        path = plan.path;
    if (!status && plan.parts)
        status = write_parts(trace, sync, &plan, error);
    else if (!status && plan.format == CSY_FORMAT_OTF2)
        status = otf2_write(trace, sync, &plan.output, plan.path, error);
    else if (!status && plan.format == CSY_FORMAT_CTF)
        status = ctf_write(trace, sync, &plan.output, plan.path, error);
    else if (!status && plan.format != CSY_FORMAT_PEX)
        status = write_one(trace, sync, path, &plan, error);
    else if (!status && plan.embedded)
        status = write_embedded(trace, sync, path, &plan, error);
    else if (!status)
        status = write_pair(trace, sync, &plan, error);
    if (status && made)
        rmdir(plan.folder); /* fails if a file is in it */
    if (status) {           /* after csy_abandon, the process ends here without a message */
        tempname_hold();
        tempname_release();
    }
    trace->progress.stage = "reading";
    free(plan.path);
    free(plan.folder);
    return status;
}

csy_status csy_trace_check_outputs(const csy_trace *trace, const csy_options *options,
                                   const char *path, const csy_output *output, const char *report,
                                   csy_error *error)
{
    struct plan plan = {.path = NULL};
    csy_status status = CSY_OK;
    if (path)
        status = make_plan(trace, path, output, &plan, error);
    if (!status && path && plan.format == CSY_FORMAT_PEX && options && options->monotonic)
        status = refuse_monotonic(trace, error);
    if (!status && path && plan.format == CSY_FORMAT_PEX && options &&
        options->drift_ppb != CSY_NO_DRIFT)
        status = refuse_drifting(trace, error);
    if (!status && path && options)
        status = check_clocks(trace, plan.format, options->monotonic,
                              method_of(options->method)->moves_threads, error);
    if (!status && path && options)
        status = check_ranges(trace, &plan.output, options->method, options->monotonic, error);
    const char *paths[] = {plan.parts ? NULL : plan.path, report};
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !status; i++)
        if (paths[i] && strcmp(paths[i], "-") != 0)
            status = refuse_input(trace, paths[i], error);
    if (!status && path && plan_makes(&plan, report))
        status = error_set(error, CSY_USAGE, "%s: two of the outputs would be one file", report);
    free(plan.path);
    free(plan.folder);
    return status;
}

csy_status csy_trace_output_needs_one_rate(const csy_trace *trace, const char *path,
                                           const csy_output *output, bool *needs, csy_error *error)
{
    struct plan plan = {.path = NULL};
    csy_status status = make_plan(trace, path, output, &plan, error);
    *needs = !status && plan.format == CSY_FORMAT_PEX;
    free(plan.path);
    free(plan.folder);
    return status;
}

void csy_abandon(const char *path)
{
    char *plain = path_plain(path);
    char *resolved = plain ? path_resolve(plain) : NULL;
    if (resolved)
        tempname_abandon(resolved);
    free(resolved);
    free(plain);
}
