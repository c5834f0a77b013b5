/* See meta.h. */
#include "recorder/meta.h"

#include "recorder/folder.h"
#include "recorder/page.h"
#include "recorder/record.h"
#include "recorder/system.h"
#include "recorder/types.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file that is written piece by piece, through preallocated memory. */
struct output {
    struct folder *folder;
    const char *name; /* name of the temporary file; owned by the caller */
    int fd;
    bool failed;
    size_t size;
    char *bytes;
    int group; /* number of the type group with an open XML element in the document, or -1 */
};

enum { TEXT_BYTES = 65536 };

static char output_bytes[TEXT_BYTES];

/* Create the file, and remove an older file with this name. Only one output may be open at a time,
 * because the memory of an output is static. Returns false with errno on failure. */
static bool output_open(struct output *out, struct folder *folder, const char *name)
{
    *out = (struct output){.folder = folder, .name = name, .bytes = output_bytes, .group = -1};
    folder_remove(folder, name); /* a killed process or another user may have left this file */
    out->fd = folder_file(folder, name, O_WRONLY | O_CREAT);
    return out->fd >= 0;
}

static void flush(struct output *out)
{
    const char *at = out->bytes;
    while (out->size > 0 && !out->failed) {
        ssize_t n = write(out->fd, at, out->size);
        if (n < 0 && errno == EINTR)
            continue;
        out->failed = n <= 0;
        at += n > 0 ? n : 0;
        out->size -= n > 0 ? (size_t)n : 0;
    }
    out->size = 0;
}

static void output_put(struct output *out, const char *bytes, size_t size)
{
    while (size > 0) {
        size_t n = size < TEXT_BYTES - out->size ? size : TEXT_BYTES - out->size;
        memcpy(out->bytes + out->size, bytes, n);
        out->size += n;
        bytes += n;
        size -= n;
        if (out->size == TEXT_BYTES)
            flush(out);
    }
}

/* Append a formatted text of at most 1023 bytes. */
__attribute__((format(printf, 2, 3))) static void output_say(struct output *out, const char *format,
                                                             ...)
{
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (n > 0)
        output_put(out, text, strlen(text));
}

/* Rename the file to `as`. On failure, remove the file, keep an older file `as`, and return false
 * with errno. */
static bool output_finish(struct output *out, const char *as)
{
    flush(out);
    int reason = out->failed ? errno : 0;
    if (close(out->fd) < 0 && !reason)
        reason = errno;
    if (!reason && folder_rename(out->folder, out->name, as))
        return true;
    reason = reason ? reason : errno;
    folder_remove(out->folder, out->name);
    errno = reason;
    return false;
}

/* --- Functions of an image, as nm -S lists them, for programs that later read addresses ------- */

enum { NAME_MAX_BYTES = 1000, NOTE_ALIGN = 4, NOTE_BUILD_ID = 3 };

/* A part of a file that was read into memory. `size` is 0 if there is no such part. */
struct part {
    char *at;
    size_t size;
};

struct elf {
    int fd;
    uint64_t bytes; /* size of the file */
    struct part sections;
    size_t nsections;
};

/* A symbol table with its names. The last byte of the names is 0. */
struct table {
    struct part symbols, names;
};

static void drop(struct part *part)
{
    if (part->size > 0)
        munmap(part->at, part->size);
    *part = (struct part){0};
}

static struct part load(const struct elf *elf, uint64_t offset, uint64_t size)
{
    if (size == 0 || offset > elf->bytes || size > elf->bytes - offset)
        return (struct part){0};
    void *at = system_map((size_t)size);
    if (!at)
        return (struct part){0};
    struct part part = {at, (size_t)size};
    for (size_t got = 0; got < part.size;) {
        ssize_t n = pread(elf->fd, part.at + got, part.size - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            drop(&part);
            return part;
        }
        got += (size_t)n;
    }
    return part;
}

static ElfW(Shdr) section(const struct elf *elf, size_t i)
{
    ElfW(Shdr) out = {0};
    if (i < elf->nsections)
        memcpy(&out, elf->sections.at + i * sizeof out, sizeof out);
    return out;
}

