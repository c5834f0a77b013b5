/* Symbols, which name the addresses in a program or library. The programs nm(1) and addr2line(1)
 * print them. See cellsync-events(5), SYMBOLS. */
#ifndef TRACE_SYMBOLS_H
#define TRACE_SYMBOLS_H

#include <cellsync/cellsync.h>

struct symbol {
    uint64_t at, size; /* address and size in the file; size 0 means up to the next symbol */
    const char *name;  /* name of the symbol; not empty, and without control characters */
    const char *file;  /* name of the source file, or NULL */
    uint32_t line;     /* line in the source file, or 0 if unknown */
    uint32_t rank;     /* if several symbols have the same address, the one with the lowest rank is
                        * kept */
};

struct symbols {
    struct symbol *items; /* the symbols; symbols_seal sorts them by address, and keeps one for each
                           * address */
    size_t count, capacity;
    uint64_t *reach; /* for each item: the greatest end address of all items up to it */
    char **texts;    /* memory for the names and source files of the items */
    size_t ntexts, texts_capacity;
};

/* Replace control characters by question marks, because they could break lines of reports. */
void symbols_clean(char *text);

void symbols_fini(struct symbols *symbols);

/* Add a symbol and copy its texts; `file` may be NULL. Returns false if memory runs out. */
bool symbols_add(struct symbols *symbols, uint64_t at, uint64_t size, const char *name,
                 const char *file, uint32_t line);

/* Read the output of `nm -S -l`, `nm`, or `addr2line -a -f`, and add its code symbols. Returns
 * CSY_INPUT for a line that none of these programs prints. The memory is the size of the file and
 * 48 bytes for each symbol. */
csy_status symbols_read(struct symbols *symbols, int fd, const char *name, csy_error *error);

/* Sort the symbols after the last one was added. Returns false if memory runs out. O(n log n). */
bool symbols_seal(struct symbols *symbols);

/* Returns the innermost symbol that contains an address, or NULL. symbols_seal must have been
 * called. O(log n). */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

#endif
