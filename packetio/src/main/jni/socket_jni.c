/* The native methods of org.lagbench.packetio.linux, except those of the observer: each converts
 * its arguments and calls the library. They throw nothing; failures return -errno. */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "replies.h"
#include "batch.h"
#include "clock_step_notifier.h"
#include "congestion.h"
#include "datagrams.h"
#include "descriptor.h"
#include "device.h"
#include "hidden_line.h"
#include "native_class.h"
#include "occupancy.h"
#include "offload.h"
#include "path_mtu.h"
#include "process_socket.h"
#include "receive_stamps.h"
#include "sleep.h"
#include "source_filter.h"
#include "stamped_datagram.h"
#include "stream.h"
#include "tcp_state.h"
#include "terminal.h"
#include "transmit_stamps.h"

/* Equals NativeSocket.DESCRIPTOR_LONGS. */
_Static_assert(offsetof(struct descriptor, errors) == 2 * sizeof(jlong) &&
                   sizeof(struct descriptor) == (2 + 2 * PACKET_ERROR_COUNT) * sizeof(jlong),
               "NativeSocket.java has the size of a descriptor and the place of its counts");

static jint duplicate(JNIEnv *env, jclass type, jint fd)
{
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);

    return copy < 0 ? -errno : copy;
}

static jint open_of_process(JNIEnv *env, jclass type, jlong process, jint port)
{
    return process_socket_open((pid_t)process, (uint16_t)port);
}

static jint close_fd(JNIEnv *env, jclass type, jint fd)
{
    return close(fd) < 0 ? -errno : 0;
}

static jint enable_transmit_stamps(JNIEnv *env, jclass type, jint fd, jboolean is_stream)
{
    return transmit_stamps_enable(fd, is_stream);
}

static jint take_transmit_stamps(JNIEnv *env, jclass type, jint fd, jobject buffer, jint capacity)
{
    return transmit_stamps_take(fd, (*env)->GetDirectBufferAddress(env, buffer), capacity);
}

static jint enable_receive_stamps(JNIEnv *env, jclass type, jint fd)
{
    return receive_stamps_enable(fd);
}

static jint enable_send_offload(JNIEnv *env, jclass type, jint fd, jint datagram_bytes)
{
    return offload_enable_send(fd, (size_t)datagram_bytes);
}

static jint enable_receive_offload(JNIEnv *env, jclass type, jint fd)
{
    return offload_enable_receive(fd);
}

static jint bind_to_device(JNIEnv *env, jclass type, jint fd, jstring device)
{
    const char *name = (*env)->GetStringUTFChars(env, device, NULL);
    int result = name == NULL ? -ENOMEM : device_bind(fd, name);

    if (name != NULL)
        (*env)->ReleaseStringUTFChars(env, device, name);
    return result;
}

static jint admit(JNIEnv *env, jclass type, jint fd, jstring hosts)
{
    const char *text = (*env)->GetStringUTFChars(env, hosts, NULL);
    struct source_filter filter = {.count = 0};
    int result = text == NULL ? -ENOMEM : source_filter_read(&filter, text);

    if (text != NULL)
        (*env)->ReleaseStringUTFChars(env, hosts, text);
    return result == 0 ? source_filter_attach(&filter, fd) : result;
}

static jint set_fragmenting(JNIEnv *env, jclass type, jint fd, jboolean probes)
{
    return path_mtu_set(fd, probes ? MTU_PROBED : FRAGMENTS_REFUSED);
}

static jint path_mtu(JNIEnv *env, jclass type, jint fd)
{
    return path_mtu_read(fd);
}

/* Calls for each packet pass addresses as numbers, which saves a call into the JVM for each
 * buffer. */
