/*
 * Symbols: what lies at the addresses of an image, which is a program or a library; as nm(1) and
 * addr2line(1) print it.  pex(5), Symbols.
 */
#ifndef TRACE_SYMBOLS_H
#define TRACE_SYMBOLS_H

#include <cellsync/cellsync.h>

struct symbol {
    uint64_t at, size; /* addresses of the image's file; size 0: as far as the next one */
    const char *name;  /* anything but control characters, never empty */
    const char *file;  /* of its source, or NULL */
    uint32_t line;     /* 0: not known */
    uint32_t rank;     /* of several at one address the least one counts */
};

struct symbols {
    struct symbol *items; /* once sealed by address, one each */
    size_t count, capacity;
    uint64_t *reach; /* the greatest end up to each */
    char **texts;    /* that names and files point into */
    size_t ntexts, texts_capacity;
};

/* Texts come from anywhere: what would break a line becomes a question mark. */
void symbols_clean(char *text);

void symbols_fini(struct symbols *symbols);

/* One more, whose texts (file may be NULL) are copied; false without memory. */
bool symbols_add(struct symbols *symbols, uint64_t at, uint64_t size, const char *name,
                 const char *file, uint32_t line);

/* All of the code that a file lists as nm -S -l, nm, or addr2line -a -f do, in any order: other
 * symbols, and those of other files, are passed over.  CSY_INPUT and "NAME: line N: ..." where a
 * line is not one of theirs.  Takes the file's size and 48 bytes a symbol. */
csy_status symbols_read(struct symbols *symbols, int fd, const char *name, csy_error *error);

/* After the last one was added; false without memory.  O(n log n). */
bool symbols_seal(struct symbols *symbols);

/* The innermost one around an address, or NULL; once they are sealed.  O(log n). */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

#endif
