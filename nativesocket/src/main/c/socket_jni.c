/* The native methods of org.lagbench.nativesocket.Socket. They throw nothing: what fails returns -errno. */
#include <errno.h>
#include <fcntl.h>
#include <jni.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "congestion.h"
#include "datagrams.h"
#include "occupancy.h"
#include "stamped_receive.h"
#include "stream.h"
#include "transmit_stamps.h"

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

static jint receive(JNIEnv *env, jclass type, jint fd, jobject buffer, jint position, jint room, jobject stamp)
{
	char *bytes = (*env)->GetDirectBufferAddress(env, buffer);

	(void)type;
	return (jint)stamped_receive(fd, bytes + position, (size_t)room, (*env)->GetDirectBufferAddress(env, stamp));
}

static jint end_receive(JNIEnv *env, jclass type, jint fd)
{
	(void)env, (void)type;
	return stamped_receive_end(fd);
}

/* Addresses are passed as numbers to the calls that are made for each packet, which spares a call back for each buffer. */
static jlong address_of(JNIEnv *env, jclass type, jobject buffer)
{
	(void)type;
	return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

static jint send_stream(JNIEnv *env, jclass type, jint fd, jlong bytes, jint count)
{
	(void)env, (void)type;
	return (jint)stream_send(fd, (const char *)(intptr_t)bytes, (size_t)count);
}

static jint receive_stream(JNIEnv *env, jclass type, jint fd, jlong bytes, jint room)
{
	(void)env, (void)type;
	return (jint)stream_receive(fd, (char *)(intptr_t)bytes, (size_t)room);
}

static jint send_datagrams(JNIEnv *env, jclass type, jint fd, jlong packets, jint packet_bytes, jint count)
{
	(void)env, (void)type;
	return datagrams_send(fd, (const char *)(intptr_t)packets, (size_t)packet_bytes, count);
}

static jint receive_datagrams(JNIEnv *env, jclass type, jint fd, jlong packets, jint stride, jint count, jboolean stamped,
			      jboolean wait, jlong told)
{
	(void)env, (void)type;
	return datagrams_receive(fd, (char *)(intptr_t)packets, (size_t)stride, count, stamped, wait,
				 (struct datagram *)(intptr_t)told);
}

static jint end_send(JNIEnv *env, jclass type, jint fd)
{
	(void)env, (void)type;
	return datagrams_end_send(fd);
}

static jint read_occupancy(JNIEnv *env, jclass type, jint fd, jboolean is_stream, jobject buffer)
{
	(void)type;
	return occupancy_read(fd, is_stream, (*env)->GetDirectBufferAddress(env, buffer));
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
	return (*env)->NewStringUTF(env, strerror_r(error, room, sizeof room)); /* GNU's, which may need no room */
}

#define BUFFER "Ljava/nio/ByteBuffer;"

static const JNINativeMethod METHODS[] = {
	{"duplicate", "(I)I", (void *)duplicate},
	{"close", "(I)I", (void *)close_copy},
	{"enableTransmitStamps", "(IZ)I", (void *)enable_transmit_stamps},
	{"takeTransmitStamps", "(I" BUFFER "I)I", (void *)take_transmit_stamps},
	{"enableReceiveStamps", "(I)I", (void *)enable_receive_stamps},
	{"receive", "(I" BUFFER "II" BUFFER ")I", (void *)receive},
	{"endReceive", "(I)I", (void *)end_receive},
	{"address", "(" BUFFER ")J", (void *)address_of},
	{"sendStream", "(IJI)I", (void *)send_stream},
	{"receiveStream", "(IJI)I", (void *)receive_stream},
	{"sendDatagrams", "(IJII)I", (void *)send_datagrams},
	{"receiveDatagrams", "(IJIIZZJ)I", (void *)receive_datagrams},
	{"endSend", "(I)I", (void *)end_send},
	{"readOccupancy", "(IZ" BUFFER ")I", (void *)read_occupancy},
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
	if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_10) != JNI_OK)
		return JNI_ERR;
	type = (*env)->FindClass(env, "org/lagbench/nativesocket/Socket");
	if (type == NULL)
		return JNI_ERR;
	result = (*env)->RegisterNatives(env, type, METHODS, sizeof METHODS / sizeof METHODS[0]);
	(*env)->DeleteLocalRef(env, type);
	return result == JNI_OK ? JNI_VERSION_10 : JNI_ERR;
}
