/* See session.h. */
#include "recorder/session.h"

#include "base/number.h"
#include "recorder/clock.h"
#include "recorder/event.h"
#include "recorder/meta.h"
#include "recorder/page.h"
#include "recorder/record.h"
#include "recorder/shared.h"
#include "recorder/system.h"
#include "recorder/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The folder of a run, RUN: names of the files of this process, and files common to all processes.
 *
 *     HOST.PID.pex .trace .live   of one process; HOST.PID-2 and so on after an exec
 *     clock                       one line for each clock: its id, source, and ticks per second
 *     truth.csv                   with --skew: the skew of each process */

struct run_names {
    char trace[META_TEXT_MAX], live[META_TEXT_MAX], document[META_TEXT_MAX],
        temporary[META_TEXT_MAX];
};

enum {
    NAMES_MAX = 1000,
    CLOCKS_BYTES = 65536,
    NEAR_PPM = 500, /* greatest difference of the rates that two processes measure for one clock */
    PPM = 1000000,
    PPB_A_PPM = 1000
};

/* If this process created the .live file before an exec, note in the document of the earlier
 * program that an exec ended its recording. */
static void note_exec(struct folder *folder, const char *live, const char *document)
{
    static const char said[] = "<recording complete=\"no\"", now[] = "<recording complete=\"exec\"";
    uint8_t header[64];
    char text[8192];
    int fd = folder_file(folder, live, O_RDONLY);
    ssize_t n = fd >= 0 ? pread(fd, header, sizeof header, 0) : -1;
    if (fd >= 0)
        close(fd);
    if (n != (ssize_t)sizeof header || word_load(header + 56) != system_start_time())
        return;
    fd = folder_file(folder, document, O_RDWR);
    n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    text[n > 0 ? n : 0] = 0;
    const char *at = strstr(text, said);
    if (at && memcmp(at + sizeof said - 1, "  ", 2) == 0)
        system_write(fd, now, sizeof now - 1, (uint64_t)(at - text));
    if (fd >= 0)
        close(fd);
}

/* Choose names for the files of this process. Stores the folder and the names in *meta, and creates
 * the file `live`. Returns false with errno on failure. */
static bool run_take_names(struct folder *folder, struct meta *meta, struct run_names *names,
                           struct folder_open_file *live)
{
    enum { HOST_MOST = 128 };
    char *const out[] = {names->trace, names->live, names->document, names->temporary};
    static const char *const suffixes[] = {".trace", ".live", ".pex", ".tmp"};
    char host[HOST_MOST], stem[META_TEXT_MAX];
    size_t size = 0;
    meta->folder = folder;
    meta->name = names->document;
    meta->temporary = names->temporary;
    meta->trace_name = names->trace;
    for (; meta->host[size] && size + 1 < sizeof host; size++) {
        char c = meta->host[size];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     ((c == '-' || c == '.') && size > 0);
        host[size] = (char)(plain ? c : '_'); /* other characters are unusual in file names */
    }
    host[size] = 0;
    for (int i = 1; i <= NAMES_MAX; i++) {
        int n = i == 1 ? snprintf(stem, sizeof stem, "%s.%" PRIu32, host, meta->pid)
                       : snprintf(stem, sizeof stem, "%s.%" PRIu32 "-%d", host, meta->pid, i);
        for (size_t k = 0; n >= 0 && k < sizeof out / sizeof *out; k++) {
            int length = snprintf(out[k], META_TEXT_MAX, "%s%s%s",
                                  out[k] == names->temporary ? "." : "", stem, suffixes[k]);
            if (length < 0 || length >= META_TEXT_MAX) {
                errno = ENAMETOOLONG;
                return false;
            }
        }
        if (n < 0)
            return false;
        if (folder_keep(live, folder, names->live, O_RDWR | O_CREAT)) {
            if (!folder_has(folder, names->document))
                return true;
            close(live->fd);
            folder_remove(folder, names->live); /* remove the file of a process that has ended */
        } else if (errno != EEXIST) {
            return false;
        } else {
            note_exec(folder, names->live, names->document);
        }
    }
    return false;
}

