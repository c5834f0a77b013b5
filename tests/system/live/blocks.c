/* See blocks.h. */
#include "blocks.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
    enum event_id id;
    unsigned stay; /* from 1; of the PPE 0 */
    uint64_t stamp, begin;
};

/* A record in the buffer. */
struct placed {
    struct record record;
    unsigned writer; /* context, or 0 */
    uint64_t block;
    uint64_t flush; /* of the last record of its block, else 0 */
};

struct writer {
    pthread_mutex_t mutex; /* the PPE's: several threads write as it */
    struct record *records;
    unsigned count;
    uint64_t block;
};

struct blocks {
    struct counter counter;
    unsigned room, nwriters;
    struct writer *writers;
    pthread_mutex_t mutex; /* who has it has the next place in the buffer */
    struct placed *placed;
    size_t nplaced, capacity;
    uint64_t lost;
};

struct blocks *blocks_new(const struct counter *counter, unsigned ncontexts, unsigned records)
{
    struct blocks *blocks = calloc(1, sizeof *blocks);
    if (!blocks)
        return NULL;
    blocks->counter = *counter;
    blocks->room = records;
    blocks->writers = calloc(ncontexts + 1, sizeof *blocks->writers);
    if (!blocks->writers) {
        free(blocks);
        return NULL;
    }
    pthread_mutex_init(&blocks->mutex, NULL);
    for (; blocks->nwriters <= ncontexts; blocks->nwriters++) {
        struct writer *writer = &blocks->writers[blocks->nwriters];
        writer->records = calloc(records, sizeof *writer->records);
        if (!writer->records) {
            blocks_free(blocks);
            return NULL;
        }
        pthread_mutex_init(&writer->mutex, NULL);
    }
    return blocks;
}

void blocks_free(struct blocks *blocks)
{
    if (!blocks)
        return;
    for (unsigned i = 0; i < blocks->nwriters; i++) {
        pthread_mutex_destroy(&blocks->writers[i].mutex);
        free(blocks->writers[i].records);
    }
    pthread_mutex_destroy(&blocks->mutex);
    free(blocks->writers);
    free(blocks->placed);
    free(blocks);
}

static bool reserve(struct blocks *blocks, size_t more)
{
    size_t wanted = blocks->nplaced + more, capacity = blocks->capacity ? blocks->capacity : 1024;
    while (capacity < wanted)
        capacity *= 2;
    if (capacity == blocks->capacity)
        return true;
    struct placed *grown = realloc(blocks->placed, capacity * sizeof *grown);
    if (!grown)
        return false;
    blocks->placed = grown;
    blocks->capacity = capacity;
    return true;
}

/* Give the block to the buffer. */
static void flush(struct blocks *blocks, unsigned number)
{
    struct writer *writer = &blocks->writers[number];
    pthread_mutex_lock(&blocks->mutex);
    uint64_t stamp = counter_ticks(&blocks->counter);
    if (!reserve(blocks, writer->count)) {
        blocks->lost += writer->count;
        writer->count = 0;
    }
    for (unsigned i = 0; i < writer->count; i++)
        blocks->placed[blocks->nplaced++] = (struct placed){
            writer->records[i], number, writer->block, i + 1 == writer->count ? stamp : 0};
    pthread_mutex_unlock(&blocks->mutex);
    writer->count = 0;
    writer->block++;
}

static uint64_t record(struct blocks *blocks, unsigned number, unsigned stay,
                       const struct event *event)
{
    struct writer *writer = &blocks->writers[number];
    pthread_mutex_lock(&writer->mutex);
    uint64_t stamp = counter_ticks(&blocks->counter);
    writer->records[writer->count++] = (struct record){event->id, stay, stamp, event->begin};
    if (writer->count == blocks->room)
        flush(blocks, number);
    pthread_mutex_unlock(&writer->mutex);
    return stamp;
}

uint64_t blocks_ppe(struct blocks *blocks, const struct event *event)
{
    return record(blocks, 0, 0, event);
}

uint64_t blocks_spe(struct blocks *blocks, uint32_t context, unsigned stay,
                    const struct event *event)
{
    return record(blocks, context, stay, event);
}

void blocks_finish(struct blocks *blocks)
{
    for (unsigned i = 0; i < blocks->nwriters; i++)
        if (blocks->writers[i].count > 0)
            flush(blocks, i);
}

uint64_t blocks_records(const struct blocks *blocks)
{
    return blocks->nplaced;
}

uint64_t blocks_lost(const struct blocks *blocks)
{
    return blocks->lost;
}

/* A row; zero: of its clock, which a stay of a context sets anew. */
static void write_row(FILE *file, const struct placed *placed, uint64_t zero)
{
    const struct record *r = &placed->record;
    if (placed->writer)
        fprintf(file, "spe%u.%u,spe%u,spe,", placed->writer, r->stay, placed->writer);
    else
        fprintf(file, "ppe,ppe,ppe,");
    fprintf(file, "0x%04x,", (unsigned)r->id);
    if (r->begin)
        fprintf(file, "%" PRId64, (int64_t)(r->begin - zero));
    fprintf(file, ",%" PRId64 ",buffer,%" PRIu64 ",", (int64_t)(r->stamp - zero), placed->block);
    if (placed->flush)
        fprintf(file, "%" PRId64, (int64_t)(placed->flush - zero));
    fprintf(file, "\n");
}

bool blocks_save(const struct blocks *blocks, const char *name, uint64_t hz)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.blocks.csv", name);
    FILE *file = fopen(path, "w");
    uint64_t *zeros = calloc(blocks->nwriters, sizeof *zeros);
    unsigned *stays = calloc(blocks->nwriters, sizeof *stays);
    if (file && zeros && stays) {
        fprintf(file, "# timebase_hz=%" PRIu64 "\n# order=partial\n", hz);
        fprintf(file, "thread,location,core,event,begin,time,buffer,block,flush\n");
        for (size_t i = 0; i < blocks->nplaced; i++) {
            const struct placed *placed = &blocks->placed[i];
            unsigned w = placed->writer;
            if (placed->record.stay != stays[w])
                zeros[w] = placed->record.stamp;
            stays[w] = placed->record.stay;
            write_row(file, placed, zeros[w]);
        }
    }
    bool good = file && zeros && stays && !ferror(file);
    free(zeros);
    free(stays);
    return file && fclose(file) == 0 && good;
}