static jlong address_of(JNIEnv *env, jclass type, jobject buffer)
{
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

static void *at(jlong address)
{
    return (void *)(intptr_t)address;
}

static void make_descriptor(JNIEnv *env, jclass type, jlong descriptor, jint fd)
{
    descriptor_make(at(descriptor), fd);
}

static jint close_descriptor(JNIEnv *env, jclass type, jlong descriptor)
{
    return descriptor_close(at(descriptor));
}

static jint send_each(JNIEnv *env, jclass type, jlong descriptor, jlong packets, jint packet_bytes,
                      jint count, jint prefix_bytes_sent, jint writes, jlong stamps)
{
    struct batch batch = {at(packets), (size_t)packet_bytes, count, (size_t)prefix_bytes_sent,
                          writes};

    return batch_send_each(at(descriptor), &batch, at(stamps));
}

static jint send_joined(JNIEnv *env, jclass type, jlong descriptor, jlong packets,
                        jint packet_bytes, jint count, jint prefix_bytes_sent, jlong stamps)
{
    struct batch batch = {at(packets), (size_t)packet_bytes, count, (size_t)prefix_bytes_sent, 1};

    return batch_send_joined(at(descriptor), &batch, at(stamps));
}

static jint send_datagrams(JNIEnv *env, jclass type, jlong descriptor, jlong packets,
                           jint packet_bytes, jint count, jlong stamps)
{
    struct batch batch = {at(packets), (size_t)packet_bytes, count, 0, 1};

    return batch_send_datagrams(at(descriptor), &batch, at(stamps));
}

static jint receive_bytes(JNIEnv *env, jclass type, jlong descriptor, jlong bytes, jint capacity,
                          jboolean stamped, jlong stamps)
{
    return stream_receive(at(descriptor), at(bytes), (size_t)capacity, stamped, at(stamps));
}

static jint limit_receive(JNIEnv *env, jclass type, jint fd, jlong timeout_ns)
{
    return replies_limit_wait(fd, timeout_ns);
}

static jint await_sender(JNIEnv *env, jclass type, jlong descriptor, jlong tag, jint packet_bytes,
                         jstring only_host)
{
    const char *host = only_host == NULL ? NULL : (*env)->GetStringUTFChars(env, only_host, NULL);
    jint result;

    if (only_host != NULL && host == NULL)
        return -ENOMEM;
    result = replies_await_sender(at(descriptor), (uint64_t)tag, (size_t)packet_bytes, host);
    if (host != NULL)
        (*env)->ReleaseStringUTFChars(env, only_host, host);
    return result;
}

static jint receive_datagrams(JNIEnv *env, jclass type, jlong descriptor, jlong buffer, jint stride,
                              jint count, jboolean joined, jboolean stamped, jlong busy_poll_ns,
                              jlong received)
{
    const struct receive_mode mode = {(size_t)stride, count, joined, stamped, busy_poll_ns};

    return datagrams_receive_batch(at(descriptor), at(buffer), &mode, at(received));
}

static jint receive_datagrams_each(JNIEnv *env, jclass type, jlong descriptor, jlong buffer,
                                   jint stride, jint count, jboolean stamped, jlong busy_poll_ns,
                                   jlong received)
{
    const struct receive_mode mode = {(size_t)stride, count, false, stamped, busy_poll_ns};

    return datagrams_receive_each(at(descriptor), at(buffer), &mode, at(received));
}

static jint read_occupancy(JNIEnv *env, jclass type, jint fd, jboolean is_stream, jobject buffer)
{
    return occupancy_read(fd, is_stream, (*env)->GetDirectBufferAddress(env, buffer));
}

static jlong drops(JNIEnv *env, jclass type, jint fd)
{
    return occupancy_drops(fd);
}

static jint read_retransmissions(JNIEnv *env, jclass type, jint fd, jobject buffer)
{
    return retransmissions_read(fd, (*env)->GetDirectBufferAddress(env, buffer));
}

static jint read_tcp_state(JNIEnv *env, jclass type, jint fd, jlong state)
{
    return tcp_state_read(fd, at(state));
}

static jint get_congestion(JNIEnv *env, jclass type, jint fd, jobject name)
{
    return congestion_get(fd, (*env)->GetDirectBufferAddress(env, name));
}

static jint set_congestion(JNIEnv *env, jclass type, jint fd, jobject name)
{
    return congestion_set(fd, (*env)->GetDirectBufferAddress(env, name));
}

static jstring error_text(JNIEnv *env, jclass type, jint error)
{
    char buffer[128];

    /* The GNU version of strerror_r(3), which may not use the buffer. */
    return (*env)->NewStringUTF(env, strerror_r(error, buffer, sizeof buffer));
}

static jint sleep_for(JNIEnv *env, jclass type, jlong nanoseconds)
{
    return sleep_ns(nanoseconds);
}

static jint columns_of(JNIEnv *env, jclass type, jint fd)
{
    return terminal_columns(fd);
}

static jint open_notice(JNIEnv *env, jclass type)
{
    return clock_step_notifier_open();
}

static jint await_notice(JNIEnv *env, jclass type, jint fd)
{
    return clock_step_notifier_await(fd);
}

static jint end_notice(JNIEnv *env, jclass type, jint fd)
{
    return clock_step_notifier_end(fd);
}

static jint enable_stamped(JNIEnv *env, jclass type, jint fd)
{
    return stamped_datagram_enable(fd);
}

static jlong send_stamped(JNIEnv *env, jclass type, jint fd, jobject datagram, jint length,
                          jint key)
{
    return stamped_datagram_send(fd, (*env)->GetDirectBufferAddress(env, datagram), (size_t)length,
                                 (uint32_t)key);
}

static jint receive_stamped(JNIEnv *env, jclass type, jint fd, jobject into, jint capacity,
                            jint timeout_ms, jobject stamp)
{
    return stamped_datagram_receive(fd, (*env)->GetDirectBufferAddress(env, into), (size_t)capacity,
                                    timeout_ms, (*env)->GetDirectBufferAddress(env, stamp));
}

static jint end_stamped(JNIEnv *env, jclass type, jint fd)
{
    return stamped_datagram_end(fd);
}

static jint open_cancel(JNIEnv *env, jclass type)
{
    return hidden_line_open_cancel();
}

static jint cancel_line(JNIEnv *env, jclass type, jint cancel)
{
    return hidden_line_cancel(cancel);
}

static jint read_line(JNIEnv *env, jclass type, jint cancel, jobject prompt, jobject line)
{
    return hidden_line_read(cancel, (*env)->GetDirectBufferAddress(env, prompt),
                            (*env)->GetDirectBufferAddress(env, line),
                            (size_t)(*env)->GetDirectBufferCapacity(env, line));
}

#define BUFFER "Ljava/nio/ByteBuffer;"

static const JNINativeMethod SOCKET[] = {
    {"duplicate", "(I)I", (void *)duplicate},
    {"openOfProcess", "(JI)I", (void *)open_of_process},
    {"close", "(I)I", (void *)close_fd},
    {"enableTransmitStamps", "(IZ)I", (void *)enable_transmit_stamps},
    {"takeTransmitStamps", "(I" BUFFER "I)I", (void *)take_transmit_stamps},
    {"enableReceiveStamps", "(I)I", (void *)enable_receive_stamps},
    {"enableSendOffload", "(II)I", (void *)enable_send_offload},
    {"enableReceiveOffload", "(I)I", (void *)enable_receive_offload},
    {"bindToDevice", "(ILjava/lang/String;)I", (void *)bind_to_device},
    {"admit", "(ILjava/lang/String;)I", (void *)admit},
    {"setFragmenting", "(IZ)I", (void *)set_fragmenting},
    {"pathMtu", "(I)I", (void *)path_mtu},
    {"address", "(" BUFFER ")J", (void *)address_of},
    {"makeDescriptor", "(JI)V", (void *)make_descriptor},
    {"closeDescriptor", "(J)I", (void *)close_descriptor},
    {"sendEach", "(JJIIIIJ)I", (void *)send_each},
    {"sendJoined", "(JJIIIJ)I", (void *)send_joined},
    {"sendDatagrams", "(JJIIJ)I", (void *)send_datagrams},
    {"receiveBytes", "(JJIZJ)I", (void *)receive_bytes},
    {"limitReceive", "(IJ)I", (void *)limit_receive},
    {"awaitSender", "(JJILjava/lang/String;)I", (void *)await_sender},
    {"receiveDatagrams", "(JJIIZZJJ)I", (void *)receive_datagrams},
    {"receiveDatagramsEach", "(JJIIZJJ)I", (void *)receive_datagrams_each},
    {"readOccupancy", "(IZ" BUFFER ")I", (void *)read_occupancy},
    {"drops", "(I)J", (void *)drops},
    {"readRetransmissions", "(I" BUFFER ")I", (void *)read_retransmissions},
    {"readTcpState", "(IJ)I", (void *)read_tcp_state},
    {"congestionControl", "(I" BUFFER ")I", (void *)get_congestion},
    {"setCongestionControl", "(I" BUFFER ")I", (void *)set_congestion},
    {"errorText", "(I)Ljava/lang/String;", (void *)error_text},
};

static const JNINativeMethod CLOCK_STEP_NOTIFIER[] = {
    {"open", "()I", (void *)open_notice},
    {"await", "(I)I", (void *)await_notice},
    {"end", "(I)I", (void *)end_notice},
};

static const JNINativeMethod STAMPED_DATAGRAMS[] = {
    {"enable", "(I)I", (void *)enable_stamped},
    {"send", "(I" BUFFER "II)J", (void *)send_stamped},
    {"receive", "(I" BUFFER "II" BUFFER ")I", (void *)receive_stamped},
    {"end", "(I)I", (void *)end_stamped},
};

static const JNINativeMethod SLEEP[] = {
    {"sleep", "(J)I", (void *)sleep_for},
};

static const JNINativeMethod TERMINAL[] = {
    {"columnsOf", "(I)I", (void *)columns_of},
};

static const JNINativeMethod HIDDEN_LINE[] = {
    {"openCancel", "()I", (void *)open_cancel},
    {"cancel", "(I)I", (void *)cancel_line},
    {"read", "(I" BUFFER BUFFER ")I", (void *)read_line},
};

static const struct native_class SOCKET_CLASSES[] = {
    {"org/lagbench/packetio/linux/NativeSocket", SOCKET, LENGTH(SOCKET)},
    {"org/lagbench/packetio/linux/LinuxClockStepNotifier", CLOCK_STEP_NOTIFIER,
     LENGTH(CLOCK_STEP_NOTIFIER)},
    {"org/lagbench/packetio/linux/LinuxStampedDatagrams", STAMPED_DATAGRAMS,
     LENGTH(STAMPED_DATAGRAMS)},
    {"org/lagbench/packetio/linux/HiddenLine", HIDDEN_LINE, LENGTH(HIDDEN_LINE)},
    {"org/lagbench/packetio/linux/LinuxSleep", SLEEP, LENGTH(SLEEP)},
    {"org/lagbench/packetio/linux/LinuxTerminal", TERMINAL, LENGTH(TERMINAL)},
};

static bool register_natives(JNIEnv *env, const struct native_class *class)
{
    jclass type = (*env)->FindClass(env, class->type);
    bool is_registered =
        type != NULL && (*env)->RegisterNatives(env, type, class->methods, class->count) == JNI_OK;

    if (is_registered)
        (*env)->DeleteLocalRef(env, type);
    return is_registered;
}

JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;

    (void)reserved;
    descriptor_enable_barriers();
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    for (size_t i = 0; i < LENGTH(SOCKET_CLASSES); i++)
        if (!register_natives(env, &SOCKET_CLASSES[i]))
            return JNI_ERR;
    for (size_t i = 0; i < OBSERVER_CLASS_COUNT; i++)
        if (!register_natives(env, &observer_classes[i]))
            return JNI_ERR;
    return JNI_VERSION_10;
}
