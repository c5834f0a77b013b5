/* See runfolder.h. */
#include "celltrace/runfolder.h"

#include "base/number.h"
#include "celltrace/clock.h"
#include "celltrace/record.h"
#include "celltrace/system.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    NAMES_MAX = 1000,
    CLOCKS_BYTES = 65536,
    NEAR_PPM = 500, /* rates of clocks that may be one, measured in 5 ms */
    PPM = 1000000,
    PPB_A_PPM = 1000
};

uint64_t run_start_time(void)
{
    enum { FIELD = 20 }; /* of those after the name, which may have blanks */
    char text[1024];
    system_read_text("/proc/self/stat", text, sizeof text);
    const char *at = strrchr(text, ')');
    for (int i = 0; at && i < FIELD; i++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at, NULL, 10) : 0;
}

/* Whether the .live there is of this process, before an exec. */
static bool was_this_process(struct folder *folder, const char *live)
{
    uint8_t header[64];
    int fd = folder_file(folder, live, O_RDONLY);
    ssize_t n = fd >= 0 ? pread(fd, header, sizeof header, 0) : -1;
    if (fd >= 0)
        close(fd);
    return n == (ssize_t)sizeof header && word_load(header + 56) == run_start_time();
}

/* In its document, which has room for that. */
static void note_exec(struct folder *folder, const char *document)
{
    static const char said[] = "<recording complete=\"no\"", now[] = "<recording complete=\"exec\"";
    char text[8192];
    int fd = folder_file(folder, document, O_RDWR);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    text[n > 0 ? n : 0] = 0;
    const char *at = strstr(text, said);
    if (at && memcmp(at + sizeof said - 1, "  ", 2) == 0)
        system_write(fd, now, sizeof now - 1, (uint64_t)(at - text));
    if (fd >= 0)
        close(fd);
}

/* HOST with what a file name should not have replaced. */
static void plain_name(const char *host, char *out, size_t size)
{
    size_t i = 0;
    for (; host[i] && i + 1 < size; i++) {
        char c = host[i];
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     (c == '-' && i > 0) || c == '_';
        out[i] = c == '.' && i > 0 ? '.' : '_';
        if (plain)
            out[i] = c;
    }
    out[i] = 0;
}

static bool format_names(const char *stem, struct meta *meta, struct run_names *names)
{
    char *const out[] = {names->trace, names->live, names->document, names->temporary};
    static const char *const suffixes[] = {".trace", ".live", ".pex", ".tmp"};
    for (size_t i = 0; i < sizeof out / sizeof *out; i++) {
        const char *hidden = out[i] == names->temporary ? "." : "";
        int n = snprintf(out[i], META_TEXT_MAX, "%s%s%s", hidden, stem, suffixes[i]);
        if (n < 0 || n >= META_TEXT_MAX) {
            errno = ENAMETOOLONG;
            return false;
        }
    }
    meta->name = names->document;
    meta->temporary = names->temporary;
    meta->trace_name = names->trace;
    return true;
}

bool run_take_names(struct folder *folder, struct meta *meta, struct run_names *names,
                    struct folder_open_file *live)
{
    enum { HOST_MOST = 128 };
    char host[HOST_MOST], stem[META_TEXT_MAX];
    meta->folder = folder;
    plain_name(meta->host, host, sizeof host);
    for (int i = 1; i <= NAMES_MAX; i++) {
        int n = i == 1 ? snprintf(stem, sizeof stem, "%s.%" PRIu32, host, meta->pid)
                       : snprintf(stem, sizeof stem, "%s.%" PRIu32 "-%d", host, meta->pid, i);
        if (n < 0 || !format_names(stem, meta, names))
            return false;
        if (folder_keep(live, folder, names->live, O_RDWR | O_CREAT)) {
            if (!folder_has(folder, names->document))
                return true;
            close(live->fd);
            folder_remove(folder, names->live); /* of a process that has ended */
        } else if (errno != EEXIST) {
            return false;
        } else if (was_this_process(folder, names->live)) {
            note_exec(folder, names->document);
        }
    }
    return false;
}

/* The line of a clock that is ours, or as fast; false: there is none. */
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

/* Open a file of the run that all may add to, and be alone with it. */
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

bool run_agree_clock(struct meta *meta)
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
        close(fd); /* and the lock with it */
    errno = reason;
    return good;
}

/* splitmix64, by Vigna: the n-th number of a seed. */
static uint64_t draw(uint64_t seed, uint64_t n)
{
    uint64_t z = (seed << 32) + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int64_t draw_within(uint64_t seed, uint64_t n, uint64_t most)
{
    return (int64_t)(draw(seed, n) % (2 * most + 1)) - (int64_t)most;
}

bool run_draw_skew(const struct settings *settings, const struct meta *meta, struct skew *out)
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
