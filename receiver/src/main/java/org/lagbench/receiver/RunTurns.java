package org.lagbench.receiver;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.lagbench.core.run.StreamRole;

/** The current runs of a receiver: at most one in each direction, all with the same host. Thread-safe. */
final class RunTurns {
    /** How long a monitor's probe waits for other runs; the sender waits longer for the answer to its offer. */
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(10);

    /** The other host of the current run in each direction. */
    private final Map<StreamRole.Direction, String> hosts = new EnumMap<>(StreamRole.Direction.class);

    private final BooleanSupplier isClosed;

    /** @param isClosed whether the receiver has ended, so that no run waits any more */
    RunTurns(BooleanSupplier isClosed) {
        this.isClosed = isClosed;
    }

    /** Begins a run; returns false if another run hinders it. */
    synchronized boolean begin(StreamRole.Direction direction, String host) {
        return hosts.values().stream().allMatch(host::equals) && hosts.putIfAbsent(direction, host) == null;
    }

    /** Begins a run when no other run hinders it; returns false if that takes too long. */
    synchronized boolean beginInTurn(StreamRole.Direction direction, String host) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        try {
            while (!begin(direction, host)) {
                long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                if (leftMs <= 0 || isClosed.getAsBoolean()) {
                    return false;
                }
                wait(leftMs);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Ends the run in a direction. */
    synchronized void end(StreamRole.Direction direction) {
        hosts.remove(direction);
        notifyAll();
    }
}