/* Find our clock in `text`, whose lines are "id source rate", and set *out to its rate. The line of
 * our clock has our source, and our id or nearly the rate hz. Returns false if there is none. */
static bool find_clock(char *text, const struct meta *meta, uint64_t hz, uint64_t *out)
{
    char *rest = text, *save;
    bool found = false;
    for (char *line; !found && (line = strtok_r(rest, "\n", &save)); rest = NULL) {
        char *id = line, *source = strchr(id, ' '), *rate = source ? strchr(source + 1, ' ') : NULL;
        if (!rate)
            continue;
        *source++ = 0;
        *rate++ = 0;
        *out = strtoull(rate, NULL, 10);
        uint64_t apart = hz > *out ? hz - *out : *out - hz;
        found = *out > 0 && strcmp(source, meta->clock_source) == 0 &&
                (strcmp(id, meta->clock_id) == 0 || (hz > 0 && apart <= hz / PPM * NEAR_PPM));
    }
    return found;
}

static int open_shared(struct folder *folder, const char *name)
{
    int fd = folder_file(folder, name, O_RDWR | O_CREAT | O_APPEND);
    while (fd >= 0 && flock(fd, LOCK_EX) < 0 && errno == EINTR)
        ;
    return fd;
}

static bool add_text(int fd, const char *text)
{
    size_t size = strlen(text);
    ssize_t n = write(fd, text, size);
    if (n >= 0 && (size_t)n < size)
        errno = ENOSPC;
    return n == (ssize_t)size;
}

/* Find the rate of the clock in *meta. If another process of the run has recorded nearly this rate,
 * use the recorded rate, so that all processes on a clock have one rate. Returns false with errno
 * on failure. */
static bool run_agree_clock(struct meta *meta)
{
    static char text[CLOCKS_BYTES];
    char line[2 * META_TEXT_MAX];
    int fd = open_shared(meta->folder, "clock");
    ssize_t n = fd >= 0 ? pread(fd, text, sizeof text - 1, 0) : -1;
    bool good = n >= 0;
    text[n > 0 ? n : 0] = 0;
    if (good && !find_clock(text, meta, 0, &meta->hz)) {
        uint64_t hz = clock_measure_hz();
        text[n > 0 ? pread(fd, text, (size_t)n, 0) : 0] = 0;
        if (!find_clock(text, meta, hz, &meta->hz))
            meta->hz = hz;
        int size = snprintf(line, sizeof line, "%s %s %" PRIu64 "\n", meta->clock_id,
                            meta->clock_source, meta->hz);
        good = size > 0 && add_text(fd, line);
    }
    int reason = errno;
    if (fd >= 0)
        close(fd); /* releases the lock, too */
    errno = reason;
    return good;
}

/* Returns the n-th random number of a seed, from -most to most, by Vigna's splitmix64. */
static int64_t draw_within(uint64_t seed, uint64_t n, uint64_t most)
{
    uint64_t z = (seed << 32) + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    z ^= z >> 31;
    return (int64_t)(z % (2 * most + 1)) - (int64_t)most;
}

/* Draw a random skew (writer.h) for the process, and append it to truth.csv. */
static bool run_draw_skew(const struct settings *settings, const struct meta *meta,
                          struct skew *out)
{
    char line[2 * META_TEXT_MAX];
    int64_t ns = draw_within(meta->pid, 0, settings->skew_ns);
    *out = (struct skew){
        .ticks = (int64_t)((int128)ns * (int128)meta->hz / CLOCK_NS_PER_S),
        .ppb = draw_within(meta->pid, 1, settings->skew_ppm * PPB_A_PPM),
    };
    int64_t ppb = out->ppb < 0 ? -out->ppb : out->ppb;
    int fd = open_shared(meta->folder, "truth.csv");
    struct stat st;
    bool good = fd >= 0 && fstat(fd, &st) == 0;
    if (good && st.st_size == 0)
        good = add_text(fd, "host,pid,ns,ppm\n");
    int n = snprintf(line, sizeof line, "%s,%" PRIu32 ",%" PRId64 ",%s%" PRId64 ".%03" PRId64 "\n",
                     meta->host, meta->pid, ns, out->ppb < 0 ? "-" : "", ppb / PPB_A_PPM,
                     ppb % PPB_A_PPM);
    good = good && n > 0 && add_text(fd, line);
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return good;
}

