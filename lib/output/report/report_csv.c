/* The CSV report: one line for each pair of threads. See cellsync-json(5), CSV REPORT. */
#include "output/encode/caveats.h"
#include "output/encode/csv_field.h"
#include "output/encode/fine.h"
#include "output/report/report.h"

#include <inttypes.h>

static const char *ticks_or_inf(int64_t ticks, char text[TICKS_TEXT_MAX])
{
    return text_ticks(ticks < 0 ? INT64_MAX : ticks, "", "inf", text);
}

static void write_drift(const csy_drift_pair *pair, struct outfile *out)
{
    char best[QUOTIENT_TEXT_MAX], median[QUOTIENT_TEXT_MAX], worst[QUOTIENT_TEXT_MAX];
    if (!pair->bounded) {
        outfile_print(out, ",inf,inf,inf,,");
        return;
    }
    outfile_print(out, ",%s,%s,%s,%" PRId64 ",%s", fine_text(pair->best, 9, best),
                  fine_text(pair->median, 9, median), fine_text(pair->worst, 9, worst),
                  pair->worst_moment_ticks, pair->by_walks ? "walks" : "reference");
}

static void write_pair(const struct pair_list *list, const struct csy_sync *sync,
                       const struct pair *pair)
{
    char text[TICKS_TEXT_MAX];
    struct outfile *out = list->out;
    csv_field_write(out, sync->views[pair->s].name);
    outfile_print(out, ",");
    csv_field_write(out, sync->views[pair->t].name);
    if (sync->drift) {
        outfile_print(out, ",,");
    } else {
        outfile_print(out, ",%s", text_ticks(pair->lower_ticks, "-inf", "inf", text));
        outfile_print(out, ",%s", text_ticks(pair->upper_ticks, "-inf", "inf", text));
    }
    outfile_print(out, ",%s", ticks_or_inf(pair->error_ticks, text));
    outfile_print(out, ",%s", ticks_or_inf(pair_event_error(sync, pair), text));
    outfile_print(out, ",%s,%s", list->rest->first, list->rest->last);
    if (sync->drift)
        write_drift(&pair->drift, out);
    outfile_print(out, "\n");
}

csy_status report_csv(struct csy_sync *sync, csy_pairs pairs, struct outfile *out, csy_error *error)
{
    const struct caveat_columns rest = caveats_columns(sync); /* the same in every row */
    outfile_print(
        out,
        "thread_s,thread_t,lower_ticks,upper_ticks,error_ticks,event_error_ticks," CAVEAT_COLUMNS
        "," CAVEAT_MORE_COLUMNS "%s\n",
        sync->drift ? ",best_error_ticks,median_error_ticks,worst_error_ticks,worst_moment_ticks,by"
                    : "");
    struct pair_list list = {.out = out, .write = write_pair, .rest = &rest};
    return pairs_list(sync, pairs, &list, error);
}
