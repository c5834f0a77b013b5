/* What the name of an output says of its format. */
#include "output/trace/suffix.h"

#include "base/ascii.h"
#include "base/error.h"
#include "io/path.h"

#include <string.h>

struct suffix {
    const char *text;
    int format;
};

static bool ends_in(const char *text, size_t size, const char *suffix)
{
    size_t n = strlen(suffix);
    return size > n && ascii_same(text + size - n, suffix, n);
}

/* The last suffix of a name, its dot included, or NULL. */
static const char *last_suffix(const char *path)
{
    const char *name = path_name(path), *dot = strrchr(name, '.');
    return dot && dot > name && dot[1] ? dot : NULL;
}

bool suffix_is_there(const char *path)
{
    return last_suffix(path) != NULL;
}

bool suffix_is_gzip(const char *path)
{
    const char *name = path_name(path);
    return ends_in(name, strlen(name), ".gz");
}

static const struct suffix *find(const struct suffix *known, const char *path)
{
    const char *name = path_name(path);
    for (; known->text; known++)
        if (ends_in(name, strlen(name), known->text))
            return known;
    return NULL;
}

/* A name in .ctf, which slashes may follow. */
static bool is_folder_name(const char *path)
{
    size_t n = strlen(path);
    while (n > 0 && path[n - 1] == '/')
        n--;
    return n > 4 && path[n - 5] != '/' && ends_in(path, n, ".ctf");
}

static csy_status refuse(const char *path, const char *expected, const char *option,
                         csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    const char *suffix = last_suffix(path);
    error_escape(shown, suffix, strlen(suffix));
    return error_set(error, CSY_USAGE,
                     "%s: unknown suffix %s: expected %s; %s writes a format under any name", path,
                     shown, expected, option);
}

csy_status suffix_format(const char *path, csy_format *out, csy_error *error)
{
    static const struct suffix known[] = {{".pex", CSY_FORMAT_PEX},
                                          {".csv", CSY_FORMAT_CSV},
                                          {".csv.gz", CSY_FORMAT_CSV},
                                          {".json", CSY_FORMAT_JSON},
                                          {".json.gz", CSY_FORMAT_JSON},
                                          {".pftrace", CSY_FORMAT_PFTRACE},
                                          {".pftrace.gz", CSY_FORMAT_PFTRACE},
                                          {NULL, 0}};
    const struct suffix *found = find(known, path);
    *out = found                  ? (csy_format)found->format
           : is_folder_name(path) ? CSY_FORMAT_CTF
                                  : CSY_FORMAT_AUTO;
    if (*out != CSY_FORMAT_AUTO || !suffix_is_there(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse(path, ".pex, .csv, .csv.gz, .json, .json.gz, .pftrace, .pftrace.gz or .ctf",
                  "-r writes a report, --to", error);
}

csy_status csy_report_format_of(const char *path, csy_report_format *out, csy_error *error)
{
    static const struct suffix known[] = {{".txt", CSY_REPORT_TEXT},
                                          {".csv", CSY_REPORT_CSV},
                                          {".json", CSY_REPORT_JSON},
                                          {".htm", CSY_REPORT_HTML},
                                          {".html", CSY_REPORT_HTML},
                                          {".tex", CSY_REPORT_TEX},
                                          {NULL, 0}};
    const struct suffix *found = find(known, path);
    *out = found ? (csy_report_format)found->format : CSY_REPORT_TEXT;
    if (found || !suffix_is_there(path) || !path_is_regular(path))
        return CSY_OK;
    return refuse(path, ".txt, .csv, .json, .html, .htm or .tex", "--report-format", error);
}
