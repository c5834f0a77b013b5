/* What records of the shared buffer say of the activity of actors. */
#include "pdtsim/observe.h"

#include "pdtsim/routines.h"

enum { WORD_BYTES = 4 };

static enum activity_wait wait_of(enum event event)
{
    switch (event) {
    case EVENT_TAG_WAIT:
        return WAIT_DMA;
    case EVENT_IN_MBOX_READ:
        return WAIT_INBOX;
    case EVENT_OUT_MBOX_WRITE:
    case EVENT_OUT_MBOX_READ:
        return WAIT_MAILBOX;
    case EVENT_MUTEX_LOCK:
        return WAIT_MUTEX;
    case EVENT_BARRIER:
    case EVENT_MPI_BARRIER:
        return WAIT_BARRIER;
    case EVENT_CONTEXT_RUN:
        return WAIT_TASK;
    case EVENT_MPI_SEND:
    case EVENT_MPI_SSEND:
    case EVENT_MPI_RECV:
        return WAIT_MESSAGE;
    default:
        return WAIT_NONE;
    }
}

/* Where a context is, by what a thread of the PPE records. */
static void observe_place(struct activity *activity, enum event event, size_t context, int64_t time)
{
    switch (event) {
    case EVENT_THREAD_START:
        activity_start(activity, context, time);
        break;
    case EVENT_SWITCH_IN:
        activity_in(activity, context, time);
        break;
    case EVENT_SWITCH_OUT:
        activity_out(activity, context, time);
        break;
    case EVENT_THREAD_STOP:
        activity_stop(activity, context, time);
        break;
    default:
        break;
    }
}

/* Ranks are contexts from 0. */
static void observe_message(struct activity *activity, const struct observed *record)
{
    bool receives = record->event == EVENT_MPI_RECV;
    size_t rank = record->context - 1, other = (size_t)record->payload[0];
    activity_message(activity, !receives,
                     (struct activity_message){.from = receives ? other : rank,
                                               .to = receives ? rank : other,
                                               .tag = (int64_t)record->payload[1],
                                               .bytes = (int64_t)record->payload[2],
                                               .time = receives ? record->time : record->begin});
}

/* Words go from the main thread to a context, or back; the type says which end a record is. */
static void observe_word(struct activity *activity, const struct observed *record, size_t actor,
                         size_t other, bool sends)
{
    activity_message(activity, sends,
                     (struct activity_message){.word = true,
                                               .from = sends ? actor : other,
                                               .to = sends ? other : actor,
                                               .bytes = WORD_BYTES,
                                               .time = sends ? record->begin : record->time});
}

void observe(const struct observer *observer, const struct observed *record)
{
    struct activity *activity = observer->activity;
    enum event event = record->event;
    size_t actor = record->context ? record->context - 1
                                   : observer->ncontexts + record->thread - observer->first_tid;
    if (!activity)
        return;
    activity_record(
        activity, actor,
        &(struct activity_record){record->stay, wait_of(event), record->begin, record->time});
    if (!record->context && observer->places)
        observe_place(activity, event, (size_t)record->payload[0] - 1, record->time);
    if (event == EVENT_E)
        activity_enter(activity, actor, routine_name(routine_at(record->payload[0])), record->time);
    if (event == EVENT_X)
        activity_leave(activity, actor, record->time);
    if (event >= EVENT_MPI_SEND && event <= EVENT_MPI_RECV)
        observe_message(activity, record);
    if (event == EVENT_IN_MBOX_WRITE || event == EVENT_OUT_MBOX_READ)
        observe_word(activity, record, actor, (size_t)record->payload[0] - 1,
                     event == EVENT_IN_MBOX_WRITE);
    if (event == EVENT_OUT_MBOX_WRITE || event == EVENT_IN_MBOX_READ)
        observe_word(activity, record, actor, observer->ncontexts, event == EVENT_OUT_MBOX_WRITE);
}
