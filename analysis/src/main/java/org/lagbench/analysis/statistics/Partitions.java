package org.lagbench.analysis.statistics;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;

/**
 * Divides long work among processors: each thread scans one contiguous partition of the items. Results are combined in
 * the order of the partitions, so that they do not depend on the number of partitions if combining is exact.
 */
public final class Partitions {
    /** The maximum number of partitions: memory grows with their number, and the disk gets no faster. */
    public static final int MAX = 4;

    /** The minimum number of items in a partition: scanning fewer takes less time than starting a thread. */
    private static final long ITEMS_PER_PARTITION = 1 << 19;

    private Partitions() {}

    /** The work of one partition. */
    @FunctionalInterface
    public interface Work<T> {
        /** Does the work of a partition, on the thread of that partition. */
        T run(int partition) throws LagbenchException;
    }

    /** Returns the number of partitions worth their cost for a number of items on this machine, 1 to {@value #MAX}. */
    public static int count(long items) {
        int processors = Math.min(MAX, Runtime.getRuntime().availableProcessors());
        return (int) Math.max(1, Math.min(processors, items / ITEMS_PER_PARTITION));
    }

    /** Returns the first item of a partition; for the partition after the last, the number of items. */
    public static long first(int partition, int partitions, long items) {
        return items / partitions * partition + Math.min(partition, items % partitions);
    }

    /**
     * Does the work of all partitions, each on its thread, and waits for all.
     *
     * @return the results in the order of the partitions
     * @throws LagbenchException the failure of the first partition that failed
     */
    public static <T> List<T> runAll(int partitions, Work<T> work) throws LagbenchException {
        if (partitions == 1) {
            return List.of(work.run(0));
        }
        ExecutorService threads = Executors.newFixedThreadPool(partitions, task -> {
            Thread thread = new Thread(task, "analysis-partition");
            thread.setDaemon(true);
            return thread;
        });
        List<Future<T>> futures = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            int number = partition;
            futures.add(threads.submit(() -> work.run(number)));
        }
        threads.shutdown();
        // waits for all, even if one fails: the caller then closes the captures that they read
        List<T> results = new ArrayList<>();
        Throwable failure = null;
        for (Future<T> future : futures) {
            try {
                results.add(Uninterruptibly.get(future));
            } catch (ExecutionException e) {
                failure = failure == null ? e.getCause() : failure;
            }
        }
        if (failure instanceof LagbenchException known) {
            throw known;
        }
        if (failure != null) {
            throw new IllegalStateException(failure);
        }
        return results;
    }
}
