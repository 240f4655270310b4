/* The native methods of org.lagbench.packetio.linux.LinuxClockSetNotice, found by their names. */
#include <jni.h>

#include "clock_set_notice.h"

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_open(JNIEnv *env,
                                                                                 jclass type);
JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_await(JNIEnv *env,
                                                                                  jclass type,
                                                                                  jint descriptor);
JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_end(JNIEnv *env,
                                                                                jclass type,
                                                                                jint descriptor);

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_open(JNIEnv *env,
                                                                                 jclass type)
{
    (void)env, (void)type;
    return clock_set_notice_open();
}

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_await(JNIEnv *env,
                                                                                  jclass type,
                                                                                  jint descriptor)
{
    (void)env, (void)type;
    return clock_set_notice_await(descriptor);
}

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxClockSetNotice_end(JNIEnv *env,
                                                                                jclass type,
                                                                                jint descriptor)
{
    (void)env, (void)type;
    return clock_set_notice_end(descriptor);
}
