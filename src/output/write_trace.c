/* csy_write_trace: which files, in which order. */
#include "base/error.h"
#include "output/synctable.h"
#include "output/trace_out.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *text, const char *suffix)
{
    size_t n = strlen(text), m = strlen(suffix);
    return n > m && strcmp(text + n - m, suffix) == 0;
}

static csy_format choose_format(const struct csy_trace *trace, const char *path)
{
    if (ends_in(path, ".csv"))
        return CSY_FORMAT_CSV;
    return ends_in(path, ".pex") ? CSY_FORMAT_PEX : trace->format;
}

/* Finish and publish the one file that was opened and written. */
static csy_status complete(struct outfile *file, csy_status status, csy_error *error)
{
    if (!status)
        status = outfile_finish(file, error);
    if (!status)
        status = outfile_publish(file, error);
    return status;
}

static csy_status write_rows(struct csy_trace *trace, const struct csy_sync *sync,
                             const char *path, csy_error *error)
{
    struct outfile *file;
    csy_status status = outfile_open(path, trace, &file, error);
    if (status)
        return status;
    status = complete(file, rows_write(trace, sync, file, error), error);
    outfile_close(file);
    return status;
}

static csy_status write_embedded(struct csy_trace *trace, const struct csy_sync *sync,
                                 const char *path, csy_error *error)
{
    struct outfile *file;
    csy_status status = outfile_open(path, trace, &file, error);
    if (status)
        return status;
    uint32_t original_crc32;
    status = records_crc32(trace, &original_crc32, error);
    if (!status)
        status = synctable_write(trace, sync, NULL, original_crc32, file, error);
    outfile_write(file, "", 1);
    if (!status)
        status = records_write(trace, sync, file, NULL, error);
    status = complete(file, status, error);
    outfile_close(file);
    return status;
}

/* path with its suffix replaced by .trace; the caller frees it.  NULL on no memory. */
static char *record_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    size_t stem = dot && dot > name ? (size_t)(dot - path) : strlen(path);
    char *out = malloc(stem + sizeof ".trace");
    if (out) {
        memcpy(out, path, stem);
        memcpy(out + stem, ".trace", sizeof ".trace");
    }
    return out;
}

/* How the .pex names a record file beside it; a colon must not look like a URL's. */
static char *record_href(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *href = malloc(strlen(name) + 3);
    if (href) {
        strcpy(href, strchr(name, ':') ? "./" : "");
        strcat(href, name);
    }
    return href;
}

/* Both files are complete.  An old .pex goes before the new record file comes, so that no .pex ever
 * names records that are not its own. */
static csy_status publish_pair(struct outfile *pex, struct outfile *records, csy_error *error)
{
    csy_status status = outfile_finish(records, error);
    if (!status)
        status = outfile_finish(pex, error);
    if (!status)
        status = outfile_set_aside(pex, error);
    if (!status)
        status = outfile_set_aside(records, error);
    if (!status)
        status = outfile_publish(records, error);
    if (!status)
        status = outfile_publish(pex, error);
    if (status) {
        outfile_put_back(records);
        outfile_put_back(pex);
    }
    return status;
}

static csy_status write_pair(struct csy_trace *trace, const struct csy_sync *sync, const char *pex,
                             const char *records, const char *href, csy_error *error)
{
    struct outfile *pex_file = NULL, *record_file = NULL;
    uint32_t original_crc32;
    csy_status status = outfile_open(records, trace, &record_file, error);
    if (!status)
        status = outfile_open(pex, trace, &pex_file, error);
    if (!status)
        status = records_write(trace, sync, record_file, &original_crc32, error);
    if (!status)
        status = synctable_write(trace, sync, href, original_crc32, pex_file, error);
    if (!status)
        status = publish_pair(pex_file, record_file, error);
    outfile_close(pex_file);
    outfile_close(record_file);
    return status;
}

/* What is written where: for csy_write_trace, and to see beforehand that it can be. */
struct plan {
    csy_format format;
    bool embedded;
    char *path;    /* behind links */
    char *records; /* the record file; NULL: there is none */
};

static void plan_fini(struct plan *plan)
{
    free(plan->path);
    free(plan->records);
}

static csy_status make_plan(const struct csy_trace *trace, const char *path, csy_format to,
                            bool embed, struct plan *plan, csy_error *error)
{
    *plan = (struct plan){.format = to == CSY_FORMAT_AUTO ? choose_format(trace, path) : to};
    if (plan->format == CSY_FORMAT_PEX && trace->format == CSY_FORMAT_CSV)
        return error_set(error, CSY_USAGE,
                         "%s: a CSV has no records of which a .pex could be made; write a CSV",
                         trace->name);
    if (plan->format == CSY_FORMAT_CSV && embed)
        return error_set(error, CSY_USAGE, "%s: only a .pex can have its records inside", path);
    plan->embedded = embed || !outfile_is_regular(path);
    plan->path = outfile_resolve(path);
    if (!plan->path)
        return error_memory(error);
    if (plan->format == CSY_FORMAT_CSV || plan->embedded)
        return CSY_OK;
    plan->records = record_path(plan->path);
    if (!plan->records)
        return error_memory(error);
    if (strcmp(plan->path, plan->records) == 0)
        return error_set(error, CSY_USAGE,
                         "%s: the .pex would have the name of its record file", path);
    if (!outfile_is_regular(plan->records))
        return error_set(error, CSY_IO, "%s: it is not a regular file", plan->records);
    return CSY_OK;
}

static csy_status write_two_files(struct csy_trace *trace, const struct csy_sync *sync,
                                  const struct plan *plan, csy_error *error)
{
    char *href = record_href(plan->records);
    if (!href)
        return error_memory(error);
    csy_status status = write_pair(trace, sync, plan->path, plan->records, href, error);
    free(href);
    return status;
}

csy_status csy_write_trace(csy_trace *trace, const csy_sync *sync, const char *path, csy_format to,
                           bool embed, csy_error *error)
{
    struct plan plan;
    csy_status status = solution_check_feasible(sync, error);
    if (status)
        return status;
    status = make_plan(trace, path, to, embed, &plan, error);
    if (!status && plan.format == CSY_FORMAT_CSV)
        status = write_rows(trace, sync, path, error);
    else if (!status && plan.embedded)
        status = write_embedded(trace, sync, path, error);
    else if (!status)
        status = write_two_files(trace, sync, &plan, error);
    plan_fini(&plan);
    return status;
}

/* Whether two paths are, or would become, one regular file. */
static bool same_file(const char *a, const char *b)
{
    if (!a || !b)
        return false;
    if (outfile_is_standard(a) && outfile_is_standard(b))
        return true;
    if (!outfile_is_regular(a) || !outfile_is_regular(b))
        return false;
    char *x = outfile_canonical(a), *y = outfile_canonical(b);
    bool same = x && y && strcmp(x, y) == 0;
    free(x);
    free(y);
    return same;
}

csy_status csy_check_outputs(const csy_trace *trace, const char *output, csy_format to, bool embed,
                             const char *report, csy_error *error)
{
    struct plan plan = {.path = NULL};
    csy_status status = CSY_OK;
    if (output)
        status = make_plan(trace, output, to, embed, &plan, error);
    const char *paths[] = {plan.path, plan.records, report};
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !status; i++)
        if (paths[i] && strcmp(paths[i], "-") != 0)
            status = outfile_refuse_input(trace, paths[i], error);
    if (!status && output && report &&
        (same_file(plan.path, report) || same_file(plan.records, report)))
        status = error_set(error, CSY_USAGE, "%s: the report and the trace would be one file", report);
    plan_fini(&plan);
    return status;
}
