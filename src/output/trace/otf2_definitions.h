/* Rewriting the definitions of an OTF2 archive that cannot be copied as files. */
#ifndef OUTPUT_TRACE_OTF2_DEFINITIONS_H
#define OUTPUT_TRACE_OTF2_DEFINITIONS_H

#include "trace/otf2/archive.h"

/* A ClockOffset record: a timestamp, the offset to global time there, and its deviation. */
struct otf2_offset {
    uint64_t time_ticks;
    int64_t offset_ticks;
    double deviation_ticks;
};

/* Source and destination. */
struct otf2_copy {
    const char *from; /* an anchor file */
    const struct otf2_archive *archive;
    const char *folder, *name; /* of the new archive, at present */
    const char *target;        /* for messages: the final name of the folder */
};

struct otf2_definitions;

/* Call otf2_definitions_close in any case, and keep *copy until then. */
csy_status otf2_definitions_open(const struct otf2_copy *copy, struct otf2_definitions **out,
                                 csy_error *error);

/* Copy the definitions of a location, with these offsets instead of the old ones. CSY_INPUT if they
 * cannot be read or have an unknown kind; CSY_IO. */
csy_status otf2_definitions_location(struct otf2_definitions *definitions,
                                     const struct otf2_location *location,
                                     const struct otf2_offset *offsets, size_t n, csy_error *error);

/* Copy the definitions of the archive, except for the length of the trace. */
csy_status otf2_definitions_global(struct otf2_definitions *definitions, uint64_t length_ticks,
                                   csy_error *error);

/* Free. Returns status, or a new failure. With CSY_OK there is also an anchor file, which must
 * still be replaced. */
csy_status otf2_definitions_close(struct otf2_definitions *definitions, csy_status status,
                                  csy_error *error);

#endif
