/* See loops.h. */
#include "recorder/hooks/loops.h"

#include "recorder/session.h"

/* clang-format off */
#define FUNCTION "function/address:routine"

static struct ct_type types[LOOP_EVENTS] = {
    {EVENT_ID(1, GROUP_LOOPS), CT_INTERVAL, 2, "LOOPS", "PARALLEL", FUNCTION " threads",
     NULL},
    {EVENT_ID(2, GROUP_LOOPS), CT_INTERVAL, 3, "LOOPS", "TASK", FUNCTION " number loops",
     NULL},
    {EVENT_ID(3, GROUP_LOOPS), CT_INTERVAL, 2, "LOOPS", "LOOP", "iterations schedule", NULL},
    {EVENT_ID(4, GROUP_LOOPS), CT_INTERVAL, 2, "LOOPS", "CHUNK", "from/i64 to/i64", NULL},
    {EVENT_ID(5, GROUP_LOOPS), CT_WAIT, 0, "LOOPS", "BARRIER", NULL, "class=\"barrier\""},
    {EVENT_ID(6, GROUP_LOOPS), CT_WAIT, 1, "LOOPS", "CRITICAL", "lock/address:object",
     "role=\"acquire\" class=\"mutex\""},
    {EVENT_ID(7, GROUP_LOOPS), CT_MARK, 1, "LOOPS", "CRITICAL_END", "lock/address:object",
     "role=\"release\" class=\"mutex\""},
    {EVENT_ID(8, GROUP_LOOPS), CT_WAIT, 0, "LOOPS", "ORDERED", NULL, "class=\"ordered\""},
    {EVENT_ID(9, GROUP_LOOPS), CT_MARK, 0, "LOOPS", "ORDERED_END", NULL, NULL},
    {EVENT_ID(10, GROUP_LOOPS), CT_MARK, 1, "LOOPS", "ADVANCE", "iteration/i64", NULL},
    {EVENT_ID(11, GROUP_LOOPS), CT_WAIT, 1, "LOOPS", "AWAIT", "iteration/i64",
     "class=\"advance\""}};
/* clang-format on */

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
