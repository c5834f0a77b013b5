/* See truth.h. */
#include "simulator/truth.h"

#include "base/array.h"

#include <stdlib.h>

bool truth_init(struct truth *truth, size_t ncontexts)
{
    *truth = (struct truth){.contexts = calloc(ncontexts + 1, sizeof *truth->contexts)};
    return truth->contexts != NULL;
}

void truth_fini(struct truth *truth)
{
    free(truth->contexts);
    free(truth->rows);
}

void truth_switch(struct truth *truth, uint32_t context, bool in)
{
    struct truth_context *c = &truth->contexts[context];
    if (in && c->out)
        c->open = 0;
    if (!in)
        c->open = 0;
    c->out = !in;
}

void truth_record(struct truth *truth, uint32_t context, uint32_t spe, uint64_t record,
                  uint32_t decr, const struct clock *clock, int64_t shown)
{
    struct truth_context *c = &truth->contexts[context];
    if (c->open) {
        struct truth_row *row = &truth->rows[c->open - 1];
        row->records++;
        if (shown > row->last_ticks)
            row->last_ticks = shown;
        return;
    }
    if (!ARRAY_RESERVE(truth->rows, truth->capacity, truth->count + 1)) {
        truth->failed = true;
        return;
    }
    truth->rows[truth->count++] =
        (struct truth_row){context, ++c->ordinals, spe, decr, record, 1, shown, shown, clock};
    if (!c->out)
        /* Each record of a context that is switched out gets a live interval of its own. */
        c->open = truth->count;
}
