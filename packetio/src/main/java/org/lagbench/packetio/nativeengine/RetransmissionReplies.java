package org.lagbench.packetio.nativeengine;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.packetio.transport.Retransmissions;

/** The replies of lagbench-engine to requests for its retransmissions, in the order of the requests. Thread-safe. */
final class RetransmissionReplies {
    static final String COMMAND = "retransmissions";

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(1);

    private long requests;
    private long replies;
    private boolean ended;
    private @Nullable Retransmissions latest;

    /** Numbers a request, which is sent right after. */
    synchronized long requested() {
        return ++requests;
    }

    synchronized void accept(String values) {
        replies++;
        long[] numbers = Arrays.stream(values.split(" ", -1))
                .filter(value -> !value.isEmpty())
                .mapToLong(Long::parseLong)
                .toArray();
        if (numbers.length == Retransmissions.VALUES) {
            latest = Retransmissions.of(numbers);
        }
        notifyAll();
    }

    /** Ends all waits: no reply follows. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /** Returns the latest reply; null if there is none. */
    synchronized @Nullable Retransmissions latest() {
        return latest;
    }

    /** Waits for the reply to a request, at most a second, and returns the latest; null if there is none. */
    synchronized @Nullable Retransmissions await(long request) throws InterruptedException {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        long leftNs = TIMEOUT_NS;
        while (replies < request && !ended && leftNs > 0) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            leftNs = deadlineNs - System.nanoTime();
        }
        return latest;
    }
}
