/* Rows of a partial order become points and edges, and what finds no partner is listed. */
#include "support.h"

#include "clock/timeline.h"
#include "order/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct folder folder;

/* A CSV that is read and matched, as a pass over it does. */
struct matched {
    csy_trace *trace;
    struct points points;
    struct match *match;
    csy_error error;
    /* Edges, a word each: from and to by their lines, b for a begin, h for a hub, ~ for a timestamp
     * that may be of another line. */
    char text[4096];
};

/* What the next trace is matched with. */
static int64_t close_ticks; /* 2 delta */
static bool operations;     /* groups that rows enter are barriers, of which each clock is a member;
                               what is sync was not completed */

static csy_status take_rows(struct matched *m, struct timeline *timeline)
{
    struct event event;
    struct event_roles roles;
    bool more;
    csy_status status;
    while (!(status = timeline_next(timeline, &event, &more, &m->error)) && more) {
        ck_assert_ptr_nonnull(event.roles);
        if (operations) {
            roles = *event.roles;
            roles.members = roles.enter;
            roles.enter = (csy_text){.size = 0};
            roles.collective =
                (struct event_collective){.enters = true, .leaves = true, .self = event.thread};
            roles.lost = roles.sync;
            roles.lost_ticks = event.stamp.time_ticks;
            roles.sync = false;
            event.roles = &roles;
        }
        status = match_event(m->match, &event, event.local_ticks, &m->error);
        if (status)
            return trace_at_place(m->trace, event.place, status, &m->error);
    }
    return status;
}

static csy_status match_text(struct matched *m, const char *csv)
{
    uint64_t place;
    struct timeline timeline;
    *m = (struct matched){0};
    const char *path = folder_file(&folder, "t.csv");
    file_write(path, csv, strlen(csv));
    csy_status status = csy_trace_open(path, NULL, &m->trace, &m->error);
    if (status)
        return status;
    strcpy(m->trace->name, "t.csv");
    struct timeline_rules rules = timeline_default_rules(m->trace);
    ck_ok(match_new(&m->points, 7, m->trace, &m->match, &m->error), m->error);
    m->points.close_ticks = close_ticks;
    ck_ok(timeline_init(&timeline, m->trace, &rules, NULL, &m->error), m->error);
    status = take_rows(m, &timeline);
    timeline_fini(&timeline);
    if (status)
        return status;
    status = match_finish(m->match, &place, &m->error);
    return trace_at_place(m->trace, place, status, &m->error);
}

static void matched_fini(struct matched *m)
{
    match_free(m->match);
    points_fini(&m->points);
    csy_trace_free(m->trace);
}

static int put_point(char *out, size_t size, const struct points *points, uint32_t p)
{
    const struct instant *point = &points->items[p];
    if (instant_is_hub(point))
        return snprintf(out, size, "h%" PRIu32, point->clock);
    return snprintf(out, size, "%" PRIu64 "%s", point->place,
                    point->kind == INSTANT_BEGIN   ? "b"
                    : point->kind == INSTANT_FLUSH ? "f"
                    : point->kind == INSTANT_LOOSE ? "~"
                                                   : "");
}

static const char *edges_of(struct matched *m)
{
    static const char *const kinds[] = {"chain",   "interval", "after",
                                        "message", "sync",     "enter",
                                        "leave",   "flush",    [EDGE_APART] = "apart"};
    char *at = m->text, *end = m->text + sizeof m->text;
    *at = 0;
    for (size_t i = 0; i < m->points.nedges; i++) {
        const struct order_edge *edge = &m->points.edges[i];
        at += snprintf(at, (size_t)(end - at), "%s", i ? " " : "");
        at += put_point(at, (size_t)(end - at), &m->points, edge->from);
        at += snprintf(at, (size_t)(end - at), ">");
        at += put_point(at, (size_t)(end - at), &m->points, edge->to);
        at += snprintf(at, (size_t)(end - at), ":%s", kinds[edge->kind]);
        if (edge->latency_ticks)
            at += snprintf(at, (size_t)(end - at), "+%" PRId64, edge->latency_ticks);
        if (edge->key != NO_KEY)
            at += snprintf(at, (size_t)(end - at), "(%s)", m->points.keys + edge->key);
    }
    return m->text;
}

