/* Tells which members of a collective operation give data, and which get data. */
#include "order/operations.h"

enum who { NONE, ALL, ROOT, OTHERS, RANKS };

static const struct {
    enum who enter, leave;
} kinds[COLLECTIVE_KINDS] = {
    [COLLECTIVE_BARRIER] = {ALL, ALL},     [COLLECTIVE_BCAST] = {ROOT, OTHERS},
    [COLLECTIVE_GATHER] = {OTHERS, ROOT},  [COLLECTIVE_GATHERV] = {OTHERS, ROOT},
    [COLLECTIVE_SCATTER] = {ROOT, OTHERS}, [COLLECTIVE_SCATTERV] = {ROOT, OTHERS},
    [COLLECTIVE_ALLGATHER] = {ALL, ALL},   [COLLECTIVE_ALLGATHERV] = {ALL, ALL},
    [COLLECTIVE_ALLTOALL] = {ALL, ALL},    [COLLECTIVE_ALLTOALLV] = {NONE, NONE},
    [COLLECTIVE_ALLTOALLW] = {NONE, NONE}, [COLLECTIVE_ALLREDUCE] = {ALL, ALL},
    [COLLECTIVE_REDUCE] = {OTHERS, ROOT},  [COLLECTIVE_REDUCE_SCATTER] = {ALL, ALL},
    [COLLECTIVE_SCAN] = {RANKS, RANKS},    [COLLECTIVE_EXSCAN] = {RANKS, RANKS},
};

bool operation_is_rooted(enum collective_kind kind)
{
    return kinds[kind].enter == ROOT || kinds[kind].leave == ROOT;
}

bool operation_comes_of_root(enum collective_kind kind)
{
    return kinds[kind].enter == ROOT;
}

bool operation_goes_up(enum collective_kind kind)
{
    return kinds[kind].enter == RANKS;
}

static bool takes_part(enum who who, const struct event_collective *is, bool nothing)
{
    bool is_root = is->self == is->root;
    bool is_meant = who == ALL || (who == ROOT && is_root) || (who == OTHERS && !is_root);
    return who == RANKS || (is_meant && (!nothing || is->kind == COLLECTIVE_BARRIER));
}

bool operation_enters(const struct event_collective *is)
{
    return is->enters && takes_part(kinds[is->kind].enter, is, is->gives_nothing);
}

bool operation_leaves(const struct event_collective *is)
{
    return is->leaves && takes_part(kinds[is->kind].leave, is, is->gets_nothing);
}

bool operation_gives(const struct event_collective *is)
{
    return operation_enters(is) && !(is->gives_nothing && operation_goes_up(is->kind));
}

bool operation_gets(const struct event_collective *is)
{
    return operation_leaves(is) && !(is->gets_nothing && operation_goes_up(is->kind));
}
