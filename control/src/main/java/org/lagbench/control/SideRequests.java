package org.lagbench.control;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;

/**
 * What a parent process requests of this sender or receiver on its standard input. The side reports events on its
 * standard output, see {@link SideMessage}, and ends after a failed request, and with its standard input. One process
 * makes several runs only with engines outside the JVM, because the start of a JVM takes longer than a short run. With
 * the others, a run would profit from code that the JVM has compiled for an earlier one.
 */
public final class SideRequests {
    /** The first argument of a side whose parent process requests what it does. */
    public static final String OPTION = "--requests";

    private static final long IDLE_S = 240;

    /** The lines with requests; an empty element ends the program. */
    private final BlockingQueue<Optional<String>> requests = new LinkedBlockingQueue<>();

    private final StartGate startGate = StartGate.waiting();
    private final ShutdownCoordinator shutdown;
    private volatile boolean isIdle = true;

    /** The side's part. */
    public interface Executor {
        /**
         * Executes a request.
         *
         * @param startGate delays the recorded packets after the warm-up
         * @return how it ended, if the side has nothing to say about it
         */
        ExitCode execute(SideMessage.Request request, StartGate startGate) throws LagbenchException;
    }

    public SideRequests(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    /** Returns the arguments of the side of a run. The directory identifies the process, for example in ps(1). */
    public static List<String> arguments(Path directory) {
        return List.of(OPTION, directory.toString());
    }

    /** Returns the arguments of a side that serves; see {@link #arguments}. */
    public static List<String> servingArguments(Path directory) {
        return List.of(OPTION, "serve", directory.toString());
    }

    /** Returns whether a program's arguments say that its parent process requests what it does. */
    public static boolean areRequested(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(OPTION);
    }

    /**
     * Executes requests until the input ends, one fails or is the last, or no further one has come for {@value #IDLE_S}
     * s; returns the exit code.
     */
    public int executeAll(Executor executor) {
        shutdown.onInterrupt(this::end);
        shutdown.endWithStandardInput(this::accept);
        try {
            for (Optional<String> next = requests.take(); next.isPresent(); next = next()) {
                SideMessage message = SidePipe.parse(next.get());
                if (message instanceof SideMessage.Interrupt) {
                    return ExitCode.INTERRUPTED.code();
                }
                if (!(message instanceof SideMessage.Request request)) {
                    throw new IllegalArgumentException("a line of the standard input is no request");
                }
                ExitCode outcome = executor.execute(request, request.waitsForStart() ? startGate : StartGate.OPEN);
                if (outcome != ExitCode.OK) {
                    return outcome.code();
                }
                isIdle = true;
                SidePipe.print(new SideMessage.Completed());
                if (request.endsAfterwards()) {
                    break;
                }
            }
            return ExitCode.OK.code();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED.code();
        } catch (LagbenchException e) {
            return Failures.report(e);
        }
    }

    /**
     * Takes a line of the standard input. The main thread reads requests: a fault in that, such as too little memory
     * for the classes, ends the program.
     */
    private void accept(String line) {
        if (isIdle) {
            isIdle = false;
            requests.add(Optional.of(line));
            return;
        }
        SideMessage message = SidePipe.parse(line);
        if (message instanceof SideMessage.Start start) {
            startGate.open(start.dueNs());
        } else if (message instanceof SideMessage.Interrupt) {
            shutdown.interrupt();
        }
    }

    private void end() {
        requests.add(Optional.empty());
    }

    private Optional<String> next() throws InterruptedException {
        Optional<String> next = requests.poll(IDLE_S, TimeUnit.SECONDS);
        return next == null ? Optional.empty() : next;
    }
}
