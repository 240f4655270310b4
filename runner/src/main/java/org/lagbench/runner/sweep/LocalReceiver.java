package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
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
import org.lagbench.core.model.HostLoad;

/** A receiver on this machine that serves until this process ends. If it dies, it is restarted at the same address. */
public final class LocalReceiver {
    private static final int START_TIMEOUT_S = 60;
    private static final Duration RESTART_DELAY = Duration.ofSeconds(1);
    private static final String INTERRUPTED = "it was interrupted";

    private final Hosts hosts;
    private final Path directory;
    private final PrintWriter messages;
    private final ShutdownCoordinator shutdown;
    private final CompletableFuture<Endpoint> listening = new CompletableFuture<>();

    private LocalReceiver(Hosts hosts, Path directory, PrintWriter messages, ShutdownCoordinator shutdown) {
        this.hosts = hosts;
        this.directory = directory;
        this.messages = messages;
        this.shutdown = shutdown;
    }

    /**
     * Starts the receiver.
     *
     * @param hosts where it runs
     * @param directory parent of the directories of its runs
     * @param messages receives a line each time the receiver dies
     * @return where it listens
     */
    public static Endpoint start(Hosts hosts, Path directory, PrintWriter messages, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        LocalReceiver receiver = new LocalReceiver(hosts, directory, messages, shutdown);
        Thread thread = new Thread(receiver::serve, "receiver");
        thread.setDaemon(true);
        thread.start();
        try {
            return receiver.listening.get(
                    HostLoad.patience(Duration.ofSeconds(START_TIMEOUT_S)).toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            if (shutdown.isInterrupted()) {
                throw new LagbenchException(ExitCode.INTERRUPTED, "Interrupted", e);
            }
            throw new LagbenchException(
                    ExitCode.UNAVAILABLE, "The receiver on this machine did not start: " + e.getMessage() + ".", e);
        }
    }

    private void serve() {
        String listen = hosts.listen();
        try {
            while (!shutdown.isInterrupted()) {
                String end = run(listen);
                if (listening.completeExceptionally(new IllegalStateException(end))
                        || (end.equals(INTERRUPTED) && !hosts.equals(Hosts.LOOPBACK))) { // its lab has ended
                    return;
                }
                listen = listening.join().toString();
                if (!shutdown.awaitInterrupt(RESTART_DELAY)) { // Ctrl-C may reach the receiver first
                    messages.println("lagbench: " + Instant.now() + " receiver on this machine: " + end
                            + "; it is started again.");
                    messages.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            listening.completeExceptionally(new IllegalStateException(INTERRUPTED));
        }
    }

    /** Runs the receiver until it ends, and returns why. */
    private String run(String listen) throws InterruptedException {
        List<String> arguments = new ArrayList<>(List.of("--listen", listen, "--directory", directory.toString()));
        if (hosts.dataHost() != null) {
            arguments.addAll(List.of("--data-host", hosts.dataHost()));
        }
        if (hosts.keyFile() != null) {
            arguments.addAll(List.of("--key-file", hosts.keyFile().toString()));
        }
        try {
            int code = ServerProcess.run(hosts.onReceiver(), arguments, Map.of(), listening::complete, shutdown);
            return code == ExitCode.INTERRUPTED.code() ? INTERRUPTED : "it ended with exit code " + code;
        } catch (LagbenchException e) {
            return e.sentence().replaceFirst("\\.$", "");
        }
    }
}
