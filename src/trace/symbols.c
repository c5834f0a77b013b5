/* Symbols, by their addresses. */
#include "trace/symbols.h"

#include "base/array.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 64 }; /* back from an address to a symbol around it */

void symbols_clean(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

void symbols_fini(struct symbols *symbols)
{
    for (size_t i = 0; i < symbols->ntexts; i++)
        free(symbols->texts[i]);
    free(symbols->texts);
    free(symbols->items);
    free(symbols->reach);
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
    symbols_clean(text);
    symbols_clean(second);
    symbols->items[symbols->count++] =
        (struct symbol){at, size, text, file && *file ? second : NULL, line, 0};
    return true;
}

static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *x = a, *y = b;
    int names = strcmp(x->name, y->name);
    return x->at != y->at       ? (x->at < y->at ? -1 : 1)
           : x->rank != y->rank ? (x->rank < y->rank ? -1 : 1)
           : x->size != y->size ? (x->size > y->size ? -1 : 1)
                                : names;
}

/* Of several at one address one stays, with what others say more of it. */
static size_t unite(struct symbol *items, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
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
    return kept;
}

bool symbols_seal(struct symbols *symbols)
{
    size_t capacity = 0;
    free(symbols->reach);
    symbols->reach = NULL;
    if (!ARRAY_RESERVE(symbols->reach, capacity, symbols->count + 1))
        return false;
    if (symbols->count > 1)
        qsort(symbols->items, symbols->count, sizeof *symbols->items, compare_symbols);
    symbols->count = unite(symbols->items, symbols->count);
    uint64_t reach = 0;
    for (size_t i = 0; i < symbols->count; i++) {
        struct symbol *symbol = &symbols->items[i];
        uint64_t next = i + 1 < symbols->count ? symbol[1].at : UINT64_MAX;
        /* What has no size, and is within another one, is a label of it. */
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
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (symbols->items[middle].at <= address)
            low = middle + 1;
        else
            high = middle;
    }
    for (unsigned steps = 0; low-- > 0 && steps < STEPS_MAX; steps++) {
        const struct symbol *symbol = &symbols->items[low];
        if (address - symbol->at < symbol->size)
            return symbol;
        if (symbols->reach[low] <= address)
            return NULL;
    }
    return NULL;
}
