/*
 * What lies at the addresses of a process, by the images that were in its memory and their
 * symbols; or, without images, by symbols of the addresses themselves.  pex(5), Symbols.
 */
#ifndef TRACE_ADDRESSES_H
#define TRACE_ADDRESSES_H

#include "trace/symbols.h"

/* An image in memory: [from, to), where an address less base is one of its file. */
struct image {
    char *path; /* "" where it is not known */
    uint64_t from, to, base;
    bool first;                    /* the program itself */
    const struct symbols **tables; /* of the caller, which outlive it */
    size_t ntables;
};

enum { ADDRESSES_KNOWN = 1024 }; /* a power of 2 */

/* What was found before, for one worker and one struct addresses; to be zeroed before. */
struct address_cache {
    struct address_known {
        bool is;
        uint64_t address;
        const struct symbol *symbol;
    } items[ADDRESSES_KNOWN];
};

struct addresses {
    struct image *images; /* by from, once sealed */
    size_t count, capacity;
    struct image everything; /* of what is in none of them */
};

/* Room for a name that is made of an address. */
enum { ADDRESS_ROOM = 256 };

void addresses_fini(struct addresses *addresses);

/* One more; the first one is the program itself.  False without memory. */
bool addresses_add_image(struct addresses *addresses, const char *path, uint64_t from, uint64_t to,
                         uint64_t base);

/* Symbols of the image of that path, or, where none has it, of that name without its folders; NULL:
 * of the program itself, or, where there are no images, of all addresses.  *found is false where
 * there is no such image.  False without memory. */
bool addresses_add_symbols(struct addresses *addresses, const char *image,
                           const struct symbols *symbols, bool *found);

/* After the last image and symbols. */
void addresses_seal(struct addresses *addresses);

/* The symbol around an address, or NULL.  O(log n), and less for one that is in the cache, which
 * may be NULL. */
const struct symbol *addresses_find(const struct addresses *addresses, struct address_cache *cache,
                                    uint64_t address);

/* Its name: of the symbol; without one "0x000004a8", by the program's file, and
 * "libm.so.6+0x000004a8" by another image's, as addr2line(1) takes them; in none of them as it is.
 * It is the symbol's, or in room, which has ADDRESS_ROOM bytes; *symbol (which may be NULL) as
 * addresses_find has it. */
csy_text addresses_name(const struct addresses *addresses, struct address_cache *cache,
                        uint64_t address, char *room, const struct symbol **symbol);

/* How far an address is from the begin of the symbol that was found there. */
uint64_t addresses_distance(const struct addresses *addresses, const struct symbol *symbol,
                            uint64_t address);

#endif
