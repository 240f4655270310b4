package org.lagbench.core.failure;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waits that an interruption does not end. The calling thread is interrupted again afterwards. */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    /** Waits until the thread has ended. */
    public static void join(Thread thread) {
        call(() -> {
            thread.join();
            return thread;
        });
    }

    /**
     * Waits until the process has ended. Unlike {@link Process#onExit}, needs no thread of a pool, which may be busy.
     *
     * @return its exit code
     */
    public static int awaitEnd(Process process) {
        return call(process::waitFor);
    }

    /** Waits for the result of the future. */
    public static <T> T get(Future<T> future) throws ExecutionException {
        return call(future::get);
    }

    /** @param <E> the exception that the wait throws besides InterruptedException */
    private interface Wait<T, E extends Exception> {
        T end() throws E, InterruptedException;
    }

    private static <T, E extends Exception> T call(Wait<T, E> wait) throws E {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return wait.end();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
