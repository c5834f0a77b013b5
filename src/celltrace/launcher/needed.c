/* See needed.h: ELF, of the machine's own word size. */
#include "celltrace/launcher/needed.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { OWN_CLASS = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32, TEXT_MAX = 1 << 20 };

struct program {
    int fd; /* -1: it is no such program */
    ElfW(Ehdr) head;
};

static bool read_at(const struct program *p, void *out, size_t size, uint64_t at)
{
    return at <= INT64_MAX && pread(p->fd, out, size, (off_t)at) == (ssize_t)size;
}

static struct program open_program(const char *path)
{
    struct program p = {.fd = open(path, O_RDONLY | O_CLOEXEC)};
    if (p.fd >= 0 &&
        (!read_at(&p, &p.head, sizeof p.head, 0) || memcmp(p.head.e_ident, ELFMAG, SELFMAG) != 0 ||
         p.head.e_ident[EI_CLASS] != OWN_CLASS)) {
        close(p.fd);
        p.fd = -1;
    }
    return p;
}

static bool read_segment(const struct program *p, unsigned index, ElfW(Phdr) * out)
{
    return index < p->head.e_phnum &&
           read_at(p, out, sizeof *out, p->head.e_phoff + (uint64_t)index * sizeof *out);
}

static bool find_segment(const struct program *p, unsigned type, ElfW(Phdr) * out)
{
    for (unsigned i = 0; read_segment(p, i, out); i++)
        if (out->p_type == type)
            return true;
    return false;
}

bool needed_is_static(const char *path)
{
    ElfW(Phdr) segment;
    struct program p = open_program(path);
    if (p.fd < 0)
        return false;
    bool found = find_segment(&p, PT_INTERP, &segment);
    close(p.fd);
    return !found;
}

/* Where in the file an address of the program is. */
static bool place_of(const struct program *p, uint64_t address, uint64_t *out)
{
    ElfW(Phdr) segment;
    for (unsigned i = 0; read_segment(p, i, &segment); i++)
        if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
            address - segment.p_vaddr < segment.p_filesz) {
            *out = segment.p_offset + (address - segment.p_vaddr);
            return true;
        }
    return false;
}

/* The text of names; NULL: there is none. */
static char *read_names(const struct program *p, const ElfW(Dyn) * entries, size_t n, size_t *size)
{
    uint64_t address = 0, at = 0;
    *size = 0;
    for (size_t i = 0; i < n; i++) {
        address = entries[i].d_tag == DT_STRTAB ? entries[i].d_un.d_ptr : address;
        *size = entries[i].d_tag == DT_STRSZ ? (size_t)entries[i].d_un.d_val : *size;
    }
    if (*size == 0 || *size > TEXT_MAX || !place_of(p, address, &at))
        return NULL;
    char *text = malloc(*size);
    if (text && read_at(p, text, *size, at) && !text[*size - 1])
        return text;
    free(text);
    return NULL;
}

static bool is_any(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

static bool search(const struct program *p, const ElfW(Dyn) * entries, size_t nentries,
                   const char *const *names, size_t n)
{
    size_t size;
    bool found = false;
    char *text = read_names(p, entries, nentries, &size);
    for (size_t i = 0; text && i < nentries && !found; i++)
        found = entries[i].d_tag == DT_NEEDED && entries[i].d_un.d_val < size &&
                is_any(text + entries[i].d_un.d_val, names, n);
    free(text);
    return found;
}

bool needed_has(const char *path, const char *const *names, size_t n)
{
    ElfW(Phdr) segment;
    struct program p = open_program(path);
    bool found = false;
    if (p.fd < 0)
        return false;
    if (find_segment(&p, PT_DYNAMIC, &segment) && segment.p_filesz <= TEXT_MAX) {
        ElfW(Dyn) *entries = malloc((size_t)segment.p_filesz + 1);
        if (entries && read_at(&p, entries, (size_t)segment.p_filesz, segment.p_offset))
            found = search(&p, entries, (size_t)segment.p_filesz / sizeof *entries, names, n);
        free(entries);
    }
    close(p.fd);
    return found;
}
