/* See workloads.h. */
#include "simulator/workloads.h"

#include "base/error.h"
#include "base/near.h"
#include "base/number.h"
#include "tool/usage.h"

#include <stddef.h>
#include <string.h>

/* A step of a program. Omitted arguments are 0. */
#define STEP(...) STEP_OF(__VA_ARGS__, 0, 0, 0, 0)
#define STEP_OF(kind, a, b, c, ...)                                                                \
    {                                                                                              \
        kind, a, b, c                                                                              \
    }

/* clang-format off */
/* The main program of workloads with rounds that do not involve the PPE: start all contexts, send
 * one word to each, and wait for one word from each. */
#define MAIN_ONCE                                                                                  \
    {STEP(MAIN_CALL, ROUTINE_MAIN),                                                                \
     STEP(MAIN_CALL, ROUTINE_START_ALL), STEP(MAIN_CREATE), STEP(MAIN_RETURN),                     \
     STEP(MAIN_CALL, ROUTINE_RUN_ROUND), STEP(MAIN_SEND), STEP(MAIN_RECEIVE, 1),                   \
     STEP(MAIN_RETURN),                                                                            \
     STEP(MAIN_CALL, ROUTINE_JOIN_ALL), STEP(MAIN_JOIN), STEP(MAIN_RETURN),                        \
     STEP(MAIN_RETURN), STEP(MAIN_END)}

/* The main program of workloads with rounds that involve the PPE: in each round, send a word to all
 * contexts, and receive a word from each. */
#define MAIN_ROUNDS                                                                                \
    {STEP(MAIN_CALL, ROUTINE_MAIN),                                                                \
     STEP(MAIN_CALL, ROUTINE_START_ALL), STEP(MAIN_CREATE), STEP(MAIN_RETURN),                     \
     STEP(MAIN_ROUND), STEP(MAIN_MARK), STEP(MAIN_CALL, ROUTINE_RUN_ROUND), STEP(MAIN_SEND),       \
     STEP(MAIN_RECEIVE), STEP(MAIN_RETURN), STEP(MAIN_AGAIN),                                      \
     STEP(MAIN_CALL, ROUTINE_JOIN_ALL), STEP(MAIN_JOIN), STEP(MAIN_RETURN),                        \
     STEP(MAIN_RETURN), STEP(MAIN_END)}
/* clang-format on */

/* A parameter of a workload, which sets one or two members of struct workload. */
struct parameter {
    const char *key; /* name of the parameter; NULL after the last parameter */
    uint64_t least, most;
    size_t at, also; /* offsets in struct workload; `also` is 0 if only one member is set */
    size_t size;
    const char *const *words; /* names of the values from 0 on, or NULL if values are numbers */
};

#define IN(op, member) offsetof(struct workload, spe[op].member)
#define FLAG(member) offsetof(struct workload, member), 0, sizeof(bool), NULL
#define WORD(member, words) offsetof(struct workload, member), 0, sizeof(bool), words
#define NUMBER(member) offsetof(struct workload, member), 0, sizeof(int64_t), NULL

static const struct parameter synthetic[] = {
    {"blocks", 1, UINT64_C(1) << 32, IN(4, a), 0, sizeof(int64_t), NULL},
    {"bytes", 16, 16384, IN(6, a), IN(9, a), sizeof(int64_t), NULL},
    {"compute", 0, UINT64_C(1) << 50, IN(8, a), 0, sizeof(int64_t), NULL},
    {"spread", 0, 100, IN(8, b), 0, sizeof(int64_t), NULL},
    {"hold", 0, UINT64_C(1) << 32, IN(12, a), 0, sizeof(int64_t), NULL},
    {NULL, 0, 0, 0, 0, 0, NULL},
};

static const struct parameter halo[] = {
    {"swaps", 1, UINT64_C(1) << 32, IN(4, a), 0, sizeof(int64_t), NULL},
    {"compute", 0, UINT64_C(1) << 50, IN(5, a), 0, sizeof(int64_t), NULL},
    {"spread", 0, 100, IN(5, b), 0, sizeof(int64_t), NULL},
    {"bytes", 0, UINT64_C(1) << 32, IN(7, a), 0, sizeof(int64_t), NULL},
    {"sync", 0, 1, IN(7, b), 0, sizeof(int64_t), NULL},
    {"barrier", 0, 1, IN(10, a), 0, sizeof(int64_t), NULL},
    {"latency", 0, 1, FLAG(latencies)},
    {"shared", 0, 1, FLAG(buffers)},
    {NULL, 0, 0, 0, 0, 0, NULL},
};

