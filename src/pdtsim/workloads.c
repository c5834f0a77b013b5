/* The workloads: a program for the SPEs and one for the PPE's main thread. */
#include "pdtsim/workloads.h"

#include "base/error.h"
#include "base/near.h"
#include "base/number.h"
#include "tool/usage.h"

#include <string.h>

/* A step; what is left out is 0. */
#define STEP(...) STEP_OF(__VA_ARGS__, 0, 0, 0, 0)
#define STEP_OF(kind, a, b, c, ...)                                                                \
    {                                                                                              \
        kind, a, b, c                                                                              \
    }

/* Start together once every context exists, and be told when each is done, as samples do that
 * measure their own time. */
#define MAIN_ONCE                                                                                  \
    {                                                                                              \
        STEP(MAIN_CREATE), STEP(MAIN_SEND), STEP(MAIN_RECEIVE, 1), STEP(MAIN_JOIN), STEP(MAIN_END) \
    }

/* The same for each round: a word to all, an answer from each. */
#define MAIN_ROUNDS                                                                                \
    {                                                                                              \
        STEP(MAIN_CREATE), STEP(MAIN_ROUND), STEP(MAIN_MARK), STEP(MAIN_SEND), STEP(MAIN_RECEIVE), \
            STEP(MAIN_AGAIN), STEP(MAIN_JOIN), STEP(MAIN_END)                                      \
    }

static const struct workload workloads[] = {
    {"fft16m",
     "FFT of 16 million points: three passes over memory, barriers between",
     88,
     1,
     /* 2^24 complex floats, 128 MiB, in blocks of 16 KiB: 512 a context and pass.  A round is as
      * long as in the paper, about 2 million ticks of a QS20, which leaves 291000 cycles for a
      * block. */
     {STEP(OP_ROUND), STEP(OP_INBOX), STEP(OP_MARK), STEP(OP_LOOP, 3),
      STEP(OP_GET, 16384, 0, TAG_FIXED), STEP(OP_LOOP, 512), STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_WAIT, 0, 0, TAG_THIS), STEP(OP_COMPUTE, 290000, 1), STEP(OP_PUT, 16384, 0, TAG_THIS),
      STEP(OP_NEXT), STEP(OP_BARRIER), STEP(OP_NEXT), STEP(OP_OUTBOX), STEP(OP_AGAIN),
      STEP(OP_END)},
     MAIN_ROUNDS},
    {"blackscholes",
     "option prices: the options dealt out evenly, streamed",
     1,
     1,
     /* 2^20 options, 4096 at a time: arrays of 16 KiB, five in and one out, two of each in the
      * local store.  Four options at once in 280 cycles (logarithm, exponentials, normal
      * distributions). */
     {STEP(OP_INBOX),
      STEP(OP_ROUND),
      STEP(OP_MARK),
      STEP(OP_LOOP, 5),
      STEP(OP_GET, 16384, 0, TAG_FIXED),
      STEP(OP_NEXT),
      STEP(OP_LOOP, 16),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_WAIT, 0, 0, TAG_THIS),
      STEP(OP_COMPUTE, 286720, 1),
      STEP(OP_PUT, 16384, 0, TAG_THIS),
      STEP(OP_NEXT),
      STEP(OP_AGAIN),
      STEP(OP_WAIT, 0, 0, TAG_FIXED),
      STEP(OP_WAIT, 0, 1, TAG_FIXED),
      STEP(OP_OUTBOX, 1),
      STEP(OP_END)},
     MAIN_ONCE},
    {"juliaset",
     "pictures of a Julia set: rows from a shared counter, frames by mailbox",
     4,
     1,
     /* 1024 x 1024 pixels of 4 bytes, 500 cycles a pixel, much less outside of the set. */
     {STEP(OP_ROUND), STEP(OP_INBOX), STEP(OP_MARK), STEP(OP_TAKE, 1024),
      STEP(OP_COMPUTE, 512000, 80), STEP(OP_WAIT, 0, 0, TAG_FIXED),
      STEP(OP_PUT, 4096, 0, TAG_FIXED), STEP(OP_TAKEN), STEP(OP_WAIT, 0, 0, TAG_FIXED),
      STEP(OP_OUTBOX), STEP(OP_AGAIN), STEP(OP_END)},
     MAIN_ROUNDS},
    {"matrix_mul",
     "product of matrices: tiles from a shared counter, a barrier at the end",
     4,
     1,
     /* 1024 x 1024 floats in tiles of 64 x 64: 65536 multiply-adds of four, 4 % more for the
      * loop. */
     {STEP(OP_INBOX),
      STEP(OP_ROUND),
      STEP(OP_MARK),
      STEP(OP_TAKE, 256),
      STEP(OP_GET, 16384, 0, TAG_FIXED),
      STEP(OP_GET, 16384, 0, TAG_FIXED),
      STEP(OP_LOOP, 16),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_GET, 16384, 0, TAG_OTHER),
      STEP(OP_WAIT, 0, 0, TAG_THIS),
      STEP(OP_COMPUTE, 68000, 0),
      STEP(OP_NEXT),
      STEP(OP_WAIT, 0, 2, TAG_FIXED),
      STEP(OP_PUT, 16384, 2, TAG_FIXED),
      STEP(OP_TAKEN),
      STEP(OP_WAIT, 0, 2, TAG_FIXED),
      STEP(OP_BARRIER),
      STEP(OP_AGAIN),
      STEP(OP_OUTBOX, 1),
      STEP(OP_END)},
     MAIN_ONCE},
    {"oversubscribed",
     "more contexts than SPEs, so that they are switched; a mutex",
     64,
     2,
     {STEP(OP_INBOX), STEP(OP_ROUND), STEP(OP_MARK), STEP(OP_LOOP, 128),
      STEP(OP_GET, 16384, 0, TAG_FIXED), STEP(OP_WAIT, 0, 0, TAG_FIXED),
      STEP(OP_COMPUTE, 3200000, 50), STEP(OP_LOCK), STEP(OP_COMPUTE, 6400, 20), STEP(OP_UNLOCK),
      STEP(OP_PUT, 4096, 0, TAG_FIXED), STEP(OP_NEXT), STEP(OP_AGAIN), STEP(OP_OUTBOX, 1),
      STEP(OP_END)},
     MAIN_ONCE},
    {"synthetic",
     "synthetic:KEY=VALUE,... with blocks, compute, spread, bytes, hold",
     64,
     1,
     {STEP(OP_INBOX), STEP(OP_ROUND), STEP(OP_MARK), STEP(OP_LOOP, 64),
      STEP(OP_GET, 4096, 0, TAG_FIXED), STEP(OP_WAIT, 0, 0, TAG_FIXED), STEP(OP_COMPUTE, 20000, 20),
      STEP(OP_PUT, 4096, 0, TAG_FIXED), STEP(OP_LOCK), STEP(OP_COMPUTE, 1000, 20), STEP(OP_UNLOCK),
      STEP(OP_NEXT), STEP(OP_BARRIER), STEP(OP_AGAIN), STEP(OP_OUTBOX, 1), STEP(OP_END)},
     MAIN_ONCE},
};

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

