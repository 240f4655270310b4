package org.lagbench.sender;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.SenderRequest;

/**
 * The runs that a parent process requests on the standard input, see {@link SenderRequest}. One process makes them all,
 * because the start of a JVM takes longer than a short run. Only for engines outside the JVM: with the others, a run
 * would profit from code that the JVM has compiled for an earlier one.
 */
final class RequestedRuns {
    private static final long IDLE_S = 60;
    private static final String END = "";

    private final ShutdownCoordinator shutdown;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    RequestedRuns(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    /**
     * Makes runs until the input ends, a run fails, or no line has come for {@value #IDLE_S} s; returns the exit code.
     */
    int makeAll() {
        shutdown.onInterrupt(() -> lines.add(END));
        shutdown.endWithStandardInput(lines::add);
        int code = ExitCode.OK.code();
        try {
            String line = next();
            while (!line.equals(END) && code == ExitCode.OK.code()) {
                code = Sender.commandLine(shutdown)
                        .execute(SenderRequest.options(line).toArray(String[]::new));
                if (code == ExitCode.OK.code()) {
                    System.out.println(SenderRequest.COMPLETE);
                    System.out.flush();
                    line = next();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return code;
    }

    private String next() throws InterruptedException {
        String line = lines.poll(IDLE_S, TimeUnit.SECONDS);
        return line == null ? END : line;
    }
}
