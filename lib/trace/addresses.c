/* See addresses.h. A search finds the image of an address, then its symbol. */
#include "trace/addresses.h"
#include "base/ascii.h"

#include "base/array.h"
#include "base/error.h"
#include "base/sort.h"
#include "io/path.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- Text of nm and addr2line -------------------------------------------------------------- */

enum { TEXT_MAX = 512 * 1024 * 1024 };

/* If several symbols have one address, the symbol with the lowest rank is kept. */
enum rank { RANK_GLOBAL, RANK_WEAK, RANK_LOCAL, RANK_ADDR2LINE };

/* The kind of line that must follow in the output of addr2line. */
enum expected { ANYTHING, NAME, PLACE };

struct listing {
    struct symbols *symbols;
    enum expected expected;
    uint64_t address; /* the last address that addr2line printed */
    char *name;       /* name of the function that contains `address`, or NULL */
    bool told;
};

/* Read a hexadecimal number, and move *at past it. Returns false unless it has 1 to 16 digits. */
static bool take_hex(char **at, uint64_t *out)
{
    char *start = *at;
    *out = 0;
    for (; ascii_hex(**at) >= 0; ++*at)
        *out = *out << 4 | (unsigned)ascii_hex(**at);
    return *at > start && *at - start <= 16;
}

/* Replace control characters by question marks, because they could break lines of reports. */
static void clean(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

static bool is_unknown(const char *text)
{
    return strcmp(text, "??") == 0 || strcmp(text, "?") == 0;
}

/* Split a text FILE:LINE. *file is NULL for "??". Returns false for any other text. */
static bool take_place(char *text, char **file, uint32_t *line)
{
    char *extra = strstr(text, " (discriminator ");
    if (extra)
        *extra = 0;
    char *colon = strrchr(text, ':'), *at = colon ? colon + 1 : NULL;
    uint64_t number = 0;
    if (!colon || (!*at || (strcmp(at, "?") != 0 && at[strspn(at, "0123456789")])))
        return false;
    for (; *at >= '0' && *at <= '9' && number <= UINT32_MAX; at++)
        number = 10 * number + (unsigned)(*at - '0');
    *colon = 0;
    clean(text);
    *file = !*text || is_unknown(text) ? NULL : text;
    *line = number <= UINT32_MAX && *file ? (uint32_t)number : 0;
    return true;
}

/* Add a symbol. Its texts are not copied, because they are part of the loaded file. */
static bool keep(struct listing *r, struct symbol symbol)
{
    struct symbols *s = r->symbols;
    clean(unconst(symbol.name));
    if (!*symbol.name || is_unknown(symbol.name))
        return true;
    return ARRAY_PUSH(s->items, s->count, s->capacity, symbol);
}

/* Read a line of nm: [ADDRESS [SIZE]] TYPE NAME [TAB FILE:LINE]. Skips lines without ADDRESS. */
static bool take_nm(struct listing *r, char *at, bool *good)
{
    uint64_t address = 0, size = 0;
    uint32_t line = 0;
    char *file = NULL, *tab;
    bool blank = *at == ' ';
    at += strspn(at, " ");
    if (!blank && (!take_hex(&at, &address) || *at++ != ' '))
        return false;
    if (!blank && *at && at[1] != ' ' && (!take_hex(&at, &size) || *at++ != ' '))
        return false;
    char type = *at;
    if (!((type >= 'A' && type <= 'Z') || (type >= 'a' && type <= 'z') || type == '-' ||
          type == '?') ||
        at[1] != ' ')
        return false;
    at += 2;
    if ((tab = strrchr(at, '\t')) != NULL && take_place(tab + 1, &file, &line))
        *tab = 0;
    enum rank rank = type == 'T' ? RANK_GLOBAL : type == 't' ? RANK_LOCAL : RANK_WEAK;
    if (!blank && strchr("TtWwi", type))
        *good = keep(r, (struct symbol){address, size, at, file, line, rank});
    return true;
}

/* Read a line "NAME at FILE:LINE", as addr2line -p prints it. */
static bool take_pretty(struct listing *r, char *at, bool *good)
{
    uint32_t line = 0;
    char *file = NULL, *name = at, *last = NULL;
    while ((at = strstr(at, " at ")) != NULL)
        last = at++;
    if (last)
        *last = 0;
    if (last ? !take_place(last + 4, &file, &line) : !take_place(name, &file, &line))
        return false;
    if (last)
        *good = keep(r, (struct symbol){r->address, 1, name, file, line, RANK_ADDR2LINE});
    return true;
}

/* Read a line of nm or addr2line. Returns false for others. *good is false if memory runs out. */
static bool take_line(struct listing *r, char *at, bool *good)
{
    size_t size = strlen(at);
    if (at[0] == '0' && at[1] == 'x') {
        at += 2;
        r->told = false;
        r->name = NULL;
        if (!take_hex(&at, &r->address))
            return false;
        r->expected = *at ? ANYTHING : NAME;
        return !*at || (strncmp(at, ": ", 2) == 0 && take_pretty(r, at + 2, good));
    }
    if (r->expected != ANYTHING && size > 0) {
        uint32_t line = 0;
        char *file = NULL;
        bool place = take_place(at, &file, &line);
        if (r->expected == NAME && !place) {
            r->name = at;
            r->expected = PLACE;
            return true;
        }
        if (place && r->name && !r->told)
            *good = keep(r, (struct symbol){r->address, 1, r->name, file, line, RANK_ADDR2LINE});
        r->told = true;
        r->expected = NAME;
        return place;
    }
    if (strncmp(at, " (inlined by) ", 14) == 0)
        return true;
    /* nm prints a line "IMAGE:" */
    return size == 0 || take_nm(r, at, good) || at[size - 1] == ':';
}

csy_status symbols_read(struct symbols *symbols, int fd, const char *name, csy_error *error)
{
    struct listing r = {.symbols = symbols};
    char *text = NULL;
    size_t capacity = 0, size, rest;
    ssize_t got = 0;
    uint64_t number = 0;
    bool ended = false, good = true;
    csy_status status = CSY_OK;
    /* Stop at a NUL, because the rest of a sparse file may be huge. A NUL is refused below. */
    for (size = 0; !ended && !status; size += got > 0 ? (size_t)got : 0) {
        if (size > TEXT_MAX)
            status = error_set(error, CSY_INPUT, "%s: more than %d MiB of symbols", name,
                               TEXT_MAX / 1024 / 1024);
        else if (!ARRAY_RESERVE(text, capacity, size + (size_t)BUFSIZ + 1))
            status = error_memory(error);
        do /* a signal may interrupt reading from a pipe */
            got = status ? 0 : read(fd, text + size, capacity - size - 1);
        while (got < 0 && errno == EINTR);
        if (got < 0)
            status = error_io(error, name, NULL);
        ended = got <= 0 || memchr(text + size, 0, (size_t)got);
    }
    if (!status && !ARRAY_PUSH(symbols->texts, symbols->ntexts, symbols->texts_capacity, text))
        status = error_memory(error);
    if (status) {
        free(text);
        return status;
    }
    for (char *at = text, *end; at < text + size && good; at = end + 1) {
        number++;
        end = memchr(at, '\n', (size_t)(text + size - at));
        end = end ? end : text + size;
        rest = (size_t)(end - at) - (end > at && end[-1] == '\r');
        at[rest] = 0;
        if (strlen(at) < rest || !take_line(&r, at, &good))
            return error_set(error, CSY_INPUT,
                             "%s: line %" PRIu64 ": this line was not written by nm or addr2line",
                             name, number);
    }
    return good ? CSY_OK : error_memory(error);
}

enum { STEPS_MAX = 64 }; /* greatest number of symbols that symbols_find examines for an address */

void symbols_fini(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->ntexts; i++)
        free(symbols->texts[i]);
    FREE_ALL(symbols->texts, symbols->items, symbols->reach);
    *symbols = (struct symbols){0};
}