/* What is left out, a word for each kind and reason. */
static const char *unused_of(struct matched *m)
{
    static const char *const ends[] = {"send", "recv", "sync", "enter", "leave"};
    static const char *const whys[] = {"unmatched",
                                       "no-begin",
                                       "more-receives",
                                       "clocks",
                                       "locations",
                                       [CSY_LEFT_MORE_SENDS] = "more-sends",
                                       [CSY_LEFT_CLOSE] = "close",
                                       [CSY_LEFT_COUNT] = "count",
                                       [CSY_LEFT_LOST] = "lost"};
    const csy_matched *report = match_report(m->match);
    char *at = m->text, *end = m->text + sizeof m->text;
    *at = 0;
    for (size_t i = 0; i < report->nunused; i++) {
        const csy_unused *unused = &report->unused[i];
        at += snprintf(at, (size_t)(end - at), "%s%s:%s:%" PRIu64, i ? " " : "", ends[unused->end],
                       whys[unused->why], unused->count);
        for (size_t k = 0; k < unused->nlisted; k++)
            at += snprintf(at, (size_t)(end - at), ",%" PRIu64 "(%s)", unused->listed[k].place,
                           unused->listed[k].key);
    }
    return m->text;
}

static void matches(const char *csv, const char *edges, const char *unused)
{
    struct matched m;
    ck_ok(match_text(&m, csv), m.error);
    ck_assert_str_eq(edges_of(&m), edges);
    ck_assert_str_eq(unused_of(&m), unused);
    matched_fini(&m);
}

static void refuses(const char *csv, const char *text)
{
    struct matched m;
    ck_refused(match_text(&m, csv), CSY_INPUT, m.error, text);
    matched_fini(&m);
}

START_TEST(messages_go_by_the_order_of_the_rows)
{
    matches("# order=partial\nthread,time,send,recv,latency\n"
            "A,0,m,,\nB,105,,m,\nA,1,m n,,\nB,3,,m,5\nB,4,,n,0\n",
            "3>4:message+7(m) 5>6:message+5(m) 5>7:message(n)", "");
}
END_TEST

START_TEST(messages_go_from_begin_to_end)
{
    matches("# order=partial\nthread,begin,time,send,recv,sync\n"
            "A,0,9,m,,yes\nB,5,8,,m,\n",
            "4b>3:sync(m) 3b>4:message+7(m)", "");
}
END_TEST

START_TEST(what_is_posted_first_goes_first)
{
    /* receives complete in the other order */
    matches("# order=partial\nthread,begin,time,send,recv\n"
            "A,,1,m,\nA,,2,m,\nB,5,10,,m\nB,3,20,,m\n",
            "4>5:message+7(m) 6b>6:interval 3>6:message+7(m)", "");
    /* one without a begin: as they stand */
    matches("# order=partial\nthread,begin,time,send,recv\n"
            "A,,1,m,\nA,,2,m,\nB,5,10,,m\nB,,20,,m\n",
            "3>5:message+7(m) 4>6:message+7(m)", "");
}
END_TEST

START_TEST(locations_of_one_clock_share_a_channel)
{
    const char *head = "# order=partial\nthread,clock,time,send,recv\n";
    char csv[512];
    snprintf(csv, sizeof csv, "%sp,A,9,m,\nq,A,4,m,\nB,,100,,m\n", head);
    matches(csv, "", "send:more-sends:2,3(m),4(m) recv:more-sends:1,5(m)");
    snprintf(csv, sizeof csv, "# sends=complete\n%sp,A,9,m,\nq,A,4,m,\nB,,100,,m\n", head);
    matches(csv, "5>6:apart+7(m)", "send:unmatched:1,4(m)");
    snprintf(csv, sizeof csv, "%sp,A,9,m,\nB,,100,,m\nB,,101,,m\nq,A,4,m,\n", head);
    matches(csv, "6>4:message+7(m) 3>5:message+7(m)", "");
    snprintf(csv, sizeof csv, "%sp,A,9,m,\nq,A,4,m,\nB,,100,,m\nB,,101,,m\nB,,102,,m\n", head);
    matches(csv, "", "send:more-receives:2,3(m),4(m) recv:more-receives:3,5(m),6(m),7(m)");
    snprintf(csv, sizeof csv, "%sp,A,9,m,\nq,C,4,m,\nB,,100,,m\n", head);
    matches(csv, "", "send:clocks:2,3(m),4(m) recv:clocks:1,5(m)");
}
END_TEST

