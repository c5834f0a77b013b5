/* The CSV report: a line a pair of threads.  cellsync(1), CSV report. */
#include "output/csv_field.h"
#include "output/report.h"

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
    outfile_print(
        out, ",%s\n",
        words_ticks(pair->error_ticks < 0 ? INT64_MAX : pair->error_ticks, "", "inf", text));
}

csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out, csy_error *error)
{
    outfile_print(out, "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks\n");
    return pairs_list(sync, pairs, out, write_pair, NULL, error);
}
