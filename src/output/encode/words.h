/* Words that several formats share. */
#ifndef OUTPUT_ENCODE_WORDS_H
#define OUTPUT_ENCODE_WORDS_H

#include <cellsync/cellsync.h>

enum { TICKS_TEXT_MAX = 24 };

/* Ticks in decimal, or one of the two words for the infinite ones.  Returns text or a word. */
const char *words_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                        char text[TICKS_TEXT_MAX]);

/* Text with the digits of numbers, but those after a point, in groups of three with narrow spaces
 * between them, in UTF-8: "61 000 000 220 ticks", "-1 234.567000".  Cut to size bytes.  Returns
 * out. */
enum { GROUPED_TEXT_MAX = 160 };
const char *words_grouped(const char *text, char *out, size_t size);

/* Whole ticks for people, as csy_time_text has fractions of them: "2.47 ms".  Returns text. */
const char *words_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX]);

/* "exact", "paper", "none", "given" */
const char *words_relax(csy_relax relax);
/* NULL for what is usual. */
const char *words_clock_per(csy_clock_per per);

const char *words_center(csy_center center);

/* Why figures over all pairs are not there: summary->uncomputed_steps is above 0.  Returns text. */
enum { UNCOMPUTED_TEXT_MAX = 160 };
const char *words_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX]);
const char *words_pairs(csy_pairs pairs);

/* "message", "sync", "group", "named", "buffer" */
const char *words_step(csy_order_kind kind);

/* "bhh", "lamport", "lamport-clock", "lsq", "ntp" */
const char *words_method(csy_method method);

/* Ends of an order that are left out: "send", "sync", and so on; and why, for people, of several or
 * one. */
const char *words_end(csy_end end);
const char *words_left_out(csy_left_out why);

/* Whether these sends or posts are the last of channels that have fewer receives or waits, or may
 * be: which of the channel's messages was not received is not known. */
bool words_is_last_of_channel(const csy_matched *matched, const csy_unused *unused);

/* Where delta is from, as reports say it: "given", and so on; of what is found, "the least that
 * fits", or, of 0, "none needed", as "exact" would be taken for the stamps; of half a tick that is
 * always there, "of clocks that step apart". */
const char *words_delta(const csy_sync *sync);

/* Why there is no witness although the estimated delta is above 0; NULL: there is one. */
const char *words_no_witness(const csy_sync *sync);

/* Whether the threads of a trace are a PPE and SPEs; of others nothing is to be said of these. */
bool words_of_cell(const csy_sync *sync);

/* What a unit that is ready waits for: "ready for an SPE", or "ready to run". */
const char *words_ready(const csy_sync *sync);

/* What has an offset: a "clock" where threads share some, else the "thread" whose own it is. */
const char *words_clock(const csy_sync *sync);

/* What an error of a pair is called where so much is added to each constraint: with nothing added
 * event errors are error bounds, and the paper's name does.  "error bound" or "event error". */
const char *words_error(int64_t added_ticks);

/* What the least and the greatest offset of a clock are called after "earliest" and "latest": ""
 * where timestamps are exact, or " event", where delta widens them (solution_event_ends). */
const char *words_event_ends(const csy_sync *sync);

/* What an error bound is for, in two halves of a sentence: of latencies, and of the order. */
extern const char words_latency[], words_order[];

/* "s" unless n is 1 */
const char *words_plural(uint64_t n);

/* "true" or "false" */
const char *words_bool(bool is);

#endif
