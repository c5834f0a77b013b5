/* The line of progress: percent, rate and time left, out of what was done in which time. */
#include "support.h"
#include "tool/progress.h"

#define SECOND INT64_C(1000000000)

struct line {
    csy_unit unit;
    uint64_t done, total, more;
    int64_t elapsed_ns;
    const char *want;
};

static const struct line lines[] = {
    {CSY_UNIT_BYTES, 0, 1000, 0, 0, "reading   0 %"},
    {CSY_UNIT_BYTES, 999, 1000, 999, SECOND / 5, "reading  99 %"},
    {CSY_UNIT_BYTES, 1000, 1000, 0, SECOND, "reading 100 %"},
    {CSY_UNIT_BYTES, 1200, 1000, 0, SECOND, "reading 100 %"},
    {CSY_UNIT_BYTES, 12345678, 0, 0, 0, "reading 12 MB"},
    {CSY_UNIT_BYTES, 1234567, 0, 0, 0, "reading 1.2 MB"},
    {CSY_UNIT_BYTES, 240000000, 0, 240000000, 2 * SECOND, "reading 240 MB, 120 MB/s"},
    {CSY_UNIT_BYTES, 250000000, 1000000000, 250000000, SECOND, "reading  25 %, 250 MB/s, 4 s left"},
    {CSY_UNIT_BYTES, 250000000, 1000000000, 50000000, SECOND, "reading  25 %, 50 MB/s, 16 s left"},
    {CSY_UNIT_BYTES, 1000000, 100000000, 1000000, SECOND, "reading   1 %, 1.0 MB/s, 1:40 min left"},
    {CSY_UNIT_THREADS, 500, 100500, 500, 50 * SECOND, "reading   0 %, 10 threads/s, 2:46 h left"},
    {CSY_UNIT_THREADS, 500, 500, 500, SECOND, "reading 100 %, 500 threads/s"},
    {CSY_UNIT_THREADS, 1, UINT64_MAX, 1, SECOND, "reading   0 %, 1 threads/s, 100000:00 h left"},
};

START_TEST(lines_say_what_is_known)
{
    char text[PROGRESS_LINE_MAX];
    const struct line *line = &lines[_i];
    ck_assert_str_eq(progress_line_text(text, "reading", line->unit, line->done, line->total,
                                        line->more, line->elapsed_ns),
                     line->want);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("progress");
    tcase_add_loop_test(tests, lines_say_what_is_known, 0, sizeof lines / sizeof *lines);
    return unit_run();
}
