/* csy_sync_write_trace chooses the format of an output, and writes its files in order. */
#include "base/array.h"
#include "base/ascii.h"
#include "base/error.h"
#include "io/path.h"
#include "output/file/outfile.h"
#include "output/file/recordname.h"
#include "output/file/tempname.h"
#include "output/trace/settings.h"
#include "output/trace/trace_out.h"
#include "output/trace/writer.h"
#include "sync/options.h"
#include "sync/placement.h"
#include "sync/solution.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Compression level of an output with a name that ends in .gz. */
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

/* Returns the last suffix of a name, with the dot, or NULL. */
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

static const struct suffix *find_suffix(const struct suffix *known, const char *name, size_t size)
{
    while (known->text && !ends_in(name, size, known->text))
        known++;
    return known->text ? known : NULL;
}

static csy_status refuse_suffix(const char *path, const char *expected, const char *option,
                                csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    const char *suffix = last_suffix(path);
    error_escape(shown, suffix, strlen(suffix));
    return error_set(
        error, CSY_USAGE,
        "%s: unknown suffix %s: expected %s; for another name, give the format with %s", path,
        shown, expected, option);
}

/* Find the format for the suffix of path. *out is CSY_FORMAT_AUTO if path has no suffix, or an
 * unknown suffix and is not a regular file. Returns CSY_USAGE for an unknown suffix of a regular
 * file. A name has no suffix if its only dot is the first character. */