/* The same for another 2 delta. */
static void matches_at(int64_t ticks, const char *csv, const char *edges, const char *unused)
{
    close_ticks = ticks;
    matches(csv, edges, unused);
    close_ticks = 0;
}

START_TEST(exact_timestamps_tell_who_was_first)
{
    const char *sends = "# order=partial\nthread,clock,time,send,recv\n"
                        "p,A,9,m,\nB,,100,,m\nB,,101,,m\nq,A,4,m,\n";
    matches_at(0, sends, "6>4:message+7(m) 3>5:message+7(m)", "");
    matches_at(1, sends, "6~>4~:message+7(m) 3~>5~:message+7(m)", "");
    const char *receives = "# order=partial\nthread,clock,time,send,recv\n"
                           "A,,4,m,\nA,,9,m,\np,B,100,,m\nq,B,103,,m\np,B,103,,\n";
    matches_at(0, receives, "3>5:message+7(m) 4>6:message+7(m)", "");
    matches_at(1, receives, "3~>5~:message+7(m) 4~>6~:message+7(m)", "");
    /* nothing before a begin is known */
    matches_at(1,
               "# order=partial\nthread,clock,begin,time,send,recv\n"
               "p,A,1,2,m,\nq,A,2,3,m,\nB,,,5,,m\nB,,,6,,m\n",
               "3b>5~:message+7(m) 4b>6~:message+7(m)", "");
    /* one location has its own order */
    matches_at(50, "# order=partial\nthread,time,send,recv\nA,1,m,\nA,2,m,\nB,5,,m\nB,6,,m\n",
               "3>5:message+7(m) 4>6:message+7(m)", "");
}
END_TEST

START_TEST(latencies_are_of_messages_that_are_known)
{
    /* the second receive of several may have got the first message: 5 is not known of it */
    matches("# order=partial\nthread,clock,time,send,recv,latency\n"
            "A,,1,m,,\nA,,2,m,,\nA,,3,m,,\np,B,10,,m,4\nq,B,11,,m,5\np,B,12,,m,2\n",
            "3>6:message+4(m) 4>7:message+4(m) 5>8:message+2(m)", "");
    const char *close = "# order=partial\nthread,begin,time,send,recv,latency\n"
                        "A,,1,m,,\nA,,2,m,,\nB,5,10,,m,4\nB,8,20,,m,6\n";
    matches_at(3, close, "3>5:message+4(m) 6b>6:interval 4>6:message+6(m)", "");
    matches_at(4, close, "3>5:message+4(m) 6b>6:interval 4>6:message+4(m)", "");
}
END_TEST

START_TEST(receives_are_posted_2_delta_apart)
{
    const char *csv = "# order=partial\nthread,begin,time,send,recv,sync\n"
                      "A,1,2,m,,yes\nA,2,3,m,,yes\nB,5,10,,m,\nB,3,20,,m,\n";
    matches_at(
        1, csv,
        "6b>3:sync(m) 4b>4:interval 5b>4:sync(m) 4b>5:message+7(m) 6b>6:interval 3b>6:message+7(m)",
        "");
    matches_at(3, csv, "4b>4:interval 3b>5:message+7(m) 6b>6:interval 4b>6:message+7(m)",
               "sync:close:2,3(m),4(m)");
}
END_TEST

/* A barrier whose rows are those of text. */
static void operates_at(int64_t ticks, const char *csv, const char *edges, const char *unused)
{
    operations = true;
    matches_at(ticks, csv, edges, unused);
    operations = false;
}

