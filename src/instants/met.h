/*
 * What was met of plain records, as they are in the file: their writers, heads and routines, found
 * at once by a hash, the last one of each.
 */
#ifndef INSTANTS_MET_H
#define INSTANTS_MET_H

#include "instants/actors.h"
#include "trace/pex/record.h"

/* Writers, heads of records and routines that are found at once: powers of 2. */
enum { MET_WRITERS = 256, MET_HEAD_BITS = 6, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* its kind and id */
    uint32_t actor;
};

/* What records are that begin with the same 8 bytes, their head. */
struct met_head {
    _Alignas(32) uint64_t head; /* 0: there is none */
    uint64_t writer;            /* the key of who wrote them, without the id */
    uint32_t routine;           /* where no value says it; NO_TEXT: the innermost */
    uint32_t place;             /* of that value, from the record on; 0: there is none */
    uint16_t size;              /* 0: no record begins so */
    bool spe;
    bool calls;     /* they enter or exit, and say which routine, as far as they have to */
    bool short_ppe; /* the same, as struct fast_ppe has them */
    bool enters;
    bool silent; /* they mean something, but neither that nor a wait */
};

struct met_routine {
    uint64_t address; /* where there is none yet, one that does not lead here */
    uint32_t routine;
};

/* What was met, by hashes: the last one of each. */
struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_head heads[1 << MET_HEAD_BITS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

/* Nothing was met. */
void met_init(struct met *met);

static inline uint64_t met_writer_key(bool spe, uint32_t id)
{
    return keys_pair((uint32_t)(spe ? ACTOR_SPE : ACTOR_PPE) + 1, id);
}

static inline struct met_writer *met_writer_of(struct met *met, uint64_t key)
{
    return &met->writers[(key ^ key >> 32 << 4) & (MET_WRITERS - 1)];
}

/* The same of a record of that id, whose head was met. */
static inline struct met_writer *met_writer_by(struct met *met, const struct met_head *known,
                                               uint32_t id)
{
    return &met->writers[(id ^ known->writer >> 28) & (MET_WRITERS - 1)];
}

/* The first 8 bytes of a record. */
static inline bool met_is_spe(uint64_t head)
{
    return (uint8_t)(head >> 40) == CORE_SPE;
}

/* What such records are; nothing where their kind was not met yet. */
const struct met_head *met_learn(const struct senses *senses, uint64_t head, struct met_head *out);

static inline const struct met_head *met_head_of(struct met *met, const struct senses *senses,
                                                 uint64_t head)
{
    struct met_head *known =
        &met->heads[head * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_HEAD_BITS)];
    return __builtin_expect(known->head == head, 1) ? known : met_learn(senses, head, known);
}

static inline struct met_routine *met_routine_of(struct met *met, uint64_t address)
{
    return &met->routines[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_ROUTINE_BITS)];
}

/* The routine of an address is to be in that place; false where it was not met. */
bool met_learn_routine(const struct senses *senses, uint64_t address, struct met_routine *out);

/* Routines that no value names are beyond all values that are taken. */
static inline uint64_t met_unnamed(uint32_t routine)
{
    return ~(uint64_t)routine;
}

/* The routine that a record names, as it names it; false where it is not to be found so. */
static inline bool met_named(const struct met_head *known, const uint8_t *record, uint64_t *out)
{
    *out = met_unnamed(known->routine);
    if (known->place == 0)
        return true;
    *out = load64(record + known->place);
    return *out < met_unnamed(NO_TEXT);
}

/* What a record that calls enters or exits; false where it was not met yet. */
static inline bool met_called(struct met *met, const struct senses *senses,
                              const struct met_head *known, const uint8_t *record, uint32_t *out)
{
    uint32_t routine = known->routine;
    if (known->place > 0) {
        uint64_t address = load64(record + known->place);
        struct met_routine *place = met_routine_of(met, address);
        if (__builtin_expect(place->address != address, 0) &&
            !met_learn_routine(senses, address, place))
            return false;
        routine = place->routine;
    }
    *out = routine;
    return true;
}

#endif
