/* See contexts.h. */
#include "contexts.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    RESTORE_ERROR_TICKS = 1 << 16, /* either way */
    SOON_TICKS = 1 << 20           /* within which every second decrementer first wraps */
};

void spes_init(struct spes *spes, unsigned n)
{
    *spes = (struct spes){.n = n};
    pthread_mutex_init(&spes->mutex, NULL);
    pthread_cond_init(&spes->changed, NULL);
}

void spes_fini(struct spes *spes)
{
    pthread_cond_destroy(&spes->changed);
    pthread_mutex_destroy(&spes->mutex);
}

/* The first free SPE, or n. */
static unsigned free_spe(const struct spes *spes)
{
    unsigned i = 0;
    while (i < spes->n && spes->taken[i])
        i++;
    return i;
}

static unsigned spes_take(struct spes *spes)
{
    pthread_mutex_lock(&spes->mutex);
    uint64_t turn = spes->next_turn++;
    while (turn != spes->turns_served || free_spe(spes) == spes->n)
        pthread_cond_wait(&spes->changed, &spes->mutex);
    unsigned spe = free_spe(spes);
    spes->taken[spe] = true;
    spes->turns_served++;
    pthread_cond_broadcast(&spes->changed);
    pthread_mutex_unlock(&spes->mutex);
    return spe;
}

static void spes_give(struct spes *spes, unsigned spe)
{
    pthread_mutex_lock(&spes->mutex);
    spes->taken[spe] = false;
    pthread_cond_broadcast(&spes->changed);
    pthread_mutex_unlock(&spes->mutex);
}

uint64_t context_draw(struct context *c, uint64_t n)
{
    c->random ^= c->random << 13;
    c->random ^= c->random >> 7;
    c->random ^= c->random << 17;
    return (c->random >> 16) % n;
}

void context_init(struct context *c, struct spes *spes, struct recorder *recorder, uint32_t id,
                  uint32_t kernel_tid, uint64_t random)
{
    *c = (struct context){.spes = spes, .recorder = recorder, .id = id, .kernel_tid = kernel_tid};
    c->random = ((random + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)id << 32) | 1;
    for (int i = 0; i < 16; i++)
        context_draw(c, 1);
    uint64_t first = context_draw(c, id % 2 ? SOON_TICKS : (uint64_t)1 << 32);
    c->zero = recorder_now(recorder) + RESTORE_ERROR_TICKS + first;
}

void context_fini(struct context *c)
{
    free(c->offsets);
}

static void switch_record(struct context *c, enum event_id id)
{
    struct event event = {.id = id, .nvalues = 2, .values = {c->id, c->spe}};
    recorder_ppe(c->recorder, c->kernel_tid, &event);
}

void context_in(struct context *c)
{
    c->spe = spes_take(c->spes);
    c->zero += context_draw(c, 2 * RESTORE_ERROR_TICKS + 1) - RESTORE_ERROR_TICKS;
    c->spoke = false;
    switch_record(c, SPE_SWITCH_IN);
    c->since = recorder_now(c->recorder);
}

void context_out(struct context *c)
{
    switch_record(c, SPE_SWITCH_OUT);
    spes_give(c->spes, c->spe);
}

void context_yield(struct context *c)
{
    context_out(c);
    context_in(c);
}

static void keep_offset(struct context *c, uint64_t offset)
{
    if (c->noffsets == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->offsets = realloc(c->offsets, c->room * sizeof *c->offsets);
        if (!c->offsets)
            abort();
    }
    c->offsets[c->noffsets++] = offset;
}

void context_event(struct context *c, struct event event)
{
    if (event.begin && event.begin < c->since)
        event.begin = c->since;
    unsigned stay = (unsigned)c->noffsets + !c->spoke;
    uint64_t stamp = recorder_spe(c->recorder, c->id, stay, c->zero, &event);
    if (!c->spoke)
        keep_offset(c, stamp);
    c->spoke = true;
}

void context_write_truth(const struct context *c, FILE *file)
{
    for (size_t i = 0; i < c->noffsets; i++)
        fprintf(file, "spe%" PRIu32 ".%zu,%" PRIu64 "\n", c->id, i + 1, c->offsets[i]);
}