/* --- A process whose main thread has ended while the recorder's threads still run ---------- */

enum { EVERY_NS = 20000000 };

static struct {
    pthread_mutex_t held;
    pthread_key_t key;
    atomic_bool called_exit; /* true if the main thread called pthread_exit */
    sigset_t signals;        /* signals that are blocked in the main thread */
} watch;

static void note_exit(void *unused)
{
    (void)unused;
    atomic_store(&watch.called_exit, true);
}

static void *run(void *unused)
{
    static const struct timespec a_while = {.tv_nsec = EVERY_NS};
    unsigned status;
    (void)unused;
    system_note_own();
    atomic_store(&local.busy, true); /* hooks must not record the next line */
    if (pthread_mutex_lock(&watch.held) != EOWNERDEAD)
        return NULL;
    while (!system_has_ended(&status))
        nanosleep(&a_while, NULL);
    atomic_store(&local.busy, false);
    pthread_sigmask(SIG_SETMASK, &watch.signals, NULL);
    if (atomic_load(&watch.called_exit))
        exit(0); /* the C library also calls exit after the last thread */
    session_leave();
    for (;;)
        syscall(SYS_exit_group, status);
}

/* Start a thread that waits until all threads of the program have ended. It then calls
 * session_leave, or exit() if the main thread called pthread_exit, and ends the process. Only the
 * main thread may call this function. */
static void watch_begin(void)
{
    pthread_mutexattr_t robust;
    if (system_thread() != (uint32_t)getpid() || pthread_mutexattr_init(&robust) != 0)
        return;
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    pthread_sigmask(SIG_BLOCK, NULL, &watch.signals);
    if (pthread_mutex_init(&watch.held, &robust) == 0 && pthread_mutex_lock(&watch.held) == 0 &&
        pthread_key_create(&watch.key, note_exit) == 0 &&
        pthread_setspecific(watch.key, &watch) == 0)
        system_start_own(run);
    pthread_mutexattr_destroy(&robust);
}

/* --- The session --------------------------------------------------------------------------- */

static struct {
    bool begun;         /* true if session_begin was called, even if it failed */
    atomic_bool active; /* true from the opening of the files until the session ends */
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

static const struct meta_recording unfinished = {.complete = "no"};

static void write_unfinished(void)
{
    meta_write(&session.meta, &unfinished);
}

/* Create the files of the run. Returns NULL, or the name of the file that failed, with errno. */
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
    size_t size = strlen(m->clock_id);
    if (skews && /* with a skew, each process has its own clock */
        snprintf(m->clock_id + size, sizeof m->clock_id - size, "+%u", (unsigned)m->pid) < 0)
        m->clock_id[size] = 0;
    if (!pages_open(&live, s, m->hz))
        return session.names.live;
    uint8_t *header = pages_header(); /* programs that read the .live file need these values */
    word_store(header + 32, (uint64_t)skew.ticks);
    word_store(header + 40, (uint64_t)skew.ppb);
    word_store(header + 48, m->pid);
    word_store(header + 56, system_start_time());
    word_publish(header, UINT64_C(0x5044545041474553)); /* the text PDTPAGES */
    if (m->is_buffer && !shared_open(s))
        return session.names.live;
    if (!meta_write(m, &unfinished))
        return m->name;
    if (writer_start(&session.folder, session.names.trace, &skew, write_unfinished))
        return NULL;
    /* A .pex without records would make the whole run unreadable, even with --salvage. */
    int reason = errno;
    folder_remove(&session.folder, session.names.document);
    if (reason != EEXIST) /* writer_start has created the file */
        folder_remove(&session.folder, session.names.trace);
    errno = reason;
    return session.names.trace;
}

/* Stop recording in the child of a fork. */
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

/* Record the resources that the process has used so far. Readers subtract the resources used before
 * the recording began. */
static void mark_program(unsigned which)
{
    struct system_spent spent;
    uint64_t values[1 + SPENT_VALUES] = {session.meta.pid};
    system_spent(&spent);
    system_spent_values(&spent, values + 1);
    event_record(&general[which], false, 0, 0, values, 1 + SPENT_VALUES);
}

