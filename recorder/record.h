/* The bytes of a record, as in pex(5): big-endian, in words of eight bytes.
 *
 *     0  size, 16 bits; core, 8; flags, 8; event id, 16; n, 16
 *     1  thread, 32; program counter, 32
 *     2  time
 *     3  begin
 *     4  n values
 *
 * Word 0 is stored last and read first. Readers therefore find complete records, even in a page
 * that is being filled, or was left by a killed program. */
#ifndef CELLTRACE_RECORD_H
#define CELLTRACE_RECORD_H

#include <stddef.h>
#include <stdint.h>

enum {
    RECORD_PREFIX_WORDS = 4,
    RECORD_IS_INTERVAL = 1,
    RECORD_UNFINISHED = 0x80, /* in a shared page: the space is reserved, but not filled yet */
    ID_TRACE_START = 0x0300,
    ID_TRACE_STOP = 0x0400,
    ID_BUFFER_FLUSH = 0x0900,
    ID_PAGE_WAIT = 0x0a00,
    ID_PROGRAM_START = 0x0b00,
    ID_PROGRAM_STOP = 0x0c00,
    ID_THREAD_TIMES = 0x0d00
};

static inline size_t record_size(unsigned n)
{
    return 8 * ((size_t)RECORD_PREFIX_WORDS + n);
}

static inline uint64_t big_endian(uint64_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

static inline uint32_t big_endian32(uint32_t value)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap32(value);
#else
    return value;
#endif
}

/* Store a word that other threads may read at the same time. */
static inline void word_store(void *p, uint64_t value)
{
#if __SIZEOF_POINTER__ == 8
    __atomic_store_n((uint64_t *)p, big_endian(value), __ATOMIC_RELAXED);
#else
    __atomic_store_n((uint32_t *)p, big_endian32((uint32_t)(value >> 32)), __ATOMIC_RELAXED);
    __atomic_store_n((uint32_t *)p + 1, big_endian32((uint32_t)value), __ATOMIC_RELAXED);
#endif
}

static inline uint64_t word_load(const uint8_t *p)
{
#if __SIZEOF_POINTER__ == 8
    return big_endian(__atomic_load_n((const uint64_t *)(const void *)p, __ATOMIC_RELAXED));
#else
    uint32_t high = __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_RELAXED);
    uint32_t low = __atomic_load_n((const uint32_t *)(const void *)(p + 4), __ATOMIC_RELAXED);
    return (uint64_t)big_endian32(high) << 32 | big_endian32(low);
#endif
}

/* Make earlier stores visible to other threads before later stores. */
static inline void stores_in_order(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __asm__ volatile("" : : : "memory");
#else
    __atomic_thread_fence(__ATOMIC_RELEASE);
#endif
}

/* Store word 0 after all other words of the record. */
static inline void word_publish(void *p, uint64_t value)
{
#if __SIZEOF_POINTER__ == 8
    __atomic_store_n((uint64_t *)p, big_endian(value), __ATOMIC_RELEASE);
#else
    __atomic_store_n((uint32_t *)p + 1, big_endian32((uint32_t)value), __ATOMIC_RELAXED);
    __atomic_store_n((uint32_t *)p, big_endian32((uint32_t)(value >> 32)), __ATOMIC_RELEASE);
#endif
}

/* Returns the size of the record at p, or 0 if the record is incomplete. */
static inline size_t record_published_size(const uint8_t *p)
{
    uint32_t high = __atomic_load_n((const uint32_t *)(const void *)p, __ATOMIC_ACQUIRE);
    return big_endian32(high) >> 16;
}

/* Returns word 0 of the record at p, or 0 if the record is incomplete. */
static inline uint64_t word_load_published(const uint8_t *p)
{
#if __SIZEOF_POINTER__ == 8
    return big_endian(__atomic_load_n((const uint64_t *)(const void *)p, __ATOMIC_ACQUIRE));
#else
    return record_published_size(p) ? word_load(p) : 0;
#endif
}

static inline uint64_t record_head(unsigned flags, unsigned id, unsigned n)
{
    return (uint64_t)record_size(n) << 48 | (uint64_t)flags << 32 | (uint64_t)id << 16 | n;
}

static inline size_t head_size(uint64_t head)
{
    return (size_t)(head >> 48);
}

static inline unsigned head_flags(uint64_t head)
{
    return head >> 32 & 0xff;
}

static inline unsigned head_id(uint64_t head)
{
    return head >> 16 & 0xffff;
}

/* Store a record with n values. `head` is the result of record_head. */
static inline __attribute__((always_inline)) void record_store(uint8_t *p, uint64_t head,
                                                               uint32_t thread, uint32_t pc,
                                                               uint64_t time, uint64_t begin,
                                                               const uint64_t *values, unsigned n)
{
    word_store(p + 8, (uint64_t)thread << 32 | pc);
    word_store(p + 16, time);
    word_store(p + 24, begin);
    for (unsigned i = 0; i < n; i++)
        word_store(p + 8 * ((size_t)RECORD_PREFIX_WORDS + i), values[i]);
    word_publish(p, head);
}

#endif
