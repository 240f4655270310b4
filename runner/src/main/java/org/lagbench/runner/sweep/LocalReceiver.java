package org.lagbench.runner.sweep;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
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
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.text.Endpoint;

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
        Thread thread = new Thread(receiver::keepServing, "receiver");
        thread.setDaemon(true);
        thread.start();
        try {
            return receiver.listening.get(
                    Patience.of(Duration.ofSeconds(START_TIMEOUT_S)).toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            if (shutdown.isInterrupted()) {
                throw ExitCode.INTERRUPTED.failure("Interrupted", e);
            }
            String reason = e instanceof ExecutionException
                    ? IoErrors.reason(IoErrors.rootOf(e))
                    : "it did not listen within " + START_TIMEOUT_S + " s";
            throw ExitCode.UNAVAILABLE.failure("The receiver on this machine did not start: " + reason + ".", e);
        }
    }

    private void keepServing() {
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
        try {
            int code = serve(
                    hosts.onReceiver(),
                    hosts.receiverOptions(listen, directory),
                    Map.of(),
                    hosts.key(),
                    listening::complete,
                    shutdown);
            return code == ExitCode.INTERRUPTED.code() ? INTERRUPTED : "it ended with exit code " + code;
        } catch (LagbenchException e) {
            return e.sentence().replaceFirst("\\.$", "");
        }
    }

    /**
     * Runs a receiver for senders on other hosts, in a JVM with the options for packets, until it ends or this process
     * is interrupted. It ends with this process, and its standard error is that of this process.
     *
     * @param prefix the beginning of its command line
     * @param arguments options of the receiver
     * @param environment variables in addition to those of this process
     * @param key the line for its standard input; null unless the arguments say that it reads its key there
     * @param listening receives the address on which it listens
     * @return its exit code
     */
    public static int serve(
            List<String> prefix,
            List<String> arguments,
            Map<String, String> environment,
            @Nullable String key,
            Consumer<Endpoint> listening,
            ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                ChildJvm.command(JvmOptions.NONE, ProgramArguments.RECEIVER, ProgramArguments.server(arguments)));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        builder.environment().putAll(environment);
        try {
            Process process = builder.start();
            Runnable destroy = process.toHandle()::destroy; // Process.destroy would also close the output read below
            shutdown.onInterrupt(destroy);
            if (key != null) {
                process.outputWriter(StandardCharsets.US_ASCII)
                        .append(key)
                        .append('\n')
                        .flush();
            }
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    ProgramEvent event = ProgramEvent.parse(line);
                    if (event != null && event.kind() == ProgramEvent.Kind.LISTENING) {
                        listening.accept(Endpoint.parse(event.value()));
                    }
                }
                return process.waitFor();
            } finally {
                shutdown.forget(destroy);
            }
        } catch (IOException e) {
            throw ChildFailure.notStarted("The receiver cannot be started", e);
        }
    }
}
