/* csy_sync_write_figures: the drawings of the HTML report as separate files in a folder.
 *
 * The folder is written under a temporary name and then renamed. It may replace an empty folder, or
 * one that contains only such drawings. */
#include "base/error.h"
#include "io/path.h"
#include "output/file/outfile.h"
#include "output/file/outfolder.h"
#include "output/page/page.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static csy_status draw_legend(const struct page *page, csy_error *error)
{
    (void)error;
    page_legend(page);
    return CSY_OK;
}

static csy_status draw_messages(const struct page *page, csy_error *error)
{
    (void)error;
    page_messages(page);
    return CSY_OK;
}

static csy_status draw_members(const struct page *page, csy_error *error)
{
    (void)error;
    page_members(page);
    return CSY_OK;
}

static csy_status draw_precision(const struct page *page, csy_error *error)
{
    if (page->sync->drift)
        return page_drift_course(page, error);
    page_precision(page);
    return CSY_OK;
}

static csy_status draw_distribution(const struct page *page, csy_error *error)
{
    (void)error;
    page_distribution(page);
    return CSY_OK;
}

static const struct {
    const char *name, *id;
    csy_status (*draw)(const struct page *page, csy_error *error);
    enum page_section section;
} figures[] = {
    {"legend.svg", "legend", draw_legend, SECTION_BOUNDS},
    {"messages.svg", "messages", draw_messages, SECTION_MESSAGES},
    {"intervals.svg", "timeline", page_timeline, SECTION_TIMELINE},
    {"threads.svg", "members", draw_members, SECTION_MEMBERS},
    {"precision.svg", "course", draw_precision, SECTION_COURSE},
    {"distribution.svg", "distribution", draw_distribution, SECTION_DISTRIBUTION},
    {"pairs.svg", "map", page_map, SECTION_MAP},
    {"communication.svg", "peers", page_peers, SECTION_PEERS},
};
enum { FIGURES = sizeof figures / sizeof *figures };

/* True if the file begins as our drawings do. */
static bool begins_so(int folder_fd, const char *name, const char *id)
{
    struct stat st;
    char head[128], want[64];
    int fd = openat(folder_fd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
    bool regular = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
    ssize_t got = regular ? pread(fd, head, sizeof head - 1, 0) : -1;
    if (fd >= 0)
        close(fd);
    if (got < 0)
        return false;
    head[got] = '\0';
    snprintf(want, sizeof want, SVG_FILE_HEAD "<svg id=\"%s\"", id);
    return strncmp(head, want, strlen(want)) == 0;
}

/* True if the file is a drawing, by its name and its first bytes. outfolder_visit calls this. */
static bool is_figure(void *user, int folder_fd, const char *name)
{
    (void)user;
    for (size_t i = 0; i < FIGURES; i++)
        if (strcmp(name, figures[i].name) == 0)
            return begins_so(folder_fd, name, figures[i].id);
    return false;
}

csy_status csy_check_figures(const char *path, csy_error *error)
{
    struct stat st;
    if (path_is_standard(path))
        return error_set(error, CSY_USAGE, "%s: figures are a folder, which cannot be piped", path);
    if (stat(path, &st) < 0 && path_is_regular(path))
        return CSY_OK;
    if (stat(path, &st) < 0 || !S_ISDIR(st.st_mode))
        return error_set(error, CSY_IO, "%s: it is not a folder", path);
    return outfolder_visit(path, is_figure, NULL)
               ? CSY_OK
               : error_set(error, CSY_IO, "%s: it is a folder that holds more than figures", path);
}

/* Write a drawing into the folder. Errors name the folder by its final name, target. */
static csy_status write_figure(struct page *page, const struct outfolder *folder, size_t i,
                               const char *target, csy_error *error)
{
    char *path = outfolder_path(folder, figures[i].name);
    csy_status status = path ? outfile_open(path, NULL, &page->out, error) : error_memory(error);
    free(path);
    if (status)
        return status;
    status = outfile_complete(page->out, figures[i].draw(page, error), error);
    return status == CSY_IO ? error_io(error, target, NULL) : status;
}

/* Write all drawings. path is a regular path without symbolic links. */
static csy_status write_folder(struct page *page, const char *path, csy_error *error)
{
    struct outfolder *folder;
    csy_status status = outfolder_open(path, &folder, error);
    if (status)
        return status;
    for (size_t i = 0; i < FIGURES && !status; i++)
        if (page_has(page, figures[i].section))
            status = write_figure(page, folder, i, path, error);
    if (!status)
        status = outfolder_publish(folder, &page->trace->progress, error);
    outfolder_close(folder);
    return status;
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
    if (!status)
        status = write_folder(&page, resolved, error);
    page_fini(&page);
    free(resolved);
    free(plain);
    trace->progress.stage = "reading";
    return status;
}
