/*
 * Writers: who records in a trace of one buffer, as solving it has found, without another pass.
 */
#ifndef INSTANTS_WRITERS_H
#define INSTANTS_WRITERS_H

#include "instants/actors.h"
#include "sync/pass.h"

/* Positions of its first record and of its last one. */
struct writer {
    enum actor_kind kind;
    uint32_t id;
    uint64_t first, last;
};

/* Those of a trace with contexts, by their first records; *out is NULL where they are not known, or
 * one has several stays.  The caller frees it. */
csy_status writers_of(const struct survey *survey, struct writer **out, size_t *n,
                      csy_error *error);

#endif