static csy_status format_by_suffix(const char *path, csy_format *out, csy_error *error)
{
    static const struct suffix known[] = {
        {".csv", CSY_FORMAT_CSV},    {".json", CSY_FORMAT_JSON},
        {".jsonl", CSY_FORMAT_JSON}, {".pftrace", CSY_FORMAT_PFTRACE},
        {".pcap", CSY_FORMAT_PCAP},  {".pcapng", CSY_FORMAT_PCAPNG},
        {".tar", CSY_FORMAT_TAR},    {NULL, 0}};
    const char *name = path_name(path);
    size_t n = strlen(path), size = strlen(name);
    bool pex = ends_in(name, size, ".pex"); /* all other suffixes may have .gz behind them */
    const struct suffix *found =
        find_suffix(known, name, size - (is_gzip(path) ? strlen(".gz") : 0));
    while (n > 0 && path[n - 1] == '/') /* the name of a folder may end in slashes */
        n--;
    bool ctf = n > 4 && path[n - 5] != '/' && ends_in(path, n, ".ctf");
    *out = pex     ? CSY_FORMAT_PEX
           : found ? (csy_format)found->format
           : ctf   ? CSY_FORMAT_CTF
                   : CSY_FORMAT_AUTO;
    if (*out != CSY_FORMAT_AUTO || !last_suffix(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse_suffix(path,
                         ".pex, .csv, .csv.gz, .json, .json.gz, .pftrace, .pftrace.gz, .pcap, "
                         ".pcapng, .tar, or .ctf",
                         "--to, or write a report with -r", error);
}

csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error)
{
    static const struct suffix known[] = {{".txt", CSY_REPORT_TEXT},  {".csv", CSY_REPORT_CSV},
                                          {".json", CSY_REPORT_JSON}, {".htm", CSY_REPORT_HTML},
                                          {".html", CSY_REPORT_HTML}, {".tex", CSY_REPORT_TEX},
                                          {".md", CSY_REPORT_MD},     {NULL, 0}};
    const char *name = path_name(path);
    const struct suffix *found = find_suffix(known, name, strlen(name));
    *out = found ? (csy_report_format)found->format : CSY_REPORT_TEXT;
    if (found || !last_suffix(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse_suffix(path, ".txt, .csv, .json, .html, .htm, .tex, or .md", "--report-format",
                         error);
}

/* --- Plans --- */

/* The files to write and their formats, for csy_sync_write_trace and for checks before it. */
struct plan {
    csy_format format;
    csy_output output;
    bool embedded;
    int compress_level; /* level for the records or the whole file; -1: no compression */
    char *path;         /* path of the output, with symbolic links resolved */
    bool edited;        /* true to copy the JSON of the input with corrected times */
    bool parts;         /* true if path is a folder that gets one file for each input file */
    char *folder;       /* folder of path, to be made if missing; NULL if the folder must exist */
};

/* Returns true for formats of spans, which cellsync writes only from a trace in the same format. */
static bool is_spans(csy_format format)
{
    return format == CSY_FORMAT_OTLP || format == CSY_FORMAT_JAEGER || format == CSY_FORMAT_ZIPKIN;
}

static bool is_pcap(csy_format format)
{
    return format == CSY_FORMAT_PCAP || format == CSY_FORMAT_PCAPNG;
}

/* Write an output that is a single file, except a .pex. */
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

/* --- A file for each part of a joined trace --- */

/* Returns the path in `folder` for one file of a joined trace, or NULL if out of memory. */
static char *part_path(const struct csy_trace *trace, const char *folder, size_t part)
{
    char *path;
    const char *name = path_name(trace->parts[part]->name);
    return asprintf(&path, "%s/%s", folder, name) < 0 ? NULL : path;
}

/* Returns CSY_USAGE if two outputs have the same name, CSY_INPUT if one is an input file. */
static csy_status check_parts(const struct csy_trace *trace, const struct plan *plan,
                              csy_error *error)
{
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nparts && !status; i++) {
        const char *name = trace->parts[i]->name;
        if (strcmp(name, "-") == 0)
            return error_set(error, CSY_USAGE,
                             "%s/: standard input has no file name for this folder; to merge all "
                             "traces, pass -o FILE",
                             plan->path);
        for (size_t k = 0; k < i; k++)
            if (strcmp(path_name(name), path_name(trace->parts[k]->name)) == 0)
                return error_set(error, CSY_USAGE,
                                 "%s and %s would have the same name in %s/; rename one of them, "
                                 "or merge the traces with -o FILE",
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
        outfile_close(files[i]);
    free(files);
    if (status && made)
        rmdir(plan->path); /* fails if the folder has files */
    return status;
}

/* Test whether the format `to` and the other settings can express the trace. */
static csy_status check_format(const struct csy_trace *trace, const char *path,
                               const csy_output *output, csy_format to, csy_error *error)
{
    const struct source *source = trace->source;
    const char *record = source->called ? source->called : "record";
    bool csv = to == CSY_FORMAT_CSV,
         has_arguments = to == CSY_FORMAT_JSON || to == CSY_FORMAT_PFTRACE;
    bool only_whole = to == CSY_FORMAT_PEX || to == CSY_FORMAT_OTF2 || to == CSY_FORMAT_TAR ||
                      is_pcap(to) || is_spans(to);
    bool ordered = !trace->partial || trace->types || (!trace->loose && !source->shaped);
    /* Refuse formats and options that do not fit the trace. */
    if (to == CSY_FORMAT_PEX && source->written_as != CSY_FORMAT_PEX)
        return error_set(error, CSY_USAGE, "%s: %s cannot be written as .pex; write a CSV instead",
                         trace->name, source->title);
    if (csv && output->sort && ordered)
        return error_set(
            error, CSY_USAGE,
            "%s: --sort would destroy the order of events, which is the order of these %ss",
            trace->name, record);
    if (is_spans(to) && source->written_as != to)
        return error_set(error, CSY_USAGE,
                         "%s: spans can be written only in the format of the input, which is %s; "
                         "write CSV, JSON (--to=chrome), or CTF",
                         trace->name, source->title);
    if (to == CSY_FORMAT_TAR && source->written_as != CSY_FORMAT_JSON)
        return error_set(error, CSY_USAGE,
                         "%s: a TAR for Perfetto requires profiles in Chrome JSON, but the input "
                         "is %s; write JSON or a Perfetto trace",
                         trace->name, source->title);
    const char *why =
        to == CSY_FORMAT_OTF2 && source->written_as != CSY_FORMAT_OTF2
            ? "only an OTF2 archive can be written as OTF2; write CSV, JSON, or CTF"
        : is_pcap(to) && source->written_as != CSY_FORMAT_PCAP
            ? "only packet captures can be written as a capture; write CSV, JSON, or CTF"
            : NULL;
    if (why)
        return error_set(error, CSY_USAGE, "%s: %s", trace->name, why);
    /* Refuse options that require another format. */
    why = output->embed && to != CSY_FORMAT_PEX ? "--embed requires --to=pex"
          : !csv && (output->csv_header != CSY_CSV_COMMENT || output->csv_time != CSY_CSV_TICKS)
              ? "--csv-header and --csv-time require --to=csv"
          : output->ranges && !csv && !has_arguments
              ? "--ranges requires --to=csv, json, or pftrace"
          : output->ranges && has_arguments && output->json_args == CSY_JSON_NONE
              ? "--ranges excludes --json-args=none, because ranges are arguments of events"
          : output->sort && !csv ? "--sort requires --to=csv"
          : output->json_args != CSY_JSON_ALL && !has_arguments
              ? "--json-args requires --to=json or pftrace"
          : output->linked && to != CSY_FORMAT_OTF2 ? "--link requires --to=otf2"
          : only_whole && selection_is_part(output)
              ? "a part of a trace can be written only as CSV, JSON (--to=chrome), Perfetto "
                "trace, or CTF"
          : csv && trace->lines.counters.wraps && selection_is_part(output)
              ? "a part of this trace cannot be written as CSV, because it would not show how "
                "often the counters wrapped before. Write the whole trace, or another format"
          : output->compress_level >= 0 && to == CSY_FORMAT_CTF  ? "--compress excludes --to=ctf"
          : output->compress_level >= 0 && to == CSY_FORMAT_OTF2 ? "--compress excludes --to=otf2"
                                                                 : NULL;
    if (why)
        return error_set(error, CSY_USAGE, "%s: %s", path, why);
    if (to != CSY_FORMAT_PEX && output->compress_level >= 0 && path_is_regular(path) &&
        last_suffix(path) && !is_gzip(path))
        return error_set(error, CSY_USAGE,
                         "%s: the output would be compressed by gzip; name it %s.gz", path,
                         path_name(path));
    return CSY_OK;
}

/* Returns true if path ends in a slash or is an existing folder. */
static bool is_folder(const char *path)
{
    struct stat at;
    size_t size = strlen(path);
    return path[size - (size > 0)] == '/' || (stat(path, &at) == 0 && S_ISDIR(at.st_mode));
}

static csy_status make_plan(const struct csy_trace *trace, const char *path,
                            const csy_output *output, struct plan *plan, csy_error *error);

/* Plan to write a single file into a folder, with the name and format of the trace.
 * The recursion ends, because make_plan then plans a file. NOLINTNEXTLINE(misc-no-recursion) */
static csy_status plan_in_folder(const struct csy_trace *trace, const char *path, csy_format to,
                                 const csy_output *output, struct plan *plan, csy_error *error)
{
    csy_output own = *output;
    char *folder, *name;
    own.format = trace->source->written_as;
    if (to != own.format)
        return error_set(error, CSY_USAGE,
                         "%s: traces in a folder keep the format of the input, which is %s; for "
                         "another format, name a file",
                         path, trace->source->title);
    if (strcmp(trace->name, "-") == 0)
        return error_set(error, CSY_USAGE,
                         "%s: standard input has no file name for this folder; name an output file",
                         path);
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

/* plan_in_folder calls make_plan once. NOLINTNEXTLINE(misc-no-recursion) */
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
        /* Use the trace's format, unless the format needs a folder and path cannot be one. */
        struct stat st;
        bool folder = path_is_regular(path) || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
        to = trace->source->written_as;
        to = to == CSY_FORMAT_OTF2 && !folder             ? CSY_FORMAT_CSV
             : to == CSY_FORMAT_PCAP && trace->nparts > 1 ? CSY_FORMAT_PCAPNG
                                                          : to;
    } else if (output->format == CSY_FORMAT_AUTO && to == CSY_FORMAT_JSON && trace->source->spans) {
        to = trace->source->written_as; /* the names of all formats of spans end in .json */
    }
    bool parts = trace->parts && is_folder(path);
    if (!status && !trace->parts && to != CSY_FORMAT_OTF2 && to != CSY_FORMAT_CTF &&
        is_folder(path))
        return plan_in_folder(trace, path, to, output, plan, error);
    if (!status && parts && to == CSY_FORMAT_PCAPNG && trace->source->written_as == CSY_FORMAT_PCAP)
        to = CSY_FORMAT_PCAP; /* a folder keeps each capture as a separate file */
    /* The events of a profiler are copied as they were read, with corrected times. */
    bool profile = to == CSY_FORMAT_JSON && trace->source->written_as == CSY_FORMAT_JSON &&
                   !selection_is_part(output) && output->json_args == CSY_JSON_ALL &&
                   !output->ranges;
    bool edited = is_spans(to) || (profile && (parts || trace->nparts < 2));
    const char *why =
        edited && !parts && trace->nparts > 1 && to != CSY_FORMAT_OTLP
            ? "several files can be written to one file only if they are OTLP JSON; name a folder, "
              "as in -o synced/"
        : parts && to != trace->source->written_as
            ? "traces in a folder keep the format of the input; for another format, pass -o FILE, "
              "which merges all traces"
        : parts && to == CSY_FORMAT_JSON && !edited
            ? "profiles in a folder are whole copies, without --window, --only, --ranges, and "
              "--json-args; pass -o FILE, which merges all traces"
            : NULL;
    if (!status && why)
        status = error_set(error, CSY_USAGE, "%s: %s", path, why);
    status = status ? status : check_format(trace, path, output, to, error);
    if (status)
        return status;
    *plan = (struct plan){.format = to,
                          .output = *output,
                          .compress_level = output->compress_level,
                          .edited = edited,
                          .parts = parts};
    if (plan->compress_level < 0 && to != CSY_FORMAT_PEX && is_gzip(path))
        plan->compress_level = GZIP_LEVEL;
    if (parts) {
        plan->path = path_plain(path);
        return plan->path ? check_parts(trace, plan, error) : error_memory(error);
    }
    if (to == CSY_FORMAT_PCAP && trace->nparts > 1)
        return error_set(error, CSY_USAGE,
                         "%s: a .pcap can contain only one host; write a .pcapng, or a folder, "
                         "whose name ends with a slash",
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
                         "%s: --embed requires one buffer, but the .pex has %zu buffers; write to "
                         "a file without --embed",
                         path, trace->nrecord_files);
    if (to == CSY_FORMAT_PEX && !plan->embedded && !pex_can_name(path_name(plan->path)))
        return error_set(error, CSY_USAGE,
                         "%s: a .pex cannot contain this name of its record file, because XML has "
                         "neither control characters nor bytes that are not UTF-8; pass --embed",
                         path);
    return CSY_OK;
}

/* Facts about a method that decide which formats can express its global times. */
struct moves {
    csy_method method;
    bool monotonic, drifts;
    bool moves_threads; /* true if all events of a clock get the same offset */
};

/* Return CSY_USAGE if the output format cannot express how the method changes times. */
static csy_status check_method(const struct csy_trace *trace, const struct plan *plan,
                               struct moves how, csy_error *error)
{
    csy_format to = plan->format;
    bool single = how.monotonic || !how.moves_threads; /* true if not all events of a clock are
                                                        * shifted equally */
    const char *mover = how.monotonic ? "--monotonic" : "this method";
    if (to == CSY_FORMAT_PEX && (how.monotonic || how.drifts))
        return error_set(
            error, CSY_USAGE, "%s: a .pex with %s; write CSV, JSON, or CTF, which keep both times",
            trace->name,
            how.monotonic
                ? "monotonic times would lose the original times, so --check could not check it"
                : "drifting clocks would lose the original times, because two readings may have "
                  "the same global time");
    if ((is_spans(to) || to == CSY_FORMAT_TAR) && single)
        return error_set(error, CSY_USAGE,
                         "%s: %s can be moved only together with their clocks, but %s moves events "
                         "individually; write CSV, JSON, or CTF",
                         trace->name, is_spans(to) ? "spans" : "files in a TAR", mover);
    if (to == CSY_FORMAT_OTF2 && single)
        return error_set(error, CSY_USAGE,
                         "%s: an OTF2 archive stores only clock offsets, but %s moves events "
                         "individually; write CSV, JSON, or CTF",
                         trace->name, mover);
    if (plan->output.ranges && (how.method != CSY_METHOD_BHH || how.monotonic))
        return error_set(error, CSY_USAGE, "%s: --ranges: %s", trace->name,
                         how.monotonic ? "--monotonic moves records individually, so clocks do not "
                                         "determine their times"
                                       : "only --method=bhh gives bounds");
    return CSY_OK;
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
    const struct moves how = {sync->method, sync->monotonic, sync->drift != NULL,
                              placement_moves_threads(sync)};
    status = status ? status : check_method(trace, &plan, how, error);
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
    else if (!status)
        status = pex_write(trace, sync, plan.embedded ? path : plan.path, plan.embedded,
                           plan.compress_level, error);
    if (status && made)
        rmdir(plan.folder); /* rmdir fails if the folder has files */
    if (status) {           /* if csy_abandon was called, the process ends here without a message */
        tempname_hold();
        tempname_release();
    }
    trace->progress.stage = "reading";
    FREE_ALL(plan.path, plan.folder);
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
    if (!status && path && options) {
        const struct moves how = {options->method, options->monotonic,
                                  options->drift_ppb != CSY_NO_DRIFT,
                                  method_of(options->method)->moves_threads};
        status = check_method(trace, &plan, how, error);
    }
    const char *paths[] = {plan.parts ? NULL : plan.path, report};
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !status; i++)
        if (paths[i] && strcmp(paths[i], "-") != 0)
            status = refuse_input(trace, paths[i], error);
    if (!status && plan.path && report) {
        bool pex = plan.format == CSY_FORMAT_PEX && !plan.embedded;
        bool same = path_same(plan.path, report);
        char *own = pex ? path_canonical(plan.path) : NULL;
        for (int i = 0; own && i < 2; i++) { /* the report, or a link there, may be a record file */
            char *end = i == 0 ? path_canonical(report) : path_place(report);
            same |= end && record_is_of(own, end);
            free(end);
        }
        free(own);
        if (same)
            status = error_set(error, CSY_USAGE, "%s: two outputs have the same file name", report);
    }
    FREE_ALL(plan.path, plan.folder);
    return status;
}

csy_status csy_trace_output_needs_one_rate(const csy_trace *trace, const char *path,
                                           const csy_output *output, bool *needs, csy_error *error)
{
    struct plan plan = {.path = NULL};
    csy_status status = make_plan(trace, path, output, &plan, error);
    *needs = !status && plan.format == CSY_FORMAT_PEX;
    FREE_ALL(plan.path, plan.folder);
    return status;
}

void csy_abandon(const char *path)
{
    char *plain = path_plain(path);
    char *resolved = plain ? path_resolve(plain) : NULL;
    if (resolved)
        tempname_abandon(resolved);
    FREE_ALL(resolved, plain);
}
