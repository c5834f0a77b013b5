/* The documents in a folder. */
#include "trace/run/stems.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *name, const char *suffix)
{
    size_t size = strlen(name), n = strlen(suffix);
    return size > n && strcmp(name + size - n, suffix) == 0;
}

void stems_free(struct stems *stems)
{
    free(stems->anchor);
    for (size_t i = 0; i < stems->count; i++)
        free(stems->items[i]);
    free(stems->items);
}

static int compare_stems(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool note_anchor(struct stems *stems, const char *name)
{
    if (stems->anchor && strcmp(stems->anchor, name) < 0)
        return true;
    free(stems->anchor);
    stems->anchor = strdup(name);
    return stems->anchor;
}

/* There is none. */
static csy_status refuse_folder(const struct csy_trace *trace, const struct stems *stems,
                                csy_error *error)
{
    const char *anchor = stems->anchor;
    if (!anchor)
        return error_set(error, CSY_IO,
                         stems->ctf ? "%s: this is a CTF trace, which is written only and not "
                                      "read: give the trace that it was made of"
                                    : "%s: this folder is no run of celltrace(1), the only kind of "
                                      "folder that is read: it has no .pex in it",
                         trace->name);
    char name[ERROR_ESCAPED_MAX];
    bool ended = trace->name[strlen(trace->name) - 1] == '/';
    return error_set(error, CSY_IO, "%s: it is a folder; the archive in it is called %s%s%s",
                     trace->name, trace->name, ended ? "" : "/",
                     error_escape(name, anchor, strlen(anchor)));
}

csy_status stems_find(const struct csy_trace *trace, struct stems *stems, csy_error *error)
{
    static const char suffix[] = ".pex";
    const size_t suffix_size = sizeof suffix - 1;
    DIR *dir = opendir(trace->name);
    csy_status status = CSY_OK;
    if (!dir)
        return error_io(error, trace->name, NULL);
    /* cppcheck-suppress readdirCalled ; one thread reads a folder */
    for (const struct dirent *entry; !status && (entry = readdir(dir));) {
        if (ends_in(entry->d_name, ".otf2") && !note_anchor(stems, entry->d_name))
            status = error_memory(error);
        stems->ctf |= strcmp(entry->d_name, "metadata") == 0;
        if (status || entry->d_name[0] == '.' || !ends_in(entry->d_name, suffix))
            continue;
        char *stem = strndup(entry->d_name, strlen(entry->d_name) - suffix_size);
        if (!stem || !ARRAY_RESERVE(stems->items, stems->capacity, stems->count + 1)) {
            free(stem);
            status = error_memory(error);
        } else {
            stems->items[stems->count++] = stem;
        }
    }
    closedir(dir);
    if (!status && stems->count == 0)
        return refuse_folder(trace, stems, error);
    sort_pointers(stems->items, stems->count, compare_stems);
    return status;
}
