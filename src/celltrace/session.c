/* See session.h. */
#include "celltrace/session.h"

#include "celltrace/event.h"
#include "celltrace/runfolder.h"
#include "celltrace/shared.h"
#include "celltrace/watch.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct {
    bool begun;         /* or tried to */
    atomic_bool active; /* files are open */
    struct settings settings;
    struct meta meta;
    struct folder folder;
    struct run_names names;
    void (*before_end)(void);
} session;

/* clang-format off */
static struct ct_type general[] = {
    {ID_TRACE_START, CT_MARK, 0, "GENERAL", "TRACE_START", NULL, NULL},
    {ID_TRACE_STOP, CT_MARK, 0, "GENERAL", "TRACE_STOP", NULL, NULL},
    {ID_BUFFER_FLUSH, CT_INTERVAL, 3 + SPENT_VALUES, "GENERAL", "BUFFER_FLUSH",
     "records lost number " SPENT_FIELDS, NULL},
    {ID_PAGE_WAIT, CT_WAIT, 0, "GENERAL", "PAGE_WAIT", NULL, NULL},
    {ID_PROGRAM_START, CT_MARK, 1 + SPENT_VALUES, "GENERAL", "PROGRAM_START", "pid " SPENT_FIELDS,
     NULL},
    {ID_PROGRAM_STOP, CT_MARK, 1 + SPENT_VALUES, "GENERAL", "PROGRAM_STOP", "pid " SPENT_FIELDS,
     NULL},
    {ID_THREAD_TIMES, CT_COUNTER, SPENT_VALUES, "GENERAL", "THREAD_TIMES", SPENT_FIELDS, NULL}};
/* clang-format on */

enum { TRACE_START, TRACE_STOP, PROGRAM_START = 4, PROGRAM_STOP };

static struct type_table general_table = {general, sizeof general / sizeof *general, NULL};