static bool open_elf(struct elf *elf, const char *path)
{
    ElfW(Ehdr) head;
    struct stat st;
    *elf = (struct elf){.fd = folder_lift(open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC))};
    if (elf->fd < 0)
        return false;
    if (fstat(elf->fd, &st) < 0 || !S_ISREG(st.st_mode) ||
        pread(elf->fd, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_shentsize != sizeof(ElfW(Shdr)))
        return false;
    elf->bytes = (uint64_t)st.st_size;
    elf->nsections = head.e_shnum;
    elf->sections = load(elf, head.e_shoff, (uint64_t)head.e_shnum * sizeof(ElfW(Shdr)));
    return elf->sections.size > 0;
}

static struct table load_table(const struct elf *elf, uint32_t type)
{
    struct table table = {0};
    for (size_t i = 0; i < elf->nsections && table.symbols.size == 0; i++) {
        ElfW(Shdr) symbols = section(elf, i), names = section(elf, symbols.sh_link);
        if (symbols.sh_type != type || names.sh_type != SHT_STRTAB)
            continue;
        table.symbols = load(elf, symbols.sh_offset, symbols.sh_size);
        table.names = load(elf, names.sh_offset, names.sh_size);
        if (table.names.size == 0 || table.names.at[table.names.size - 1])
            drop(&table.symbols);
    }
    return table;
}

static void drop_table(struct table *table)
{
    drop(&table->symbols);
    drop(&table->names);
}

/* Get the i-th symbol and its name. Returns false after the last symbol. */
static bool symbol_at(const struct table *table, size_t i, ElfW(Sym) * out, const char **name)
{
    if (i >= table->symbols.size / sizeof *out)
        return false;
    memcpy(out, table->symbols.at + i * sizeof *out, sizeof *out);
    *name = out->st_name < table->names.size ? table->names.at + out->st_name : "";
    return true;
}

static bool names_hooks(const struct table *table, bool defined)
{
    static const char *const hooks[] = {"__cyg_profile_func_enter", "__sanitizer_cov_trace_pc",
                                        "GOMP_parallel", "__kmpc_fork_call"};
    ElfW(Sym) symbol;
    const char *name;
    for (size_t i = 0; symbol_at(table, i, &symbol, &name); i++)
        for (size_t k = 0; k < sizeof hooks / sizeof *hooks; k++)
            if ((defined || symbol.st_shndx == SHN_UNDEF) && strcmp(name, hooks[k]) == 0)
                return true;
    return false;
}

