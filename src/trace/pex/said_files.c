/* What a document says of its record files. */
#include "trace/pex/metadata.h"

#include "base/error.h"
#include "trace/pex/document.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_NAME_MAX = 64 };

/* "scheme:" in front of any slash, as RFC 3986 has it. */
static bool has_scheme(const char *href)
{
    size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool letter = (href[0] | 0x20) >= 'a' && (href[0] | 0x20) <= 'z';
    return letter && href[n] == ':';
}

static bool has_parent_component(const char *href)
{
    for (const char *at = href; *at;) {
        size_t n = strcspn(at, "/");
        if (n == 2 && at[0] == '.' && at[1] == '.')
            return true;
        at += n + (at[n] == '/');
    }
    return false;
}

static csy_status read_href(const struct document_bytes *src, const struct element *element,
                            struct said_file *file)
{
    const char *href = element_text(element, "href");
    if (!href)
        return CSY_OK;
    const char *fault = !*href                       ? "it is empty"
                        : *href == '/'               ? "an absolute path is refused"
                        : has_scheme(href)           ? "a URL is refused"
                        : has_parent_component(href) ? "a path with .. is refused"
                                                     : NULL;
    if (fault)
        return document_refuse_value(src, element, "href", href, fault);
    file->href = strdup(href);
    return file->href ? CSY_OK : error_memory(src->error);
}

/* A name is a part of that of an output, and of messages. */
static bool is_buffer_name(const char *name)
{
    size_t size = strlen(name);
    if (size == 0 || size > BUFFER_NAME_MAX || *name == '.')
        return false;
    for (const unsigned char *at = (const unsigned char *)name; *at; at++)
        if (*at <= ' ' || *at == 0x7f || *at == '/')
            return false;
    return true;
}

/* What only version 2 knows: its name, by default its position, and who @self is in it. */
static csy_status read_buffer(const struct document_bytes *src, const struct element *element,
                              size_t position, struct said_file *file)
{
    char number[24];
    const char *name = element_text(element, "buffer"), *format = element_text(element, "format");
    if (format)
        return document_refuse_value(src, element, "format", format,
                                     "files of other formats are not read");
    if (name && !is_buffer_name(name))
        return document_refuse_value(
            src, element, "buffer", name,
            "want 1 to 64 bytes, without blanks and /, that do not begin with a "
            "dot");
    file->has_rank = element_number(element, "rank", &file->rank);
    snprintf(number, sizeof number, "%zu", position);
    file->buffer = strdup(name ? name : number);
    return file->buffer ? CSY_OK : error_memory(src->error);
}

struct named_file {
    const char *name;
    size_t index;
};

static int compare_buffers(const void *a, const void *b)
{
    const struct named_file *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->index > y->index) - (x->index < y->index);
}

/* Two buffers of one name, of which the later one is told; the first of several such. */
static csy_status check_buffers(const struct document_bytes *src, const struct element *elements,
                                const struct metadata *m)
{
    size_t bad = SIZE_MAX;
    struct named_file *files = malloc(m->nfiles * sizeof *files);
    if (!files)
        return error_memory(src->error);
    for (size_t i = 0; i < m->nfiles; i++)
        files[i] = (struct named_file){m->files[i].buffer, i};
    qsort(files, m->nfiles, sizeof *files, compare_buffers);
    for (size_t i = 1; i < m->nfiles; i++)
        if (strcmp(files[i].name, files[i - 1].name) == 0 && files[i].index < bad)
            bad = files[i].index;
    free(files);
    return bad == SIZE_MAX
               ? CSY_OK
               : document_refuse_value(src, &elements[bad], "buffer", m->files[bad].buffer,
                                       "another trace_file has this name");
}

csy_status said_files_read(const struct document_bytes *src, const struct element *elements,
                           size_t n, bool second, const struct element *root, struct metadata *m)
{
    static const char *const compressions[2] = {"none", "gzip"};
    csy_status status = CSY_OK;
    if (n == 0)
        return document_refuse_element(src, root, "there is no trace_file element");
    m->files = calloc(n, sizeof *m->files);
    if (!m->files)
        return error_memory(src->error);
    for (m->nfiles = 0; m->nfiles < n && !status;) {
        const struct element *element = &elements[m->nfiles];
        struct said_file *file = &m->files[m->nfiles++];
        status = document_read_word(src, element, "compression", compressions, "want none or gzip",
                                    &file->gzip);
        if (!status)
            status = read_href(src, element, file);
        if (!status && second)
            status = read_buffer(src, element, m->nfiles - 1, file);
        if (!status && n > 1 && !file->href)
            status = document_refuse_element(
                src, element,
                "without href: records are inside the .pex only where there is "
                "one buffer");
    }
    return status || !second ? status : check_buffers(src, elements, m);
}
