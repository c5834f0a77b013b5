/*
 * Reading ahead: with a thread and without, the caller sees the source's blocks in order, each of
 * them whole, and at their end what the source ended with, again and again; and it may turn away
 * at any moment.
 */
#include "io/readahead.h"
#include "support.h"

#include <string.h>

enum { BLOCK_BYTES = 64, TRIALS = 2000 };

/* Block i is i % BLOCK_BYTES + 1 bytes of the value i; after `blocks` of them comes the end, or
 * an error. */
struct numbers {
    uint64_t next, blocks;
    csy_status last;
    uint64_t calls_behind; /* calls of the source after its last block: there must be none */
};

static void count_up(void *user, struct readahead_block *block)
{
    struct numbers *numbers = user;
    uint64_t i = numbers->next++;
    numbers->calls_behind += i > numbers->blocks;
    block->mark = i;
    block->size = i < numbers->blocks ? i % BLOCK_BYTES + 1 : 0;
    block->status = i < numbers->blocks ? CSY_OK : numbers->last;
    memset(block->bytes, (int)(i & 0xff), block->size);
    if (block->status)
        snprintf(block->error.text, sizeof block->error.text, "after %d", (int)i);
}

static struct readahead *open_ahead(struct numbers *numbers, bool thread)
{
    struct readahead *a;
    csy_error error;
    ck_ok(readahead_new(count_up, numbers, BLOCK_BYTES, &a, &error), error);
    readahead_allow(a, thread);
    return a;
}

static void check_block(const struct readahead_block *block, uint64_t i,
                        const struct numbers *numbers)
{
    uint8_t want[BLOCK_BYTES];
    char text[32];
    bool last = i >= numbers->blocks;
    memset(want, (int)(i & 0xff), sizeof want);
    ck_assert_uint_eq(block->mark, last ? numbers->blocks : i);
    ck_assert_uint_eq(block->size, last ? 0 : i % BLOCK_BYTES + 1);
    ck_assert_mem_eq(block->bytes, want, block->size);
    ck_assert_int_eq(block->status, last ? numbers->last : CSY_OK);
    if (block->status) {
        snprintf(text, sizeof text, "after %d", (int)numbers->blocks);
        ck_assert_str_eq(block->error.text, text);
    }
}

/* Look at n blocks from the first one on. */
static void look(struct readahead *a, const struct numbers *numbers, uint64_t n)
{
    csy_error error;
    for (uint64_t i = 0; i < n; i++) {
        const struct readahead_block *block;
        ck_ok(readahead_next(a, &block, &error), error);
        check_block(block, i, numbers);
    }
}

START_TEST(blocks_come_in_order)
{
    for (int thread = 0; thread < 2; thread++) {
        for (uint64_t blocks = 0; blocks < 20; blocks++) {
            struct numbers numbers = {.blocks = blocks, .last = blocks % 2 ? CSY_IO : CSY_OK};
            struct readahead *a = open_ahead(&numbers, thread);
            look(a, &numbers, blocks + 3);
            readahead_free(a);
            ck_assert_uint_eq(numbers.next, blocks + 1);
            ck_assert_uint_eq(numbers.calls_behind, 0);
        }
    }
    readahead_free(NULL);
}
END_TEST

/* The thread starts after the first block, and makes no more than the ring holds. */
START_TEST(no_more_than_the_ring_is_made)
{
    struct numbers numbers = {.blocks = 1000};
    struct readahead *a = open_ahead(&numbers, true);
    look(a, &numbers, 1);
    ck_assert_uint_eq(numbers.next, 1);
    readahead_free(a);
    ck_assert_uint_eq(numbers.next, 1);
    a = open_ahead(&numbers, true);
    numbers.next = 0;
    look(a, &numbers, 10);
    readahead_free(a);
    ck_assert_uint_ge(numbers.next, 10);
    ck_assert_uint_le(numbers.next, 9 + AHEAD_SLOTS);
}
END_TEST

/* Turn away after any number of blocks, start again, change one's mind about the thread. */
START_TEST(the_caller_turns_away)
{
    for (uint64_t trial = 0; trial < (uint64_t)trials_of(TRIALS); trial++) {
        struct random r = random_trial(trial);
        struct numbers numbers = {.blocks = (uint64_t)random_between(&r, 0, 40),
                                  .last = random_chance(&r, 50) ? CSY_INPUT : CSY_OK};
        struct readahead *a = open_ahead(&numbers, random_chance(&r, 80));
        for (int64_t passes = random_between(&r, 0, 4); passes > 0; passes--) {
            look(a, &numbers, (uint64_t)random_between(&r, 0, (int64_t)numbers.blocks + 2));
            readahead_allow(a, random_chance(&r, 80));
            readahead_rewind(a);
            numbers.next = 0;
        }
        look(a, &numbers, (uint64_t)random_between(&r, 0, (int64_t)numbers.blocks + 2));
        readahead_free(a);
        ck_assert_uint_eq(numbers.calls_behind, 0);
    }
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("readahead");
    tcase_add_test(tests, blocks_come_in_order);
    tcase_add_test(tests, no_more_than_the_ring_is_made);
    tcase_add_test(tests, the_caller_turns_away);
    return unit_run();
}