/* Returns the build id in an array of ELF notes, or NULL if there is none. */
static const uint8_t *find_build_id(const uint8_t *notes, size_t size, size_t *bytes)
{
    ElfW(Nhdr) note;
    for (size_t at = 0; at < size && size - at >= sizeof note;) {
        memcpy(&note, notes + at, sizeof note);
        size_t name = ((size_t)note.n_namesz + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN;
        at += sizeof note;
        if (name > size - at || note.n_descsz > size - at - name)
            return NULL;
        if (note.n_type == NOTE_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(notes + at, "GNU", sizeof "GNU") == 0) {
            *bytes = note.n_descsz;
            return notes + at + name;
        }
        at += name + ((size_t)note.n_descsz + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN;
    }
    return NULL;
}

/* Returns true if the file of the image has another build id than the loaded image. */
static bool is_other(const struct elf *elf, const uint8_t *build_id, unsigned n)
{
    bool other = false;
    for (size_t i = 0; i < elf->nsections && n > 0 && !other; i++) {
        ElfW(Shdr) at_section = section(elf, i);
        if (at_section.sh_type != SHT_NOTE)
            continue;
        struct part notes = load(elf, at_section.sh_offset, at_section.sh_size);
        size_t bytes;
        const uint8_t *found = find_build_id((const uint8_t *)notes.at, notes.size, &bytes);
        other = found && (bytes < n || memcmp(found, build_id, n) != 0);
        drop(&notes);
    }
    return other;
}

/* Write the functions of an image to the file `name`, unless the file exists. Returns false if no
 * record can contain addresses of these functions, because the image uses no hooks. Also returns
 * false if the file of the image has another build id than build_id, of n bytes. */
static bool symbols_write(const char *image, bool program, const uint8_t *build_id, unsigned n,
                          struct folder *folder, const char *name, const char *temporary)
{
    struct elf elf;
    struct table dynamic = {0}, whole = {0};
    struct output out;
    bool good = open_elf(&elf, image) && !is_other(&elf, build_id, n);
    if (good) {
        dynamic = load_table(&elf, SHT_DYNSYM);
        whole = load_table(&elf, SHT_SYMTAB);
        good = names_hooks(&dynamic, program) || names_hooks(&whole, program);
    }
    if (good && !folder_has(folder, name) && (good = output_open(&out, folder, temporary))) {
        static const char letters[] = {[STB_LOCAL] = 't', [STB_GLOBAL] = 'T', [STB_WEAK] = 'W'};
        const struct table *table = whole.symbols.size > 0 ? &whole : &dynamic;
        ElfW(Sym) symbol;
        const char *called;
        for (size_t i = 0; symbol_at(table, i, &symbol, &called); i++) {
            unsigned type = symbol.st_info & 0xf, bind = symbol.st_info >> 4;
            if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol.st_shndx == SHN_UNDEF ||
                !called[0] || strlen(called) > NAME_MAX_BYTES || strpbrk(called, "\r\n\t"))
                continue;
            output_say(&out, "%016" PRIx64 " ", (uint64_t)symbol.st_value);
            if (symbol.st_size > 0)
                output_say(&out, "%016" PRIx64 " ", (uint64_t)symbol.st_size);
            output_say(&out, "%c %s\n", bind < sizeof letters ? letters[bind] : 'T', called);
        }
        good = output_finish(&out, name);
    }
    drop_table(&dynamic);
    drop_table(&whole);
    drop(&elf.sections);
    if (elf.fd >= 0)
        close(elf.fd);
    return good;
}

/* --- The document -------------------------------------------------------------------------- */

enum { IMAGES_MAX = 512, PATH_BYTES = 512, BUILD_ID_BYTES = 32 };

struct image {
    char path[PATH_BYTES];
    uint8_t build_id[BUILD_ID_BYTES];
    unsigned build_id_bytes;
    char symbols[PATH_BYTES]; /* name of the file of symbols, relative to the document; "" if there
                               * is none */
    bool is_seen;             /* true if `symbols` has been determined */
    uint64_t from, to, base;  /* addresses in memory; base: amount that the loader added to
                               * addresses of the file */
};

static struct image images[IMAGES_MAX];
static unsigned nimages;

/* Write an attribute. Characters that XML forbids are replaced. */
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

/* Returns true if the text is UTF-8. Names of programs and paths may be in other encodings. */
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

static int note_image(struct dl_phdr_info *info, size_t size, void *user)
{
    struct image image = {.from = UINT64_MAX, .base = info->dlpi_addr};
    (void)size, (void)user;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr, to = from + segment->p_memsz;
        if (segment->p_type == PT_NOTE && image.build_id_bytes == 0) {
            size_t n = 0;
            /* address from the loader: NOLINTNEXTLINE(performance-no-int-to-ptr) */
            const uint8_t *notes = (const uint8_t *)(uintptr_t)from;
            const uint8_t *id = find_build_id(notes, (size_t)(to - from), &n);
            if (id && n <= BUILD_ID_BYTES) {
                memcpy(image.build_id, id, n);
                image.build_id_bytes = (unsigned)n;
            }
        }
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

/* Write the attributes for matching messages: by the partner and by each field that is a key. */
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

static void put_type(void *user, const struct ct_type *type)
{
    static const char *const roles[] = {"mark", "enter", "exit",  "call",    "send",
                                        "recv", "wait",  "state", "counter", "mark"};
    struct output *out = user;
    struct type_field field;
    const char *at = type->fields;
    if (out->group != type_group(type)) {
        output_say(out, "%s  <pdtGroup", out->group >= 0 ? "  </pdtGroup>\n" : "");
        put_text(out, "name", type->group);
        output_say(out, " id=\"0x%02x\">\n", type_group(type));
        out->group = type_group(type);
    }
    output_say(out, "    <recordType");
    char name[2 * META_TEXT_MAX];
    int n = snprintf(name, sizeof name, "%s%s", type->name,
                     type->kind == CT_ENTRY  ? "_ENTRY"
                     : type->kind == CT_EXIT ? "_EXIT"
                                             : "");
    put_text(out, "name", n > 0 ? name : type->name);
    output_say(out, " id=\"0x%04x\"", type->id);
    if (kind_is_interval(type->kind))
        output_say(out, " type=\"interval\"%s",
                   type->kind == CT_RECV || type->kind == CT_WAIT ? " stall=\"yes\"" : "");
    if (!type->attributes || !strstr(type->attributes, "role="))
        output_say(out, " role=\"%s\"", type->id == ID_BUFFER_FLUSH ? "none" : roles[type->kind]);
    if (type->kind == CT_ENTRY || type->kind == CT_EXIT)
        put_text(out, "block", type->name);
    if (type->attributes)
        output_say(out, " %s", type->attributes);
    else if (type->kind == CT_SEND || type->kind == CT_RECV)
        put_match(out, type);
    output_say(out, type->nfields ? ">" : "/>\n");
    while (type->nfields && type_field_next(&at, &field)) {
        output_say(out, "<field");
        put_attribute(out, "name", field.name, field.name_size);
        put_attribute(out, "type", field.type_size ? field.type : "u64",
                      field.type_size ? field.type_size : 3);
        if (field.role_size)
            put_attribute(out, "role", field.role, field.role_size);
        output_say(out, "/>");
    }
    if (type->nfields)
        output_say(out, "</recordType>\n");
}

static void put_document(struct output *out, const struct meta *m, const struct meta_recording *r)
{
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
    output_say(out, "  <process");
    put_text(out, "host", m->host);
    output_say(out, " pid=\"%" PRIu32 "\" ppid=\"%" PRIu32 "\"", m->pid, m->ppid);
    if (m->has_rank)
        output_say(out, " rank=\"%" PRIu64 "\" ranks=\"%" PRIu64 "\"", m->rank, m->ranks);
    put_text(out, "program", m->program);
    output_say(out, " start=\"%s\"/>\n  <recording complete=\"%s\"%s", m->start, r->complete,
               r->known ? "" : "  "); /* room for "exec", which may later replace "no" */
    if (r->known)
        output_say(out,
                   " records=\"%" PRIu64 "\" lost=\"%" PRIu64 "\" waits=\"%" PRIu64
                   "\" wait_ticks=\"%" PRIu64 "\" unbalanced=\"%" PRIu64 "\" refused=\"%" PRIu64
                   "\"",
                   r->records, r->lost, r->waits, r->wait_ticks, r->unbalanced, r->refused);
    if (r->fault)
        put_text(out, "fault", r->fault);
    output_say(out, "/>\n");
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
    output_say(out, "  <threads>\n");
    pages_visit_names(put_name, out);
    output_say(out, "  </threads>\n");
    types_visit(put_type, out);
    output_say(out, "%s</pdt_trace>\n", out->group >= 0 ? "  </pdtGroup>\n" : "");
}

bool meta_write(const struct meta *m, const struct meta_recording *recording)
{
    /* Processes with the same image share one file with the functions of the image. */
    for (unsigned i = 0; i < nimages && m->has_addresses; i++) {
        struct image *image = &images[i];
        size_t size = 0;
        if (image->is_seen)
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
    struct output out;
    if (!output_open(&out, m->folder, m->temporary))
        return false;
    put_document(&out, m, recording);
    return output_finish(&out, m->name);
}