bool symbols_add(struct symbols *symbols, uint64_t at, uint64_t size, const char *name,
                 const char *file, uint32_t line)
{
    if (!*name)
        return true;
    if (!ARRAY_RESERVE(symbols->items, symbols->capacity, symbols->count + 1) ||
        !ARRAY_RESERVE(symbols->texts, symbols->texts_capacity, symbols->ntexts + 1))
        return false;
    size_t named = strlen(name) + 1, more = file ? strlen(file) + 1 : 1;
    char *text = malloc(named + more), *second = text ? text + named : NULL;
    if (!text)
        return false;
    symbols->texts[symbols->ntexts++] = text;
    memcpy(text, name, named);
    memcpy(second, file ? file : "", more);
    clean(text);
    clean(second);
    symbols->items[symbols->count++] =
        (struct symbol){at, size, text, file && *file ? second : NULL, line, 0};
    return true;
}

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    return COMPARE_THEN(
        x->at, y->at,
        COMPARE_THEN(x->rank, y->rank, COMPARE_THEN(y->size, x->size, strcmp(x->name, y->name))));
}

bool symbols_seal(struct symbols *symbols)
{
    struct symbol *items = symbols->items;
    size_t capacity = 0, kept = 0;
    uint64_t reach = 0;
    free(symbols->reach);
    symbols->reach = NULL;
    if (!ARRAY_RESERVE(symbols->reach, capacity, symbols->count + 1))
        return false;
    SORT(items, symbols->count, compare_symbols);
    /* Keep the first symbol of each address. Others provide a missing size or source file. */
    for (size_t i = 0; i < symbols->count; i++) {
        struct symbol *last = kept ? &items[kept - 1] : NULL;
        if (!last || last->at != items[i].at) {
            items[kept++] = items[i];
            continue;
        }
        last->size = last->size ? last->size : items[i].size;
        if (!last->file) {
            last->file = items[i].file;
            last->line = items[i].line;
        }
    }
    symbols->count = kept;
    for (size_t i = 0; i < kept; i++) {
        struct symbol *symbol = &items[i];
        uint64_t next = i + 1 < kept ? symbol[1].at : UINT64_MAX;
        /* A symbol of size 0 is a label. It may extend to the end of a surrounding symbol. */
        uint64_t most = symbol->at < reach && reach < next ? reach : next;
        if (symbol->size == 0)
            symbol->size = most - symbol->at;
        uint64_t end =
            symbol->size > UINT64_MAX - symbol->at ? UINT64_MAX : symbol->at + symbol->size;
        reach = end > reach ? end : reach;
        symbols->reach[i] = reach;
    }
    return true;
}