static const char *const roots[] = {"none", "cell", NULL}, *const noyes[] = {"no", "yes", NULL},
                         *const byte_orders[] = {"big", "little", NULL},
                         *const stamps[] = {"begin", "end", NULL};

#define CLUSTER_PARAMETERS                                                                         \
    {"rounds", 1, UINT64_C(1) << 32, NUMBER(rounds)},                                              \
        {"bytes", 0, UINT64_C(1) << 30, NUMBER(cluster.bytes)},                                    \
        {"compute", 0, UINT64_C(1) << 50, NUMBER(cluster.compute)},                                \
        {"spread", 0, 100, NUMBER(cluster.spread)}, {"pages", 0, 1, WORD(cluster.pages, noyes)},   \
        {"byte_order", 0, 1, WORD(cluster.little, byte_orders)},                                   \
        {"stamp", 0, 1, WORD(cluster.ends, stamps)},                                               \
    {                                                                                              \
        NULL, 0, 0, 0, 0, 0, NULL                                                                  \
    }

static const struct parameter sweep3d[] = {{"root", 0, 1, WORD(cluster.root_cell, roots)},
                                           CLUSTER_PARAMETERS};
static const struct parameter cluster[] = {CLUSTER_PARAMETERS};

/* A workload. cluster/script.c makes its steps. */
#define CLUSTER(name_, summary_, rounds_, parameters_, kind_, bytes_, compute_)                    \
    {                                                                                              \
        .name = (name_), .summary = (summary_), .rounds = (rounds_), .contexts_per_spe = 1,        \
        .spe = {STEP(OP_END)}, .ppe = {STEP(MAIN_END)}, .parameters = (parameters_), .cluster = {  \
            .kind = (kind_),                                                                       \
            .bytes = (bytes_),                                                                     \
            .compute = (compute_),                                                                 \
            .spread = 10                                                                           \
        }                                                                                          \
    }

