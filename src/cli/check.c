/* The proof by csy_check, a line a guarantee. */
#include "cli/check.h"
#include "cli/messages.h"
#include "cli/settings.h"
#include "tool/show.h"

#include <inttypes.h>

/* An error with three decimals, halves up. */
static void print_error(csy_fine error)
{
    enum { UNIT = 1000000, UNITS = 1000 };
    uint64_t part = (error.billionths + UNIT / 2) / UNIT;
    printf("%" PRId64 ".%03" PRIu64, error.ticks + (int64_t)(part / UNITS), part % UNITS);
}

/* In parts of a million. */
static void print_ppm(int64_t ppb)
{
    printf("%" PRId64 ".%03" PRId64 " ppm", ppb / 1000, ppb % 1000);
}

/* What is proved of bounds where clocks drift. */
static void tell_ages(const csy_proof *proof)
{
    bool proved = proof->bounds_found && proof->wander_ppb == CSY_NO_DRIFT;
    if (proved)
        printf("  4  bounds are those that the %s imply, every knot where alpha puts it; errors "
               "are ",
               proof->beside || proof->format == CSY_FORMAT_OTF2 ? "events" : "rows");
    else if (proof->bounds_found)
        printf("  4  not proved beside a wander; without it errors are ");
    else
        printf("  4  not proved: finding bounds would take too long");
    if (proof->bounds_found) {
        print_error(proof->max_error);
        printf(" ticks at most, ");
        print_error(proof->mean_error);
        printf(" on average over %" PRIu64 " record%s", proof->error_records,
               messages_plural(proof->error_records));
    }
}

/* What is proved of bounds and places. */
static void tell_bounds(const csy_proof *proof)
{
    if (proof->drift_ppb != CSY_NO_DRIFT)
        tell_ages(proof);
    else
        printf("  4  %s, every offset %s",
               proof->columns && !proof->beside ? "bounds are those that the rows imply"
               : proof->beside || proof->format == CSY_FORMAT_OTF2
                   ? "bounds are those that the events imply"
                   : "every bound is what the records imply",
               proof->center == CSY_CENTER_LOCAL ? "keeps the order of records"
                                                 : "where alpha puts it");
    if (proof->unbounded && !proof->unplaced)
        printf("; %zu clock%s not bounded on both sides %s where the order leaves %s",
               proof->unbounded, messages_plural(proof->unbounded),
               proof->unbounded == 1 ? "is" : "are", proof->unbounded == 1 ? "it" : "them");
    if (proof->unplaced)
        printf("; %zu clock%s not bounded on both sides only keep%s the order", proof->unplaced,
               messages_plural(proof->unplaced), proof->unplaced == 1 ? "s" : "");
    putchar('\n');
}

/* What was proved, and of what. */
static void tell_proof(const struct cli_options *options, const csy_proof *proof)
{
    char trace[MESSAGE_NAME_BYTES], original[MESSAGE_NAME_BYTES];
    csy_escape(trace, sizeof trace, options->solving.trace);
    csy_escape(original, sizeof original, options->original ? options->original : "");
    printf("%s: proved", show_name(trace, stdout));
    if (proof->assumed)
        printf(", if %" PRIu64 " assumed gap%s assumed rightly,", proof->assumed,
               proof->assumed == 1 ? " was" : "s were");
    if (proof->sorted != CSY_SORTED_NOT)
        printf(", if the rows are in the order of writing and not sorted by %s,",
               proof->sorted == CSY_SORTED_BY_TIME ? "time" : "thread");
    size_t threads = proof->tracks > proof->threads ? proof->tracks : proof->threads;
    printf(" on %" PRIu64 " record%s of %zu thread%s", proof->records,
           messages_plural(proof->records), threads, messages_plural(threads));
    if (threads > proof->threads)
        printf(" on %zu clock%s", proof->threads, messages_plural(proof->threads));
    if (proof->dropped)
        printf(", 2 and 4 without %" PRIu64 " dropped record%s", proof->dropped,
               messages_plural(proof->dropped));
    if (proof->dropped_in_place)
        printf(", of which %" PRIu64 " contradict%s none of the others", proof->dropped_in_place,
               proof->dropped_in_place == 1 ? "s" : "");
    putchar('\n');
    printf("  1  ");
    if (proof->drift_ppb == CSY_NO_DRIFT)
        printf("intervals keep their lengths");
    else {
        printf("no clock gains or loses more than ");
        print_ppm(proof->drift_ppb);
    }
    if (proof->beside)
        printf("; its rows are the events of %s\n", show_name(original, stdout));
    else
        printf("; %s CRC-32 0x%08" PRIx32 "\n",
               proof->columns                     ? "without what was added, the file has"
               : proof->format == CSY_FORMAT_OTF2 ? "the event files have"
                                                  : "undone, the records have",
               proof->original_crc32);
    printf("  2  %" PRIu64 " inversion%s, the largest %" PRId64 " ticks; %" PRId64
           " are allowed%s\n",
           proof->inversions, messages_plural(proof->inversions), proof->largest_inversion_ticks,
           proof->allowed_inversion_ticks,
           proof->neighbours_only ? " between neighbouring records of two threads" : "");
    tell_bounds(proof);
}

csy_status cli_check(const struct cli_options *options, struct progress_line *progress,
                     csy_error *error)
{
    csy_proof *proof = NULL;
    csy_input *input = NULL;
    messages_of_waiting(&options->solving);
    csy_status status = solving_input(&options->solving, &input, error);
    if (!status)
        status = csy_check(options->solving.trace, options->original, input, progress_line_show,
                           progress, &proof, error);
    csy_input_free(input);
    progress_line_clear(progress);
    if (status)
        messages_failure(&options->solving, error);
    else
        tell_proof(options, proof);
    csy_proof_free(proof);
    return status;
}
