/*
 * Names for the addresses of a process.  Each image (program or library) that was mapped into its
 * memory has tables of symbols; if no image is known, a symbol table covers all addresses.  See
 * cellsync-events(5), SYMBOLS.
 */
#ifndef TRACE_ADDRESSES_H
#define TRACE_ADDRESSES_H

#include "trace/symbols.h"

/* An image in memory at [from, to).  An address minus `base` is an address in the image's file. */
struct image {
    char *path; /* "" if unknown */
    uint64_t from, to, base;
    bool first;                    /* the program itself */
    const struct symbols **tables; /* owned by the caller, which keeps them longer than this */
    size_t ntables;
};

enum { ADDRESSES_KNOWN = 1024 }; /* a power of 2 */

/* Results of earlier searches, for one worker and one struct addresses.  Initialize it to zeros. */
struct address_cache {
    struct address_known {
        bool is;
        uint64_t address;
        const struct symbol *symbol;
    } items[ADDRESSES_KNOWN];
};

struct addresses {
    struct image *images; /* sorted by `from` after addresses_seal */
    size_t count, capacity;
    struct image everything; /* for addresses outside all images */
};

/* Bytes of the buffer for a name that is made from an address. */
enum { ADDRESS_ROOM = 256 };

void addresses_fini(struct addresses *addresses);

/* Add an image and copy its path.  The first image added is the program itself.  Returns false if
 * memory runs out. */
bool addresses_add_image(struct addresses *addresses, const char *path, uint64_t from, uint64_t to,
                         uint64_t base);

/* Add symbols to the image with the path `image`; if no image has this path, to the first one with
 * the same file name.  If `image` is NULL, they belong to the program itself or, if there are no
 * images, to all addresses.  *found is false if there is no such image.  The caller keeps the
 * symbols until addresses_fini.  Returns false if memory runs out. */
bool addresses_add_symbols(struct addresses *addresses, const char *image,
                           const struct symbols *symbols, bool *found);

/* Sort the images.  Call it once, after all images and symbols are added and before the first
 * search. */
void addresses_seal(struct addresses *addresses);

/* The symbol around an address, or NULL.  The cache may be NULL.  O(log n); O(1) if the cache
 * contains the address. */
const struct symbol *addresses_find(const struct addresses *addresses, struct address_cache *cache,
                                    uint64_t address);

/* The name of an address: the name of its symbol or, without a symbol, a form that addr2line(1)
 * accepts:
 *   0x000004a8               in the program: an address of its file
 *   libm.so.6+0x000004a8     in another image: the same
 * Outside all images the address stays as it is.  The text belongs to the symbol, or is written to
 * `room`, which has ADDRESS_ROOM bytes.  Unless `symbol` is NULL, *symbol is set to the result of
 * addresses_find. */
csy_text addresses_name(const struct addresses *addresses, struct address_cache *cache,
                        uint64_t address, char *room, const struct symbol **symbol);

/* Bytes from the begin of a symbol to an address for which addresses_find returned it. */
uint64_t addresses_distance(const struct addresses *addresses, const struct symbol *symbol,
                            uint64_t address);

#endif
