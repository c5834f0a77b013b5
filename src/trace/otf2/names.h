/* What threads, clocks and nodes of an OTF2 archive are called: each by a name that no other of its
 * kind has. */
#ifndef TRACE_OTF2_NAMES_H
#define TRACE_OTF2_NAMES_H

#include "trace/otf2/archive.h"

/* Of all locations, once these are sorted. */
csy_status otf2_name_threads(struct otf2_archive *archive, csy_error *error);
csy_status otf2_name_clocks(struct otf2_archive *archive, csy_clock_per per, csy_error *error);
csy_status otf2_name_nodes(struct otf2_archive *archive, csy_error *error);

#endif
