/* Routines that events name: each once, by a number. */
#ifndef MEANING_ROUTINES_H
#define MEANING_ROUTINES_H

#include "base/keys.h"
#include "base/texts.h"
#include "trace/symbols.h"

/* The last number is that of all others. */
enum { ROUTINES_MAX = 65536 };

struct routine {
    const char *name; /* shown where it is not the key's text; NULL: it is */
    const char *file; /* NULL: not known */
    uint32_t line;    /* 0: not known */
};

/* Names that rules and symbols give must outlive it. */
struct routines {
    struct texts keys; /* name, and the file of a symbol that has one */
    struct routine *items;
    size_t count, capacity;
    struct keys addresses;
    uint32_t *of_addresses; /* by their numbers */
    size_t addresses_capacity;
};

/* The number of a routine by its name; or, of an address, by the symbol that it is in, or where
 * there is none (NULL) by text.  False on no memory. */
bool routines_name(struct routines *routines, const char *name, size_t size, uint32_t *out);
bool routines_address(struct routines *routines, uint64_t address, const struct symbol *symbol,
                      csy_text text, uint32_t *out);

/* The number of an address that was met; NO_TEXT: it was not. */
static inline uint32_t routines_known(const struct routines *routines, uint64_t address)
{
    uint32_t index;
    return keys_look(&routines->addresses, address, &index) ? routines->of_addresses[index]
                                                            : NO_TEXT;
}

/* Its name, size bytes. */
const char *routines_text(const struct routines *routines, uint32_t routine, size_t *size);

void routines_fini(struct routines *routines);

#endif
