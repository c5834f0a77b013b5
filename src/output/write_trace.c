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
    status = synctable_write(trace, sync, NULL, file, error);
    outfile_write(file, "", 1);
    if (!status)
        status = records_write(trace, sync, file, error);
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
        status = outfile_publish(records, error);
    if (status)
        outfile_put_back(pex);
    else
        status = outfile_publish(pex, error);
    return status;
}

static csy_status write_pair(struct csy_trace *trace, const struct csy_sync *sync, const char *pex,
                             const char *records, const char *href, csy_error *error)
{
    struct outfile *pex_file = NULL, *record_file = NULL;
    csy_status status = outfile_open(records, trace, &record_file, error);
    if (!status)
        status = outfile_open(pex, trace, &pex_file, error);
    if (!status)
        status = records_write(trace, sync, record_file, error);
    if (!status)
        status = synctable_write(trace, sync, href, pex_file, error);
    if (!status)
        status = publish_pair(pex_file, record_file, error);
    outfile_close(pex_file);
    outfile_close(record_file);
    return status;
}

static csy_status write_two_files(struct csy_trace *trace, const struct csy_sync *sync,
                                  const char *path, csy_error *error)
{
    char *pex = outfile_resolve(path);
    char *records = pex ? record_path(pex) : NULL;
    char *href = records ? record_href(records) : NULL;
    csy_status status;
    if (!href)
        status = error_memory(error);
    else if (strcmp(pex, records) == 0)
        status = error_set(error, CSY_USAGE,
                           "%s: the .pex would have the name of its record file", path);
    else if (!outfile_is_regular(records))
        status = error_set(error, CSY_IO, "%s: it is not a regular file", records);
    else
        status = write_pair(trace, sync, pex, records, href, error);
    free(pex);
    free(records);
    free(href);
    return status;
}

csy_status csy_write_trace(csy_trace *trace, const csy_sync *sync, const char *path, csy_format to,
                           bool embed, csy_error *error)
{
    if (to == CSY_FORMAT_AUTO)
        to = choose_format(trace, path);
    if (to == CSY_FORMAT_CSV)
        return write_rows(trace, sync, path, error);
    if (trace->format == CSY_FORMAT_CSV)
        return error_set(error, CSY_USAGE,
                         "%s: a CSV has no records of which a .pex could be made; write a CSV",
                         trace->name);
    if (embed || !outfile_is_regular(path))
        return write_embedded(trace, sync, path, error);
    return write_two_files(trace, sync, path, error);
}
