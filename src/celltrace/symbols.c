/* See symbols.h.  No malloc: it may be the program's. */
#include "celltrace/symbols.h"

#include "celltrace/output.h"
#include "celltrace/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NAME_MAX_BYTES = 1000, NOTE_ALIGN = 4, NOTE_BUILD_ID = 3 };

/* A part of a file, in memory; size 0: none. */
struct part {
    char *at;
    size_t size;
};

struct elf {
    int fd;
    uint64_t bytes; /* of the file */
    struct part sections;
    size_t nsections;
};

/* A table of symbols, and their names, which end in a NUL. */
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
    void *at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED)
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

/* The i-th symbol and its name; false after the last. */
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

/* Whether a section of notes has another build id. */
static bool is_other_note(const struct part *notes, const uint8_t *build_id, unsigned n)
{
    ElfW(Nhdr) note;
    for (size_t at = 0; notes->size - at >= sizeof note;) {
        memcpy(&note, notes->at + at, sizeof note);
        size_t name = ((size_t)note.n_namesz + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN;
        size_t value = ((size_t)note.n_descsz + NOTE_ALIGN - 1) / NOTE_ALIGN * NOTE_ALIGN;
        at += sizeof note;
        if (name > notes->size - at || value > notes->size - at - name)
            return false;
        if (note.n_type == NOTE_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(notes->at + at, "GNU", sizeof "GNU") == 0)
            return note.n_descsz < n || memcmp(notes->at + at + name, build_id, n) != 0;
        at += name + value;
    }
    return false;
}

static bool is_other(const struct elf *elf, const uint8_t *build_id, unsigned n)
{
    bool other = false;
    for (size_t i = 0; i < elf->nsections && n > 0 && !other; i++) {
        ElfW(Shdr) at = section(elf, i);
        if (at.sh_type != SHT_NOTE)
            continue;
        struct part notes = load(elf, at.sh_offset, at.sh_size);
        other = is_other_note(&notes, build_id, n);
        drop(&notes);
    }
    return other;
}

static void put_functions(struct output *out, const struct table *table)
{
    static const char letters[] = {[STB_LOCAL] = 't', [STB_GLOBAL] = 'T', [STB_WEAK] = 'W'};
    ElfW(Sym) symbol;
    const char *name;
    for (size_t i = 0; symbol_at(table, i, &symbol, &name); i++) {
        unsigned type = symbol.st_info & 0xf, bind = symbol.st_info >> 4;
        bool function = (type == STT_FUNC || type == STT_GNU_IFUNC) && symbol.st_shndx != SHN_UNDEF;
        if (!function || !name[0] || strlen(name) > NAME_MAX_BYTES || strpbrk(name, "\r\n\t"))
            continue;
        output_say(out, "%016" PRIx64 " ", (uint64_t)symbol.st_value);
        if (symbol.st_size > 0)
            output_say(out, "%016" PRIx64 " ", (uint64_t)symbol.st_size);
        output_say(out, "%c %s\n", bind < sizeof letters ? letters[bind] : 'T', name);
    }
}

bool symbols_write(const char *image, bool program, const uint8_t *build_id, unsigned n,
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
        put_functions(&out, whole.symbols.size > 0 ? &whole : &dynamic);
        good = output_finish(&out, name);
    }
    drop_table(&dynamic);
    drop_table(&whole);
    drop(&elf.sections);
    if (elf.fd >= 0)
        close(elf.fd);
    return good;
}
