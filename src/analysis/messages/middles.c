/* Middles: how often a value is among those of a slot. */
#include "analysis/messages/middles.h"

#include "base/array.h"

#include <stdlib.h>

/* What an item is found by. */
struct key {
    int64_t bin;
    uint32_t slot, unused;
};

void middles_init(struct middles *middles, size_t most)
{
    *middles = (struct middles){.most = most};
}

void middles_fini(struct middles *middles)
{
    free(middles->items);
    texts_fini(&middles->keys);
    middles_init(middles, middles->most);
}

/* Rounded down. */
static int64_t bin_of(const struct middles *middles, int64_t value)
{
    return value >= 0 ? value >> middles->shift : ~(~value >> middles->shift);
}

static bool add(struct middles *middles, uint32_t slot, int64_t bin, uint64_t count)
{
    const struct key key = {.bin = bin, .slot = slot};
    uint32_t index;
    bool added;
    if (!texts_find(&middles->keys, (const char *)&key, sizeof key, &index, &added) ||
        !ARRAY_RESERVE(middles->items, middles->capacity, middles->keys.count))
        return false;
    if (added)
        middles->items[middles->count++] = (struct middle_tally){bin, slot, 0};
    middles->items[index].count += count;
    return true;
}

/* Take each two neighbours together; items move down in place. */
static bool coarsen(struct middles *middles)
{
    size_t n = middles->count;
    bool good = true;
    middles->shift++;
    middles->count = 0;
    texts_fini(&middles->keys);
    for (size_t i = 0; i < n && good; i++) {
        struct middle_tally item = middles->items[i];
        item.bin = item.bin >= 0 ? item.bin >> 1 : ~(~item.bin >> 1);
        good = add(middles, item.slot, item.bin, item.count);
    }
    return good;
}

bool middles_add(struct middles *middles, uint32_t slot, int64_t value)
{
    bool good = add(middles, slot, bin_of(middles, value), 1);
    while (good && middles->count > middles->most && middles->shift < 62)
        good = coarsen(middles);
    return good;
}

static int compare(const void *a, const void *b)
{
    const struct middle_tally *x = a, *y = b;
    return x->slot != y->slot ? (x->slot > y->slot ? 1 : -1)
                              : (x->bin > y->bin) - (x->bin < y->bin);
}

void middles_finish(struct middles *middles)
{
    texts_fini(&middles->keys);
    if (middles->count > 1)
        qsort(middles->items, middles->count, sizeof *middles->items, compare);
}

bool middles_find(const struct middles *middles, uint32_t slot, int64_t *lo, int64_t *hi)
{
    size_t low = 0, high = middles->count;
    uint64_t all = 0, passed = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (middles->items[middle].slot < slot)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low; i < middles->count && middles->items[i].slot == slot; i++)
        all += middles->items[i].count;
    for (size_t i = low; i < middles->count && middles->items[i].slot == slot; i++) {
        passed += middles->items[i].count;
        if (passed >= all - all / 2) {
            int64_t bin = middles->items[i].bin;
            *lo = (int64_t)((uint64_t)bin << middles->shift);
            *hi = (int64_t)((uint64_t)*lo + (((uint64_t)1 << middles->shift) - 1));
            return true;
        }
    }
    return false;
}