/* Steps within a round, a loop, or a piece of work are indented. */
/* clang-format off */
static const struct workload workloads[] = {
    {.name = "fft16m",
     .summary = "FFT of 16 million points: three passes over memory, barriers between",
     .rounds = 88, .contexts_per_spe = 1,
     /* The FFT has 2^24 complex floats, which are 128 MiB. Each context processes 512 blocks of 16
      * KiB in each pass. A round takes about 2 million ticks of a QS20, as in [BHH08], section 5,
      * so a block takes 291000 cycles. */
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN),
             STEP(OP_ROUND),
                 STEP(OP_INBOX), STEP(OP_MARK), STEP(OP_CALL, ROUTINE_FFT),
                 STEP(OP_LOOP, 3),
                     STEP(OP_CALL, ROUTINE_FFT_PASS), STEP(OP_GET, 16384, 0, TAG_FIXED),
                     STEP(OP_LOOP, 512),
                         STEP(OP_GET, 16384, 0, TAG_OTHER), STEP(OP_WAIT, 0, 0, TAG_THIS),
                         STEP(OP_COMPUTE, 290000, 1, SHAPE_RADIX),
                         STEP(OP_PUT, 16384, 0, TAG_THIS),
                     STEP(OP_NEXT),
                     STEP(OP_RETURN), STEP(OP_BARRIER),
                 STEP(OP_NEXT),
                 STEP(OP_RETURN), STEP(OP_OUTBOX),
             STEP(OP_AGAIN), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ROUNDS},
    {.name = "blackscholes",
     .summary = "option prices: the options dealt out evenly, streamed",
     .rounds = 1, .contexts_per_spe = 1,
     /* Prices of 2^20 options (financial contracts), 4096 at a time. Their data are five input
      * arrays and one output array of 16 KiB, all double-buffered. Computing four prices takes 280
      * cycles (logarithm, exponentials, normal distributions). */
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN), STEP(OP_INBOX),
             STEP(OP_ROUND),
                 STEP(OP_MARK), STEP(OP_CALL, ROUTINE_PRICE_ALL),
                 STEP(OP_LOOP, 5), STEP(OP_GET, 16384, 0, TAG_FIXED), STEP(OP_NEXT),
                 STEP(OP_LOOP, 16),
                     STEP(OP_GET, 16384, 0, TAG_OTHER), STEP(OP_GET, 16384, 0, TAG_OTHER),
                     STEP(OP_GET, 16384, 0, TAG_OTHER), STEP(OP_GET, 16384, 0, TAG_OTHER),
                     STEP(OP_GET, 16384, 0, TAG_OTHER), STEP(OP_WAIT, 0, 0, TAG_THIS),
                     STEP(OP_COMPUTE, 286720, 1, SHAPE_PRICE), STEP(OP_PUT, 16384, 0, TAG_THIS),
                 STEP(OP_NEXT),
                 STEP(OP_RETURN),
             STEP(OP_AGAIN),
             STEP(OP_WAIT, 0, 0, TAG_FIXED), STEP(OP_WAIT, 0, 1, TAG_FIXED), STEP(OP_OUTBOX, 1),
             STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ONCE},
    {.name = "juliaset",
     .summary = "pictures of a Julia set: rows from a shared counter, frames by mailbox",
     .rounds = 4, .contexts_per_spe = 1,
     /* The picture has 1024 x 1024 pixels of 4 bytes. A pixel takes 500 cycles, but much less
      * outside of the set. */
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN),
             STEP(OP_ROUND),
                 STEP(OP_INBOX), STEP(OP_MARK),
                 STEP(OP_TAKE, 1024),
                     STEP(OP_CALL, ROUTINE_DRAW_ROW), STEP(OP_COMPUTE, 512000, 80, SHAPE_SUBDIVIDE),
                     STEP(OP_WAIT, 0, 0, TAG_FIXED), STEP(OP_PUT, 4096, 0, TAG_FIXED),
                     STEP(OP_RETURN),
                 STEP(OP_TAKEN),
                 STEP(OP_WAIT, 0, 0, TAG_FIXED), STEP(OP_OUTBOX),
             STEP(OP_AGAIN), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ROUNDS},
    {.name = "matrix_mul",
     .summary = "product of matrices: tiles from a shared counter, a barrier at the end",
     .rounds = 4, .contexts_per_spe = 1,
     /* The matrices have 1024 x 1024 floats, in tiles of 64 x 64. A product of two tiles takes
      * 65536 four-way multiply-adds, and the loop adds 4 %. */
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN), STEP(OP_INBOX),
             STEP(OP_ROUND),
                 STEP(OP_MARK),
                 STEP(OP_TAKE, 256),
                     STEP(OP_CALL, ROUTINE_TILE),
                     STEP(OP_GET, 16384, 0, TAG_FIXED), STEP(OP_GET, 16384, 0, TAG_FIXED),
                     STEP(OP_LOOP, 16),
                         STEP(OP_GET, 16384, 0, TAG_OTHER), STEP(OP_GET, 16384, 0, TAG_OTHER),
                         STEP(OP_WAIT, 0, 0, TAG_THIS), STEP(OP_COMPUTE, 68000, 0, SHAPE_MULTIPLY),
                     STEP(OP_NEXT),
                     STEP(OP_WAIT, 0, 2, TAG_FIXED), STEP(OP_PUT, 16384, 2, TAG_FIXED),
                     STEP(OP_RETURN),
                 STEP(OP_TAKEN),
                 STEP(OP_WAIT, 0, 2, TAG_FIXED), STEP(OP_BARRIER),
             STEP(OP_AGAIN), STEP(OP_OUTBOX, 1), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ONCE},
    {.name = "oversubscribed",
     .summary = "more contexts than SPEs, so that they are switched; a mutex",
     .rounds = 64, .contexts_per_spe = 2,
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN), STEP(OP_INBOX),
             STEP(OP_ROUND),
                 STEP(OP_MARK), STEP(OP_CALL, ROUTINE_SERVE),
                 STEP(OP_LOOP, 128),
                     STEP(OP_GET, 16384, 0, TAG_FIXED), STEP(OP_WAIT, 0, 0, TAG_FIXED),
                     STEP(OP_COMPUTE, 3200000, 50, SHAPE_SORT), STEP(OP_CALL, ROUTINE_UPDATE),
                     STEP(OP_LOCK), STEP(OP_COMPUTE, 6400, 20), STEP(OP_UNLOCK), STEP(OP_RETURN),
                     STEP(OP_PUT, 4096, 0, TAG_FIXED),
                 STEP(OP_NEXT),
                 STEP(OP_RETURN),
             STEP(OP_AGAIN), STEP(OP_OUTBOX, 1), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ONCE},
    {.name = "halo",
     .summary = "ranks that swap edges by messages; halo:KEY=VALUE,...: see pdtsim(1)",
     .rounds = 16, .contexts_per_spe = 1,
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN),
             STEP(OP_ROUND),
                 STEP(OP_MARK), STEP(OP_CALL, ROUTINE_RELAX),
                 STEP(OP_LOOP, 4),
                     STEP(OP_COMPUTE, 1000000, 20, SHAPE_STENCIL), STEP(OP_CALL, ROUTINE_EXCHANGE),
                     STEP(OP_SWAP, 8192), STEP(OP_RETURN),
                 STEP(OP_NEXT),
                 STEP(OP_MEET, 1), STEP(OP_RETURN),
             STEP(OP_AGAIN), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = {STEP(MAIN_CALL, ROUTINE_MAIN), STEP(MAIN_CALL, ROUTINE_START_ALL), STEP(MAIN_CREATE),
             STEP(MAIN_RETURN), STEP(MAIN_CALL, ROUTINE_JOIN_ALL), STEP(MAIN_JOIN),
             STEP(MAIN_RETURN), STEP(MAIN_RETURN), STEP(MAIN_END)},
     .parameters = halo, .ranks = true},
    {.name = "synthetic",
     .summary = "synthetic:KEY=VALUE,... with blocks, compute, spread, bytes, hold",
     .rounds = 64, .contexts_per_spe = 1,
     .spe = {STEP(OP_CALL, ROUTINE_SPU_MAIN), STEP(OP_INBOX),
             STEP(OP_ROUND),
                 STEP(OP_MARK),
                 STEP(OP_LOOP, 64),
                     STEP(OP_CALL, ROUTINE_BLOCK),
                     STEP(OP_GET, 4096, 0, TAG_FIXED), STEP(OP_WAIT, 0, 0, TAG_FIXED),
                     STEP(OP_COMPUTE, 20000, 20, SHAPE_WORK), STEP(OP_PUT, 4096, 0, TAG_FIXED),
                     STEP(OP_CALL, ROUTINE_UPDATE),
                     STEP(OP_LOCK), STEP(OP_COMPUTE, 1000, 20), STEP(OP_UNLOCK),
                     STEP(OP_RETURN), STEP(OP_RETURN),
                 STEP(OP_NEXT),
                 STEP(OP_BARRIER),
             STEP(OP_AGAIN), STEP(OP_OUTBOX, 1), STEP(OP_RETURN), STEP(OP_END)},
     .ppe = MAIN_ONCE,
     .parameters = synthetic},
    /* Messages of 600 doubles are from [DBK09], 4.1. */
    CLUSTER("sweep3d", "waves through a cluster; sweep3d:root=cell: one SPE a Cell sends", 2,
            sweep3d, CLUSTER_SWEEP3D, 4800, 320000),
    CLUSTER("md", "molecular dynamics on a cluster: six neighbours in a box", 10, cluster,
            CLUSTER_MD, 12800, 3200000),
    CLUSTER("lb", "lattice Boltzmann on a cluster: light and heavy messages", 10, cluster,
            CLUSTER_LB, 1320, 1600000),
    CLUSTER("pingpong", "pairs of SPEs in a Cell, in a node, in two", 4, cluster, CLUSTER_PINGPONG,
            0, 100000),
};
/* clang-format on */

