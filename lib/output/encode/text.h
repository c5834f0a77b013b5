/* Phrases shared by several formats. */
#ifndef OUTPUT_ENCODE_TEXT_H
#define OUTPUT_ENCODE_TEXT_H

#include "base/number.h"

#include <cellsync/cellsync.h>

enum { TICKS_TEXT_MAX = 24 };

/* Ticks in decimal, or one of the two given texts if infinite. Returns text or one of these. */
const char *text_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                       char text[TICKS_TEXT_MAX]);

/* Group the digits of numbers, except decimals, by threes with narrow spaces in UTF-8: "61 000 000
 * 220 ticks", "-1 234.567000". Cut to size bytes. Returns out. */
enum { GROUPED_TEXT_MAX = 160 };
const char *text_grouped(const char *text, char *out, size_t size);

/* Whole ticks for people, like csy_time_text for fractions: "2.47 ms". Returns text. */
const char *text_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX]);

/* "exact", "paper", "none", "given" */
const char *text_relax(csy_relax relax);
/* NULL for the default. */
const char *text_clock_per(csy_clock_per per);

const char *text_center(csy_center center);

/* The reason why there are no figures over all pairs. summary->uncomputed_steps must be above 0.
 * Returns text. */
enum { UNCOMPUTED_TEXT_MAX = 160 };
const char *text_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX]);
const char *text_pairs(csy_pairs pairs);

/* "message", "sync", "group", "named", "buffer" */
const char *text_step(csy_order_kind kind);

/* "bhh", "lamport", "lamport-clock", "lsq", "ntp", "ends" */
const char *text_method(csy_method method);

/* text_end: the name of an end without a partner, such as "send". text_left_out: the reason why
 * ends were left out, as text for people that is correct for one end and for several. */
const char *text_end(csy_end end);
const char *text_left_out(csy_left_out why);

/* True if these sends or posts are, or may be, just the last ones of channels with fewer receives
 * or waits. It is then unknown which message of a channel was not received. */
bool text_is_last_of_channel(const csy_matched *matched, const csy_unused *unused);

/* The origin of delta: "given", and so on. A computed delta is "the least that fits", or, if 0,
 * "none needed", because "exact" would be taken for the timestamps; a constant half tick is "of
 * clocks that step apart". */
const char *text_delta(const csy_sync *sync);

/* The reason why there is no witness although delta was estimated to be above 0. NULL if there is a
 * witness. */
const char *text_no_witness(const csy_sync *sync);

/* True if the threads are those of a PPE and SPEs; other traces get no text about these. */
bool text_of_cell(const csy_sync *sync);

/* "ready for an SPE", or "ready to run" */
const char *text_ready(const csy_sync *sync);

/* "clock" if threads share one, otherwise "thread" */
const char *text_clock(const csy_sync *sync);

/* The name of the error of a pair, by the addition to each constraint: "event error", or "error
 * bound" if nothing is added, because both are then the same. */
const char *text_error(int64_t added_ticks);

/* Suffix of "earliest" and "latest" for the limits of an offset: "" if timestamps are exact, "
 * event" if delta widens them (solution_event_ends). */
const char *text_event_ends(const csy_sync *sync);

/* The two halves of a sentence about the use of an error bound: for latencies, and for the order of
 * events. */
extern const char text_latency[], text_order[];

/* "s" unless n is 1 */
const char *text_plural(uint64_t n);

/* "true" or "false" */
const char *text_bool(bool is);

/* Parts per million without trailing zeros: "101", "0.02". Returns text. */
const char *text_ppm(int64_t ppb, char text[QUOTIENT_TEXT_MAX]);

#endif
