/* See messages.h. */
#include "tool/messages.h"

#include "tool/program.h"
#include "tool/show.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void messages_warn(const struct solving *solving, const char *format, ...)
{
    va_list args;
    if (solving->quiet)
        return;
    va_start(args, format);
    char trace[MESSAGE_NAME_BYTES], text[2048];
    csy_escape(trace, sizeof trace, solving->trace);
    /* va_start is above: NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized) */
    (void)vsnprintf(text, sizeof text, format, args);
    fprintf(stderr, "%s: warning: %s: %s\n", solving->program, show_name(trace, stderr),
            show_name(text, stderr));
    va_end(args);
}

void messages_failure(const struct solving *solving, const csy_error *error)
{
    csy_error shown = *error;
    if (error->status != CSY_IO || !program_pipe_broke())
        fprintf(stderr, "%s: %s\n", solving->program, show_name(shown.text, stderr));
}

const char *messages_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

const char *messages_clock_word(const csy_sync *sync)
{
    return csy_sync_ntracks(sync) > csy_sync_nthreads(sync) ? "clock" : "thread";
}

void messages_of_clocks(const struct solving *solving, const csy_sync *sync)
{
    const csy_clock_report *clock = csy_sync_clock_report(sync);
    const csy_cut *cut = csy_sync_cut(sync);
    if (cut)
        messages_warn(solving,
                      "the trace is cut off, so only its first %" PRIu64
                      " record%s could be read: %s",
                      cut->records, messages_plural(cut->records), cut->text);
    if (clock->lost_outs)
        messages_warn(solving, "%" PRIu64 " context switch%s missing in the trace: SPE_SWITCH_OUT",
                      clock->lost_outs, clock->lost_outs == 1 ? " is" : "es are");
    if (clock->lost_ins)
        messages_warn(solving, "%" PRIu64 " context switch%s missing in the trace: SPE_SWITCH_IN",
                      clock->lost_ins, clock->lost_ins == 1 ? " is" : "es are");
    if (clock->stragglers && !clock->notifier)
        messages_warn(solving,
                      "%" PRIu64 " record%s between a switch out and the next switch in; each such "
                      "record becomes a separate live interval",
                      clock->stragglers, clock->stragglers == 1 ? " lies" : "s lie");
    if (clock->splits)
        messages_warn(
            solving,
            "%" PRIu64
            " live interval%s split, because the program seems to have written a decrementer%s",
            clock->splits, clock->splits == 1 ? " was" : "s were",
            solving->choices.unwrap == CSY_UNWRAP_STRICT
                ? " or because a decrementer may have wrapped unnoticed"
                : "");
    if (clock->assumed)
        messages_warn(solving,
                      "%" PRIu64 " gap%s between records could hide whole wraps of a decrementer; "
                      "the smallest number of wraps is assumed",
                      clock->assumed, messages_plural(clock->assumed));
}

void messages_of_unit(const struct solving *solving, const csy_trace *trace)
{
    if (csy_trace_timebase_assumed(trace) && solving->input.time_unit != CSY_TIME_TICKS)
        messages_warn(solving, "the length of a tick is unknown, so 1 ns is assumed. If the times "
                               "have a unit, pass --time-unit=s, ms, us, or ns; otherwise pass "
                               "--time-unit=ticks, or add a line # timebase_hz=HZ");
}

static void print_line(const struct solving *solving, const char *begin, const char *text)
{
    char trace[MESSAGE_NAME_BYTES];
    csy_escape(trace, sizeof trace, solving->trace);
    fprintf(stderr, "%s: %s: %s%s\n", solving->program, show_name(trace, stderr), begin, text);
}

void messages_of_premises(const struct solving *solving, const csy_sync *sync)
{
    char text[CSY_WARNING_TEXT_MAX];
    if (!solving->quiet && csy_sync_premise(sync, text))
        print_line(solving, "assuming that ", text);
}

