/* Functions that write synchronized traces, at least one for each format. */
#ifndef OUTPUT_TRACE_TRACE_OUT_H
#define OUTPUT_TRACE_TRACE_OUT_H

#include "output/file/outfile.h"
#include "sync/events.h"

/* Write a synchronized .pex (PDT-style trace) to path. The records are in separate files beside
 * path, unless `embedded` is true. Records are compressed if level >= 0. */
csy_status pex_write(struct csy_trace *trace, const struct csy_sync *sync, const char *path,
                     bool embedded, int level, csy_error *error);

/* Returns true if a .pex can contain the name of a record file. */
bool pex_can_name(const char *href);

/* Write a CSV with global times. A CSV trace keeps its bytes and gets new columns; other traces
 * give one row for each event. csy_check restores the original from facts in the first line. */
csy_status csv_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     struct outfile *out, csy_error *error);

/* Write a joined trace of several CSVs. Input file i is written to files[i], with its own rows. */
csy_status csv_write_parts(struct csy_trace *trace, const struct csy_sync *sync,
                           const csy_output *output, struct outfile *const *files,
                           csy_error *error);

csy_status json_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, struct outfile *out, csy_error *error);

/* Write a trace of TrackEvents, for Perfetto. */
csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error);

/* Write spans, or the events of a profiler, in the format of the input. Each file keeps its bytes,
 * but times become times of the reference clock. Spans get attributes for the shift and the error.
 * nfiles is 1, or the number of files of the trace. */
csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync,
                        struct outfile *const *files, size_t nfiles, csy_error *error);

/* Write the profiles of a trace unchanged into a TAR, with a manifest that states the offset of
 * each file. If one offset is not exact for all events of a file, the trace gets a warning. */
csy_status tar_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* Write a CTF folder to path, which must not end in a slash. */
csy_status ctf_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     const char *path, csy_error *error);

/* Test whether a CTF trace can be written to path. Path must lead to nothing, to an empty folder,
 * or to a folder that contains only a CTF trace. */
csy_status ctf_check_target(const char *path, csy_error *error);

/* Test path for an OTF2 archive. Returns CSY_INPUT if path is the folder of the trace itself. */
csy_status otf2_check_target(const struct csy_trace *trace, const char *path, csy_error *error);

/* Write the OTF2 archive of a trace into a folder at path, which must not end in a slash. */
csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error);

/* Write the captures of a trace with corrected timestamps, each capture into a file or, if
 * `merged`, all into one pcapng. Returns CSY_INPUT if a time does not fit into the format. */
csy_status pcap_write(struct csy_trace *trace, const struct csy_sync *sync, bool merged,
                      struct outfile *const *files, csy_error *error);

#endif
