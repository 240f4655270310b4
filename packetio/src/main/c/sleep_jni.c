/* The native method of org.lagbench.packetio.linux.LinuxSleep, found by its name. */
#include <jni.h>

#include "sleep.h"

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxSleep_sleep(JNIEnv *env, jclass type,
                                                                         jlong nanoseconds);

JNIEXPORT jint JNICALL Java_org_lagbench_packetio_linux_LinuxSleep_sleep(JNIEnv *env, jclass type,
                                                                         jlong nanoseconds)
{
    (void)env, (void)type;
    return sleep_ns(nanoseconds);
}