void messages_of_solution(const struct solving *solving, const csy_sync *sync, const char *why)
{
    const csy_imprecision *imprecision = csy_sync_imprecision(sync);
    char text[CSY_WARNING_TEXT_MAX];
    if (csy_sync_unbounded_warning(sync, text))
        messages_warn(solving, "%s", text);
    if (imprecision->adjacent_steps_back && imprecision->relax == CSY_RELAX_PAPER)
        messages_warn(solving,
                      "%" PRIu64 " record%s an earlier time than the previous record of the same "
                      "thread; --relax=paper does not change this",
                      imprecision->adjacent_steps_back,
                      imprecision->adjacent_steps_back == 1 ? " has" : "s have");
    const csy_damage *damage = csy_sync_damage(sync);
    if (csy_sync_method(sync) != CSY_METHOD_BHH && imprecision->inversions)
        messages_warn(solving,
                      "global times step back at %" PRIu64 " record%s, by up to %" PRId64
                      " ticks, because this method does not keep the order",
                      imprecision->inversions, messages_plural(imprecision->inversions),
                      imprecision->largest_inversion_ticks);
    if (damage && damage->damaged)
        messages_warn(solving,
                      "%" PRIu64 " of %" PRIu64 " times between records of one thread differ from "
                      "the time by its clock, by up to %" PRId64
                      " ticks, because this method changes them",
                      damage->damaged, damage->mean.pairs, damage->worst_ticks);
    const csy_dropped *dropped = csy_sync_dropped(sync);
    if (dropped->asked && dropped->count == 0)
        messages_warn(solving,
                      "--drop leaves out no record, because no record contradicts the clocks");
    csy_caveat caveat;
    /* Keys of warnings that are printed elsewhere in this program. */
    static const char *const elsewhere[] = {"assumed", "unbounded", "delta"};
    for (size_t next = 0; csy_sync_next_caveat(sync, &next, &caveat) && !caveat.condition;) {
        size_t i = 0, n = sizeof elsewhere / sizeof *elsewhere;
        while (i < n && strcmp(caveat.key, elsewhere[i]) != 0)
            i++;
        if (i == n)
            messages_warn(solving, "%s", caveat.text);
    }
    if (csy_sync_delta_warning(sync, text))
        messages_warn(solving, "%s; %s", text, why);
    else if (imprecision->beyond_unwrapping)
        messages_warn(solving, "with such a large delta, unwrapping may mistake imprecise "
                               "timestamps for a written decrementer");
}

/* Find the largest error of the time between two events, in ticks. If errors are known only
 * relative to the reference clock, the result is an upper limit. Returns false if the error is
 * unlimited or was not computed. O(clocks). */
static bool find_max_error(const csy_sync *sync, csy_fine *error)
{
    const csy_summary *summary = csy_sync_summary(sync);
    const csy_drift *drift = csy_sync_drift(sync);
    size_t n = csy_sync_nthreads(sync);
    int64_t first = 0, second = 0; /* the two largest errors relative to the reference clock */
    *error = (csy_fine){0, 0};
    if (n == 1)
        return true;
    if (drift || summary->pairs > 0) {
        *error = drift ? drift->max_event_error : (csy_fine){summary->max_event_error_ticks, 0};
        return error->ticks >= 0 && summary->unbounded_threads == 0 &&
               (drift || (summary->bounded == summary->pairs && summary->uncomputed_steps == 0));
    }
    for (size_t t = 0; t < n; t++) {
        const csy_thread *thread = csy_sync_thread(sync, t);
        int64_t width;
        if (thread->earliest_ticks == INT64_MIN || thread->latest_ticks == INT64_MAX ||
            __builtin_sub_overflow(thread->latest_ticks, thread->earliest_ticks, &width))
            return false;
        second = width > first ? first : width > second ? width : second;
        first = width > first ? width : first;
    }
    if (__builtin_add_overflow(first, second, &error->ticks))
        return false;
    error->ticks = csy_sync_event_error(sync, error->ticks);
    return true;
}

csy_status messages_of_limits(const struct solving *solving, const csy_trace *trace,
                              const csy_sync *sync)
{
    enum { BILLION = 1000000000, KEYS_BYTES = 256 };
    uint64_t timebase_hz = csy_trace_timebase_hz(trace);
    char keys[KEYS_BYTES] = "", text[2 * KEYS_BYTES], time[CSY_TIME_TEXT_MAX];
    csy_status status = CSY_OK;
    csy_caveat caveat;
    csy_fraction limit;
    csy_error ignored;
    csy_fine most;
    size_t n = 0, size = 0;
    for (size_t next = 0; csy_sync_next_caveat(sync, &next, &caveat) && !caveat.condition; n++)
        if (size < sizeof keys)
            size += (size_t)snprintf(keys + size, sizeof keys - size, "%s%s", n > 0 ? ", " : "",
                                     caveat.key);
    if (solving->strict && n > 0) {
        snprintf(text, sizeof text, "--strict refuses %zu warning%s about the bounds: %s", n,
                 messages_plural(n), keys);
        print_line(solving, "", text);
        status = CSY_INFEASIBLE;
    }
    if (solving_fail_above(solving, timebase_hz, &limit, &ignored) || limit.den == 0)
        return status;
    bool known = find_max_error(sync, &most);
    int64_t whole = limit.num / limit.den, rest = limit.num % limit.den;
    if (known && (most.ticks < whole ||
                  (most.ticks == whole && most.billionths * limit.den <= rest * BILLION)))
        return status;
    const csy_summary *summary = csy_sync_summary(sync);
    const csy_fraction shown = {most.ticks + (most.billionths > 0), 1};
    int length =
        snprintf(text, sizeof text, "--fail-above: the max error is %s%s",
                 known && !csy_sync_drift(sync) && summary->pairs == 0 ? "at most " : "",
                 known                       ? csy_time_text(shown, timebase_hz, time)
                 : summary->uncomputed_steps ? "not computed; pass --statistics=all"
                                             : "unlimited, because some clocks have no bounds");
    if (known) /* the time is rounded, perhaps to the limit itself */
        snprintf(text + length, sizeof text - (size_t)length, " (%" PRId64 " ticks)", shown.num);
    print_line(solving, "", text);
    return CSY_INFEASIBLE;
}

