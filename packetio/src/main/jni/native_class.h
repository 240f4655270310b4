/* Java classes with native methods, which are registered when the library is loaded. */
#ifndef LAGBENCH_NATIVE_CLASS_H
#define LAGBENCH_NATIVE_CLASS_H

#include <jni.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* The native methods of one class. */
struct native_class {
    const char *type;
    const JNINativeMethod *methods;
    jint count;
};

/* The classes of the observer: the record of waits, and the arrivals and drops of packets. */
enum { OBSERVER_CLASS_COUNT = 2 };
extern const struct native_class observer_classes[OBSERVER_CLASS_COUNT];

#endif
