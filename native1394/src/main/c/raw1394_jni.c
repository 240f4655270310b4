/* The native methods of org.lagbench.native1394.Raw1394. They throw nothing; failures return
 * -errno. */
#include <errno.h>
#include <jni.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "iso_receiver.h"
#include "iso_sender.h"

/* Layout of the report buffers in 64-bit numbers, as in Ieee1394Sender.java and
 * Ieee1394Receiver.java. */
enum { SENDER_SENT, SENDER_CYCLE_COUNT, SENDER_STAMPS };
enum { SENDER_BATCH_PACKETS = 16, SENDER_CYCLES = SENDER_STAMPS + 2 * SENDER_BATCH_PACKETS };
enum { RECEIVER_FOREIGN, RECEIVER_BUS_RESETS, RECEIVER_STAMPS };

enum { DESCRIPTION_FIXED_VALUES = 6 };

static void *pointer(jlong value)
{
    return (void *)(intptr_t)value;
}

static jint count_ports(JNIEnv *env, jclass type)
{
    return port_count();
}

static jint describe_port(JNIEnv *env, jclass type, jint number, jlongArray values,
                          jbyteArray device)
{
    struct port_description description;
    jlong longs[DESCRIPTION_FIXED_VALUES + PORT_NODES_MAX];
    int result = port_describe(number, &description);

    if (result < 0)
        return result;
    longs[0] = description.nodes;
    longs[1] = (jlong)description.guid;
    longs[2] = description.speed;
    longs[3] = description.bandwidth;
    longs[4] = (jlong)description.channels;
    longs[5] = description.guid_count;
    for (int i = 0; i < description.guid_count; i++)
        longs[DESCRIPTION_FIXED_VALUES + i] = (jlong)description.guids[i];
    (*env)->SetLongArrayRegion(env, values, 0, DESCRIPTION_FIXED_VALUES + description.guid_count,
                               longs);
    if ((*env)->ExceptionCheck(env))
        return -EINVAL;
    (*env)->SetByteArrayRegion(env, device, 0, (jsize)sizeof description.device,
                               (const jbyte *)description.device);
    return (*env)->ExceptionCheck(env) ? -EINVAL : 0;
}

static jlong open_sender(JNIEnv *env, jclass type, jint port, jint channel, jint speed,
                         jint packet_bytes, jint queue_packets, jint tag, jint sync,
                         jintArray granted)
{
    struct iso_sender_options options = {
        .port = port,
        .channel = channel,
        .speed = speed,
        .packet_bytes = (unsigned int)packet_bytes,
        .queue_packets = (unsigned int)queue_packets,
        .tag = (unsigned char)tag,
        .sync = (unsigned char)sync,
    };
    struct iso_sender *sender;
    jint values[2];
    int result = iso_sender_open(&options, &sender);

    if (result < 0)
        return result;
    values[0] = iso_sender_reservation(sender)->channel;
    values[1] = (jint)iso_sender_reservation(sender)->units;
    (*env)->SetIntArrayRegion(env, granted, 0, 2, values);
    if ((*env)->ExceptionCheck(env)) {
        iso_sender_close(sender);
        return -EINVAL;
    }
    return (jlong)(intptr_t)sender;
}

static jint start_sender(JNIEnv *env, jclass type, jlong sender)
{
    return iso_sender_start(pointer(sender));
}

static void write_sender_report(int64_t *numbers, const struct iso_sender_report *report)
{
    numbers[SENDER_SENT] = report->sent;
    numbers[SENDER_CYCLE_COUNT] = report->cycle_count;
}

static jint send_packets(JNIEnv *env, jclass type, jlong sender, jobject packets, jint count,
                         jobject buffer)
{
    int64_t *numbers = (*env)->GetDirectBufferAddress(env, buffer);
    struct iso_sender_report report = {.stamps = numbers + SENDER_STAMPS,
                                       .cycles = numbers + SENDER_CYCLES};
    int result;

    result = iso_sender_send(pointer(sender), (*env)->GetDirectBufferAddress(env, packets),
                             (unsigned int)count, &report);
    write_sender_report(numbers, &report);
    return result;
}

static jint flush_sender(JNIEnv *env, jclass type, jlong sender, jobject buffer)
{
    int64_t *numbers = (*env)->GetDirectBufferAddress(env, buffer);
    struct iso_sender_report report = {.cycles = numbers + SENDER_CYCLES};
    int result = iso_sender_flush(pointer(sender), &report);

    write_sender_report(numbers, &report);
    return result;
}

static void close_sender(JNIEnv *env, jclass type, jlong sender)
{
    iso_sender_close(pointer(sender));
}

