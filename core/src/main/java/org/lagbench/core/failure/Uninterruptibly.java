package org.lagbench.core.failure;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Waiting that an interruption puts off, for what must be over before something is closed. */
public final class Uninterruptibly {
    private Uninterruptibly() {}

    /** Waits until the thread has ended. If the caller was interrupted meanwhile, it is so again afterwards. */
    public static void join(Thread thread) {
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Waits until the process has ended. If the caller was interrupted meanwhile, it is so again afterwards. What
     * {@link Process#onExit} gives would need a thread of a pool that may have none left.
     *
     * @return its exit code
     */
    public static int awaitEnd(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
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

    /** Waits for what the future gives. If the caller was interrupted meanwhile, it is so again afterwards. */
    public static <T> T get(Future<T> future) throws ExecutionException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return future.get();
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
