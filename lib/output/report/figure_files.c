/* csy_sync_write_figures writes the drawings of the HTML report as separate files in a new folder.
 * It may replace an empty folder, or a folder that contains only such drawings. The folder has a
 * temporary name until it is complete. */
#include "base/error.h"
#include "io/path.h"
#include "output/file/outfile.h"
#include "output/file/outfolder.h"
#include "output/page/page.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const struct {
    const char *name, *id;
    enum page_section section;
    void (*draw)(const struct page *page);
    csy_status (*try)(const struct page *page,
                      csy_error *error); /* draws like `draw`, but may fail */
} figures[] = {
    {"legend.svg", "legend", SECTION_BOUNDS, page_legend, NULL},
    {"messages.svg", "messages", SECTION_MESSAGES, page_messages, NULL},
    {"intervals.svg", "timeline", SECTION_TIMELINE, NULL, page_timeline},
    {"threads.svg", "members", SECTION_MEMBERS, page_members, NULL},
    {"precision.svg", "course", SECTION_COURSE, NULL, page_precision},
    {"distribution.svg", "distribution", SECTION_DISTRIBUTION, page_distribution, NULL},
    {"pairs.svg", "map", SECTION_MAP, NULL, page_map},
    {"communication.svg", "peers", SECTION_PEERS, NULL, page_peers},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* Returns true if a file is a drawing, by its name and first bytes. For outfolder_visit. */
static bool is_figure(void *user, int folder_fd, const char *name)
{
    char head[64], want[64];
    size_t i = 0;
    (void)user;
    while (i < FIGURES && strcmp(name, figures[i].name) != 0)
        i++;
    if (i == FIGURES)
        return false;
    ssize_t got = outfolder_read_head(folder_fd, name, head, sizeof head);
    int size = snprintf(want, sizeof want, SVG_FILE_HEAD "<svg id=\"%s\"", figures[i].id);
    return got >= size && memcmp(head, want, (size_t)size) == 0;
}

csy_status csy_check_figures(const char *path, csy_error *error)
{
    struct stat st;
    if (path_is_standard(path))
        return error_set(error, CSY_USAGE,
                         "%s: figures are written to a folder, not to standard output", path);
    if (stat(path, &st) < 0 && path_is_regular(path))
        return CSY_OK;
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(error, CSY_IO, "%s: this name exists, but is not a folder", path);
    return outfolder_visit(path, is_figure, NULL)
               ? CSY_OK
               : error_set(error, CSY_IO,
                           "%s: this folder contains more than figures; name a new folder", path);
}

csy_status csy_sync_write_figures(csy_sync *sync, const char *path, csy_error *error)
{
    struct csy_trace *trace = sync->trace;
    struct page page = {.trace = trace, .sync = sync, .alone = true};
    csy_status status =
        sync->drift ? solution_check_feasible(sync, error) : solution_check_bounds(sync, error);
    if (!status)
        status = csy_check_figures(path, error);
    if (status)
        return status;
    char *plain = path_plain(path), *resolved = plain ? path_resolve(plain) : NULL;
    trace->progress.stage = "drawing";
    status = resolved ? page_init(&page, trace, error) : error_memory(error);
    struct outfolder *folder = NULL; /* a temporary folder, which is renamed at the end */
    if (!status)
        status = outfolder_open(resolved, &folder, error);
    for (size_t i = 0; i < FIGURES && !status; i++) {
        if (!page_has(&page, figures[i].section))
            continue;
        char *file = outfolder_path(folder, figures[i].name);
        status = file ? outfile_open(file, NULL, &page.out, error) : error_memory(error);
        free(file);
        if (status)
            break;
        if (figures[i].draw)
            figures[i].draw(&page);
        else
            status = figures[i].try(&page, error);
        status = outfile_complete(page.out, status, error);
        status = status == CSY_IO ? error_io(error, resolved, NULL) : status;
    }
    if (!status)
        status = outfolder_publish(folder, &trace->progress, error);
    outfolder_close(folder);
    page_fini(&page);
    free(resolved);
    free(plain);
    trace->progress.stage = "reading";
    return status;
}