/* What synthetic takes, and where it stands in its program. */
static const struct parameter {
    const char *key;
    uint64_t least, most;
    int op;
    bool in_b;
} parameters[] = {
    {"blocks", 1, UINT64_C(1) << 32, 3, false},  {"bytes", 16, 16384, 4, false},
    {"compute", 0, UINT64_C(1) << 50, 6, false}, {"spread", 0, 100, 6, true},
    {"hold", 0, UINT64_C(1) << 32, 9, false},
};

enum { PARAMETERS = sizeof parameters / sizeof *parameters, WORD_MAX = 64 };

const struct workload *workload_at(size_t i)
{
    return i < WORKLOADS ? &workloads[i] : NULL;
}

/* text, of which the first length letters are none of the words. */
static csy_status refuse(const char *text, size_t length, const char *const *words,
                         csy_error *error)
{
    char list[256] = "", word[WORD_MAX] = "";
    int used = 0;
    for (size_t i = 0; words[i]; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", i ? ", " : " ", words[i]);
    strncat(word, text, length < WORD_MAX ? length : WORD_MAX - 1);
    const char *near = near_word(word, words);
    return error_set(error, CSY_USAGE, "--workload: '%s' is none of%s%s%s%s", usage_visible(text),
                     list, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static csy_status unknown(const char *text, csy_error *error)
{
    const char *names[WORKLOADS + 1] = {NULL};
    for (size_t i = 0; i < WORKLOADS; i++)
        names[i] = workloads[i].name;
    return refuse(text, strcspn(text, ":"), names, error);
}

static csy_status unknown_key(const char *word, size_t length, csy_error *error)
{
    const char *keys[PARAMETERS + 1] = {NULL};
    for (size_t i = 0; i < PARAMETERS; i++)
        keys[i] = parameters[i].key;
    return refuse(word, length, keys, error);
}

/* KEY=VALUE; the blocks' GET and PUT have the same size. */
static csy_status set(struct workload *workload, const char *word, csy_error *error)
{
    const char *equals = strchr(word, '=');
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct parameter *p = &parameters[i];
        if (strlen(p->key) != length || strncmp(p->key, word, length) != 0)
            continue;
        uint64_t value;
        if (!equals || !number_parse(equals + 1, &value) || value < p->least || value > p->most)
            return error_set(error, CSY_USAGE,
                             "--workload: %s is a whole number from %llu to %llu, not '%s'", p->key,
                             (unsigned long long)p->least, (unsigned long long)p->most,
                             equals ? usage_visible(equals + 1) : "");
        struct op *op = &workload->spe[p->op];
        *(p->in_b ? &op->b : &op->a) = (int64_t)value;
        workload->spe[7].a = workload->spe[4].a;
        return CSY_OK;
    }
    return unknown_key(word, length, error);
}

static csy_status set_all(struct workload *workload, const char *text, csy_error *error)
{
    csy_status status = CSY_OK;
    while (*text && !status) {
        size_t length = strcspn(text, ",");
        char word[WORD_MAX];
        snprintf(word, sizeof word, "%.*s", length < WORD_MAX ? (int)length : WORD_MAX, text);
        status = set(workload, word, error);
        text += length + (text[length] == ',');
    }
    return status;
}

csy_status workload_parse(const char *text, struct workload *out, csy_error *error)
{
    size_t length = strcspn(text, ":");
    for (size_t i = 0; i < WORKLOADS; i++) {
        if (strlen(workloads[i].name) != length || strncmp(workloads[i].name, text, length) != 0)
            continue;
        *out = workloads[i];
        if (!text[length])
            return CSY_OK;
        return i + 1 == WORKLOADS
                   ? set_all(out, text + length + 1, error)
                   : error_set(error, CSY_USAGE,
                               "--workload: %s takes no parameters; synthetic does", out->name);
    }
    return unknown(text, error);
}
