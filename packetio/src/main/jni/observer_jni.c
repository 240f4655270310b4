/* The native methods of the observer's classes in org.lagbench.packetio.linux: each converts its
 * arguments and calls the library. They throw nothing; failures return -errno. */
#include <jni.h>
#include <stdint.h>
#include <sys/types.h>

#include "arrivals.h"
#include "drops.h"
#include "native_class.h"
#include "observer.h"
#include "thread_switches.h"

_Static_assert(sizeof(struct scheduler_wait) == 6 * sizeof(jlong),
               "EventsCapture.java has the fields of a wait");

enum { ARRIVAL_LONGS = 3 };
_Static_assert(sizeof(struct arrival_stamp) == ARRIVAL_LONGS * sizeof(jlong), "another layout");

enum { DROP_LONGS = 4 };
_Static_assert(sizeof(struct drop_stamp) == DROP_LONGS * sizeof(jlong), "another layout");

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

static jlong open_arrivals(JNIEnv *env, jclass type, jint capacity)
{
    struct arrivals *arrivals;
    int error = arrivals_open((uint32_t)capacity, &arrivals);

    return error == 0 ? (jlong)(intptr_t)arrivals : error;
}

static jint start_stream(JNIEnv *env, jclass type, jlong arrivals, jint port)
{
    return arrivals_start_stream((struct arrivals *)(intptr_t)arrivals, (uint16_t)port);
}

static jint start_datagrams(JNIEnv *env, jclass type, jlong arrivals, jint port, jlong tag,
                            jint header_bytes)
{
    return arrivals_start_datagrams((struct arrivals *)(intptr_t)arrivals, (uint16_t)port,
                                    (uint64_t)tag, (uint32_t)header_bytes);
}

static void stop_arrivals(JNIEnv *env, jclass type, jlong arrivals)
{
    arrivals_stop((struct arrivals *)(intptr_t)arrivals);
}

static jint read_arrivals(JNIEnv *env, jclass type, jlong arrivals, jlong from, jlongArray into)
{
    struct arrival_stamp found[512];
    jsize space = (*env)->GetArrayLength(env, into) / ARRIVAL_LONGS;
    int capacity = space < (jsize)LENGTH(found) ? space : (jsize)LENGTH(found);
    int count = arrivals_read((struct arrivals *)(intptr_t)arrivals, from, found, capacity);

    if (count > 0)
        (*env)->SetLongArrayRegion(env, into, 0, count * ARRIVAL_LONGS, (const jlong *)found);
    return count;
}

static jlong lost_arrivals(JNIEnv *env, jclass type, jlong arrivals)
{
    return arrivals_lost((struct arrivals *)(intptr_t)arrivals);
}

static jlong foreign_arrivals(JNIEnv *env, jclass type, jlong arrivals)
{
    return arrivals_foreign((struct arrivals *)(intptr_t)arrivals);
}

static void close_arrivals(JNIEnv *env, jclass type, jlong arrivals)
{
    arrivals_close((struct arrivals *)(intptr_t)arrivals);
}

static jlong open_drops(JNIEnv *env, jclass type, jint capacity)
{
    struct drops *drops;
    int error = drops_open((uint32_t)capacity, &drops);

    return error == 0 ? (jlong)(intptr_t)drops : error;
}

static jint start_drops(JNIEnv *env, jclass type, jlong drops, jint port, jlong tag,
                        jint header_bytes)
{
    return drops_start((struct drops *)(intptr_t)drops, (uint16_t)port, (uint64_t)tag,
                       (uint32_t)header_bytes);
}

static void stop_drops(JNIEnv *env, jclass type, jlong drops)
{
    drops_stop((struct drops *)(intptr_t)drops);
}

static jint read_drops(JNIEnv *env, jclass type, jlong drops, jlong from, jlongArray into)
{
    struct drop_stamp found[512];
    jsize space = (*env)->GetArrayLength(env, into) / DROP_LONGS;
    int capacity = space < (jsize)LENGTH(found) ? space : (jsize)LENGTH(found);
    int count = drops_read((struct drops *)(intptr_t)drops, from, found, capacity);

    if (count > 0)
        (*env)->SetLongArrayRegion(env, into, 0, count * DROP_LONGS, (const jlong *)found);
    return count;
}

static jlong lost_drops(JNIEnv *env, jclass type, jlong drops)
{
    return drops_lost((struct drops *)(intptr_t)drops);
}

static void close_drops(JNIEnv *env, jclass type, jlong drops)
{
    drops_close((struct drops *)(intptr_t)drops);
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

static const JNINativeMethod ARRIVALS[] = {
    {"open", "(I)J", (void *)open_arrivals},
    {"startStream", "(JI)I", (void *)start_stream},
    {"startDatagrams", "(JIJI)I", (void *)start_datagrams},
    {"stop", "(J)V", (void *)stop_arrivals},
    {"read", "(JJ[J)I", (void *)read_arrivals},
    {"lost", "(J)J", (void *)lost_arrivals},
    {"foreign", "(J)J", (void *)foreign_arrivals},
    {"close", "(J)V", (void *)close_arrivals},
};

static const JNINativeMethod DROPS[] = {
    {"open", "(I)J", (void *)open_drops}, {"start", "(JIJI)I", (void *)start_drops},
    {"stop", "(J)V", (void *)stop_drops}, {"read", "(JJ[J)I", (void *)read_drops},
    {"lost", "(J)J", (void *)lost_drops}, {"close", "(J)V", (void *)close_drops},
};

const struct native_class observer_classes[OBSERVER_CLASS_COUNT] = {
    {"org/lagbench/packetio/linux/LinuxSchedulerRecord", SCHEDULER_RECORD,
     LENGTH(SCHEDULER_RECORD)},
    {"org/lagbench/packetio/linux/LinuxArrivals", ARRIVALS, LENGTH(ARRIVALS)},
    {"org/lagbench/packetio/linux/LinuxDrops", DROPS, LENGTH(DROPS)},
};