enum { WORKLOADS = sizeof workloads / sizeof *workloads };

enum { PARAMETERS_MAX = 9, WORD_MAX = 64 };

const struct workload *workload_at(size_t i)
{
    return i < WORKLOADS ? &workloads[i] : NULL;
}

bool workload_calls(const struct workload *workload, enum routine routine)
{
    for (size_t i = 0; i < OPS_MAX; i++) {
        const struct op *op = &workload->spe[i], *on_ppe = &workload->ppe[i];
        if ((op->kind == OP_CALL && op->a == (int64_t)routine) ||
            (op->kind == OP_COMPUTE && op->c != SHAPE_NONE &&
             (shapes[op->c].first == routine || shapes[op->c].others == routine)) ||
            (on_ppe->kind == MAIN_CALL && on_ppe->a == (int64_t)routine))
            return true;
    }
    return false;
}

/* Set an error that lists the permitted words. The first `length` bytes of `text` are wrong. */
static csy_status unknown_word(const char *text, size_t length, const char *const *words,
                               csy_error *error)
{
    char list[256] = "", word[WORD_MAX] = "";
    int used = 0;
    for (size_t i = 0; words[i]; i++)
        used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", i ? ", " : " ", words[i]);
    strncat(word, text, length < WORD_MAX ? length : WORD_MAX - 1);
    const char *near = near_word(word, words);
    return error_set(error, CSY_USAGE, "--workload: '%s': expected one of%s%s%s%s",
                     usage_visible(text), list, near ? "; did you mean " : "", near ? near : "",
                     near ? "?" : "");
}

