/* The definitions of an OTF2 archive are read. */
#ifndef TRACE_OTF2_DEFINITIONS_H
#define TRACE_OTF2_DEFINITIONS_H

#include "trace/otf2/archive.h"

/* Read the definitions of reader, which was opened with the anchor file of that name. */
csy_status otf2_archive_read(OTF2_Reader *reader, const char *name, csy_clock_per per,
                             struct otf2_archive **out, csy_error *error);

#endif
