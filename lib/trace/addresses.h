/* Names for the addresses of a process. Each program and library is an image, with tables of
 * symbols (names and addresses). A table without an image covers all addresses. See
 * cellsync-events(5), SYMBOLS. */
#ifndef TRACE_ADDRESSES_H
#define TRACE_ADDRESSES_H

#include <cellsync/cellsync.h>

/* --- Symbols: the output of nm(1) and addr2line(1) ----------------------------------------- */

struct symbol {
    uint64_t at, size; /* address and size in the file; size 0 means up to the next symbol */
    const char *name;  /* name of the symbol; not empty, and without control characters */
    const char *file;  /* name of the source file, or NULL */
    uint32_t line;     /* line in the source file, or 0 if unknown */
    uint32_t rank;     /* of the symbols at one address, the one with the lowest rank is kept */
};

struct symbols {
    struct symbol *items; /* symbols_seal sorts them by `at`, and keeps one for each address */
    size_t count, capacity;
    uint64_t *reach; /* for each item: greatest end address up to this item */
    char **texts;    /* memory for the names and source files of the items */
    size_t ntexts, texts_capacity;
};

void symbols_fini(struct symbols *symbols);

/* Add a symbol and copy its texts; `file` may be NULL. Returns false if memory runs out. */
bool symbols_add(struct symbols *symbols, uint64_t at, uint64_t size, const char *name,
                 const char *file, uint32_t line);

/* Add the code symbols in the output of `nm -S -l`, `nm`, or `addr2line -a -f`. Returns CSY_INPUT
 * for any other line. The memory is the size of the file and 48 bytes for each symbol. */
csy_status symbols_read(struct symbols *symbols, int fd, const char *name, csy_error *error);

/* Sort the symbols after the last one was added. Returns false if memory runs out. O(n log n). */
bool symbols_seal(struct symbols *symbols);

/* Returns the innermost symbol around an address, or NULL. Call symbols_seal before. O(log n). */
const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address);

/* --- Addresses ------------------------------------------------------------------------------ */

/* A program or library at the addresses [from, to). Addresses in its file are less by `base`. */
struct image {
    char *path; /* path of the image, or "" if unknown */
    uint64_t from, to, base;
    bool first;                    /* true if the image is the program itself, not a library */
    const struct symbols **tables; /* borrowed from the caller */
    size_t ntables;
};

enum { ADDRESSES_KNOWN = 1024 }; /* number of cached addresses, a power of 2 */

/* A cache of found symbols. Each worker needs one for each struct addresses. Initially zeros. */
struct address_cache {
    struct address_known {
        bool is;
        uint64_t address;
        const struct symbol *symbol;
    } items[ADDRESSES_KNOWN];
};

struct addresses {
    struct image *images; /* addresses_seal sorts them by `from` */
    size_t count, capacity;
    struct image everything; /* the image for addresses outside all `images` */
};

/* Size in bytes of the buffer for a name that addresses_name makes from an address. */
enum { ADDRESS_ROOM = 256 };

void addresses_fini(struct addresses *addresses);

/* Add an image and copy `path`. The first one is the program. Returns false if memory runs out. */
bool addresses_add_image(struct addresses *addresses, const char *path, uint64_t from, uint64_t to,
                         uint64_t base);

/* Add a table to the image with the path `image` or, if there is none, to the first image with this
 * file name. NULL means the program or, without images, all addresses. *found is false if no image
 * fits. The table must outlive `addresses`. Returns false if memory runs out. */
bool addresses_add_symbols(struct addresses *addresses, const char *image,
                           const struct symbols *symbols, bool *found);

/* Sort the images. Call this after the last image was added, and before the first search. */
void addresses_seal(struct addresses *addresses);

/* Returns the symbol around an address, or NULL. The cache may be NULL. O(log n); cached: O(1). */
const struct symbol *addresses_find(const struct addresses *addresses, struct address_cache *cache,
                                    uint64_t address);

/* Returns the name of the symbol that contains an address. Without a symbol, the result is the
 * address in the file, for addr2line(1): "0x000004a8" in the program, or "libm.so.6+0x000004a8" in
 * a library. An address outside all images stays as it is. The text belongs to the symbol, or is in
 * `room`, which has ADDRESS_ROOM bytes. Unless `symbol` is NULL, *symbol is set to the result of
 * addresses_find. */
csy_text addresses_name(const struct addresses *addresses, struct address_cache *cache,
                        uint64_t address, char *room, const struct symbol **symbol);

/* Returns the number of bytes from the start of a symbol to an address inside the symbol. */
uint64_t addresses_distance(const struct addresses *addresses, const struct symbol *symbol,
                            uint64_t address);

#endif
