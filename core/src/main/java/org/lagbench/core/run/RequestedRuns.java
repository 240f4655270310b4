package org.lagbench.core.run;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.StrictJson;

/**
 * The runs that a parent process requests from a sender or receiver on the standard input, see {@link ProgramRequest}.
 * The program prints {@link ProgramEvent}s, ends after a failed run, and with its standard input. One process makes
 * several only with engines outside the JVM, because the start of a JVM takes longer than a short run. With the others,
 * a run would profit from code that the JVM has compiled for an earlier one.
 */
public final class RequestedRuns {
    /** The first argument of a program whose parent process requests its runs. */
    public static final String OPTION = "--requests";

    private static final long IDLE_S = 240;
    private static final String END = "";

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final StartGate startGate = StartGate.waiting();

    /** The program's part. */
    public interface Maker {
        /**
         * Executes a run.
         *
         * @param startGate delays the recorded packets of the warm run
         */
        void make(ProgramRequest request, StartGate startGate) throws LagbenchException;
    }

    /** Returns the arguments of a program. The directory identifies the process, for example in ps(1). */
    public static List<String> arguments(ProgramRequest request) {
        String run = request.request().run().name();
        return List.of(OPTION, Path.of(request.directory()).resolve(run).toString());
    }

    /** Returns whether a program's arguments say that its parent process requests its runs. */
    public static boolean isRequested(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(OPTION);
    }

    /**
     * Executes runs until the input ends, a run fails or is the last, or no request has come for {@value #IDLE_S} s;
     * returns the exit code.
     */
    public int makeAll(Maker maker, ShutdownCoordinator shutdown) {
        Runnable end = () -> requests.add(END);
        shutdown.onInterrupt(end);
        shutdown.endWithStandardInput(this::accept);
        try {
            for (String line = next(); !line.equals(END); line = next()) {
                ProgramRequest request = StrictJson.read(line, ProgramRequest.class);
                maker.make(request, request.waitsForStart() ? startGate : StartGate.OPEN);
                new ProgramEvent(ProgramEvent.Kind.DONE, "").print();
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

    private void accept(String line) {
        if (!startGate.accept(line)) {
            requests.add(line);
        }
    }

    private String next() throws InterruptedException {
        String line = requests.poll(IDLE_S, TimeUnit.SECONDS);
        return line == null ? END : line;
    }
}
