package org.lagbench.core.failure;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;

/**
 * Ends a program in order when it is interrupted: by Ctrl-C, by SIGTERM, or by the end of its standard input if it was
 * told to end with it. What was registered is stopped, the last first, the main thread is given time to close its
 * files, and the process ends: with {@link ExitCode#INTERRUPTED} after a signal, so that a parent process can tell it
 * from the end that the parent asked for itself by ending the standard input, after which it is the program's own code.
 * Thread-safe.
 */
public final class ShutdownCoordinator {
    private static final long GRACE_S = 30;

    private final CountDownLatch finished = new CountDownLatch(1);
    private final List<Runnable> stops = new ArrayList<>();
    private boolean interrupted;
    private volatile boolean inputEnded;
    private volatile int programsCode = ExitCode.INTERRUPTED.code();

    private ShutdownCoordinator() {}

    /**
     * Runs a program and ends the process with the exit code that it returns. Call it from {@code main}, as all that is
     * done there.
     */
    @SuppressWarnings("CatchAndPrintStackTrace") // there is nobody left to tell but the user
    public static void run(ToIntFunction<ShutdownCoordinator> program) {
        ShutdownCoordinator interruption = new ShutdownCoordinator();
        Runtime.getRuntime().addShutdownHook(new Thread(interruption::shutDown, "interruption"));
        int code = ExitCode.INTERNAL.code();
        try {
            code = program.applyAsInt(interruption);
        } catch (RuntimeException | Error e) {
            e.printStackTrace();
        }
        interruption.programsCode = code;
        interruption.finished.countDown();
        Runtime.getRuntime().exit(interruption.isInterrupted() ? ExitCode.INTERRUPTED.code() : code);
    }

    /** One that listens to no signal, for tests and for work that nothing interrupts. */
    public static ShutdownCoordinator never() {
        return new ShutdownCoordinator();
    }

    /** Ends the program as well when its standard input ends, as it does when the parent process dies. */
    public void endWithStandardInput() {
        endWithStandardInput(line -> {});
    }

    /** The same, and hands on each line that comes before, on a thread of its own. */
    public void endWithStandardInput(Consumer<String> listener) {
        Thread thread = new Thread(
                () -> {
                    try {
                        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, US_ASCII));
                        for (String line = input.readLine(); line != null; line = input.readLine()) {
                            listener.accept(line);
                        }
                    } catch (IOException e) {
                        // an unreadable input is an ended one
                    }
                    endThisProcess();
                },
                "standard-input");
        thread.setDaemon(true);
        thread.start();
    }

    /** From now on there is nothing to put in order: a signal ends the program at once. */
    public void endAtOnce() {
        finished.countDown();
    }

    /** Registers what makes the main thread's work end; called at once if that is already wanted. */
    public synchronized void onInterrupt(Runnable stop) {
        stops.add(stop);
        if (interrupted) {
            stop.run();
        }
    }

    /** Forgets what was registered. */
    public synchronized void forget(Runnable stop) {
        stops.remove(stop);
    }

    /** Whether the program was told to end. */
    public synchronized boolean isInterrupted() {
        return interrupted;
    }

    private void shutDown() {
        boolean asked = inputEnded;
        if (finished.getCount() == 0 && !isInterrupted()) {
            if (asked) {
                Runtime.getRuntime().halt(programsCode); // it had ended, but the exit of its input came first
            }
            return; // an ordinary end
        }
        List<Runnable> all;
        synchronized (this) {
            interrupted = true;
            all = new ArrayList<>(stops);
        }
        Collections.reverse(all);
        all.forEach(Runnable::run);
        try {
            if (!finished.await(GRACE_S, TimeUnit.SECONDS)) {
                System.err.println("lagbench: gave up waiting for the files to be closed");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(asked ? programsCode : ExitCode.INTERRUPTED.code());
    }

    private void endThisProcess() {
        inputEnded = true;
        Runtime.getRuntime().exit(ExitCode.INTERRUPTED.code());
    }
}