static void describe_process(struct meta *m)
{
    char text[META_TEXT_MAX];
    struct timespec now;
    struct tm utc;
    m->pid = (uint32_t)getpid();
    m->ppid = (uint32_t)getppid();
    if (gethostname(m->host, sizeof m->host - 1) < 0 || !m->host[0])
        memcpy(m->host, "host", sizeof "host");
    system_read_text("/proc/self/comm", m->program, sizeof m->program);
    system_read_text("/proc/sys/kernel/random/boot_id", text, sizeof text);
    if (snprintf(m->clock_id, sizeof m->clock_id, "%s", text[0] ? text : m->host) < 0)
        m->clock_id[0] = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    if (strftime(m->start, sizeof m->start, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        m->start[0] = 0;
}

/* "ID+PID": processes that are skewed have each a clock of its own. */
static void own_clock(struct meta *m)
{
    size_t size = strlen(m->clock_id);
    if (snprintf(m->clock_id + size, sizeof m->clock_id - size, "+%u", (unsigned)m->pid) < 0)
        m->clock_id[size] = 0;
}

static const struct meta_recording unfinished = {.complete = "no"};

/* Types that a killed program has defined should have names. */
static void write_unfinished(void)
{
    meta_write(&session.meta, &unfinished);
}

/* What a reader of the .live needs. */
static void fill_live_header(const struct skew *skew)
{
    uint8_t *header = pages_header();
    word_store(header + 32, (uint64_t)skew->ticks);
    word_store(header + 40, (uint64_t)skew->ppb);
    word_store(header + 48, session.meta.pid);
    word_store(header + 56, run_start_time());
    word_publish(header, UINT64_C(0x5044545041474553)); /* PDTPAGES */
}

/* Make the files one after the other; NULL, or the name that failed, with errno. */
static const char *open_files(void)
{
    struct skew skew = {0};
    struct folder_open_file live;
    struct settings *s = &session.settings;
    struct meta *m = &session.meta;
    if (!run_take_names(&session.folder, m, &session.names, &live))
        return session.names.live;
    if (!run_agree_clock(m))
        return "clock";
    bool skews = s->skew_ns || s->skew_ppm;
    if (skews && !run_draw_skew(s, m, &skew))
        return "truth.csv";
    if (skews)
        own_clock(m);
    if (!pages_open(&live, s, m->hz))
        return session.names.live;
    fill_live_header(&skew);
    if (m->is_buffer && !shared_open(s))
        return session.names.live;
    if (!meta_write(m, &unfinished))
        return m->name;
    if (!writer_start(&session.folder, session.names.trace, &skew, write_unfinished))
        return session.names.trace;
    return NULL;
}

/* False: it is said why. */
static bool open_run(void)
{
    const char *run = session.settings.run, *fault = folder_open(&session.folder, run);
    const char *failed = fault ? NULL : open_files();
    if (fault)
        system_say("%s: %s; nothing is recorded", run, fault);
    if (failed)
        system_say("%s/%s: %s; nothing is recorded", run, failed, strerror(errno));
    if (failed && failed != session.names.live) /* which was made, then */
        folder_remove(&session.folder, session.names.live);
    return !fault && !failed;
}

/* In the child of a fork nothing is recorded. */
static void be_child(void)
{
    if (!atomic_load(&session.active))
        return;
    atomic_store(&pages_record, false);
    atomic_store(&session.active, false);
    local = (struct local){.refused = true};
    pages_forget();
    shared_forget();
}

static void mark(unsigned which)
{
    event_record(&general[which], false, 0, 0, NULL, 0);
}

/* What the thread has spent before is not of what is recorded. */
static void mark_program(unsigned which)
{
    struct system_spent spent;
    uint64_t values[1 + SPENT_VALUES] = {session.meta.pid};
    system_spent(&spent);
    system_spent_values(&spent, values + 1);
    event_record(&general[which], false, 0, 0, values, 1 + SPENT_VALUES);
}

static void begin(const char *text)
{
    const char *fault;
    struct system_quiet quiet;
    if (!settings_read(text, &session.settings, &fault)) {
        system_say("CELLTRACE=%s: %s; nothing is recorded", text, fault);
        return;
    }
    clock_choose(true);
    session.meta.clock_source = clock_source();
    session.meta.is_buffer = session.settings.order == ORDER_BUFFER;
    session.meta.has_addresses =
        session.settings.events & (EVENTS_FUNCTIONS | EVENTS_BLOCKS | EVENTS_LOOPS);
    describe_process(&session.meta);
    types_register(&general_table);
    meta_note_images();
    system_be_quiet(&quiet);
    bool opened = open_run();
    system_be_loud(&quiet);
    if (opened && pthread_atfork(NULL, NULL, be_child) != 0) {
        system_say("fork: %s; nothing is recorded", strerror(ENOMEM));
        return;
    }
    if (!opened)
        return;
    atomic_store(&session.active, true);
    atomic_store(&pages_record, true);
    mark_program(PROGRAM_START);
    watch_begin(session_leave);
}

void session_begin(void)
{
    const char *text = session.begun ? NULL : getenv("CELLTRACE");
    int reason = errno, state = system_hold_cancel();
    session.begun = true;
    if (text && text[0])
        begin(text);
    errno = reason;
    system_release_cancel(state);
}

unsigned session_events(void)
{
    return atomic_load(&session.active) ? session.settings.events : 0;
}

void session_stop(void)
{
    if (atomic_load(&session.active)) {
        mark(TRACE_STOP);
        atomic_store(&pages_record, false);
    }
}

void session_start(void)
{
    if (atomic_load(&session.active) && !atomic_exchange(&pages_record, true))
        mark(TRACE_START);
}

void session_before_end(void (*call)(void))
{
    session.before_end = call;
}

void session_note_change(bool wait)
{
    if (atomic_load(&session.active))
        writer_note_change(wait);
}

void session_set_rank(uint64_t rank, uint64_t ranks)
{
    session.meta.rank = rank;
    session.meta.ranks = ranks;
    session.meta.has_rank = true;
    session_note_change(false);
}

/* What was lost, and why. */
static void say_losses(const struct writer_sum *written, const struct pages_sum *pages)
{
    const char *run = session.settings.run;
    if (written->reason)
        system_say("%s/%s: %s; %" PRIu64 " records lost", run, session.names.trace,
                   strerror(written->reason), written->discarded + pages->lost);
    else if (pages->reason)
        system_say("%s/%s: %s; %" PRIu64 " records lost", run, session.names.live,
                   strerror(pages->reason), pages->lost);
    if (written->unbalanced)
        system_say("%s/%s: %" PRIu64 " entries and exits have no counterpart in their thread", run,
                   session.names.document, written->unbalanced);
}

static void write_complete(const struct writer_sum *written, const struct pages_sum *pages)
{
    struct meta_recording recording = {
        .complete = written->reason ? "no" : "yes",
        .fault = written->reason ? strerror(written->reason) : NULL,
        .known = true,
        .records = written->records,
        .lost = pages->lost + written->discarded,
        .waits = pages->waits,
        .wait_ticks = pages->wait_ticks,
        .unbalanced = written->unbalanced,
        .refused = types_refused(),
    };
    folder_remove(&session.folder, session.names.live); /* which may make room for the other */
    if (!meta_write(&session.meta, &recording))
        system_say("%s/%s: %s", session.settings.run, session.names.document, strerror(errno));
}

/* All that was recorded goes to the files, once; nothing is recorded from then on. */
static void session_end(void)
{
    static const struct timespec a_while = {.tv_nsec = 1000000};
    struct system_quiet quiet;
    if (!atomic_exchange(&session.active, false))
        return;
    int reason = errno, state = system_hold_cancel();
    if (session.before_end)
        session.before_end();
    if (atomic_load(&pages_record)) {
        if (shared_is_used())
            shared_record_spent(&local);
        mark_program(PROGRAM_STOP);
        atomic_store(&pages_record, false);
    }
    nanosleep(&a_while, NULL); /* until no other thread is in the midst of an event */
    system_be_quiet(&quiet);
    if (shared_is_used())
        shared_end(&local);
    pages_end(&local);
    struct writer_sum written = writer_end();
    struct pages_sum pages = pages_sum();
    shared_add(&pages);
    meta_note_images();
    write_complete(&written, &pages);
    system_be_loud(&quiet);
    say_losses(&written, &pages);
    errno = reason;
    system_release_cancel(state);
}

bool session_can_leave(void)
{
    return atomic_load(&session.active) && session.meta.pid == (uint32_t)getpid() &&
           !atomic_load(&local.busy);
}

void session_leave(void)
{
    if (session_can_leave())
        session_end();
}

__attribute__((constructor(SESSION_PRIORITY))) static void construct(void)
{
    session_begin();
}

__attribute__((constructor(NAMED_PRIORITY))) static void name_types(void)
{
    if (session_events())
        session_note_change(true);
}

__attribute__((destructor(SESSION_PRIORITY))) static void destruct(void)
{
    session_end();
}
