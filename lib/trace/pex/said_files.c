/* Reads the elements trace_file of a document. */
#include "trace/pex/metadata.h"

#include "base/error.h"
#include "base/number.h"
#include "trace/pex/document.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_NAME_MAX = 64 };

/* Returns true if an href begins with a scheme and a colon (RFC 3986). */
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

const char *said_href_fault(const char *href)
{
    return !*href                       ? "it is empty"
           : *href == '/'               ? "an absolute path is refused"
           : has_scheme(href)           ? "a URL is refused"
           : has_parent_component(href) ? "a path with .. is refused"
                                        : NULL;
}

static csy_status read_href(const struct document_bytes *src, const struct element *element,
                            struct said_file *file)
{
    const char *href = element_text(element, "href");
    if (!href)
        return CSY_OK;
    const char *fault = said_href_fault(href);
    if (fault)
        return document_refuse_value(src, element, "href", href, fault);
    file->href = strdup(href);
    return file->href ? CSY_OK : error_memory(src->error);
}

/* Returns true if a name can be used in names of outputs and in messages. */
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

static csy_status read_log(const struct document_bytes *src, const struct element *element,
                           struct said_file *file)
{
    static const char *const orders[2] = {"big", "little"}, *const stamps[2] = {"begin", "end"},
                             *const pages[2] = {"no", "yes"};
    const char *context = element_text(element, "ctx"), *rank = element_text(element, "rank");
    uint64_t number;
    if (!file->href)
        return document_refuse_element(src, element, "a log without href: logs are files");
    if (!context)
        return document_refuse_element(src, element, "a log requires ctx, its context");
    if (!number_parse(context, &number) || number > UINT32_MAX)
        return document_refuse_value(src, element, "ctx", context, "expected a number below 2^32");
    file->context = (uint32_t)number;
    if (rank && !file->has_rank)
        return document_refuse_value(src, element, "rank", rank, "expected a whole number");
    csy_status status = document_read_word(src, element, "byte_order", orders,
                                           "expected big or little", &file->little);
    if (!status)
        status =
            document_read_word(src, element, "stamp", stamps, "expected begin or end", &file->ends);
    return status ? status
                  : document_read_word(src, element, "pages", pages, "expected no or yes",
                                       &file->pages);
}

/* Read attributes of version 2: name of the buffer, by default its position, and rank for @self. */
static csy_status read_buffer(const struct document_bytes *src, const struct element *element,
                              size_t position, struct said_file *file)
{
    char number[24];
    const char *name = element_text(element, "buffer"), *format = element_text(element, "format");
    file->event80 = format && strcmp(format, "event80") == 0;
    if (format && !file->event80)
        return document_refuse_value(src, element, "format", format,
                                     "event80 is the only other format that is read");
    if (name && !is_buffer_name(name))
        return document_refuse_value(
            src, element, "buffer", name,
            "expected 1 to 64 bytes, without blanks and /, that do not begin with a "
            "dot");
    file->has_rank = element_number(element, "rank", &file->rank);
    snprintf(number, sizeof number, "%zu", position);
    file->buffer = strdup(name ? name : number);
    if (!file->buffer)
        return error_memory(src->error);
    return file->event80 ? read_log(src, element, file) : CSY_OK;
}

struct known_file {
    const char *name;
    uint32_t context;
    size_t index;
};

static int compare_buffers(const void *a, const void *b)
{
    const struct known_file *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return names ? names : (x->index > y->index) - (x->index < y->index);
}

static int compare_contexts(const void *a, const void *b)
{
    const struct known_file *x = a, *y = b;
    return x->context != y->context ? (x->context < y->context ? -1 : 1)
                                    : (x->index > y->index) - (x->index < y->index);
}

/* Returns the index of the first file that equals an earlier one, or SIZE_MAX. */
static size_t find_same(struct known_file *files, size_t n, bool contexts)
{
    size_t bad = SIZE_MAX;
    qsort(files, n, sizeof *files, contexts ? compare_contexts : compare_buffers);
    for (size_t i = 1; i < n; i++)
        if ((contexts ? files[i].context == files[i - 1].context
                      : strcmp(files[i].name, files[i - 1].name) == 0) &&
            files[i].index < bad)
            bad = files[i].index;
    return bad;
}

/* Check that buffers have different names, logs different contexts, and files one format. */
static csy_status check_files(const struct document_bytes *src, const struct element *elements,
                              struct metadata *m)
{
    size_t buffer, context = SIZE_MAX;
    struct known_file *files = malloc(m->nfiles * sizeof *files);
    if (!files)
        return error_memory(src->error);
    m->event80 = m->files->event80;
    for (size_t i = 0; i < m->nfiles; i++)
        files[i] = (struct known_file){m->files[i].buffer, m->files[i].context, i};
    buffer = find_same(files, m->nfiles, false);
    if (m->event80)
        context = find_same(files, m->nfiles, true);
    free(files);
    for (size_t i = 1; i < m->nfiles; i++)
        if (m->files[i].event80 != m->event80)
            return document_refuse_element(src, &elements[i],
                                           "some trace_files are event80, and some are not");
    if (buffer != SIZE_MAX)
        return document_refuse_value(src, &elements[buffer], "buffer", m->files[buffer].buffer,
                                     "another trace_file has this name");
    if (context != SIZE_MAX)
        return document_refuse_value(src, &elements[context], "ctx",
                                     element_text(&elements[context], "ctx"),
                                     "another trace_file has this context");
    return CSY_OK;
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
        status = document_read_word(src, element, "compression", compressions,
                                    "expected none or gzip", &file->gzip);
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
    return status || !second ? status : check_files(src, elements, m);
}
