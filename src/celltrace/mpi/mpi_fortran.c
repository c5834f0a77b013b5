/*
 * See mpi_fortran.h.  The loader has stored the addresses of functions that a library calls in a
 * table of that library, and where it has no more to store made part of it read-only.
 */
#include "celltrace/mpi/mpi_fortran.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Relocations that are the address of a function, and nothing more; of other machines none is
 * known. */
#if defined(__x86_64__) && defined(__LP64__)
enum { TO_CALL = R_X86_64_JUMP_SLOT, TO_KNOW = R_X86_64_GLOB_DAT };
#elif defined(__aarch64__) && defined(__LP64__)
enum { TO_CALL = R_AARCH64_JUMP_SLOT, TO_KNOW = R_AARCH64_GLOB_DAT };
#else
enum { TO_CALL = -1, TO_KNOW = -1 };
#endif

#if __ELF_NATIVE_CLASS == 64
#define RELOCATION_TYPE ELF64_R_TYPE
#define RELOCATION_SYMBOL ELF64_R_SYM
#else
#define RELOCATION_TYPE ELF32_R_TYPE
#define RELOCATION_SYMBOL ELF32_R_SYM
#endif

/* Of a library that is loaded. */
struct library {
    const struct dl_phdr_info *info;
    const ElfW(Sym) * symbols;
    const char *names;
    uint64_t constant_from, constant_to; /* addresses that were made read-only */
};

static bool is_of_fortran(const char *path)
{
    static const char *const names[] = {"libmpichfort.so", "libmpifort.so", "libmpi_mpifh"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Addresses that the loader tells. */
static void *at_address(uint64_t address)
{
    return (void *)(uintptr_t)address; /* NOLINT(performance-no-int-to-ptr) */
}

/* Some loaders add the library's own address to those of its dynamic section, and some do not. */
static void *pointer(const struct library *library, const ElfW(Dyn) * entry)
{
    uint64_t base = library->info->dlpi_addr, at = entry ? entry->d_un.d_ptr : 0;
    return at_address(at && at < base ? at + base : at);
}

static const ElfW(Dyn) * find(const ElfW(Dyn) * dynamic, int64_t tag)
{
    for (; dynamic->d_tag != DT_NULL; dynamic++)
        if (dynamic->d_tag == tag)
            return dynamic;
    return NULL;
}

/* Our function that is called in place of PMPI_NAME, or NULL.  What returns what is found where the
 * caller said later is not taken: in C that is the program's, here a variable of the binding's. */
static void *replacement(const char *name)
{
    Dl_info self, other;
    if (strncmp(name, "PMPI_", 5) != 0 || strncmp(name + 5, "Comm_idup", 9) == 0)
        return NULL;
    void *found = dlsym(RTLD_DEFAULT, name + 1);
    return found && dladdr(found, &other) && dladdr(at_address((uintptr_t)is_of_fortran), &self) &&
                   other.dli_fbase == self.dli_fbase
               ? found
               : NULL;
}

static void replace(const struct library *library, const ElfW(Rela) * relocations, size_t n)
{
    for (size_t i = 0; relocations && i < n; i++) {
        int type = (int)RELOCATION_TYPE(relocations[i].r_info);
        size_t symbol = RELOCATION_SYMBOL(relocations[i].r_info);
        if ((type != TO_CALL && type != TO_KNOW) || symbol == 0)
            continue;
        void *ours = replacement(library->names + library->symbols[symbol].st_name);
        void **place = at_address(library->info->dlpi_addr + relocations[i].r_offset);
        if (ours)
            __atomic_store_n(place, ours, __ATOMIC_RELEASE);
    }
}

/* What was made read-only is so again afterwards. */
static bool open_constants(const struct library *library, int protection)
{
    uint64_t from = library->constant_from, to = library->constant_to;
    return from >= to || mprotect(at_address(from), (size_t)(to - from), protection) == 0;
}

static void take(struct library *library, const ElfW(Dyn) * dynamic)
{
    const ElfW(Dyn) *calls = find(dynamic, DT_PLTRELSZ), *kind = find(dynamic, DT_PLTREL);
    const ElfW(Dyn) *others = find(dynamic, DT_RELASZ);
    library->symbols = pointer(library, find(dynamic, DT_SYMTAB));
    library->names = pointer(library, find(dynamic, DT_STRTAB));
    if (!library->symbols || !library->names || !open_constants(library, PROT_READ | PROT_WRITE))
        return;
    if (calls && kind && kind->d_un.d_val == DT_RELA)
        replace(library, pointer(library, find(dynamic, DT_JMPREL)),
                calls->d_un.d_val / sizeof(ElfW(Rela)));
    if (others)
        replace(library, pointer(library, find(dynamic, DT_RELA)),
                others->d_un.d_val / sizeof(ElfW(Rela)));
    open_constants(library, PROT_READ);
}

static int see(struct dl_phdr_info *info, size_t size, void *user)
{
    (void)size, (void)user;
    struct library library = {.info = info};
    const ElfW(Dyn) *dynamic = NULL;
    uint64_t unit = (uint64_t)sysconf(_SC_PAGESIZE);
    if (TO_CALL < 0 || !is_of_fortran(info->dlpi_name))
        return 0;
    for (unsigned i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        uint64_t from = info->dlpi_addr + segment->p_vaddr;
        if (segment->p_type == PT_DYNAMIC)
            dynamic = at_address(from);
        if (segment->p_type == PT_GNU_RELRO) { /* as the loader rounds it */
            library.constant_from = from / unit * unit;
            library.constant_to = (from + segment->p_memsz) / unit * unit;
        }
    }
    if (dynamic)
        take(&library, dynamic);
    return 0;
}

void mpi_take_fortran(void)
{
    dl_iterate_phdr(see, NULL);
}
