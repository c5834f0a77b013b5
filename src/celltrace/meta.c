/* See meta.h. */
#include "celltrace/meta.h"

#include "celltrace/output.h"
#include "celltrace/page.h"
#include "celltrace/record.h"
#include "celltrace/symbols.h"
#include "celltrace/types.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { IMAGES_MAX = 512, PATH_BYTES = 512, BUILD_ID_BYTES = 32 };

struct image {
    char path[PATH_BYTES];
    uint8_t build_id[BUILD_ID_BYTES];
    unsigned build_id_bytes;
    char symbols[PATH_BYTES]; /* beside the document; "": none */
    bool is_seen;             /* whether there are any was looked */
    uint64_t from, to, base;  /* base: what is added to the addresses of its file */
};

static struct image images[IMAGES_MAX];
static unsigned nimages;

/* The document. */
struct document {
    struct output output;
    int group; /* the one that is open, or -1 */
};

/* A name and a value of an attribute, with what XML cannot hold there replaced. */
static void put_attribute(struct output *out, const char *name, const char *value, size_t size)
{
    output_say(out, " %s=\"", name);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)value[i];
        if (c == '<' || c == '&' || c == '"')
            output_say(out, "&#%u;", c);
        else if (c < ' ' || c == 0x7f)
            output_put(out, "?", 1);
        else
            output_put(out, value + i, 1);
    }
    output_put(out, "\"", 1);
}

/* Whether bytes are UTF-8: names of programs and paths may be anything. */
static bool is_utf8(const char *text)
{
    for (const unsigned char *at = (const unsigned char *)text; *at; at++) {
        unsigned follow = *at < 0x80                  ? 0
                          : *at >= 0xc2 && *at < 0xe0 ? 1
                          : *at >= 0xe0 && *at < 0xf0 ? 2
                          : *at >= 0xf0 && *at < 0xf5 ? 3
                                                      : 4;
        unsigned char first = *at;
        if (follow == 4)
            return false;
        for (unsigned i = 0; i < follow; i++)
            if ((*++at & 0xc0) != 0x80)
                return false;
        if (follow == 2 && ((first == 0xe0 && at[-1] < 0xa0) || (first == 0xed && at[-1] > 0x9f) ||
                            (first == 0xef && at[-1] == 0xbf && *at > 0xbd)))
            return false;
        if (follow == 3 && ((first == 0xf0 && at[-2] < 0x90) || (first == 0xf4 && at[-2] > 0x8f)))
            return false;
    }
    return true;
}

static void put_text(struct output *out, const char *name, const char *value)
{
    char plain[PATH_BYTES];
    if (is_utf8(value)) {
        put_attribute(out, name, value, strlen(value));
        return;
    }
    size_t n = strnlen(value, sizeof plain);
    for (size_t i = 0; i < n; i++) {
        plain[i] = '?';
        if ((unsigned char)value[i] < 0x80)
            plain[i] = value[i];
    }
    put_attribute(out, name, plain, n);
}

/* The build id among an image's notes. */
static void find_build_id(const struct dl_phdr_info *info, const ElfW(Phdr) * segment,
                          struct image *image)
{
    enum { GNU_BUILD_ID = 3 };
    const size_t align = 4;
    /* An address that the loader tells: NOLINTNEXTLINE(performance-no-int-to-ptr) */
    const uint8_t *at = (const uint8_t *)(uintptr_t)(info->dlpi_addr + segment->p_vaddr);
    const uint8_t *end = at + segment->p_memsz;
    while ((size_t)(end - at) >= sizeof(ElfW(Nhdr))) {
        ElfW(Nhdr) note;
        memcpy(&note, at, sizeof note);
        const uint8_t *name = at + sizeof note;
        const uint8_t *value = name + (note.n_namesz + align - 1) / align * align;
        if (value > end || note.n_descsz > (size_t)(end - value))
            return;
        if (note.n_type == GNU_BUILD_ID && note.n_namesz == 4 && memcmp(name, "GNU", 4) == 0 &&
            note.n_descsz <= BUILD_ID_BYTES) {
            memcpy(image->build_id, value, note.n_descsz);
            image->build_id_bytes = note.n_descsz;
            return;
        }
        at = value + (note.n_descsz + align - 1) / align * align;
    }
}

