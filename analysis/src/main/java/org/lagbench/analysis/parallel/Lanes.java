package org.lagbench.analysis.parallel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;

/**
 * Divides long work among processors: each goes through its own stretch of the items, a lane. What the lanes found is
 * put together in their order, so that results do not depend on how many there are as long as putting together is
 * exact.
 */
public final class Lanes {
    /** Memory grows with them, and the disk is no faster for more. */
    public static final int MOST = 4;

    /** Fewer items are gone through sooner than a thread starts. */
    private static final long WORTH_A_LANE = 1 << 19;

    private Lanes() {}

    /** What one lane does. */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Does the work of a lane, on a thread of its own.
         *
         * @throws LagbenchException if the captures cannot be read
         */
        T of(int lane) throws LagbenchException;
    }

    /** How many lanes so many items are worth on this machine, from 1 to {@value #MOST}. */
    public static int worth(long items) {
        int processors = Math.min(MOST, Runtime.getRuntime().availableProcessors());
        return (int) Math.max(1, Math.min(processors, items / WORTH_A_LANE));
    }

    /** The first item of a lane; of the lane beyond the last, the number of items. */
    public static long first(int lane, int lanes, long items) {
        return items / lanes * lane + Math.min(lane, items % lanes);
    }

    /**
     * Does the work of all lanes, the first on this thread, and waits for all.
     *
     * @return what each gave, in their order
     * @throws LagbenchException the failure of the first that failed
     */
    public static <T> List<T> each(int lanes, Work<T> work) throws LagbenchException {
        List<T> results = new ArrayList<>();
        if (lanes == 1) {
            results.add(work.of(0));
            return results;
        }
        ExecutorService threads = Executors.newFixedThreadPool(lanes - 1, task -> {
            Thread thread = new Thread(task, "analysis-lane");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> others = new ArrayList<>();
            for (int lane = 1; lane < lanes; lane++) {
                int number = lane;
                others.add(threads.submit(() -> work.of(number)));
            }
            try {
                results.add(work.of(0));
            } finally {
                awaitAll(others);
            }
            for (Future<T> other : others) {
                results.add(result(other));
            }
            return results;
        } finally {
            threads.shutdown();
        }
    }

    /** The captures that lanes read are closed by the caller: none may go on when it does. */
    private static <T> void awaitAll(List<Future<T>> lanes) {
        for (Future<T> lane : lanes) {
            try {
                Uninterruptibly.get(lane);
            } catch (ExecutionException e) {
                // result() tells
            }
        }
    }

    private static <T> T result(Future<T> lane) throws LagbenchException {
        try {
            return Uninterruptibly.get(lane);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof LagbenchException failure) {
                throw failure;
            }
            throw new IllegalStateException(cause);
        }
    }
}
