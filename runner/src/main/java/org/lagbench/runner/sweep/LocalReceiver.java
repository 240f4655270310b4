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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.lagbench.control.Access;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Patience;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.LocalEnd;
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
        Endpoint listen = hosts.listen();
        try {
            while (!shutdown.isInterrupted()) {
                String end = run(listen);
                if (listening.completeExceptionally(new IllegalStateException(end))
                        || (end.equals(INTERRUPTED) && !hosts.equals(Hosts.LOOPBACK))) { // its lab has ended
                    return;
                }
                listen = listening.join();
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
    private String run(Endpoint listen) throws InterruptedException {
        try {
            SideMessage.Serve request = new SideMessage.Serve(
                    listen,
                    Access.of(hosts.key(), Access.Grant.DEFAULT),
                    new LocalEnd(hosts.dataHost(), 0, null),
                    directory.toString(),
                    ClockPolicy.DEFAULT.chrony(),
                    true,
                    0,
                    List.of());
            int code = serve(hosts.onReceiver(), request, listening::complete, shutdown);
            return code == ExitCode.INTERRUPTED.code() ? INTERRUPTED : "it ended with exit code " + code;
        } catch (LagbenchException e) {
            return e.sentence().replaceFirst("\\.$", "");
        }
    }

    /**
     * Runs a receiver for hosts that connect, and that may request senders here, until it ends or this process is
     * interrupted. Its JVM has the options for packets. It ends with this process, and its standard error is that of
     * this process.
     *
     * @param prefix the beginning of its command line
     * @param request what it serves
     * @param listening receives the address on which it listens
     * @return its exit code
     */
    public static int serve(
            List<String> prefix, SideMessage.Serve request, Consumer<Endpoint> listening, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(ChildJvm.command(
                JvmOptions.NONE,
                ProgramArguments.RECEIVER,
                SideRequests.servingArguments(Path.of(request.directory()))));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
        try {
            Process process = builder.start();
            Runnable destroy = process.toHandle()::destroy; // Process.destroy would also close the output read below
            shutdown.onInterrupt(destroy);
            SidePipe.write(
                    process,
                    request.withSenders(ChildJvm.command(JvmOptions.NONE, ProgramArguments.SENDER, List.of())));
            try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = output.readLine(); line != null; line = output.readLine()) {
                    if (SidePipe.parse(line) instanceof SideMessage.Listening at) {
                        listening.accept(at.address());
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