/* Begin to record with the settings in `text`. Prints the reason if nothing is recorded. */
static void begin_session(const char *text)
{
    const char *fault;
    char boot[META_TEXT_MAX];
    struct meta *m = &session.meta;
    struct system_quiet quiet;
    struct timespec now;
    struct tm utc;
    if (!settings_read(text, &session.settings, &fault)) {
        system_say("CELLTRACE=%s: %s; nothing is recorded", text, fault);
        return;
    }
    clock_choose(true);
    m->clock_source = clock_source();
    m->is_buffer = session.settings.order == ORDER_BUFFER;
    m->has_addresses = session.settings.events & (EVENTS_FUNCTIONS | EVENTS_BLOCKS | EVENTS_LOOPS);
    m->pid = (uint32_t)getpid();
    m->ppid = (uint32_t)getppid();
    if (gethostname(m->host, sizeof m->host - 1) < 0 || !m->host[0])
        memcpy(m->host, "host", sizeof "host");
    system_read_text("/proc/self/comm", m->program, sizeof m->program);
    system_read_text("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    if (snprintf(m->clock_id, sizeof m->clock_id, "%s", boot[0] ? boot : m->host) < 0)
        m->clock_id[0] = 0;
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &utc);
    if (strftime(m->start, sizeof m->start, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        m->start[0] = 0;
    types_register(&general_table);
    meta_note_images();
    const char *run = session.settings.run;
    system_be_quiet(&quiet);
    fault = folder_open(&session.folder, run);
    const char *failed = fault ? NULL : open_files();
    if (fault)
        system_say("%s: %s; nothing is recorded", run, fault);
    if (failed)
        system_say("%s/%s: %s; nothing is recorded", run, failed, strerror(errno));
    if (failed && failed != session.names.live) /* open_files created the .live file */
        folder_remove(&session.folder, session.names.live);
    system_be_loud(&quiet);
    if (fault || failed)
        return;
    /* quick_exit calls session_leave after the functions that the program itself has registered */
    if (pthread_atfork(NULL, NULL, be_child) != 0 || at_quick_exit(session_leave) != 0) {
        system_say("%s; nothing is recorded", strerror(ENOMEM));
        return;
    }
    atomic_store(&session.active, true);
    atomic_store(&pages_record, true);
    mark_program(PROGRAM_START);
    watch_begin();
}

void session_begin(void)
{
    const char *text = session.begun ? NULL : getenv("CELLTRACE");
    int reason = errno, state = system_hold_cancel();
    session.begun = true;
    if (text && text[0])
        begin_session(text);
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

/* Write all records to the files, and stop recording for good. */
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
    nanosleep(&a_while, NULL); /* let other threads finish their events */
    system_be_quiet(&quiet);
    if (shared_is_used())
        shared_end(&local);
    pages_end(&local);
    struct writer_sum written = writer_end();
    struct pages_sum pages = pages_sum();
    shared_add(&pages);
    meta_note_images();
    struct meta_recording recording = {
        .complete = written.reason ? "no" : "yes",
        .fault = written.reason ? strerror(written.reason) : NULL,
        .known = true,
        .records = written.records,
        .lost = pages.lost + written.discarded,
        .waits = pages.waits,
        .wait_ticks = pages.wait_ticks,
        .unbalanced = written.unbalanced,
        .refused = types_refused(),
    };
    folder_remove(&session.folder, session.names.live); /* frees disk space for the document */
    if (!meta_write(&session.meta, &recording))
        system_say("%s/%s: %s", session.settings.run, session.names.document, strerror(errno));
    system_be_loud(&quiet);
    const char *run = session.settings.run;
    if (written.reason)
        system_say("%s/%s: %s; %" PRIu64 " records lost", run, session.names.trace,
                   strerror(written.reason), written.discarded + pages.lost);
    else if (pages.reason)
        system_say("%s/%s: %s; %" PRIu64 " records lost", run, session.names.live,
                   strerror(pages.reason), pages.lost);
    if (written.unbalanced)
        system_say("%s/%s: %" PRIu64
                   " function entries and exits have no counterpart in the same thread",
                   run, session.names.document, written.unbalanced);
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
