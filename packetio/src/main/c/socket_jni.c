/* The native methods of org.lagbench.packetio.linux.Socket. They throw nothing: what fails returns
 * -errno. */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "congestion.h"
#include "datagrams.h"
#include "descriptor.h"
#include "occupancy.h"
#include "stamped_receive.h"
#include "stream.h"
#include "transmit_stamps.h"

/* org.lagbench.packetio.linux.LinuxSocket has room for it. */
_Static_assert(sizeof(struct descriptor) <= 2 * sizeof(jlong), "a descriptor needs more room");

static jint duplicate(JNIEnv *env, jclass type, jint fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    (void)env, (void)type;
    return copy < 0 ? -errno : copy;
}

static jint close_copy(JNIEnv *env, jclass type, jint fd)
{
    (void)env, (void)type;
    return close(fd) < 0 ? -errno : 0;
}

static jint enable_transmit_stamps(JNIEnv *env, jclass type, jint fd, jboolean is_stream)
{
    (void)env, (void)type;
    return transmit_stamps_enable(fd, is_stream);
}

static jint take_transmit_stamps(JNIEnv *env, jclass type, jint fd, jobject buffer, jint room)
{
    (void)type;
    return transmit_stamps_take(fd, (*env)->GetDirectBufferAddress(env, buffer), room);
}

static jint enable_receive_stamps(JNIEnv *env, jclass type, jint fd)
{
    (void)env, (void)type;
    return stamped_receive_enable(fd);
}

/* Addresses are passed as numbers to the calls that are made for each packet, which spares a call
 * back for each buffer. */
