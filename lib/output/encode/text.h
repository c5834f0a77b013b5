/* Phrases shared by several output formats. */
#ifndef OUTPUT_ENCODE_TEXT_H
#define OUTPUT_ENCODE_TEXT_H

#include "base/error.h"

enum { TICKS_TEXT_MAX = 24 };

/* Print ticks in decimal. Returns text, or minus_inf or inf for an infinite value. */
const char *text_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                       char text[TICKS_TEXT_MAX]);

/* Print an error bound in ticks, or "inf" for -1. Returns text. */
const char *text_bound(int64_t ticks, char text[TICKS_TEXT_MAX]);

/* Separate groups of three digits: "61 000 000 220 ticks". Cuts to `size`. Returns out. */
enum { GROUPED_TEXT_MAX = 160 };
const char *text_grouped(const char *text, char *out, size_t size);

/* Print whole ticks as a time with a unit, such as "2.47 ms". Returns text. */
const char *text_time(int64_t ticks, uint64_t timebase_hz, char text[CSY_TIME_TEXT_MAX]);

/* Names of the values of csy_relax, csy_center, csy_order_kind, csy_end, and csy_diagnosis_kind.
 * text_left_out_words has the reasons why a record got no partner. */
extern const char *const text_relax_words[],
    *const text_center_words[], *const text_step_words[], *const text_end_words[],
                                                              *const text_left_out_words[],
                                                                  *const text_diagnosis_words[];

/* Explain that figures over all pairs were not computed, because they need too many steps. */
enum { UNCOMPUTED_TEXT_MAX = 160 };
const char *text_uncomputed(const csy_summary *summary, char text[UNCOMPUTED_TEXT_MAX]);

/* Returns the name of a method, such as "bhh" or "lamport". */
const char *text_method(csy_method method);

/* Returns true if the sends or posts that `unused` counts may be the last ones of their
 * channels. */
bool text_is_last_of_channel(const csy_matched *matched, const csy_unused *unused);

/* Returns the origin of the timestamp error delta, such as "given" or "none needed". */
const char *text_delta(const csy_sync *sync);

/* Explain why an estimated delta > 0 has no witness (constraints that contradict each other at a
 * smaller delta). Returns NULL if it has one. */
const char *text_no_witness(const csy_sync *sync);

/* Ends "the rates are ...": "within these limits" (stated before) if clocks drift, or "equal". */
const char *text_rates(const csy_sync *sync);

/* Returns true if the trace has a PPE and SPEs, the processors of a Cell machine. */
bool text_of_cell(const csy_sync *sync);

/* Returns "ready for an SPE" for traces of a Cell machine, otherwise "ready to run". */
const char *text_ready(const csy_sync *sync);

/* Returns "clock" if several threads share a clock, otherwise "thread". */
const char *text_clock(const csy_sync *sync);

/* Returns the word for errors: "event error" if they include timestamp errors, or "error bound". */
const char *text_error(int64_t added_ticks);

/* Returns " event" if limits of the offset of two clocks include timestamp errors, otherwise "". */
const char *text_event_ends(const csy_sync *sync);

/* A row of the table of errors, with labels for text and for pages. The error is num / den ticks;
 * den is 0 if the error is unknown. */
struct statistic {
    const char *id, *label, *page_label;
    char ticks[QUOTIENT_TEXT_MAX];
    int128 num, den;
    uint64_t pairs;         /* number of pairs of threads with an error */
    const csy_group *group; /* pairs of the mean; NULL: all pairs, or pairs of a kind of threads */
};

/* Fill the table of errors (Table 1 of [BHH08]). Returns the number of rows. */
enum { STATISTICS_MAX = 7 };
size_t text_statistics(const csy_sync *sync, struct statistic out[STATISTICS_MAX]);

/* Sentences that explain what an error bound means for times between events and for their order. */
extern const char text_latency[], text_order[];

/* Returns the plural ending "s", or "" if n is 1. */
const char *text_plural(uint64_t n);

const char *text_bool(bool is);

/* Print parts per million without trailing zeros, such as "101" or "0.02". Returns text. */
const char *text_ppm(int64_t ppb, char text[QUOTIENT_TEXT_MAX]);

/* Escape the name of clock t. Returns text. */
const char *text_name(const csy_sync *sync, size_t t, char text[ERROR_ESCAPED_MAX]);

/* --- Advice, diagnosis, and dropped records --- */

/* Sizes of a sentence, of the rates in an explanation, and of a paragraph. */
enum {
    SENTENCE_MAX = 2 * ERROR_ESCAPED_MAX + 240,
    RATES_TEXT_MAX = 96 + ERROR_ESCAPED_MAX,
    PARAGRAPH_MAX = 4096
};

/* Write the sentence before the list of threads that should write more records. Returns text. */
const char *text_advice(const csy_sync *sync, char text[SENTENCE_MAX]);

/* Write why a thread's error is infinite (no record or message), or that a round trip limits it. */
const char *text_lack(const csy_sync *sync, const csy_advised *advised, char text[SENTENCE_MAX]);

/* Write the errors to expect after all threads write the advised records, or "" if unknown. */
const char *text_advice_sum(const csy_sync *sync, char text[SENTENCE_MAX]);

/* Returns how many records should be left out. 0 if clocks drift, because it does not help then. */
uint64_t text_worth_dropping(const csy_sync *sync);

/* Write timestamp errors by number of left-out records: "0 left out: 2.47 ms; 10: 3.1 us". */
const char *text_profile(const csy_sync *sync, char text[PARAGRAPH_MAX]);

/* Write the clock rates that would explain contradicting timestamps: "constant, e.g. can2 43.010
 * ppm fast" or "changing, within 101 ppm". The name of the clock is escaped unless `raw`. */
const char *text_fit_rates(const csy_sync *sync, const csy_fit *row, bool raw,
                           char text[RATES_TEXT_MAX]);

/* Write the timestamp error that explains a contradiction: "19.1 us" or "at least 19.1 us". */
const char *text_fit_error(const csy_sync *sync, const csy_fit *row, char text[RATES_TEXT_MAX]);

/* Returns " (used in this report)" if the solution assumes this rate and timestamp error, or "". */
const char *text_fit_used(const csy_sync *sync, const csy_fit *row);

/* Printed in place of options for an explanation of contradictions that is not plausible. */
extern const char text_no_options[];

/* Returns a sentence that states whether some explanation of contradictions is plausible. */
const char *text_plausible(const csy_diagnosis *d);

/* Write what --drop left out, such as "3 records: the bounds hold for the other records". */
const char *text_dropped(const csy_sync *sync, char text[PARAGRAPH_MAX]);

/* Describe a record that was left out: "record 12 (line 14) of t1, 5 us early". */
const char *text_dropped_record(const csy_sync *sync, const csy_dropped_record *record,
                                bool escaped, char text[PARAGRAPH_MAX]);

#endif
