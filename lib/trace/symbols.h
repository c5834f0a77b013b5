/* Symbols name the addresses of an image, which is a program or a library. nm(1) and addr2line(1)
 * print them. See cellsync-events(5), SYMBOLS. */
#ifndef TRACE_SYMBOLS_H
#define TRACE_SYMBOLS_H

#include <cellsync/cellsync.h>

struct symbol {
    uint64_t at, size; /* address and size in the image's file; size 0: up to the next symbol */
    const char *name;  /* name of the symbol; not empty, and without control characters */
    const char *file;  /* source file, or NULL */
    uint32_t line;     /* line in the source file; 0: unknown */
    uint32_t rank;     /* if several symbols have one address, the lowest rank counts */
};

struct symbols {
    struct symbol *items; /* the symbols; symbols_seal sorts them, and keeps one per address */
    size_t count, capacity;
    uint64_t *reach; /* for each item: the greatest end of this item and all items before it */
    char **texts;    /* the storage of names and files */
    size_t ntexts, texts_capacity;
};

/* Replace control characters by question marks, because they could break lines of reports. */
void symbols_clean(char *text);

void symbols_fini(struct symbols *symbols);

/* Add a symbol and copy its texts; `file` may be NULL. Returns false if memory runs out. */
bool symbols_add(struct symbols *symbols, uint64_t at, uint64_t size, const char *name,
                 const char *file, uint32_t line);

/* Add all code symbols in the output of `nm -S -l`, `nm`, or `addr2line -a -f`, in any order. Data
 * and undefined symbols are skipped. Returns CSY_INPUT for a line that none of these programs
 * prints. Memory holds the file, and 48 bytes per symbol. */
csy_status symbols_read(struct symbols *symbols, int fd, const char *name, csy_error *error);

/* Sort the symbols after the last one was added. Returns false if memory runs out. O(n log n). */
bool symbols_seal(struct symbols *symbols);

/* Returns the innermost symbol around an address, or NULL. Call symbols_seal before. O(log n). */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

#endif
