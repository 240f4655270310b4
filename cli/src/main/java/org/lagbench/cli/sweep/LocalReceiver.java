package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;

/** A receiver on this machine that serves until this process ends. */
public final class LocalReceiver {
    private static final int START_TIMEOUT_S = 60;

    private LocalReceiver() {}

    /**
     * Starts the receiver.
     *
     * @param directory parent of the directories of its runs
     * @return where it listens
     */
    public static Endpoint start(Path directory, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        return start(Hosts.LOOPBACK, directory, shutdown);
    }

    /** Starts the receiver of two hosts. */
    static Endpoint start(Hosts hosts, Path directory, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        List<String> arguments =
                new ArrayList<>(List.of("--listen", hosts.listen(), "--directory", directory.toString()));
        if (hosts.dataHost() != null) {
            arguments.addAll(List.of("--data-host", hosts.dataHost()));
        }
        if (hosts.keyFile() != null) {
            arguments.addAll(List.of("--key-file", hosts.keyFile().toString()));
        }
        CompletableFuture<Endpoint> listening = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        int code = ServerProcess.run(
                                hosts.onReceiver(), arguments, Map.of(), listening::complete, shutdown);
                        listening.completeExceptionally(new IllegalStateException("it ended with exit code " + code));
                    } catch (LagbenchException e) {
                        listening.completeExceptionally(e);
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                },
                "receiver");
        thread.setDaemon(true);
        thread.start();
        try {
            return listening.get(START_TIMEOUT_S, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, "The receiver on this machine did not start: " + e.getMessage() + ".", e);
        }
    }
}
