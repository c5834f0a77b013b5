/* Records entries and exits of functions that were compiled with -finstrument-functions. A record
 * has 40 bytes and contains the address of the function. The program counter of the record is the
 * low half of the address of the call. */
#include "recorder/event.h"
#include "recorder/session.h"

#define HOOK __attribute__((visibility("default"), no_instrument_function))

#define ADDRESS "function/address:routine"

enum { ENTER, EXIT, FUNCTION_TYPES };

/* clang-format off */
static struct ct_type types[FUNCTION_TYPES] = {
    {EVENT_ID(1, GROUP_FUNCTIONS), CT_ENTRY, 1, "FUNCTIONS", "FUNCTION", ADDRESS, NULL},
    {EVENT_ID(2, GROUP_FUNCTIONS), CT_EXIT, 1, "FUNCTIONS", "FUNCTION", ADDRESS, NULL}};
/* clang-format on */

static struct type_table table = {types, FUNCTION_TYPES, NULL};
static atomic_bool wanted;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_FUNCTIONS))
        return;
    types_register(&table);
    atomic_store(&wanted, true);
}

HOOK void functions_enter(void *function, void *site) __asm__("__cyg_profile_func_enter");
HOOK void functions_exit(void *function, void *site) __asm__("__cyg_profile_func_exit");

static inline __attribute__((always_inline, no_instrument_function)) void
record(unsigned which, void *function, void *site)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)function};
    if (atomic_load_explicit(&wanted, memory_order_relaxed))
        event_record(&types[which], false, 0, (uint32_t)(uintptr_t)site, values, 1);
}

void functions_enter(void *function, void *site)
{
    record(ENTER, function, site);
}

void functions_exit(void *function, void *site)
{
    record(EXIT, function, site);
}
