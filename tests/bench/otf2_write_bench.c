/* What OTF2's writer of events takes for one with a stamp: usage otf2_write_bench FOLDER. */
#include "record_bench.h"

#include <otf2/otf2.h>

#include <stdlib.h>

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                            bool is_final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)is_final;
    return OTF2_FLUSH;
}

static uint64_t read_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
    static OTF2_FlushCallbacks callbacks = {.otf2_pre_flush = flush};
    OTF2_Archive *archive =
        argc == 2 ? OTF2_Archive_Open(argv[1], "bench", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                      OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)
                  : NULL;
    if (!archive)
        return 1;
    OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, 0);
    uint64_t stamp = 0;
    MEASURE("otf2", stamp = read_clock();
            OTF2_EvtWriter_Enter(writer, NULL, stamp, (uint32_t)i & 7));
    MEASURE("otf2_clock", stamp = read_clock());
    OTF2_Archive_CloseEvtWriter(archive, writer);
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_Close(archive);
    return stamp == 0;
}
