/* Records entries and exits of functions that were compiled with -finstrument-functions, and
 * entries of basic blocks in code that was compiled with -fsanitize-coverage=trace-pc or
 * trace-pc-guard.
 *
 * A record has 40 bytes. For a function, the record contains the address of the function, and the
 * program counter is the low half of the address of the call. For a block, the record contains the
 * return address of the hook. */
#include "recorder/event.h"
#include "recorder/session.h"

#define ADDRESS "function/address:routine"

enum { ENTER, EXIT, FUNCTION_TYPES };

/* clang-format off */
static struct ct_type functions[FUNCTION_TYPES] = {
    {EVENT_ID(1, GROUP_FUNCTIONS), CT_ENTRY, 1, "FUNCTIONS", "FUNCTION", ADDRESS, NULL},
    {EVENT_ID(2, GROUP_FUNCTIONS), CT_EXIT, 1, "FUNCTIONS", "FUNCTION", ADDRESS, NULL}};
static struct ct_type block[] = {
    {EVENT_ID(1, GROUP_BLOCKS), CT_MARK, 1, "BLOCKS", "BLOCK", "block/address:routine", NULL}};
/* clang-format on */

static struct type_table functions_table = {functions, FUNCTION_TYPES, NULL};
static struct type_table block_table = {block, 1, NULL};
static atomic_bool functions_wanted, blocks_wanted;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (session_events() & EVENTS_BLOCKS) {
        types_register(&block_table);
        atomic_store(&blocks_wanted, true);
    }
    if (session_events() & EVENTS_FUNCTIONS) {
        types_register(&functions_table);
        atomic_store(&functions_wanted, true);
    }
}

/* __asm__ gives the names under which compiled code calls these functions. */
HOOK void functions_enter(void *function, void *site) __asm__("__cyg_profile_func_enter");
HOOK void functions_exit(void *function, void *site) __asm__("__cyg_profile_func_exit");
HOOK void blocks_enter(void) __asm__("__sanitizer_cov_trace_pc");
HOOK void blocks_enter_guarded(const uint32_t *guard) __asm__("__sanitizer_cov_trace_pc_guard");
HOOK void blocks_guards(const uint32_t *from,
                        const uint32_t *to) __asm__("__sanitizer_cov_trace_pc_guard_init");

static inline __attribute__((always_inline, no_instrument_function)) void
record(const atomic_bool *wanted, const struct ct_type *type, const void *at, const void *site)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)at};
    if (atomic_load_explicit(wanted, memory_order_relaxed))
        event_record(type, false, 0, (uint32_t)(uintptr_t)site, values, 1);
}

void functions_enter(void *function, void *site)
{
    record(&functions_wanted, &functions[ENTER], function, site);
}

void functions_exit(void *function, void *site)
{
    record(&functions_wanted, &functions[EXIT], function, site);
}

void blocks_enter(void)
{
    record(&blocks_wanted, block, __builtin_return_address(0), __builtin_return_address(0));
}

void blocks_enter_guarded(const uint32_t *guard)
{
    (void)guard;
    record(&blocks_wanted, block, __builtin_return_address(0), __builtin_return_address(0));
}

/* Compilers require this function to number the blocks, but records contain addresses instead. */
void blocks_guards(const uint32_t *from, const uint32_t *to)
{
    (void)from, (void)to;
}