enum { PPB_PER_PPM = 1000 };

void messages_witness(const struct solving *solving, const csy_trace *trace, const csy_sync *sync)
{
    const csy_witness *witness = csy_sync_witness(sync);
    char text[CSY_WARNING_TEXT_MAX];
    if (witness) {
        int64_t drift = witness->least_drift_ppb;
        char delta[CSY_TIME_TEXT_MAX];
        fprintf(stderr, "%s: witness: a cycle of %zu constraint%s with a sum of %" PRId64 " ticks",
                solving->program, witness->length, messages_plural(witness->length),
                witness->weight_ticks);
        if (drift > 0)
            fprintf(stderr,
                    ", which needs a delta of at least %s, or a drift of at least %" PRId64
                    ".%03d ppm",
                    csy_time_text(witness->least_delta, csy_trace_timebase_hz(trace), delta),
                    drift / PPB_PER_PPM, (int)(drift % PPB_PER_PPM));
        fputc('\n', stderr);
        for (size_t i = 0; i < witness->length; i++) {
            const csy_witness_edge *edge = &witness->edges[i];
            char s[MESSAGE_NAME_BYTES], t[MESSAGE_NAME_BYTES], steps[CSY_STEPS_TEXT_MAX];
            char from[CSY_PLACE_TEXT_MAX], to[CSY_PLACE_TEXT_MAX], comes[64] = "before";
            char record_s[64 + CSY_PLACE_TEXT_MAX] = "", record_t[64 + CSY_PLACE_TEXT_MAX] = "";
            if (edge->nsteps == 1 && edge->steps->kind >= CSY_ORDER_LATENCY_MAX)
                snprintf(comes, sizeof comes, "at most %" PRId64 " after", -edge->latency_ticks);
            csy_steps_text(edge, steps);
            show_name(steps, stderr);
            csy_escape(s, sizeof s, csy_sync_thread(sync, edge->s)->name);
            csy_escape(t, sizeof t, csy_sync_thread(sync, edge->t)->name);
            show_name(s, stderr);
            show_name(t, stderr);
            /* If the trace states an offset between two clocks, there are no records to print. */
            if (edge->nsteps != 1 || edge->steps->kind != CSY_ORDER_OFFSET) {
                snprintf(record_s, sizeof record_s, "record %" PRIu64 " (%s) of ", edge->record_s,
                         csy_trace_place_text(trace, edge->place_s, from));
                snprintf(record_t, sizeof record_t, "record %" PRIu64 " (%s) of ", edge->record_t,
                         csy_trace_place_text(trace, edge->place_t, to));
            }
            fprintf(stderr,
                    "%s:   %s%s at %" PRId64 " comes %s %s%s at %" PRId64
                    ": g[%s] - g[%s] <= %" PRId64 "%s%s\n",
                    solving->program, record_s, s, edge->time_s, comes, record_t, t, edge->time_t,
                    s, t, edge->weight_ticks, edge->nsteps ? ", by " : "", steps);
        }
    }
    if (sync && csy_sync_coarse_warning(sync, text))
        messages_warn(solving, "%s", text);
}

size_t messages_of_file(const struct solving *solving, const csy_trace *trace, size_t told)
{
    for (; csy_trace_warning(trace, told); told++)
        messages_warn(solving, "%s", csy_trace_warning(trace, told));
    return told;
}

void messages_of_waiting(const struct solving *solving)
{
    if (!solving->quiet && strcmp(solving->trace, "-") == 0 && isatty(STDIN_FILENO))
        fprintf(
            stderr,
            "%s: reading a trace from the terminal; press Ctrl-D at its end, or Ctrl-C to stop\n",
            solving->program);
}
