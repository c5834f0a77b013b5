/* The writers of synchronized traces. */
#ifndef OUTPUT_TRACE_TRACE_OUT_H
#define OUTPUT_TRACE_TRACE_OUT_H

#include "output/file/outfile.h"
#include "sync/events.h"

/* Write the record files of a synchronized .pex: the original records with global timestamps.
 * *original_crc32, which may be NULL, is the CRC-32 of the originals. */
csy_status records_write(struct csy_trace *trace, const struct csy_sync *sync,
                         struct outfile *const *files, uint32_t *original_crc32, csy_error *error);

/* Compute the CRC-32 of the original records in a separate pass, without decoding them. */
csy_status records_crc32(struct csy_trace *trace, const struct csy_sync *sync,
                         uint32_t *original_crc32, csy_error *error);

/* Write a CSV with global times: every byte of a CSV plus one column, or one row for each record of
 * a .pex. The first line has the facts from which csy_check undoes it. */
csy_status csv_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     struct outfile *out, csy_error *error);

/* The same for each part of a joined CSV: the rows of its own file, in files[part]. */
csy_status csv_write_parts(struct csy_trace *trace, const struct csy_sync *sync,
                           const csy_output *output, struct outfile *const *files,
                           csy_error *error);

/* Chrome trace events. */
csy_status json_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, struct outfile *out, csy_error *error);

/* Packets of TrackEvents, for Perfetto. */
csy_status pftrace_write(struct csy_trace *trace, const struct csy_sync *sync,
                         const csy_output *output, struct outfile *out, csy_error *error);

/* Write spans, or the events of a profiler, in the format in which they were read: the bytes of
 * each file, with corrected times, and attributes of the shift and the error of spans.  Times are
 * by the reference clock.  nfiles: 1, or as many as the trace has files. */
csy_status edited_write(struct csy_trace *trace, const struct csy_sync *sync,
                        struct outfile *const *files, size_t nfiles, csy_error *error);

/* Write the profiles of a trace, as they were read, into a TAR with a manifest that states the
 * offset of each file.  The trace gets a warning if one offset a file is not exact. */
csy_status tar_write(struct csy_trace *trace, const struct csy_sync *sync, struct outfile *out,
                     csy_error *error);

/* Write a CTF folder to path, which must not end in a slash. */
csy_status ctf_write(struct csy_trace *trace, const struct csy_sync *sync, const csy_output *output,
                     const char *path, csy_error *error);

/* Test whether a CTF trace can be written to path: nothing exists there, or it is an empty folder,
 * or a folder that contains only a CTF trace. */
csy_status ctf_check_target(const char *path, csy_error *error);

/* Write an OTF2 archive, from one, into a folder at path, which must not end in a slash. */
csy_status otf2_write(struct csy_trace *trace, const struct csy_sync *sync,
                      const csy_output *output, const char *path, csy_error *error);

/* Write the captures of a trace again with corrected timestamps: a file for each, or, merged, one
 * pcapng of all. CSY_INPUT if a time does not fit into the format. */
csy_status pcap_write(struct csy_trace *trace, const struct csy_sync *sync, bool merged,
                      struct outfile *const *files, csy_error *error);

#endif
