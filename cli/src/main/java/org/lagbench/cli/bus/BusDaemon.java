package org.lagbench.cli.bus;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.native1394.VirtualBus;

/**
 * The daemon of a virtual bus, which runs until it is closed or this process has ended, however that came. What is
 * wrong with it, it says itself on standard error. {@link #terminate} may be called from any thread.
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
     * @param bus where it is to be
     * @param nodes how many nodes it is to have
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
            BufferedReader output =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            if (output.readLine() == null) {
                throw ChildFailure.ended(
                        process, ExitCode.UNAVAILABLE, "The virtual bus in " + bus.directory() + " did not start.");
            }
            return new BusDaemon(process);
        } catch (IOException e) {
            throw ChildFailure.notStarted("The virtual bus cannot be started", e);
        }
    }

    /** Waits until it has ended. */
    public void awaitEnd() throws InterruptedException {
        process.waitFor();
    }

    /** Asks it to end; kills it if it has not after {@value #GRACE_S} s. Does not wait. */
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
