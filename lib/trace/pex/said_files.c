/* Reads the elements trace_file of a document. */
#include "trace/pex/metadata.h"

#include "base/error.h"
#include "base/keys.h"
#include "base/number.h"
#include "base/texts.h"
#include "trace/pex/document.h"

#include <stdlib.h>
#include <string.h>

enum { BUFFER_NAME_MAX = 64 };

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
    size_t n = strspn(href, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-");
    bool letter = (href[0] | 0x20) >= 'a' && (href[0] | 0x20) <= 'z';
    return !*href                       ? "the attribute is empty"
           : *href == '/'               ? "an absolute path is refused"
           : letter && href[n] == ':'   ? "a URL is refused" /* a scheme, RFC 3986 */
           : has_parent_component(href) ? "a path with .. is refused"
                                        : NULL;
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
        return document_refuse_element(src, element, "a log of event80 requires href");
    if (!context)
        return document_refuse_element(src, element, "a log of event80 requires ctx, its context");
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
        return document_refuse_value(src, element, "format", format, "expected event80");
    if (name && !is_buffer_name(name))
        return document_refuse_value(
            src, element, "buffer", name,
            "expected 1 to 64 bytes without blanks and /, and without a dot at the begin");
    file->has_rank = element_number(element, "rank", &file->rank);
    snprintf(number, sizeof number, "%zu", position);
    file->buffer = strdup(name ? name : number);
    if (!file->buffer)
        return error_memory(src->error);
    return file->event80 ? read_log(src, element, file) : CSY_OK;
}

/* Check that buffers have different names, logs different contexts, and files one format. */
static csy_status check_files(const struct document_bytes *src, const struct element *elements,
                              struct metadata *m)
{
    struct texts buffers = {.count = 0};
    struct keys contexts = {.count = 0};
    size_t buffer = SIZE_MAX, context = SIZE_MAX; /* the first repeated ones */
    bool good = true, added;
    uint32_t unused;
    m->event80 = m->files->event80;
    for (size_t i = 0; i < m->nfiles && good; i++) {
        const struct said_file *file = &m->files[i];
        good = texts_find(&buffers, file->buffer, strlen(file->buffer), &unused, &added);
        buffer = good && !added && buffer == SIZE_MAX ? i : buffer;
        good = good && (!m->event80 || keys_find(&contexts, file->context, &unused, &added));
        context = good && m->event80 && !added && context == SIZE_MAX ? i : context;
    }
    texts_fini(&buffers);
    keys_fini(&contexts);
    if (!good)
        return error_memory(src->error);
    for (size_t i = 1; i < m->nfiles; i++)
        if (m->files[i].event80 != m->event80)
            return document_refuse_element(src, &elements[i],
                                           "this trace_file has another format than the first; "
                                           "either all or none must be event80");
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
        return document_refuse_element(src, root, "the element trace_file is missing");
    m->files = calloc(n, sizeof *m->files);
    if (!m->files)
        return error_memory(src->error);
    for (m->nfiles = 0; m->nfiles < n && !status;) {
        const struct element *element = &elements[m->nfiles];
        struct said_file *file = &m->files[m->nfiles++];
        status = document_read_word(src, element, "compression", compressions,
                                    "expected none or gzip", &file->gzip);
        const char *href = element_text(element, "href");
        const char *fault = href ? said_href_fault(href) : NULL;
        if (!status && fault)
            status = document_refuse_value(src, element, "href", href, fault);
        if (!status && href && !(file->href = strdup(href)))
            status = error_memory(src->error);
        if (!status && second)
            status = read_buffer(src, element, m->nfiles - 1, file);
        if (!status && n > 1 && !file->href)
            status = document_refuse_element(src, element,
                                             "the attribute href is missing; only a .pex with one "
                                             "buffer can contain its records");
    }
    return status || !second ? status : check_files(src, elements, m);
}