static int note_image(struct dl_phdr_info *info, size_t size, void *user)
{
    struct image image = {.from = UINT64_MAX, .base = info->dlpi_addr};
    (void)size, (void)user;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type == PT_NOTE && image.build_id_bytes == 0)
            find_build_id(info, segment, &image);
        if (segment->p_type != PT_LOAD)
            continue;
        image.from = from < image.from ? from : image.from;
        image.to = to > image.to ? to : image.to;
    }
    const char *name = info->dlpi_name;
    ssize_t n = -1;
    if (!name[0] && nimages == 0)
        n = readlink("/proc/self/exe", image.path, sizeof image.path - 1);
    if (n < 0 && snprintf(image.path, sizeof image.path, "%s", name) < 0)
        return 0;
    for (unsigned i = 0; i < nimages; i++)
        if (images[i].from == image.from && images[i].to == image.to)
            return 0;
    if (nimages < IMAGES_MAX && image.to > 0 && image.path[0])
        images[nimages++] = image;
    return 0;
}

void meta_note_images(void)
{
    dl_iterate_phdr(note_image, NULL);
}

static void put_images(struct output *out)
{
    for (unsigned i = 0; i < nimages; i++) {
        const struct image *image = &images[i];
        output_say(out, "  <image");
        put_text(out, "path", image->path);
        if (image->build_id_bytes)
            output_say(out, " build_id=\"");
        for (unsigned k = 0; k < image->build_id_bytes; k++)
            output_say(out, "%02x", image->build_id[k]);
        output_say(out, "%s from=\"0x%" PRIx64 "\" to=\"0x%" PRIx64 "\" base=\"0x%" PRIx64 "\"/>\n",
                   image->build_id_bytes ? "\"" : "", image->from, image->to, image->base);
        if (image->symbols[0]) {
            output_say(out, "  <symbols");
            put_text(out, "href", image->symbols);
            put_text(out, "image", image->path);
            output_say(out, "/>\n");
        }
    }
}

static void put_name(void *user, uint32_t id, const char *name)
{
    struct output *out = user;
    output_say(out, "    <ppe tid=\"%" PRIu32 "\"", id);
    put_text(out, "name", name);
    output_say(out, "/>\n");
}

static bool is_role(const struct type_field *field, const char *role)
{
    return field->role_size == strlen(role) && memcmp(field->role, role, field->role_size) == 0;
}

/* A message is from, or to, a partner, and each key tells it apart. */
static void put_match(struct output *out, const struct ct_type *type)
{
    struct type_field field;
    const char *at = type->fields;
    bool send = type->kind == CT_SEND;
    unsigned n = 0;
    for (; at && type_field_next(&at, &field);)
        if (is_role(&field, "partner") || is_role(&field, "key")) {
            output_say(out, "%s",
                       n++    ? " "
                       : send ? " order=\"send\" match=\""
                              : " order=\"recv\" match=\"");
            if (is_role(&field, "partner") && send)
                output_say(out, "@self ");
            output_say(out, "%.*s", (int)field.name_size, field.name);
            if (is_role(&field, "partner") && !send)
                output_say(out, " @self");
        }
    if (n)
        output_say(out, "\"%s", send ? " stamp=\"before\"" : "");
}

static void put_kind(struct output *out, const struct ct_type *type)
{
    static const char *const roles[] = {"mark", "enter", "exit",  "call",    "send",
                                        "recv", "wait",  "state", "counter", "mark"};
    bool stalls = type->kind == CT_RECV || type->kind == CT_WAIT;
    if (kind_is_interval(type->kind))
        output_say(out, " type=\"interval\"%s", stalls ? " stall=\"yes\"" : "");
    if (!type->attributes || !strstr(type->attributes, "role="))
        output_say(out, " role=\"%s\"", type->id == ID_BUFFER_FLUSH ? "none" : roles[type->kind]);
    if (type->kind == CT_ENTRY || type->kind == CT_EXIT)
        put_text(out, "block", type->name);
    if (type->attributes)
        output_say(out, " %s", type->attributes);
    else if (type->kind == CT_SEND || type->kind == CT_RECV)
        put_match(out, type);
}

static void put_field(struct output *out, const struct type_field *field)
{
    put_attribute(out, "name", field->name, field->name_size);
    put_attribute(out, "type", field->type_size ? field->type : "u64",
                  field->type_size ? field->type_size : 3);
    if (field->role_size)
        put_attribute(out, "role", field->role, field->role_size);
}

