/* Error-bound reports: one function a format. */
#ifndef OUTPUT_REPORT_H
#define OUTPUT_REPORT_H

#include "output/outfile.h"
#include "sync/solution.h"

void report_text(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);
void report_csv(const struct csy_sync *sync, struct outfile *out);
void report_json(const struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out);

enum { TICKS_TEXT_MAX = 24 };

/* Ticks in decimal, or one of the two words for the infinite ones.  Returns text or a word. */
const char *report_ticks(int64_t ticks, const char *minus_inf, const char *inf,
                         char text[TICKS_TEXT_MAX]);

extern const char *const report_relax_words[];

#endif
