/* The records of a synchronized trace, in either format. */
#ifndef OUTPUT_TRACE_TRACE_OUT_H
#define OUTPUT_TRACE_TRACE_OUT_H

#include "output/file/outfile.h"
#include "sync/events.h"

/* The record files of a synchronized .pex, as many as it has: the original records with global
 * stamps; *original_crc32 (may be NULL) is the CRC-32 of the originals. */
csy_status records_write(struct csy_trace *trace, const struct csy_sync *sync,
                         struct outfile *const *files, uint32_t *original_crc32, csy_error *error);

/* The CRC-32 of the original records, by a pass of its own, which does not look at them. */
csy_status records_crc32(struct csy_trace *trace, const struct csy_sync *sync,
                         uint32_t *original_crc32, csy_error *error);

/* A CSV with global times: of a CSV every byte and one column more, of a .pex a row a record.
 * A line of facts comes first, from which csy_check undoes it. */
csy_status csv_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     struct outfile *out, csy_error *error);

/* Chrome trace events. */
csy_status json_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, struct outfile *out, csy_error *error);

/* Packets of TrackEvents, for Perfetto. */
csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error);

/* A CTF folder at path, which has no slash after its name. */
csy_status ctf_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     const char *path, csy_error *error);

/* Whether it can stand there: nothing does, or an empty folder, or one that holds a CTF trace
 * only. */
csy_status ctf_check_target(const char *path, csy_error *error);

/* An OTF2 archive, of a trace that is one, in a folder at path, which has no slash after its
 * name. */
csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error);

#endif
