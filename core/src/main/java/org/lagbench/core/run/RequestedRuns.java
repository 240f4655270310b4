package org.lagbench.core.run;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.Failures;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.key.SharedKey;

/**
 * The runs that a parent process requests from a sender or receiver on the standard input, see {@link Request}. The
 * program prints {@link ProgramEvent}s, ends after a failed run, and with its standard input. One process makes several
 * only with engines outside the JVM, because the start of a JVM takes longer than a short run. With the others, a run
 * would profit from code that the JVM has compiled for an earlier one.
 */
public final class RequestedRuns {
    /** The first argument of a program whose parent process requests its runs. */
    public static final String OPTION = "--requests";

    private static final long IDLE_S = 240;
    private static final String END = "";

    private final BlockingQueue<String> requests = new LinkedBlockingQueue<>();
    private final StartGate startGate = StartGate.waiting();

    /** The program's part. */
    public interface Executor {
        /**
         * Executes a run.
         *
         * @param startGate delays the recorded packets after the warm-up
         * @return how it ended, if the program has nothing to say about it
         */
        ExitCode execute(Request request, StartGate startGate) throws LagbenchException;
    }

    /** Returns the arguments of a program. The directory identifies the process, for example in ps(1). */
    public static List<String> arguments(Path directory, String run) {
        return List.of(OPTION, directory.resolve(run).toString());
    }

    /** Returns whether a program's arguments say that its parent process requests its runs. */
    public static boolean isRequested(String... arguments) {
        return arguments.length > 0 && arguments[0].equals(OPTION);
    }

    /**
     * Executes runs until the input ends, a run fails or is the last, or no further request has come for
     * {@value #IDLE_S} s; returns the exit code.
     */
    public int executeAll(Executor executor, ShutdownCoordinator shutdown) {
        Runnable end = () -> requests.add(END);
        shutdown.onInterrupt(end);
        shutdown.endWithStandardInput(this::accept);
        try {
            for (String line = requests.take(); !line.equals(END); line = next()) {
                Request request = StrictJson.read(line, Request.class);
                ExitCode outcome = executor.execute(request, request.waitsForStart() ? startGate : StartGate.OPEN);
                if (outcome != ExitCode.OK) {
                    return outcome.code();
                }
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

    /**
     * The request of a parent process to a sender or receiver that it started with {@value RequestedRuns#OPTION}: one
     * line of JSON on its standard input for each run. One with neither {@code listen} nor {@code peer} is invalid.
     *
     * @param request the run
     * @param directory parent of the run's directory
     * @param chrony the address of this host's chronyd
     * @param keyFile the file with the shared key; null for {@code key}, the environment's, or none
     * @param key the shared key that the parent process made for this session; null for that of the file
     * @param peer where a sender's receiver listens; for a receiver, where {@code lagbench serve} listens on the
     *     sender's host; null if the peer connects to {@code listen}
     * @param listen where a sender waits for its receiver, which has requested it, or a receiver for its sender; null
     *     if it connects
     * @param receiverHost the only host whose connection a sender accepts at {@code listen}
     * @param dataHost the receiver's address for packets; null if it is that of the control connection
     * @param local this host's end of the packets
     * @param probes whether the receiver executes the run wait for others, and deletes its files
     * @param keepsFiles whether this host keeps the files of a sender that its receiver has requested
     * @param waitsForStart whether the program waits for {@link ProgramEvent.Kind#START} after the warm-up
     * @param reportsIntervals whether a sender reports what the receiver recorded in each second
     * @param endsAfterwards whether the program ends after the run; else it waits for another request
     */
    public record Request(
            RunRequest request,
            String directory,
            String chrony,
            @Nullable String keyFile,
            @Nullable String key,
            @Nullable String peer,
            @Nullable String listen,
            @Nullable String receiverHost,
            @Nullable String dataHost,
            LocalEnd local,
            boolean probes,
            boolean keepsFiles,
            boolean waitsForStart,
            boolean reportsIntervals,
            boolean endsAfterwards) {
        /** Returns the shared key; null for none. */
        public @Nullable SharedKey sharedKey() throws LagbenchException {
            return key == null ? SharedKey.find(keyPath()) : SharedKey.parse("The request", key);
        }

        /** Returns the file with the shared key; null if the key is in the environment, or there is no key. */
        public @Nullable Path keyPath() {
            return keyFile == null ? null : Path.of(keyFile);
        }
    }
}