START_TEST(operations_begin_2_delta_apart)
{
    const char *swapped = "# order=partial\nthread,begin,time,enter\n"
                          "A,1,2,g\nA,3,4,g\nB,53,90,g\nB,51,99,g\n";
    operates_at(2, swapped,
                "h0>3:leave(g) 4b>4:interval h1>4:leave(g) h1>5:leave(g) 6b>6:interval "
                "h0>6:leave(g) 3b>h0:enter(g) 6b>h0:enter(g) 4b>h1:enter(g) 5b>h1:enter(g)",
                "");
    operates_at(3, swapped, "3b>3:enter(g) 4b>4:interval 4b>4:enter(g) 6b>6:interval",
                "enter:close:2,5(g),6(g)");
    const char *threads = "# order=partial\nthread,clock,begin,time,enter\n"
                          "A,,1,2,g\nA,,3,4,g\np,B,51,90,g\nq,B,53,99,g\n";
    operates_at(2, threads,
                "h0>3:leave(g) 4b>4:interval h1>4:leave(g) h0>5:leave(g) h1>6:leave(g) "
                "3b>h0:enter(g) 5b>h0:enter(g) 4b>h1:enter(g) 6b>h1:enter(g)",
                "");
    operates_at(3, threads, "3b>3:enter(g) 4b>4:interval 4b>4:enter(g)", "enter:close:2,5(g),6(g)");
    const char *lost = "# order=partial\nthread,begin,time,enter,sync\n"
                       "A,1,2,g,\nA,3,4,g,\nB,51,90,g,\nB,53,99,g,\nB,,54,,yes\n";
    operates_at(1, lost,
                "h0>3:leave(g) 4b>4:interval h1>4:leave(g) h0>5:leave(g) 6b>6:interval "
                "h1>6:leave(g) 3b>h0:enter(g) 5b>h0:enter(g) 4b>h1:enter(g) 6b>h1:enter(g)",
                "");
    operates_at(2, lost, "3b>3:enter(g) 4b>4:interval 4b>4:enter(g) 6b>6:interval",
                "enter:count:1,5(g) enter:lost:1,6(g)");
}
END_TEST

START_TEST(one_location_may_have_several_clocks)
{
    matches("# order=partial\nthread,clock,time,send,recv\n"
            "p,A,9,m,\np,C,4,m,\nB,,1,,m\nB,,2,,m\n",
            "3>5:message+7(m) 4>6:message+7(m)", "");
}
END_TEST

START_TEST(who_waits_for_whom_must_be_known)
{
    matches("# order=partial\n# sends=complete\nthread,clock,begin,time,send,recv,sync\n"
            "p,A,1,2,m,,yes\nq,A,3,4,m,,yes\nB,,5,6,,m,\n",
            "4b>6:apart+7(m)", "send:unmatched:1,5(m) sync:locations:1,4(m)");
    matches("# order=partial\n# sends=complete\nthread,begin,time,send,recv,sync\n"
            "A,1,2,m,,yes\nA,3,4,m,,yes\nB,5,6,,m,\n",
            "5b>5:interval 4b>6:apart+7(m)", "send:unmatched:1,5(m) sync:more-sends:1,4(m)");
    matches("# order=partial\nthread,time,send,recv,sync\nA,1,m,,yes\nB,2,,m,\n",
            "3>4:message+7(m)", "sync:no-begin:1,3(m)");
}
END_TEST

START_TEST(groups_are_hubs)
{
    matches("# order=partial\nthread,begin,time,enter,leave\n"
            "A,0,10,b1,b1\nB,100,104,b1,b1\nC,,5,b2,\nD,,5,,b3\n",
            "h0>3:leave(b1) h0>4:leave(b1) 3b>h0:enter(b1) 4b>h0:enter(b1)",
            "enter:unmatched:1,5(b2) leave:unmatched:1,6(b3)");
    matches("# order=partial\nthread,time,enter,leave\nA,0,b,b\nB,1,b,\nC,2,,b\n",
            "h0>3:leave(b) h0>5:leave(b) 4>h0:enter(b)", "enter:no-begin:1,3(b)");
}
END_TEST

