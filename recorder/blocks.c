/* Records each entry of a basic block in code that was compiled with -fsanitize-coverage=trace-pc
 * or trace-pc-guard. A record has 40 bytes and contains the return address of the hook. */
#include "recorder/event.h"
#include "recorder/session.h"

#define HOOK __attribute__((visibility("default"), no_instrument_function))

/* clang-format off */
static struct ct_type block[] = {
    {EVENT_ID(1, GROUP_BLOCKS), CT_MARK, 1, "BLOCKS", "BLOCK", "block/address:routine", NULL}};
/* clang-format on */

static struct type_table table = {block, 1, NULL};
static atomic_bool wanted;

__attribute__((constructor(HOOK_PRIORITY))) static void construct(void)
{
    if (!(session_events() & EVENTS_BLOCKS))
        return;
    types_register(&table);
    atomic_store(&wanted, true);
}

/* __asm__ gives the names under which compiled code calls these functions. */
HOOK void blocks_enter(void) __asm__("__sanitizer_cov_trace_pc");
HOOK void blocks_enter_guarded(const uint32_t *guard) __asm__("__sanitizer_cov_trace_pc_guard");
HOOK void blocks_guards(const uint32_t *from,
                        const uint32_t *to) __asm__("__sanitizer_cov_trace_pc_guard_init");

static inline __attribute__((always_inline, no_instrument_function)) void record(const void *at)
{
    const uint64_t values[] = {(uint64_t)(uintptr_t)at};
    if (atomic_load_explicit(&wanted, memory_order_relaxed))
        event_record(block, false, 0, (uint32_t)values[0], values, 1);
}

void blocks_enter(void)
{
    record(__builtin_return_address(0));
}

void blocks_enter_guarded(const uint32_t *guard)
{
    (void)guard;
    record(__builtin_return_address(0));
}

/* Compilers require this function to number the blocks, but records contain addresses instead. */
void blocks_guards(const uint32_t *from, const uint32_t *to)
{
    (void)from, (void)to;
}