static jlong open_receiver(JNIEnv *env, jclass type, jint port, jint channel, jint packet_bytes,
                           jint queue_packets, jint interrupt_interval, jint wait_ms)
{
    struct iso_receiver_options options = {
        .port = port,
        .channel = channel,
        .packet_bytes = (unsigned int)packet_bytes,
        .queue_packets = (unsigned int)queue_packets,
        .interrupt_interval = (unsigned int)interrupt_interval,
        .wait_ms = (unsigned int)wait_ms,
    };
    struct iso_receiver *receiver;
    int result = iso_receiver_open(&options, &receiver);

    return result < 0 ? result : (jlong)(intptr_t)receiver;
}

static jint receive_packets(JNIEnv *env, jclass type, jlong receiver, jobject packets,
                            jobject buffer, jint capacity)
{
    int64_t *numbers = (*env)->GetDirectBufferAddress(env, buffer);
    struct iso_receiver_report report = {
        .capacity = (unsigned int)capacity,
        .packets = (*env)->GetDirectBufferAddress(env, packets),
        .stamps = numbers + RECEIVER_STAMPS,
    };
    int result = iso_receiver_receive(pointer(receiver), &report);

    numbers[RECEIVER_FOREIGN] = report.foreign;
    numbers[RECEIVER_BUS_RESETS] = ((const struct port *)pointer(receiver))->bus_resets;
    return result < 0 ? result : (jint)report.count;
}

static void close_receiver(JNIEnv *env, jclass type, jlong receiver)
{
    iso_receiver_close(pointer(receiver));
}

/* A sender and a receiver begin with their port. */
static void wake(JNIEnv *env, jclass type, jlong sender_or_receiver)
{
    port_wake(pointer(sender_or_receiver));
}

static jint bus_resets(JNIEnv *env, jclass type, jlong sender)
{
    return ((const struct port *)pointer(sender))->bus_resets;
}

static jlong open_clocks(JNIEnv *env, jclass type, jint number)
{
    struct port *port = calloc(1, sizeof *port);
    int result;

    if (port == NULL)
        return -ENOMEM;
    result = port_open(port, number);
    if (result < 0) {
        free(port);
        return result;
    }
    return (jlong)(intptr_t)port;
}

static jint read_clocks(JNIEnv *env, jclass type, jlong clocks, jobject buffer)
{
    int64_t *numbers = (*env)->GetDirectBufferAddress(env, buffer);

    return port_read_clocks(pointer(clocks), &numbers[0], &numbers[1]);
}

static void close_clocks(JNIEnv *env, jclass type, jlong clocks)
{
    port_close(pointer(clocks));
    free(pointer(clocks));
}

static jstring error_text(JNIEnv *env, jclass type, jint error)
{
    char text[128];

    if (strerror_r(error, text, sizeof text) != 0)
        text[0] = '\0';
    return (*env)->NewStringUTF(env, text);
}

#define BUFFER "Ljava/nio/ByteBuffer;"

static const JNINativeMethod METHODS[] = {
    {"portCount", "()I", (void *)count_ports},
    {"describePort", "(I[J[B)I", (void *)describe_port},
    {"openSender", "(IIIIIII[I)J", (void *)open_sender},
    {"startSender", "(J)I", (void *)start_sender},
    {"send", "(J" BUFFER "I" BUFFER ")I", (void *)send_packets},
    {"flush", "(J" BUFFER ")I", (void *)flush_sender},
    {"closeSender", "(J)V", (void *)close_sender},
    {"openReceiver", "(IIIIII)J", (void *)open_receiver},
    {"receive", "(J" BUFFER BUFFER "I)I", (void *)receive_packets},
    {"closeReceiver", "(J)V", (void *)close_receiver},
    {"wake", "(J)V", (void *)wake},
    {"busResets", "(J)I", (void *)bus_resets},
    {"openClocks", "(I)J", (void *)open_clocks},
    {"readClocks", "(J" BUFFER ")I", (void *)read_clocks},
    {"closeClocks", "(J)V", (void *)close_clocks},
    {"errorText", "(I)Ljava/lang/String;", (void *)error_text},
};

JNIEXPORT jint JNI_OnLoad(JavaVM *vm, void *reserved)
{
    JNIEnv *env;
    jclass type;
    jint result;

    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
        return JNI_ERR;
    type = (*env)->FindClass(env, "org/lagbench/native1394/Raw1394");
    if (type == NULL)
        return JNI_ERR;
    result = (*env)->RegisterNatives(env, type, METHODS, sizeof METHODS / sizeof METHODS[0]);
    (*env)->DeleteLocalRef(env, type);
    return result == JNI_OK ? JNI_VERSION_10 : JNI_ERR;
}