START_TEST(rows_may_name_rows)
{
    matches("# order=partial\nthread,time,id,after,latency\n"
            "A,0,,y,4\nB,1,x y,,\nC,2,, x\ty ,\n",
            "4>3:after+4 4>5:after 4>5:after", "");
}
END_TEST

START_TEST(at_most_ten_are_listed)
{
    char csv[4096];
    int used = snprintf(csv, sizeof csv, "# order=partial\nthread,time,send\n");
    for (int i = 0; i < 30; i++)
        used += snprintf(csv + used, sizeof csv - (size_t)used, "A,%d,c%d\n", i, (30 - i) / 3);
    matches(csv, "",
            "send:unmatched:30,3(c10),4(c9),5(c9),6(c9),7(c8),8(c8),9(c8),10(c7),11(c7),12(c7)");
}
END_TEST

/* Lines 3 to 8 are blocks A{3,4} B{5,6} A{7,8}. */
static void flushes(const char *after, const char *edges, const char *stamps)
{
    char csv[512], found[256];
    snprintf(csv, sizeof csv,
             "# order=partial\n# block_after=%s\nthread,time,buffer,block\nA,0,s,1\nA,5,s,1\n"
             "B,3,s,1\nB,9,s,1\nA,20,s,2\nA,25,s,2\n",
             after);
    matches(csv, edges, "");
    struct matched m;
    ck_ok(match_text(&m, csv), m.error);
    int used = 0;
    for (size_t p = 0; p < m.points.count; p++) {
        const struct instant *item = &m.points.items[p];
        if (item->kind != INSTANT_FLUSH)
            continue;
        used += snprintf(found + used, sizeof found - (size_t)used, "%s%" PRIu64 ":%" PRId64,
                         used ? " " : "", item->place, item->lo);
        if (item->hi != HI_NONE)
            used += snprintf(found + used, sizeof found - (size_t)used, "..%" PRId64, item->hi);
        ck_assert(!item->chained && item->buffer == 0);
    }
    ck_assert_str_eq(found, stamps);
    ck_assert_uint_eq(match_report(m.match)->blocks, 3);
    matched_fini(&m);
}

START_TEST(blocks_are_flushed)
{
    flushes("flush", "5f>8:flush 5>5f:flush 7>7f:flush 9>9f:flush", "5:5..20 7:9 9:25");
    flushes("block", "5f>9:flush 5>5f:flush 7>7f:flush 9>9f:flush", "5:5..25 7:9 9:25");
    flushes("none", "5>5f:flush 7>7f:flush 9>9f:flush", "5:5 7:9 9:25");
    matches("# order=partial\nthread,time,buffer,block,flush\n"
            "A,0,s,x,\nA,5,s,x,6\nB,3,s,,\nA,7,t,x,\nA,20,s,y,26/27\n",
            "4>4f:flush 6>6f:flush 7>7f:flush", "");
}
END_TEST

