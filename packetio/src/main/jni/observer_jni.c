/* The native methods of the observer's classes in org.lagbench.packetio.linux: each converts its
 * arguments and calls the library. They throw nothing; failures return -errno. */
#include <jni.h>
#include <stdint.h>
#include <sys/types.h>

#include "native_class.h"
#include "observer.h"
#include "packet_record.h"
#include "thread_switches.h"

_Static_assert(sizeof(struct scheduler_wait) == 6 * sizeof(jlong),
               "EventsCapture.java has the fields of a wait");

enum { STAMP_LONGS = 4 };
_Static_assert(sizeof(struct packet_stamp) == STAMP_LONGS * sizeof(jlong), "another layout");

enum { PLACE_LONGS = 2 };
_Static_assert(sizeof(struct stream_place) == PLACE_LONGS * sizeof(jlong), "another layout");

static jlong open_observer(JNIEnv *env, jclass type, jlong thread, jlong min_ns)
{
    struct observer *observer;
    int error = observer_open((pid_t)thread, min_ns, &observer);

    return error == 0 ? (jlong)(intptr_t)observer : error;
}

static jlong open_switches(JNIEnv *env, jclass type, jlong thread, jlong min_ns)
{
    struct thread_switches *switches;
    int error = thread_switches_open((pid_t)thread, min_ns, &switches);

    return error == 0 ? (jlong)(intptr_t)switches : error;
}

static jint read_record(JNIEnv *env, jclass type, jlong record, jboolean is_of_thread,
                        jobject waits)
{
    struct scheduler_wait *into = (*env)->GetDirectBufferAddress(env, waits);
    jint capacity =
        (jint)((*env)->GetDirectBufferCapacity(env, waits) / (jlong)sizeof(struct scheduler_wait));
    void *source = (void *)(intptr_t)record;

    return is_of_thread ? thread_switches_read(source, into, capacity)
                        : observer_read(source, into, capacity);
}

static jlong lost_by_record(JNIEnv *env, jclass type, jlong record, jboolean is_of_thread)
{
    void *source = (void *)(intptr_t)record;

    return is_of_thread ? thread_switches_lost(source) : observer_lost(source);
}

static jlong lost_at_unknown_times(JNIEnv *env, jclass type, jlong record, jboolean is_of_thread)
{
    void *source = (void *)(intptr_t)record;

    return is_of_thread ? thread_switches_lost(source) : observer_lost_at_unknown_times(source);
}

/* Only of the observer's record. */
static jint arm_record(JNIEnv *env, jclass type, jlong record)
{
    return observer_arm((struct observer *)(intptr_t)record);
}

static void disarm_record(JNIEnv *env, jclass type, jlong record)
{
    observer_disarm((struct observer *)(intptr_t)record);
}

static void close_record(JNIEnv *env, jclass type, jlong record, jboolean is_of_thread)
{
    void *source = (void *)(intptr_t)record;

    if (is_of_thread)
        thread_switches_close(source);
    else
        observer_close(source);
}

static jlong open_packets(JNIEnv *env, jclass type, jint kind, jint capacity)
{
    struct packet_record *record;
    int error = packet_record_open((enum packet_record_kind)kind, (uint32_t)capacity, &record);

    return error == 0 ? (jlong)(intptr_t)record : error;
}

static jint start_stream(JNIEnv *env, jclass type, jlong record, jint port, jboolean has_begun)
{
    return packet_record_start_stream((struct packet_record *)(intptr_t)record, (uint16_t)port,
                                      has_begun);
}

static jint start_tagged(JNIEnv *env, jclass type, jlong record, jint port, jlong tag,
                         jint header_bytes)
{
    return packet_record_start_tagged((struct packet_record *)(intptr_t)record, (uint16_t)port,
                                      (uint64_t)tag, header_bytes);
}

static jint start_last(JNIEnv *env, jclass type, jlong record, jint port, jlong tag,
                       jint packet_bytes)
{
    return packet_record_start_last((struct packet_record *)(intptr_t)record, (uint16_t)port,
                                    (uint64_t)tag, packet_bytes);
}

static void stop_packets(JNIEnv *env, jclass type, jlong record)
{
    packet_record_stop((struct packet_record *)(intptr_t)record);
}

static jint read_packets(JNIEnv *env, jclass type, jlong record, jlong from, jlongArray into)
{
    struct packet_stamp found[512];
    jsize space = (*env)->GetArrayLength(env, into) / STAMP_LONGS;
    int capacity = space < (jsize)LENGTH(found) ? space : (jsize)LENGTH(found);
    int count = packet_record_read((struct packet_record *)(intptr_t)record, from, found, capacity);

    if (count > 0)
        (*env)->SetLongArrayRegion(env, into, 0, count * STAMP_LONGS, (const jlong *)found);
    return count;
}

static jlong lost_packets(JNIEnv *env, jclass type, jlong record)
{
    return packet_record_lost((struct packet_record *)(intptr_t)record);
}

static jlong foreign_packets(JNIEnv *env, jclass type, jlong record)
{
    return packet_record_foreign((struct packet_record *)(intptr_t)record);
}

static jboolean place(JNIEnv *env, jclass type, jlong record, jlongArray into)
{
    struct stream_place place;
    bool is_known = packet_record_place((struct packet_record *)(intptr_t)record, &place);

    if (is_known)
        (*env)->SetLongArrayRegion(env, into, 0, PLACE_LONGS, (const jlong *)&place);
    return is_known;
}

static void close_packets(JNIEnv *env, jclass type, jlong record)
{
    packet_record_close((struct packet_record *)(intptr_t)record);
}

static const JNINativeMethod SCHEDULER_RECORD[] = {
    {"open", "(JJ)J", (void *)open_observer},
    {"openOfThread", "(JJ)J", (void *)open_switches},
    {"read", "(JZLjava/nio/ByteBuffer;)I", (void *)read_record},
    {"lost", "(JZ)J", (void *)lost_by_record},
    {"lostAtUnknownTimes", "(JZ)J", (void *)lost_at_unknown_times},
    {"arm", "(J)I", (void *)arm_record},
    {"disarm", "(J)V", (void *)disarm_record},
    {"close", "(JZ)V", (void *)close_record},
};

static const JNINativeMethod PACKET_RECORD[] = {
    {"open", "(II)J", (void *)open_packets},
    {"startStream", "(JIZ)I", (void *)start_stream},
    {"startTagged", "(JIJI)I", (void *)start_tagged},
    {"startLast", "(JIJI)I", (void *)start_last},
    {"stop", "(J)V", (void *)stop_packets},
    {"read", "(JJ[J)I", (void *)read_packets},
    {"lost", "(J)J", (void *)lost_packets},
    {"foreign", "(J)J", (void *)foreign_packets},
    {"place", "(J[J)Z", (void *)place},
    {"close", "(J)V", (void *)close_packets},
};

const struct native_class observer_classes[OBSERVER_CLASS_COUNT] = {
    {"org/lagbench/packetio/linux/LinuxSchedulerRecord", SCHEDULER_RECORD,
     LENGTH(SCHEDULER_RECORD)},
    {"org/lagbench/packetio/linux/LinuxPacketRecord", PACKET_RECORD, LENGTH(PACKET_RECORD)},
};
