package org.lagbench.core.clock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * CLOCK_REALTIME in nanoseconds since the epoch, at the platform's resolution (a nanosecond on Linux).
 *
 * <p>Does not allocate if the JVM was started with {@code --add-exports java.base/jdk.internal.misc=ALL-UNNAMED}, as
 * all lagbench programs are. Otherwise uses {@link Instant#now()}, which is as exact but may allocate. Thread-safe and
 * wait-free.
 */
public final class RealtimeClock {
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    private static final int RESOLUTION_READS = 10_000;

    /** 2025-01-01T00:00:00 UTC in s since the epoch. The JVM's clock function needs a base within 136 years of now. */
    private static final long OFFSET_SECONDS = 1_735_689_600L;

    private static final long OFFSET_NS = OFFSET_SECONDS * NANOS_PER_SECOND;

    private static final @Nullable MethodHandle NANO_TIME_ADJUSTMENT = nanoTimeAdjustment();

    private RealtimeClock() {}

    /** Returns the time in nanoseconds since 1970-01-01T00:00:00 UTC. */
    public static long nowNs() {
        if (NANO_TIME_ADJUSTMENT == null) {
            Instant now = Instant.now();
            return now.getEpochSecond() * NANOS_PER_SECOND + now.getNano();
        }
        try {
            return OFFSET_NS + (long) NANO_TIME_ADJUSTMENT.invokeExact(OFFSET_SECONDS);
        } catch (Error e) { // the JVM may report a fault in a capture's mapping here
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("the JVM's real-time clock cannot be read", e);
        }
    }

    /**
     * Returns the smallest step between two successive readings, in ns: an upper bound of the clock's resolution. Takes
     * about a millisecond.
     */
    public static long measureResolutionNs() {
        long smallest = Long.MAX_VALUE;
        long before = nowNs();
        for (int i = 0; i < RESOLUTION_READS; i++) {
            long now = nowNs();
            if (now > before) {
                smallest = Math.min(smallest, now - before);
            }
            before = now;
        }
        return smallest;
    }

    /** Returns whether {@link #nowNs()} does not allocate. */
    public static boolean isAllocationFree() {
        return NANO_TIME_ADJUSTMENT != null;
    }

    private static @Nullable MethodHandle nanoTimeAdjustment() {
        try {
            Class<?> vm = Class.forName("jdk.internal.misc.VM");
            return MethodHandles.lookup()
                    .findStatic(vm, "getNanoTimeAdjustment", MethodType.methodType(long.class, long.class));
        } catch (ReflectiveOperationException e) {
            return null; // the JDK does not export the class to lagbench: Instant.now() reads the same clock
        }
    }
}
