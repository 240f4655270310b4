package org.lagbench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.native1394.VirtualBus;

/**
 * The daemon of a virtual bus. It runs until it is closed or this process ends, even by SIGKILL. It prints its errors
 * on this process's standard error. Any thread may call {@link #terminate}.
 */
public final class BusDaemon implements AutoCloseable {
    private static final long GRACE_S = 5;

    private final Process process;

    private BusDaemon(Process process) {
        this.process = process;
    }

    /**
     * Starts the daemon, and returns when programs can use the bus.
     *
     * @param nodes number of nodes
     */
    public static BusDaemon start(VirtualBus bus, int nodes) throws LagbenchException {
        List<String> command = List.of(
                bus.daemon().toString(),
                "--foreground",
                "--end-with-stdin",
                "--directory",
                bus.directory().toString(),
                "--nodes",
                Integer.toString(nodes));
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (process.inputReader().readLine() == null) {
                throw ChildFailure.ended(
                        process, ExitCode.UNAVAILABLE, "The virtual bus in " + bus.directory() + " did not start.");
            }
            return new BusDaemon(process);
        } catch (IOException e) {
            throw ChildFailure.notStarted("The virtual bus cannot be started", e);
        }
    }

    /** Waits until the daemon has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Sends SIGTERM, and kills the daemon if it still runs after {@value #GRACE_S} s. Does not wait. */
    public void terminate() {
        process.destroy();
        process.onExit().orTimeout(GRACE_S, TimeUnit.SECONDS).exceptionally(late -> process.destroyForcibly());
    }

    @Override
    public void close() {
        terminate();
        Uninterruptibly.awaitEnd(process);
    }
}
