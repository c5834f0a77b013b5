/* See record_files.h. */
#include "trace/pex/record_files.h"

#include "base/array.h"
#include "base/error.h"
#include "io/path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the path of the file `href` in the folder of the document, or NULL if memory runs out. */
static char *path_beside(const char *document, const char *href)
{
    char *path;
    int folder = (int)(path_name(document) - document);
    return asprintf(&path, "%.*s%s", folder, document, href) < 0 ? NULL : path;
}

csy_status record_file_open(struct csy_trace *trace, const char *href, char **name, int *fd,
                            uint64_t *bytes, csy_error *error)
{
    struct stat st;
    *fd = -1;
    *name = path_beside(trace->name, href);
    if (!*name)
        return error_memory(error);
    bool link = lstat(trace->name, &st) == 0 && S_ISLNK(st.st_mode);
    char *target = link && stat(*name, &st) < 0 ? realpath(trace->name, NULL) : NULL;
    if (target) {
        free(*name);
        *name = path_beside(target, href);
        free(target);
        if (!*name)
            return error_memory(error);
    }
    if (stat(*name, &st) == 0 && S_ISDIR(st.st_mode))
        return error_set(error, CSY_INPUT, "%s: the trace_file in the .pex is a folder: %s",
                         trace->name, *name);
    *fd = open(*name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*fd < 0) {
        bool missing = errno == ENOENT, standard = strcmp(trace->name, "-") == 0;
        if (missing && (standard || trace->files[0].fd < 0)) /* the .pex is from a pipe */
            return error_set(error, CSY_IO,
                             "%s: %s; the record file of a .pex %s must be %s, or inside the .pex "
                             "(see --embed)",
                             *name, strerror(ENOENT),
                             standard ? "on standard input" : "from a pipe",
                             standard ? "in the current folder" : "in the folder of the pipe");
        csy_status status = error_io(error, *name, NULL);
        /* The file may be missing because a program has just replaced the .pex. */
        trace->replaced = missing && trace_is_replaced(trace);
        return status;
    }
    csy_status status = trace_remember_file(trace, *fd, &st, *name, error);
    if (status)
        return status;
    if (!S_ISREG(st.st_mode))
        return error_set(error, CSY_IO, "%s: this is not a regular file", *name);
    *bytes = (uint64_t)st.st_size;
    return CSY_OK;
}

csy_status record_files_part(const struct csy_trace *trace, csy_error *error)
{
    struct texts known = {.count = 0}; /* device and inode of each file */
    csy_status status = CSY_OK;
    for (size_t i = 0; i < trace->nfiles && !status; i++) {
        const uint64_t file[] = {trace->files[i].device, trace->files[i].inode};
        uint32_t number; /* index of the earlier file */
        bool added;
        if (!texts_find(&known, (const char *)file, sizeof file, &number, &added))
            status = error_memory(error);
        else if (!added && number == 0)
            status = error_set(error, CSY_INPUT,
                               "%s: the trace_file in the .pex is the .pex itself", trace->name);
        else if (!added)
            status =
                error_set(error, CSY_INPUT, "%s: two elements trace_file have the same file: %s",
                          trace->name, trace->files[i].name);
    }
    texts_fini(&known);
    return status;
}

/* --- Files of symbols ---------------------------------------------------------------------- */

void symbol_files_fini(struct symbol_files *files)
{
    for (size_t i = 0; i < files->count; i++) {
        symbols_fini(&files->items[i]->symbols);
        FREE_ALL(files->items[i]->path, files->items[i]);
    }
    FREE_ALL(unconst(files->items), files->of_path);
    texts_fini(&files->paths);
    *files = (struct symbol_files){0};
}

static struct symbol_table *add_table(struct symbol_files *files)
{
    /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    if (!ARRAY_RESERVE(files->items, files->capacity, files->count + 1))
        return NULL;
    struct symbol_table *table = calloc(1, sizeof *table);
    if (table)
        files->items[files->count++] = table;
    return table;
}

/* Find the symbols in a file. Warn if the file is missing. Refuse a pipe: the user did not choose
 * it, and perhaps nobody writes to it. */