static void put_type(void *user, const struct ct_type *type)
{
    struct document *document = user;
    struct output *out = &document->output;
    struct type_field field;
    const char *at = type->fields;
    if (document->group != type_group(type)) {
        output_say(out, "%s  <pdtGroup", document->group >= 0 ? "  </pdtGroup>\n" : "");
        put_text(out, "name", type->group);
        output_say(out, " id=\"0x%02x\">\n", type_group(type));
        document->group = type_group(type);
    }
    output_say(out, "    <recordType");
    char name[2 * META_TEXT_MAX];
    int n = snprintf(name, sizeof name, "%s%s", type->name,
                     type->kind == CT_ENTRY  ? "_ENTRY"
                     : type->kind == CT_EXIT ? "_EXIT"
                                             : "");
    put_text(out, "name", n > 0 ? name : type->name);
    output_say(out, " id=\"0x%04x\"", type->id);
    put_kind(out, type);
    output_say(out, type->nfields ? ">" : "/>\n");
    while (type->nfields && type_field_next(&at, &field)) {
        output_say(out, "<field");
        put_field(out, &field);
        output_say(out, "/>");
    }
    if (type->nfields)
        output_say(out, "</recordType>\n");
}

static void put_process(struct output *out, const struct meta *m)
{
    output_say(out, "  <process");
    put_text(out, "host", m->host);
    output_say(out, " pid=\"%" PRIu32 "\" ppid=\"%" PRIu32 "\"", m->pid, m->ppid);
    if (m->has_rank)
        output_say(out, " rank=\"%" PRIu64 "\" ranks=\"%" PRIu64 "\"", m->rank, m->ranks);
    put_text(out, "program", m->program);
    output_say(out, " start=\"%s\"/>\n", m->start);
}

static void put_recording(struct output *out, const struct meta_recording *r)
{
    output_say(out, "  <recording complete=\"%s\"%s", r->complete,
               r->known ? "" : "  "); /* room for exec */
    if (r->known)
        output_say(out,
                   " records=\"%" PRIu64 "\" lost=\"%" PRIu64 "\" waits=\"%" PRIu64
                   "\" wait_ticks=\"%" PRIu64 "\" unbalanced=\"%" PRIu64 "\" refused=\"%" PRIu64
                   "\"",
                   r->records, r->lost, r->waits, r->wait_ticks, r->unbalanced, r->refused);
    if (r->fault)
        put_text(out, "fault", r->fault);
    output_say(out, "/>\n");
}

static void put_document(struct document *document, const struct meta *m,
                         const struct meta_recording *recording)
{
    struct output *out = &document->output;
    output_say(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<pdt_trace version=\"2\"");
    put_text(out, "application", m->program);
    output_say(out, " created=\"%s\">\n  <machine", m->start);
    put_text(out, "name", m->host);
    output_say(out, " timebase_hz=\"%" PRIu64 "\"/>\n  <trace_file", m->hz);
    put_text(out, "href", m->trace_name);
    output_say(out, "/>\n  <clock kind=\"local\"");
    put_text(out, "id", m->clock_id);
    output_say(out, " source=\"%s\" hz=\"%" PRIu64 "\"/>\n", m->clock_source, m->hz);
    output_say(out, m->is_buffer ? "  <order granularity=\"record\"/>\n"
                                 : "  <order granularity=\"block\" after=\"block\"/>\n");
    put_process(out, m);
    put_recording(out, recording);
    put_images(out);
    output_say(out, "  <threads>\n");
    pages_visit_names(put_name, out);
    output_say(out, "  </threads>\n");
    types_visit(put_type, document);
    output_say(out, "%s</pdt_trace>\n", document->group >= 0 ? "  </pdtGroup>\n" : "");
}

/* The functions of images, each in a file that all processes with the image share. */
static void write_symbols(const struct meta *m)
{
    for (unsigned i = 0; i < nimages; i++) {
        struct image *image = &images[i];
        size_t size = 0;
        if (image->is_seen || !m->has_addresses)
            continue;
        image->is_seen = true;
        for (unsigned k = 0; k < image->build_id_bytes; k++)
            size += (size_t)snprintf(image->symbols + size, sizeof image->symbols - size, "%02x",
                                     image->build_id[k]);
        if (size == 0)
            size =
                (size_t)snprintf(image->symbols, sizeof image->symbols, "%s.%u", m->trace_name, i);
        snprintf(image->symbols + size, sizeof image->symbols - size, ".symbols");
        if (!symbols_write(image->path, i == 0, image->build_id, image->build_id_bytes, m->folder,
                           image->symbols, m->temporary))
            image->symbols[0] = 0;
    }
}

bool meta_write(const struct meta *m, const struct meta_recording *recording)
{
    struct document document = {.group = -1};
    write_symbols(m);
    if (!output_open(&document.output, m->folder, m->temporary))
        return false;
    put_document(&document, m, recording);
    return output_finish(&document.output, m->name);
}
