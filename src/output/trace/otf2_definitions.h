/* The definitions of an OTF2 archive, written anew where they cannot be copied. */
#ifndef OUTPUT_TRACE_OTF2_DEFINITIONS_H
#define OUTPUT_TRACE_OTF2_DEFINITIONS_H

#include "trace/otf2/archive.h"

/* A ClockOffset record: at that stamp, what is to be added for the global time, and how far off it
 * may be. */
struct otf2_offset {
    uint64_t time_ticks;
    int64_t offset_ticks;
    double deviation_ticks;
};

/* Where they come from and where they go. */
struct otf2_copy {
    const char *from; /* an anchor file */
    const struct otf2_archive *archive;
    const char *folder, *name; /* of the new archive, as it stands now */
    const char *target;        /* for messages: the folder as it will be called */
};

struct otf2_definitions;

/* The caller calls otf2_definitions_close, and keeps *copy until then. */
csy_status otf2_definitions_open(const struct otf2_copy *copy, struct otf2_definitions **out,
                                 csy_error *error);

/* Write the definitions of a location as they were, with these offsets instead of its old ones.
 * CSY_INPUT where they cannot be read, or are of a kind that is not known here; CSY_IO. */
csy_status otf2_definitions_location(struct otf2_definitions *definitions,
                                     const struct otf2_location *location,
                                     const struct otf2_offset *offsets, size_t n, csy_error *error);

/* Write those of the whole archive as they were, but for the length of the trace. */
csy_status otf2_definitions_global(struct otf2_definitions *definitions, uint64_t length_ticks,
                                   csy_error *error);

/* Free.  status is returned, or what goes wrong now; with CSY_OK an anchor file is there, too,
 * which is still to be replaced. */
csy_status otf2_definitions_close(struct otf2_definitions *definitions, csy_status status,
                                  csy_error *error);

#endif
