/* See loops.h. */
#include "recorder/hooks/loops.h"

#include "recorder/session.h"

#define TYPE(name, kind, nfields, fields, attributes)                                              \
    {EVENT_ID(LOOP_##name + 1, GROUP_LOOPS), kind, nfields, "LOOPS", #name, fields, attributes},
static struct ct_type types[] = {LOOP_TABLE(TYPE)};

static struct type_table table = {types, LOOP_EVENTS, NULL};

atomic_bool loops_by_gomp, loops_by_ompt;

bool loops_begin(void)
{
    static atomic_flag begun = ATOMIC_FLAG_INIT;
    session_begin();
    if (!(session_events() & EVENTS_LOOPS))
        return false;
    if (!atomic_flag_test_and_set(&begun)) {
        types_register(&table);
        session_note_change(false);
    }
    return true;
}

/* Record calls of GCC's runtime, unless the runtime reports through OMPT. */
__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (loops_begin() && !atomic_load(&loops_by_ompt))
        atomic_store(&loops_by_gomp, true);
}

void loops_event(enum loop_event event, uint64_t begin, const uint64_t *values, unsigned n)
{
    const struct ct_type *type = &types[event];
    bool interval = kind_is_interval(type->kind);
    event_record(type, interval, interval ? begin : 0, 0, values, n);
}
