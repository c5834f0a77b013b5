/* What an archive says that cellsync has synchronized, and what it can be compared with. */
#ifndef TRACE_OTF2_FACTS_H
#define TRACE_OTF2_FACTS_H

#include "trace/otf2/archive.h"

/* Its properties as a line of facts, as a CSV has it, in *out, which the caller frees; NULL: it has
 * none. */
csy_status otf2_read_facts(OTF2_Reader *reader, char **out, csy_error *error);

/* What had a clock when it was synchronized; per where that is not said. */
csy_clock_per otf2_clock_per(const char *facts, csy_clock_per per);

/* The CRC-32 of all event files. */
csy_status otf2_sum(const struct otf2_archive *archive, uint32_t *crc32, csy_error *error);

#endif