static csy_status find_file(struct symbol_files *files, struct csy_trace *trace, const char *path,
                            const struct symbols **out, csy_error *error)
{
    char shown[ERROR_ESCAPED_MAX];
    struct stat st;
    uint32_t number;
    bool added;
    if (!texts_find(&files->paths, path, strlen(path), &number, &added) ||
        !ARRAY_RESERVE(files->of_path, files->of_path_capacity, (size_t)number + 1))
        return error_memory(error);
    if (!added) {
        *out = &files->items[files->of_path[number]]->symbols;
        return CSY_OK;
    }
    struct symbol_table *table = add_table(files);
    if (!table || !(table->path = strdup(path)))
        return error_memory(error);
    files->of_path[number] = files->count - 1;
    *out = &table->symbols;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 && errno != ENOENT)
        return error_io(error, path, NULL);
    if (fd < 0 && !files->misses)
        trace_warn(trace, "%s: %s: addresses stay without its names",
                   error_escape(shown, path, strlen(path)), strerror(ENOENT));
    files->misses |= fd < 0;
    csy_status status = CSY_OK;
    if (fd >= 0) {
        status = trace_remember_file(trace, fd, &st, table->path, error);
        if (!status) {
            trace->files[trace->nfiles - 1].fd = -1; /* the file is not read again */
            status = S_ISREG(st.st_mode)
                         ? symbols_read(&table->symbols, fd, path, error)
                         : error_set(error, CSY_IO, "%s: this is not a regular file", path);
        }
        close(fd);
    }
    return status || symbols_seal(&table->symbols) ? status : error_memory(error);
}

csy_status symbol_files_read(struct symbol_files *files, struct csy_trace *trace, const char *path,
                             const struct said_symbols *said, struct addresses *out,
                             csy_error *error)
{
    for (size_t i = 0; i < said->count; i++) {
        const struct element *element = &said->items[i];
        const char *name = element_text(element, "path");
        uint64_t from, to, base;
        if (!element_is(element, "image") || !element_number(element, "from", &from) ||
            !element_number(element, "to", &to))
            continue;
        if (!element_number(element, "base", &base))
            base = from;
        if (!addresses_add_image(out, name ? name : "", from, to, base))
            return error_memory(error);
    }
    csy_status status = CSY_OK;
    bool found;
    for (size_t i = 0; i < said->count && !status; i++) {
        const struct element *element = &said->items[i];
        const struct symbols *symbols = NULL;
        if (!element_is(element, "symbols"))
            continue;
        char *name = path_beside(path, element_text(element, "href"));
        status = name ? find_file(files, trace, name, &symbols, error) : error_memory(error);
        free(name);
        if (!status && !addresses_add_symbols(out, element_text(element, "image"), symbols, &found))
            status = error_memory(error);
    }
    /* Read the symbols in the document itself. Each program or library gets a table. */
    struct texts images = {0};
    size_t first = files->count;
    bool good = !status, added;
    for (size_t i = 0; i < said->count && good; i++) {
        const struct element *element = &said->items[i];
        const char *image = element_text(element, "image");
        uint64_t at, size = 0, line = 0;
        uint32_t number;
        if (!element_is(element, "symbol") || !element_number(element, "at", &at))
            continue;
        good = texts_find(&images, image ? image : "", image ? strlen(image) : 0, &number, &added);
        struct symbol_table *table = NULL;
        if (good && added)
            table = add_table(files);
        else if (good && files->items)
            table = files->items[first + number];
        good = table && (!added || addresses_add_symbols(out, image && *image ? image : NULL,
                                                         &table->symbols, &found));
        element_number(element, "size", &size);
        element_number(element, "line", &line);
        good = good &&
               symbols_add(&table->symbols, at, size, element_text(element, "name"),
                           element_text(element, "file"), line <= UINT32_MAX ? (uint32_t)line : 0);
    }
    for (size_t i = first; i < files->count && good; i++)
        good = symbols_seal(&files->items[i]->symbols);
    texts_fini(&images);
    addresses_seal(out);
    return good || status ? status : error_memory(error);
}
