/* See vocabulary.h. */
#include "simulator/vocabulary.h"

#include <stddef.h>

enum {
    BASIC = LEVEL_BASIC | LEVEL_OUTER | LEVEL_STALLS | LEVEL_FULL,
    OUTER = LEVEL_OUTER | LEVEL_FULL,
    STALLS = LEVEL_STALLS | LEVEL_FULL,
    FULL = LEVEL_FULL
};

#define TYPE(name, id, text, levels, interval, wait, nfields, ...)                                 \
    [EVENT_##name] = {id, text, levels, interval, WAIT_##wait, nfields, {__VA_ARGS__}},
const struct event_type event_types[EVENTS] = {EVENT_TABLE(TYPE)};

const struct event_group event_groups[EVENT_GROUPS] = {
    {0x00, "GENERAL"}, {0x01, "LIBSPE2"}, {0x02, "MFCIO"},
    {0x03, "LIBSYNC"}, {0x05, "USER"},    {0x0b, "CML"},
};
