/* Reads each location of an OTF2 archive separately, as trace/streams.h describes. */
#ifndef TRACE_OTF2_STREAMS_H
#define TRACE_OTF2_STREAMS_H

#include "trace/otf2/archive.h"
#include "trace/streams.h"

/* Begin to read locations. The caller must call otf2_streams_stop with *out, which may be NULL,
 * even after a failure. */
csy_status otf2_streams_start(const struct otf2_archive *archive, const struct streams_part *part,
                              struct streams **out, csy_error *error);
bool otf2_streams_next(struct streams *streams, struct stream_batch *batch);
bool otf2_streams_failed(const struct streams *streams);
void otf2_streams_stop(struct streams *streams);

#endif
