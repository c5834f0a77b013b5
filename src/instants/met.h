/*
 * What was met of plain records, as they are in the file: their writers, kinds and routines, found
 * at once by a hash, the last one of each.
 */
#ifndef INSTANTS_MET_H
#define INSTANTS_MET_H

#include "instants/actors.h"
#include "trace/pex/record.h"

/* Writers, kinds of records and routines that are found at once: powers of 2. */
enum { MET_WRITERS = 256, MET_KINDS = 64, MET_ROUTINE_BITS = 6 };

struct met_writer {
    uint64_t key; /* its kind and id */
    uint32_t actor;
};

/* What records of a kind are that enter or exit; or all others. */
struct met_kind {
    uint32_t key; /* met_kind_key; 0: there is none */
    bool enters, exits;
    bool by_value;    /* which routine a value says: */
    uint32_t place;   /* that one; */
    uint32_t routine; /* else it is this */
};

struct met_routine {
    uint64_t address;
    uint32_t routine; /* 1 more than it; 0: there is none */
};

/* What was met, by hashes: the last one of each. */
struct met {
    struct met_writer writers[MET_WRITERS];
    struct met_kind kinds[MET_KINDS];
    struct met_routine routines[1 << MET_ROUTINE_BITS];
};

static inline uint64_t met_writer_key(bool spe, uint32_t id)
{
    return keys_pair((uint32_t)(spe ? ACTOR_SPE : ACTOR_PPE) + 1, id);
}

static inline struct met_writer *met_writer_of(struct met *met, uint64_t key)
{
    return &met->writers[(key ^ key >> 32 << 4) & (MET_WRITERS - 1)];
}

/* The first 8 bytes of a record. */
static inline bool met_is_spe(uint64_t head)
{
    return (uint8_t)(head >> 40) == CORE_SPE;
}

/* Its core and id, never 0. */
static inline uint32_t met_kind_key(uint64_t head)
{
    return ((uint32_t)(head >> 16) & UINT32_C(0xff00ffff)) | UINT32_C(1) << 16;
}

/* The kind of a plain record, if it was met and is one that enters or exits; else NULL. */
const struct met_kind *met_learn_kind(const struct senses *senses, uint64_t head,
                                      struct met_kind *kind);

static inline const struct met_kind *met_kind_of(struct met *met, const struct senses *senses,
                                                 uint64_t head)
{
    uint32_t key = met_kind_key(head);
    struct met_kind *kind = &met->kinds[(key ^ key >> 8) & (MET_KINDS - 1)];
    if (__builtin_expect(kind->key != key, 0))
        return met_learn_kind(senses, head, kind);
    return kind->enters || kind->exits ? kind : NULL;
}

/* The routine of an address; NO_TEXT: it was not met. */
static inline uint32_t met_routine_at(struct met *met, const struct senses *senses,
                                      uint64_t address)
{
    struct met_routine *known =
        &met->routines[address * UINT64_C(0x9e3779b97f4a7c15) >> (64 - MET_ROUTINE_BITS)];
    if (__builtin_expect(known->address != address || known->routine == 0, 0)) {
        uint32_t routine = routines_known(&senses->routines, address);
        *known = (struct met_routine){address, routine + 1}; /* NO_TEXT + 1 is 0 */
    }
    return known->routine - 1;
}

/* What a plain record of that kind enters or exits; false where it was not met yet, or is to be
 * looked at. */
static inline bool met_called(struct met *met, const struct senses *senses,
                              const struct met_kind *kind, const uint8_t *record, uint64_t head,
                              uint32_t *out)
{
    *out = kind->routine;
    if (!kind->by_value)
        return !kind->enters || *out != NO_TEXT;
    if (kind->place >= (uint16_t)head)
        return false;
    size_t fixed = met_is_spe(head) ? RECORD_SPE_BYTES : RECORD_PPE_BYTES;
    *out = met_routine_at(met, senses, load64(record + fixed + 8 * (size_t)kind->place));
    return *out != NO_TEXT;
}

#endif
