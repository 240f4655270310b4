package org.lagbench.core.failure;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Ends a program in order when it is interrupted: by Ctrl-C, by SIGTERM, or at the end of its standard input if
 * requested. Runs the registered actions, the last first, gives the main thread time to close its files, and ends the
 * process. The exit code is {@link ExitCode#INTERRUPTED} after a signal and the program's own after the end of the
 * standard input, so that a parent process can distinguish them. Thread-safe.
 */
public final class ShutdownCoordinator {
    /** How long an interrupted program may close its files on an idle host. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private final CountDownLatch finished = new CountDownLatch(1);
    private final List<Runnable> stops = new ArrayList<>();
    private boolean interrupted;
    private volatile boolean endsAtOnce;
    private volatile boolean lacksMemory;
    private volatile boolean inputEnded;
    private volatile int programsCode = ExitCode.INTERRUPTED.code();

    /** Creates a coordinator that handles no signal; {@link #run} creates the one of a program. */
    public ShutdownCoordinator() {}

    /**
     * Runs a program and ends the process with the exit code that it returns. {@code main} calls this and nothing else.
     */
    public static void run(ToIntFunction<ShutdownCoordinator> program) {
        ShutdownCoordinator coordinator = new ShutdownCoordinator();
        Runtime.getRuntime().addShutdownHook(new Thread(coordinator::shutDown, "shutdown"));
        Thread.setDefaultUncaughtExceptionHandler(coordinator::handleUncaught);
        Failures.prepare();
        int code;
        try {
            code = program.applyAsInt(coordinator);
        } catch (RuntimeException | Error e) {
            code = Failures.report(e);
        }
        coordinator.programsCode = code;
        coordinator.finished.countDown();
        Runtime.getRuntime().exit(coordinator.isInterrupted() ? ExitCode.INTERRUPTED.code() : code);
    }

    /** Ends the program also when its standard input ends, for example because the parent process died. */
    public void endWithStandardInput() {
        endWithStandardInput(line -> {});
    }

    /**
     * Ends the program also when its standard input ends, and passes each line before that to the listener, on a
     * separate thread.
     */
    public void endWithStandardInput(Consumer<String> listener) {
        Thread thread = new Thread(
                () -> {
                    try {
                        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, UTF_8));
                        for (String line = input.readLine(); line != null; line = input.readLine()) {
                            listener.accept(line);
                        }
                    } catch (IOException e) {
                        // treated as the end of the input
                    }
                    endThisProcess();
                },
                "standard-input");
        thread.setDaemon(true);
        thread.start();
    }

    /** Interrupts the program like a signal. Does not return. */
    public void interrupt() {
        Runtime.getRuntime().exit(ExitCode.INTERRUPTED.code());
    }

    /** Declares that a signal need not wait for the main thread: it runs the actions and ends the program at once. */
    public void endAtOnce() {
        endsAtOnce = true;
    }

    /** Ends the program if a thread died because of too little memory: others may wait for that thread in vain. */
    private void handleUncaught(Thread thread, Throwable failure) {
        int code = Failures.report(failure);
        if (code == ExitCode.UNAVAILABLE.code()) {
            lacksMemory = true;
            Runtime.getRuntime().exit(code);
        }
    }

    /** Registers an action that ends the main thread's work; runs it at once if the program is already interrupted. */
    public synchronized void onInterrupt(Runnable stop) {
        stops.add(stop);
        if (interrupted) {
            stop.run();
        }
    }

    public synchronized void forget(Runnable stop) {
        stops.remove(stop);
    }

    public synchronized boolean isInterrupted() {
        return interrupted;
    }

    /**
     * Returns whether the standard input has ended although nobody interrupted the program: the parent process died.
     */
    public boolean isOrphaned() {
        return inputEnded;
    }

    /** Waits until the program is interrupted or the time has elapsed; returns whether it is interrupted. */
    public synchronized boolean awaitInterrupt(Duration timeout) throws InterruptedException {
        long endNs = System.nanoTime() + timeout.toNanos();
        for (long leftNs = timeout.toNanos(); !interrupted && leftNs > 0; leftNs = endNs - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, leftNs);
        }
        return interrupted;
    }

    private void shutDown() {
        boolean asked = inputEnded;
        if (finished.getCount() == 0 && !isInterrupted()) {
            if (asked) {
                Runtime.getRuntime().halt(programsCode); // the program had already ended
            }
            return; // the program ended without a signal
        }
        List<Runnable> all;
        synchronized (this) {
            interrupted = true;
            notifyAll();
            all = new ArrayList<>(stops);
        }
        Collections.reverse(all);
        all.forEach(Runnable::run);
        try {
            Duration grace = Patience.of(GRACE);
            if (!endsAtOnce && !finished.await(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("lagbench: closing its own files took more than " + grace.toSeconds()
                        + " s; it ends now, and the last run may be incomplete");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ExitCode unasked = lacksMemory ? ExitCode.UNAVAILABLE : ExitCode.INTERRUPTED;
        Runtime.getRuntime().halt(asked ? programsCode : unasked.code());
    }

    private void endThisProcess() {
        inputEnded = true;
        Runtime.getRuntime().exit(ExitCode.INTERRUPTED.code());
    }
}