START_TEST(bad_rows_are_refused)
{
    refuses("# order=partial\nthread,time,id,after\nA,0,x,\nA,1,,x z\n",
            "t.csv: line 4: after: no row has the id 'z'");
    refuses("# order=partial\nthread,time,id\nA,0,x\nB,1,x\n",
            "t.csv: line 4: two rows have the id 'x'");
    refuses("# order=partial\nthread,time,recv,latency\nA,0,x,soon\n",
            "t.csv: line 3: latency \"soon\": expected a whole number of ticks");
    refuses("# order=partial\nthread,time,recv,latency\nA,0,x,-1\n",
            "t.csv: line 3: latency \"-1\": expected 0 or more");
    refuses("# order=partial\nthread,time,send,sync\nA,0,x,maybe\n",
            "t.csv: line 3: sync \"maybe\": expected yes, shared, no, or nothing");
    refuses("# order=partial\nthread,time,buffer,block\nA,0,,1\n",
            "t.csv: line 3: the block '1' belongs to no buffer");
    refuses("# order=partial\nthread,time,buffer,block\nA,0,s,1\nA,1,s,2\nB,1,s,1\nA,2,s,1\n",
            "t.csv: line 6: the block '1' continues after its location began another block");
    refuses("# order=partial\nthread,time,buffer,block\nA,0,s,a\nA,1,s,1\nA,2,s,a\n",
            "t.csv: line 5: the block 'a' continues after its location began another block");
    refuses("# order=partial\nthread,time,buffer,block\n"
            "A,0,s,5\nA,1,s,7\nA,2,s,6\nA,3,s,7\n",
            "t.csv: line 6: the block '7' continues after its location began another block");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,1\nA,1,s,1,2\n",
            "t.csv: line 4: the block '1' has rows after its flush");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,s,,1\n",
            "t.csv: line 3: the row has a flush, but no block");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,,,1\n",
            "t.csv: line 3: the row has a flush, but no buffer");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,soon\n",
            "t.csv: line 3: flush \"soon\": expected a whole number of ticks");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,1/\n",
            "t.csv: line 3: flush \"\": expected a whole number of ticks");
    refuses("# order=partial\nthread,time,buffer,block,flush\nA,0,s,1,2/1\n",
            "t.csv: line 3: flush \"2/1\": the second timestamp is before the first one");
    refuses("# order=partial\nthread,time,buffer,block,flush\n"
            "A,0,s,1,9223372036854775807/9223372036854775807\n",
            "t.csv: line 3: the flush is 2^58 ticks or more from other timestamps");
}
END_TEST

START_TEST(the_order_is_said_in_a_comment)
{
    const char *path = folder_file(&folder, "t.csv");
    static const struct {
        const char *csv, *want;
    } bad[] = {
        {"# order=total\nthread,time\n",
         "line 1: order \"total\": expected buffer, partial, or messages"},
        {"# order=buffer\n# order=partial\nthread,time\n",
         "line 2: # order=partial contradicts # order=buffer in line 1"},
        {"# order=partial\nthread,time,send,Send\n", "line 2: two columns have the name \"send\""},
        {"# order=partial\n# block_after=never\nthread,time\n",
         "line 2: block_after \"never\": expected flush, block, or none"},
        {"# block_after=none\n# block_after=block\nthread,time\n",
         "line 2: # block_after=block contradicts # block_after=none in line 1"},
    };
    csy_trace *trace;
    csy_error error;
    char want[512];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        file_write(path, bad[i].csv, strlen(bad[i].csv));
        snprintf(want, sizeof want, "%s: %s", path, bad[i].want);
        ck_refused(csy_trace_open(path, NULL, &trace, &error), CSY_INPUT, error, want);
    }
    static const char buffer[] = "# order=buffer\nthread,time,send,send\nA,1,x,y\n";
    file_write(path, buffer, sizeof buffer - 1);
    ck_ok(csy_trace_open(path, NULL, &trace, &error), error);
    ck_assert(!trace->partial);
    ck_assert_ptr_null(csy_trace_warning(trace, 0));
    csy_trace_free(trace);
}
END_TEST

int main(void)
{
    TCase *tests = unit_begin("match");
    unit_in_folder(tests, &folder);
    tcase_add_test(tests, messages_go_by_the_order_of_the_rows);
    tcase_add_test(tests, messages_go_from_begin_to_end);
    tcase_add_test(tests, what_is_posted_first_goes_first);
    tcase_add_test(tests, locations_of_one_clock_share_a_channel);
    tcase_add_test(tests, exact_timestamps_tell_who_was_first);
    tcase_add_test(tests, latencies_are_of_messages_that_are_known);
    tcase_add_test(tests, receives_are_posted_2_delta_apart);
    tcase_add_test(tests, operations_begin_2_delta_apart);
    tcase_add_test(tests, one_location_may_have_several_clocks);
    tcase_add_test(tests, who_waits_for_whom_must_be_known);
    tcase_add_test(tests, groups_are_hubs);
    tcase_add_test(tests, rows_may_name_rows);
    tcase_add_test(tests, at_most_ten_are_listed);
    tcase_add_test(tests, blocks_are_flushed);
    tcase_add_test(tests, bad_rows_are_refused);
    tcase_add_test(tests, the_order_is_said_in_a_comment);
    return unit_run();
}
