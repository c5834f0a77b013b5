/* Whether stamps are early against their places. */
#include "diagnosis/stamps.h"

enum { FINE = 16 };

void stamps_init(struct stamps *stamps, size_t clocks, uint64_t total)
{
    *stamps = (struct stamps){.clocks = clocks, .total = total};
}

/* The bin of an amount above 0, and the greatest amount of a bin. */
static unsigned bin_of(int64_t amount)
{
    if (amount < FINE)
        return (unsigned)amount;
    unsigned power = 63 - (unsigned)__builtin_clzll((unsigned long long)amount);
    return FINE * (power - 3) + (unsigned)((amount >> (power - 4)) & (FINE - 1));
}

static int64_t bin_most(unsigned bin)
{
    if (bin < FINE)
        return (int64_t)bin;
    unsigned power = bin / FINE + 3;
    uint64_t most = ((uint64_t)(FINE + bin % FINE + 1) << (power - 4)) - 1;
    return most > INT64_MAX ? INT64_MAX : (int64_t)most;
}

static void note(struct stamps_bins *bins, int64_t amount)
{
    bins->count++;
    bins->bins[bin_of(amount)]++;
    bins->most = amount > bins->most ? amount : bins->most;
}

/* A record has no near ones any more. */
static void settle(struct stamps *stamps, size_t at)
{
    if (stamps->near[at].early.amount[1] > 0) {
        note(&stamps->early, stamps->near[at].early.amount[1]);
        stamps->early_clock[stamps->near[at].clock] = true;
    }
    if (stamps->near[at].late.amount[1] > 0)
        note(&stamps->late, stamps->near[at].late.amount[1]);
}

/* Keep the two greatest amounts, of two clocks where there are more than two. */
static void rank(const struct stamps *stamps, struct stamps_pair *pair, int64_t amount,
                 uint32_t clock)
{
    bool same = stamps->clocks > 2 && pair->amount[0] > 0 && pair->clock == clock;
    if (amount > pair->amount[0]) {
        if (!same)
            pair->amount[1] = pair->amount[0];
        pair->amount[0] = amount;
        pair->clock = clock;
    } else if (!same && amount > pair->amount[1]) {
        pair->amount[1] = amount;
    }
}

void stamps_event(struct stamps *stamps, uint64_t position, uint32_t clock, int64_t g)
{
    size_t known = stamps->taken < STAMPS_NEAR ? (size_t)stamps->taken : STAMPS_NEAR;
    size_t at = (size_t)(stamps->taken % STAMPS_NEAR);
    struct stamps_pair early = {0};
    for (size_t i = 0; i < known; i++) {
        int64_t by = stamps->near[i].g - g;
        if (by <= 0)
            continue;
        rank(stamps, &early, by, stamps->near[i].clock);
        rank(stamps, &stamps->near[i].late, by, clock);
    }
    if (known == STAMPS_NEAR)
        settle(stamps, at);
    stamps->near[at].g = g;
    stamps->near[at].clock = clock;
    stamps->near[at].early = early;
    stamps->near[at].late = (struct stamps_pair){0};
    stamps->taken++;
    if (stamps->any && g < stamps->greatest) {
        note(&stamps->behind, stamps->greatest - g);
        stamps->quarters[(size_t)((uint128)position * STAMPS_QUARTERS / stamps->total)]++;
    }
    if (!stamps->any || g > stamps->greatest)
        stamps->greatest = g;
    stamps->any = true;
}

void stamps_finish(struct stamps *stamps)
{
    for (size_t i = 0; i < STAMPS_NEAR && i < stamps->taken; i++)
        settle(stamps, i);
}

int64_t stamps_quantile(const struct stamps_bins *bins, unsigned percent)
{
    uint64_t passed = 0;
    for (unsigned bin = 0; bin < STAMPS_BINS; bin++) {
        passed += bins->bins[bin];
        if (bins->bins[bin] && (uint128)passed * 100 >= (uint128)bins->count * percent) {
            int64_t most = bin_most(bin);
            return most < bins->most ? most : bins->most;
        }
    }
    return 0;
}

uint64_t stamps_beyond(const struct stamps_bins *bins, int64_t amount)
{
    uint64_t beyond = 0;
    for (unsigned bin = STAMPS_BINS; bin-- > 0 && bin_most(bin) > amount;)
        beyond += bins->bins[bin];
    return beyond;
}
