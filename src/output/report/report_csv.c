/* The CSV report: a line a pair of threads.  cellsync-formats(5), CSV report. */
#include "output/encode/csv_field.h"
#include "output/report/report.h"

#include <inttypes.h>

static const char *ticks_or_inf(int64_t ticks, char text[TICKS_TEXT_MAX])
{
    return words_ticks(ticks < 0 ? INT64_MAX : ticks, "", "inf", text);
}

/* A pair; in the last columns, what all of them rest on. */
static void write_pair(struct outfile *out, const struct csy_sync *sync, const struct pair *pair,
                       bool first)
{
    char text[TICKS_TEXT_MAX];
    (void)first;
    csv_field_write(out, sync->views[pair->s].name);
    outfile_print(out, ",");
    csv_field_write(out, sync->views[pair->t].name);
    outfile_print(out, ",%s", words_ticks(pair->lower_ticks, "-inf", "inf", text));
    outfile_print(out, ",%s", words_ticks(pair->upper_ticks, "-inf", "inf", text));
    outfile_print(out, ",%s", ticks_or_inf(pair->error_ticks, text));
    outfile_print(out, ",%s", ticks_or_inf(csy_sync_event_error(sync, pair->error_ticks), text));
    outfile_print(out, ",%s,%" PRIu64 ",%zu,%s\n", sync->imprecision.conditional ? "true" : "false",
                  sync->survey.clock_report.assumed, sync->dropped.count,
                  sync->order.sorted == CSY_SORTED_NOT ? "false" : "true");
}

csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out, csy_error *error)
{
    outfile_print(out, "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks,"
                       "event_error_ticks,conditional,assumed,dropped,order_doubted\n");
    return pairs_list(sync, pairs, out, write_pair, NULL, error);
}
