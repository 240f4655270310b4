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
 * Divides long work among processors: each scans its own stretch of the items, a partition. The results are combined in
 * the order of the partitions, so that they do not depend on their number as long as combining is exact.
 */
public final class Partitions {
    /** Memory grows with them, and the disk is no faster for more. */
    public static final int MOST = 4;

    /** Fewer items are scanned sooner than a thread starts. */
    private static final long ITEMS_PER_PARTITION = 1 << 19;

    private Partitions() {}

    /** What one partition does. */
    @FunctionalInterface
    public interface Work<T> {
        /**
         * Does the work of a partition, on its own thread.
         *
         * @throws LagbenchException if the captures cannot be read
         */
        T of(int partition) throws LagbenchException;
    }

    /** Returns how many partitions pay for so many items on this machine, from 1 to {@value #MOST}. */
    public static int count(long items) {
        int processors = Math.min(MOST, Runtime.getRuntime().availableProcessors());
        return (int) Math.max(1, Math.min(processors, items / ITEMS_PER_PARTITION));
    }

    /** The first item of a partition; of the partition beyond the last, the number of items. */
    public static long first(int partition, int partitions, long items) {
        return items / partitions * partition + Math.min(partition, items % partitions);
    }

    /**
     * Does the work of all partitions, the first on this thread, and waits for all.
     *
     * @return what each gave, in their order
     * @throws LagbenchException the failure of the first that failed
     */
    public static <T> List<T> each(int partitions, Work<T> work) throws LagbenchException {
        List<T> results = new ArrayList<>();
        if (partitions == 1) {
            results.add(work.of(0));
            return results;
        }
        ExecutorService threads = Executors.newFixedThreadPool(partitions - 1, task -> {
            Thread thread = new Thread(task, "analysis-partition");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<T>> others = new ArrayList<>();
            for (int partition = 1; partition < partitions; partition++) {
                int number = partition;
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

    /** The captures that partitions read are closed by the caller: none may go on when it does. */
    private static <T> void awaitAll(List<Future<T>> partitions) {
        for (Future<T> partition : partitions) {
            try {
                Uninterruptibly.get(partition);
            } catch (ExecutionException e) {
                // result() tells
            }
        }
    }

    private static <T> T result(Future<T> partition) throws LagbenchException {
        try {
            return Uninterruptibly.get(partition);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            if (cause instanceof LagbenchException failure) {
                throw failure;
            }
            throw new IllegalStateException(cause);
        }
    }
}