static bool read_value(const struct parameter *p, const char *text, uint64_t *out)
{
    if (!p->words)
        return number_parse(text, out) && *out >= p->least && *out <= p->most;
    for (*out = 0; p->words[*out]; ++*out)
        if (strcmp(p->words[*out], text) == 0)
            return true;
    return false;
}

/* Set a parameter of a workload from the text KEY=VALUE. */
static csy_status set(struct workload *workload, const char *word, csy_error *error)
{
    const char *equals = strchr(word, '='), *text = equals ? equals + 1 : "";
    size_t length = equals ? (size_t)(equals - word) : strlen(word);
    const struct parameter *p = workload->parameters;
    while (p->key && (strlen(p->key) != length || strncmp(p->key, word, length) != 0))
        p++;
    if (!p->key) {
        const char *keys[PARAMETERS_MAX + 1] = {NULL};
        for (size_t i = 0; workload->parameters[i].key; i++)
            keys[i] = workload->parameters[i].key;
        return unknown_word(word, length, keys, error);
    }
    uint64_t value;
    if (!equals || !read_value(p, text, &value))
        return p->words ? error_set(error, CSY_USAGE, "--workload: %s must be %s or %s, not '%s'",
                                    p->key, p->words[0], p->words[1], usage_visible(text))
                        : error_set(error, CSY_USAGE,
                                    "--workload: %s must be a whole number from %llu to %llu, not "
                                    "'%s'",
                                    p->key, (unsigned long long)p->least,
                                    (unsigned long long)p->most, usage_visible(text));
    int64_t number = (int64_t)value;
    bool flag = value != 0;
    const void *from = p->size == sizeof flag ? (const void *)&flag : &number;
    memcpy((char *)workload + p->at, from, p->size);
    if (p->also)
        memcpy((char *)workload + p->also, from, p->size);
    return CSY_OK;
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
        if (!out->parameters)
            return error_set(error, CSY_USAGE,
                             "--workload: %s accepts no parameters; only halo, synthetic, and "
                             "workloads of clusters do",
                             out->name);
        csy_status status = CSY_OK;
        for (text += length + 1; *text && !status; text += length + (text[length] == ',')) {
            char word[WORD_MAX];
            length = strcspn(text, ",");
            snprintf(word, sizeof word, "%.*s", length < WORD_MAX ? (int)length : WORD_MAX, text);
            status = set(out, word, error);
        }
        return status;
    }
    const char *names[WORKLOADS + 1] = {NULL};
    for (size_t i = 0; i < WORKLOADS; i++)
        names[i] = workloads[i].name;
    return unknown_word(text, strcspn(text, ":"), names, error);
}