static jlong address_of(JNIEnv *env, jclass type, jobject buffer)
{
    (void)type;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

static struct descriptor *descriptor_at(jlong address)
{
    return (struct descriptor *)(intptr_t)address;
}

static void make_descriptor(JNIEnv *env, jclass type, jlong descriptor, jint fd)
{
    (void)env, (void)type;
    descriptor_make(descriptor_at(descriptor), fd);
}

static jint close_descriptor(JNIEnv *env, jclass type, jlong descriptor)
{
    (void)env, (void)type;
    return descriptor_close(descriptor_at(descriptor));
}

/* Returns how many calls succeeded, if any, and keeps the -errno of the one after them; else that
 * -errno. */
static int tell(struct descriptor *descriptor, int succeeded, int failure)
{
    descriptor->untold = succeeded > 0 ? failure : 0;
    return succeeded > 0 ? succeeded : failure;
}

/* Each by a call of its own. Returns how many went, or -errno; that of a call after others is told
 * by the next. */
static jint send_stream(JNIEnv *env, jclass type, jlong of, jlong packets, jint packet_bytes,
                        jint count, jint bytes_ahead, jlong stamps)
{
    struct descriptor *descriptor = descriptor_at(of);
    int sent, failure, result;

    (void)env, (void)type;
    if (!descriptor_begin_call(descriptor, SENDING))
        return DESCRIPTOR_ENDED;
    failure = descriptor->untold;
    sent = failure != 0 ? 0
                        : stream_send_each(descriptor->fd, (char *)(intptr_t)packets,
                                           (size_t)packet_bytes, count, (size_t)bytes_ahead,
                                           (struct send_stamps *)(intptr_t)stamps, &failure);
    result = descriptor_end_call(descriptor, tell(descriptor, sent, failure));
    return sent > 0 ? sent : result; /* what was sent before the end is told */
}

/* Each by a call of its own. Returns how many the kernel took, or -errno; that of a call after
 * others is told by the next. */
static int send_each(struct descriptor *descriptor, char *packets, size_t packet_bytes, int count,
                     struct send_stamps *stamps)
{
    int failure = descriptor->untold;
    int sent = failure != 0 ? 0
                            : datagrams_send_each(descriptor->fd, packets, packet_bytes, count,
                                                  stamps, &failure);

    return tell(descriptor, sent, failure);
}

static jint send_datagrams(JNIEnv *env, jclass type, jlong of, jlong packets, jint packet_bytes,
                           jint count, jboolean together, jlong stamps)
{
    struct descriptor *descriptor = descriptor_at(of);
    struct send_stamps *into = (struct send_stamps *)(intptr_t)stamps;
    char *first = (char *)(intptr_t)packets;
    int sent, result;

    (void)env, (void)type;
    if (!descriptor_begin_call(descriptor, SENDING))
        return DESCRIPTOR_ENDED;
    sent = together
               ? datagrams_send_together(descriptor->fd, first, (size_t)packet_bytes, count, into)
               : send_each(descriptor, first, (size_t)packet_bytes, count, into);
    result = descriptor_end_call(descriptor, sent);
    return sent > 0 ? sent : result; /* what was sent before the end is told */
}

static jint receive_bytes(JNIEnv *env, jclass type, jlong of, jlong at, jint room, jboolean stamped,
                          jlong into)
{
    struct descriptor *descriptor = descriptor_at(of);
    struct receive_stamps *stamps = (struct receive_stamps *)(intptr_t)into;
    char *bytes = (char *)(intptr_t)at;

    (void)env, (void)type;
    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    return descriptor_end_call(
        descriptor, (jint)(stamped ? stamped_receive(descriptor->fd, bytes, (size_t)room, stamps)
                                   : stream_receive(descriptor->fd, bytes, (size_t)room, stamps)));
}

/* Each by a call of its own. Returns how many there are, or -errno; that of a call after others is
 * told by the next. */
static int receive_each(struct descriptor *descriptor, char *packets, const struct reception *how,
                        struct datagrams *told)
{
    int failure = descriptor->untold;
    int received =
        failure != 0 ? 0 : datagrams_receive_each(descriptor, packets, how, told, &failure);

    return tell(descriptor, received, failure);
}

static jint receive_datagrams(JNIEnv *env, jclass type, jlong of, jlong packets, jint stride,
                              jint count, jboolean together, jboolean stamped, jlong busy_poll_ns,
                              jlong told)
{
    struct descriptor *descriptor = descriptor_at(of);
    const struct reception how = {
        .stride = (size_t)stride, .count = count, .stamped = stamped, .busy_poll_ns = busy_poll_ns};
    struct datagrams *into = (struct datagrams *)(intptr_t)told;
    char *first = (char *)(intptr_t)packets;
    int received, result;

    (void)env, (void)type;
    if (!descriptor_begin_call(descriptor, RECEIVING))
        return DESCRIPTOR_ENDED;
    if (together)
        return descriptor_end_call(descriptor,
                                   datagrams_receive_together(descriptor, first, &how, into));
    received = receive_each(descriptor, first, &how, into);
    result = descriptor_end_call(descriptor, received);
    return received > 0 ? received : result; /* what was received before the end is told */
}

static jint read_occupancy(JNIEnv *env, jclass type, jint fd, jboolean is_stream, jobject buffer)
{
    (void)type;
    return occupancy_read(fd, is_stream, (*env)->GetDirectBufferAddress(env, buffer));
}

static jlong drops(JNIEnv *env, jclass type, jint fd)
{
    (void)env, (void)type;
    return occupancy_drops(fd);
}

static jint get_congestion(JNIEnv *env, jclass type, jint fd, jobject name)
{
    (void)type;
    return congestion_get(fd, (*env)->GetDirectBufferAddress(env, name));
}

static jint set_congestion(JNIEnv *env, jclass type, jint fd, jobject name)
{
    (void)type;
    return congestion_set(fd, (*env)->GetDirectBufferAddress(env, name));
}

static jstring error_text(JNIEnv *env, jclass type, jint error)
{
    char room[128];

    (void)type;
    return (*env)->NewStringUTF(
        env, strerror_r(error, room, sizeof room)); /* GNU's, which may need no room */
}

#define BUFFER "Ljava/nio/ByteBuffer;"

static const JNINativeMethod METHODS[] = {
    {"duplicate", "(I)I", (void *)duplicate},
    {"close", "(I)I", (void *)close_copy},
    {"enableTransmitStamps", "(IZ)I", (void *)enable_transmit_stamps},
    {"takeTransmitStamps", "(I" BUFFER "I)I", (void *)take_transmit_stamps},
    {"enableReceiveStamps", "(I)I", (void *)enable_receive_stamps},
    {"address", "(" BUFFER ")J", (void *)address_of},
    {"makeDescriptor", "(JI)V", (void *)make_descriptor},
    {"closeDescriptor", "(J)I", (void *)close_descriptor},
    {"sendStream", "(JJIIIJ)I", (void *)send_stream},
    {"sendDatagrams", "(JJIIZJ)I", (void *)send_datagrams},
    {"receiveBytes", "(JJIZJ)I", (void *)receive_bytes},
    {"receiveDatagrams", "(JJIIZZJJ)I", (void *)receive_datagrams},
    {"readOccupancy", "(IZ" BUFFER ")I", (void *)read_occupancy},
    {"drops", "(I)J", (void *)drops},
    {"congestionControl", "(I" BUFFER ")I", (void *)get_congestion},
    {"chooseCongestionControl", "(I" BUFFER ")I", (void *)set_congestion},
    {"errorText", "(I)Ljava/lang/String;", (void *)error_text},
};

JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    jclass type;
    jint result;

    (void)reserved;
    descriptor_ask_for_barriers();
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    type = (*env)->FindClass(env, "org/lagbench/packetio/linux/Socket");
    if (type == NULL)
        return JNI_ERR;
    result = (*env)->RegisterNatives(env, type, METHODS, sizeof METHODS / sizeof METHODS[0]);
    (*env)->DeleteLocalRef(env, type);
    return result == JNI_OK ? JNI_VERSION_10 : JNI_ERR;
}
