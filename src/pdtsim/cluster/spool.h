/*
 * Logs that grow side by side, in pages of one temporary file: as many of them as there are SPEs,
 * and more than a process may open.
 */
#ifndef PDTSIM_CLUSTER_SPOOL_H
#define PDTSIM_CLUSTER_SPOOL_H

#include "pdtsim/sink.h"

enum { SPOOL_RECORD_BYTES = 80, SPOOL_PAGE_RECORDS = 64 };

struct spool;

csy_status spool_new(size_t logs, struct spool **out, csy_error *error);
void spool_free(struct spool *spool);

/* Append a record; true where that has filled a page.  The first failure sticks, and comes out of
 * spool_copy. */
bool spool_add(struct spool *spool, size_t log, const uint8_t record[SPOOL_RECORD_BYTES]);

uint64_t spool_records(const struct spool *spool, size_t log);

/* Write a log to a sink.  pages: as pages of a header, a pointer to the next one in the byte order,
 * and SPOOL_PAGE_RECORDS records, of which the last ones may be zero. */
csy_status spool_copy(struct spool *spool, size_t log, bool pages, bool little, struct sink *sink,
                      csy_error *error);

#endif
