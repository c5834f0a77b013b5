/* output/trace/batches: what the caller adds comes to the worker whole, in order and unchanged; its
 * failure stops the caller; its writes are done in order. */
#include "output/trace/batches.h"

#include "support.h"

#include <stdlib.h>
#include <string.h>

enum { EVENTS = 20000, LONG_BYTES = 200 * 1024, PLAIN_ROOM_BYTES = 128 };

/* What event n is made of, the same for the caller and the worker. */
struct made {
    bool plain, selected;
    size_t size, name_size;
    uint8_t byte;
};

static struct made make(uint64_t n)
{
    struct random r = random_trial(n);
    struct made made = {.plain = random_chance(&r, 50), .selected = random_chance(&r, 80)};
    made.size = (size_t)random_between(&r, 24, random_chance(&r, 5) ? 2000 : 60);
    made.size = !made.plain && random_chance(&r, 1) ? LONG_BYTES : made.size;
    made.size = made.plain ? made.size / 8 * 8 : made.size;
    made.name_size = (size_t)random_between(&r, 0, 30);
    made.byte = (uint8_t)random_bits(&r);
    return made;
}

struct taken {
    uint64_t n, fail_at;
    const struct relay *relay;
    uint64_t asked, written;
    bool disorder; /* a write was not the next */
};

static bool is_all(const uint8_t *bytes, size_t from, size_t size, uint8_t byte)
{
    for (size_t i = from; i < size; i++)
        if (bytes[i] != byte)
            return false;
    return true;
}

/* In either of them. */
static void write_out(void *file, const void *bytes, size_t size)
{
    struct taken *taken = file;
    (void)bytes;
    taken->disorder |= size != taken->written;
    taken->written++;
}

/* In the worker. */
static csy_status take(void *user, const struct event *source, const csy_event *event,
                       bool selected, csy_error *error)
{
    struct taken *taken = user;
    struct made made = make(taken->n);
    bool good = event->record == taken->n && event->size == made.size &&
                event->thread == taken->n % 7 && selected == made.selected &&
                event->global_ticks == (int64_t)(3 * taken->n) &&
                event->local_ticks == (int64_t)taken->n && source->place == taken->n + 5 &&
                is_all(event->bytes, made.plain ? 16 : 0, made.size, made.byte);
    if (!made.plain)
        good = good && source->name_size == made.name_size &&
               is_all((const uint8_t *)source->name, 0, made.name_size, (uint8_t)~made.byte);
    if (!good || taken->n == taken->fail_at) {
        if (error)
            error->text[0] = good ? 'f' : 'w';
        return good ? CSY_IO : CSY_CHECK;
    }
    taken->n++;
    if (taken->relay && taken->n % 100 == 0)
        taken->relay->ask(taken->relay->user, write_out, taken, event->bytes,
                          (size_t)taken->asked++);
    return CSY_OK;
}

static csy_status add(struct batches *batches, uint64_t n, bool *stopped)
{
    static uint8_t bytes[LONG_BYTES + PLAIN_ROOM_BYTES];
    csy_error error;
    char name[32];
    struct made made = make(n);
    csy_event event = {.record = n,
                       .thread = (size_t)(n % 7),
                       .track = CSY_NO_TRACK,
                       .local_ticks = (int64_t)n,
                       .global_ticks = (int64_t)(3 * n),
                       .bytes = bytes,
                       .size = made.size};
    memset(bytes, made.byte, made.size);
    memset(name, (uint8_t)~made.byte, sizeof name);
    if (made.plain) {
        store16(bytes, (uint16_t)made.size);
        return batches_add_plain(batches, &event, n + 5, made.selected, stopped, &error);
    }
    struct event source = {.place = n + 5,
                           .bytes = bytes,
                           .size = made.size,
                           .name = name,
                           .name_size = made.name_size};
    return batches_add(batches, &source, &event, made.selected, stopped, &error);
}

START_TEST(all_come_in_order)
{
    csy_error error = {CSY_OK, ""};
    struct batches *batches;
    struct taken taken = {.fail_at = UINT64_MAX};
    bool stopped = false;
    batches_open(take, &taken, &batches);
    ck_assert_ptr_nonnull(batches);
    uint64_t n = (uint64_t)trials_of(EVENTS);
    for (uint64_t i = 0; i < n; i++) {
        ck_assert_int_eq(add(batches, i, &stopped), CSY_OK);
        ck_assert(!stopped);
    }
    ck_assert_int_eq(batches_close(batches, &error), CSY_OK);
    ck_assert_uint_eq(taken.n, n);
}
END_TEST

START_TEST(none_at_all)
{
    csy_error error;
    struct batches *batches;
    struct taken taken = {.fail_at = UINT64_MAX};
    batches_open(take, &taken, &batches);
    ck_assert_ptr_nonnull(batches);
    ck_assert_int_eq(batches_close(batches, &error), CSY_OK);
    ck_assert_uint_eq(taken.n, 0);
}
END_TEST

/* The first failure is told, and after it the worker is handed no more. */
START_TEST(a_failure_stops)
{
    static const uint64_t places[] = {0, 1, 1023, 1024, 5000, 9999};
    csy_error error = {CSY_OK, ""};
    struct batches *batches;
    struct taken taken = {.fail_at = places[_i]};
    bool stopped = false;
    batches_open(take, &taken, &batches);
    ck_assert_ptr_nonnull(batches);
    uint64_t i = 0;
    for (; i < 10 * EVENTS && !stopped; i++)
        ck_assert_int_eq(add(batches, i, &stopped), CSY_OK);
    ck_assert_msg(stopped, "it goes on for %d events", 10 * EVENTS);
    ck_assert_int_eq(batches_close(batches, &error), CSY_IO);
    ck_assert_int_eq(error.text[0], 'f');
    ck_assert_uint_eq(taken.n, places[_i]);
}
END_TEST

/* Each write that the worker asks for is done once, in order, by the one who has less to do. */
START_TEST(writes_are_in_order)
{
    csy_error error;
    struct batches *batches;
    struct taken taken = {.fail_at = UINT64_MAX};
    bool stopped = false;
    batches_open(take, &taken, &batches);
    ck_assert_ptr_nonnull(batches);
    taken.relay = batches_relay(batches);
    uint64_t n = (uint64_t)trials_of(EVENTS);
    for (uint64_t i = 0; i < n; i++)
        ck_assert_int_eq(add(batches, i, &stopped), CSY_OK);
    ck_assert_int_eq(batches_close(batches, &error), CSY_OK);
    ck_assert_uint_eq(taken.asked, n / 100);
    ck_assert_uint_eq(taken.written, n / 100);
    ck_assert(!taken.disorder);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("batches");
    tcase_add_test(tests, all_come_in_order);
    tcase_add_test(tests, none_at_all);
    tcase_add_loop_test(tests, a_failure_stops, 0, 6);
    tcase_add_test(tests, writes_are_in_order);
    return unit_run();
}