const struct symbol *symbols_find(const struct symbols *symbols, uint64_t address)
{
    size_t low = 0, high = symbols->count;
    BISECT(low, high, middle, symbols->items[middle].at <= address);
    for (unsigned steps = 0; low-- > 0 && steps < STEPS_MAX; steps++) {
        const struct symbol *symbol = &symbols->items[low];
        if (address - symbol->at < symbol->size)
            return symbol;
        if (symbols->reach[low] <= address)
            return NULL;
    }
    return NULL;
}

/* --- Addresses of a process ---------------------------------------------------------------- */

static void image_fini(struct image *image)
{
    FREE_ALL(image->path, unconst(image->tables));
}

void addresses_fini(struct addresses *addresses)
{
    for (size_t i = 0; i < addresses->count; i++)
        image_fini(&addresses->images[i]);
    image_fini(&addresses->everything);
    free(addresses->images);
    *addresses = (struct addresses){0};
}

bool addresses_add_image(struct addresses *addresses, const char *path, uint64_t from, uint64_t to,
                         uint64_t base)
{
    if (!ARRAY_RESERVE(addresses->images, addresses->capacity, addresses->count + 1))
        return false;
    char *copy = strdup(path);
    if (!copy)
        return false;
    clean(copy);
    addresses->images[addresses->count] =
        (struct image){.path = copy, .from = from, .to = to, .base = base};
    addresses->images[addresses->count].first = addresses->count == 0;
    addresses->count++;
    return true;
}

bool addresses_add_symbols(struct addresses *addresses, const char *image,
                           const struct symbols *symbols, bool *found)
{
    struct image *to = image || addresses->count > 0 ? NULL : &addresses->everything;
    for (size_t i = 0; i < addresses->count && !to; i++)
        if (image ? strcmp(addresses->images[i].path, image) == 0 : addresses->images[i].first)
            to = &addresses->images[i];
    for (size_t i = 0; image && i < addresses->count && !to; i++)
        if (strcmp(path_name(addresses->images[i].path), path_name(image)) == 0)
            to = &addresses->images[i];
    *found = to != NULL;
    if (!to)
        return true;
    size_t capacity = to->ntables;
    /* An array of pointers: NOLINTNEXTLINE(bugprone-sizeof-expression) */
    return ARRAY_PUSH(to->tables, to->ntables, capacity, symbols);
}

static int compare_images(const void *a, const void *b)
{
    const struct image *x = a, *y = b;
    return COMPARE_THEN(x->from, y->from, strcmp(x->path, y->path));
}

void addresses_seal(struct addresses *addresses)
{
    SORT(addresses->images, addresses->count, compare_images);
}

static const struct image *image_around(const struct addresses *a, uint64_t address)
{
    size_t low = 0, high = a->count;
    BISECT(low, high, middle, a->images[middle].from <= address);
    return low > 0 && address < a->images[low - 1].to ? &a->images[low - 1] : &a->everything;
}

const struct symbol *addresses_find(const struct addresses *addresses, struct address_cache *cache,
                                    uint64_t address)
{
    const uint64_t spread = UINT64_C(0x9e3779b97f4a7c15); /* 2^64 divided by the golden ratio */
    const unsigned shift = 32;
    size_t slot = (address * spread >> shift) & (ADDRESSES_KNOWN - 1);
    struct address_known *known = cache ? &cache->items[slot] : NULL;
    if (known && known->is && known->address == address)
        return known->symbol;
    const struct image *image = image_around(addresses, address);
    const struct symbol *found = NULL;
    for (size_t i = 0; i < image->ntables && !found; i++)
        found = symbols_find(image->tables[i], address - image->base);
    if (known)
        *known = (struct address_known){true, address, found};
    return found;
}

csy_text addresses_name(const struct addresses *addresses, struct address_cache *cache,
                        uint64_t address, char *room, const struct symbol **symbol)
{
    const struct symbol *found = addresses_find(addresses, cache, address);
    if (symbol)
        *symbol = found;
    if (found)
        return (csy_text){found->name, strlen(found->name)};
    const struct image *image = image_around(addresses, address);
    const char *name = image->path && !image->first ? path_name(image->path) : "";
    int n = snprintf(room, ADDRESS_ROOM, "%.200s%s0x%08" PRIx64, name, *name ? "+" : "",
                     address - image->base);
    return (csy_text){room, n > 0 ? (size_t)n : 0};
}

uint64_t addresses_distance(const struct addresses *addresses, const struct symbol *symbol,
                            uint64_t address)
{
    return address - image_around(addresses, address)->base - symbol->at;
}
