package org.lagbench.receiver;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.run.StreamRole;

/**
 * The current runs of a receiver, all with the same host: at most one in each direction, or streams of one run that are
 * sent at the same time. Thread-safe.
 */
final class RunTurns {
    /** How long a monitor's probe waits for other runs; the sender waits longer for the reply to its offer. */
    private static final long TIMEOUT_NS = ControlMessage.Probe.TURN_TIMEOUT.toNanos();

    static final int MAXIMUM_RUNS = StreamRole.Direction.values().length * StreamRole.MAXIMUM_PARALLEL;

    /** The other host of each current run. */
    private final Map<StreamRole, String> hosts = new HashMap<>();

    private final BooleanSupplier isClosed;

    /** @param isClosed whether the receiver has ended, so that no run waits any more */
    RunTurns(BooleanSupplier isClosed) {
        this.isClosed = isClosed;
    }

    /** Returns the turn of a run that may be one of several streams. */
    static StreamRole turn(StreamRole.Direction direction, @Nullable StreamRole stream) {
        return stream == null
                ? new StreamRole(direction.text(), direction, List.of())
                : new StreamRole(stream.name(), direction, stream.beside());
    }

    /** Begins a run; returns false if another run hinders it. */
    synchronized boolean begin(StreamRole turn, String host) {
        boolean isFree = hosts.size() < MAXIMUM_RUNS
                && hosts.values().stream().allMatch(host::equals)
                && hosts.keySet().stream().noneMatch(other -> isHindered(turn, other));
        if (isFree) {
            hosts.put(turn, host);
        }
        return isFree;
    }

    private static boolean isHindered(StreamRole turn, StreamRole other) {
        return turn.direction() == other.direction()
                && !(turn.beside().contains(other.name()) && other.beside().contains(turn.name()));
    }

    /** Begins a run when no other run hinders it; returns false if that takes too long. */
    synchronized boolean beginInTurn(StreamRole turn, String host) {
        long deadlineNs = System.nanoTime() + TIMEOUT_NS;
        try {
            while (!begin(turn, host)) {
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

    /** Ends a run. */
    synchronized void end(StreamRole turn) {
        hosts.remove(turn);
        notifyAll();
    }
}
