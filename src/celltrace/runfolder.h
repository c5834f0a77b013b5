/*
 * The folder of a run, RUN: names of the files of this process there, and what its processes have
 * in common.
 *
 *     HOST.PID.pex .trace .live   of one process; HOST.PID-2 and so on after an exec
 *     clock                       a line a clock: its id, source and ticks per second
 *     truth.csv                   with --skew: what each process was skewed by
 */
#ifndef CELLTRACE_RUNFOLDER_H
#define CELLTRACE_RUNFOLDER_H

#include "celltrace/meta.h"
#include "celltrace/writer.h"

struct run_names {
    char trace[META_TEXT_MAX], live[META_TEXT_MAX], document[META_TEXT_MAX],
        temporary[META_TEXT_MAX];
};

/* Take names in the folder for the files of this process; meta gets the folder and those that it
 * has.  live is open then, new and empty.  A process that was there before under this id, and ran
 * exec, is said to have done so.  False with errno. */
bool run_take_names(struct folder *folder, struct meta *meta, struct run_names *names,
                    struct folder_open_file *live);

/* Complete the clock of meta, whose id and source are set: its rate is that of the first process of
 * the run with a clock whose rate is nearly its own, so that all have one; what they differ by is
 * drift.  False with errno. */
bool run_agree_clock(struct meta *meta);

/* Draw a skew by the id of the process and say it in truth.csv. */
bool run_draw_skew(const struct settings *settings, const struct meta *meta, struct skew *out);

/* When the process began, as the kernel counts; the same before and after an exec. */
uint64_t run_start_time(void);

#endif
