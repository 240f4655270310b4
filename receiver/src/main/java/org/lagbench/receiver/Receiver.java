package org.lagbench.receiver;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.lagbench.commandline.ProgramCommandLine;
import org.lagbench.commandline.ReceiverOptions;
import org.lagbench.control.Access;
import org.lagbench.control.ControlMessage;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.ProgramEvent;
import org.lagbench.core.run.RequestedRuns;
import org.lagbench.core.run.StartGate;
import org.lagbench.core.text.Endpoint;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The receiver: accepts senders, receives their packets, and writes a capture of each run. */
@Command(
        name = "receiver",
        description = "Wait for lagbench senders, stamp their packets and keep a capture of each run.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  scripts/receiver",
            "  scripts/receiver --listen 192.0.2.7:5394 --key-file ~/lagbench.key \\",
            "      --directory received",
            "",
            "Without a key the receiver listens on this machine's loopback addresses only."
        })
public final class Receiver implements Callable<Integer> {
    private final ShutdownCoordinator shutdown;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for the control connection; port 0 selects a free port (default: ${DEFAULT-VALUE}).")
    private String listen = Endpoint.DEFAULT_RECEIVER.toString();

    @Mixin
    private final ReceiverOptions options = new ReceiverOptions();

    @Option(
            names = "--end-with-stdin",
            hidden = true,
            description = "End when the standard input ends, as it does when the parent process dies.")
    private boolean endWithStandardInput;

    @Option(
            names = "--key-on-stdin",
            hidden = true,
            description = "The first line of the standard input is the shared key. Implies --end-with-stdin.")
    private boolean keyOnStandardInput;

    @Option(names = "--events", hidden = true, description = "Print events for the parent process, as lines of JSON.")
    private boolean printsEvents;

    @Option(
            names = "--sender-command",
            hidden = true,
            paramLabel = "WORD",
            description = "The beginning of the command line of senders that other hosts request; one word per option.")
    private List<String> senderCommand = new ArrayList<>();

    @Option(
            names = "--senders-elsewhere",
            hidden = true,
            description = "The senders are on other hosts; report an interruption of this receiver.")
    private boolean sendersElsewhere;

    Receiver(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws LagbenchException {
        // the log of a run that a parent process requests has the ms since its start, which takes less time to load
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
        SharedKey key = keyOnStandardInput ? readKey() : SharedKey.find(options.keyFile());
        if (endWithStandardInput && !keyOnStandardInput) {
            shutdown.endWithStandardInput();
        }
        int runs = options.runs();
        Access access = options.access(key);
        if (senderCommand.isEmpty()
                && access.permissions().stream()
                        .anyMatch(permission -> permission.grants().contains(Access.Grant.SEND_TO_OTHERS))) {
            throw ExitCode.USAGE.failure("--allow " + Access.Grant.SEND_TO_OTHERS.text()
                    + ": the receiver cannot send; start lagbench serve, which can.");
        }
        try (ReceiverServer server = new ReceiverServer(
                Endpoint.ofOption("--listen", listen),
                access,
                options.local(),
                options.directory(),
                options.chrony().client(),
                new SenderPrograms(
                        senderCommand, options.keyFile(), options.chrony().endpoint()))) {
            if (options.keepsNoStamps()) {
                server.keepNoStamps();
            }
            shutdown.onInterrupt(() -> server.interrupt(whyInterrupted()));
            return serve(
                            server,
                            runs == 0 ? Long.MAX_VALUE : runs,
                            printsEvents ? ProgramEvent::print : ProgramEvent::printText)
                    .code();
        }
    }

    private static ExitCode serve(ReceiverServer server, long runs, Consumer<ProgramEvent> events)
            throws LagbenchException {
        events.accept(
                new ProgramEvent(ProgramEvent.Kind.LISTENING, server.endpoint().toString()));
        ExitCode outcome = server.serve(runs);
        LagbenchException failure = server.failure();
        if (failure != null) {
            throw failure;
        }
        return outcome;
    }

    /** Executes a run that the parent process requests, with the sender on this host or another one. */
    private static ExitCode execute(RequestedRuns.Request request, StartGate startGate, ShutdownCoordinator shutdown)
            throws LagbenchException {
        if (request.listen() == null) {
            return ReceiverCall.execute(request, startGate, shutdown);
        }
        SharedKey key = request.sharedKey();
        try (ReceiverServer server = new ReceiverServer(
                Endpoint.parse(request.listen()),
                Access.of(key, Access.Grant.DEFAULT),
                request.local(),
                Path.of(request.directory()),
                new ChronyClient(Endpoint.parse(request.chrony()).resolve()),
                new SenderPrograms(List.of(), request.keyPath(), request.chrony()))) {
            shutdown.onInterrupt(() ->
                    server.interrupt(new ControlMessage.Refused(ControlMessage.Refusal.INTERRUPTED, "Interrupted")));
            return serve(server, 1, ProgramEvent::print);
        }
    }

    private ControlMessage.Refused whyInterrupted() {
        if (sendersElsewhere && shutdown.isOrphaned()) {
            return new ControlMessage.Refused(
                    ControlMessage.Refusal.FAILED, "The receiver ended because its parent process died");
        }
        // A parent process that ends its receiver interrupts the sender as well.
        boolean isWithSender = endWithStandardInput && !sendersElsewhere;
        return new ControlMessage.Refused(
                ControlMessage.Refusal.INTERRUPTED, isWithSender ? "Interrupted" : "The receiver was interrupted");
    }

    private SharedKey readKey() throws LagbenchException {
        CompletableFuture<String> first = new CompletableFuture<>();
        shutdown.onInterrupt(() -> first.complete(""));
        shutdown.endWithStandardInput(first::complete);
        return SharedKey.parse("The standard input", first.join());
    }

    /** Runs the receiver and exits. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown -> RequestedRuns.isRequested(arguments)
                ? new RequestedRuns().executeAll((request, gate) -> execute(request, gate, shutdown), shutdown)
                : commandLine(shutdown).execute(arguments));
    }

    static CommandLine commandLine(ShutdownCoordinator shutdown) {
        return ProgramCommandLine.of(new Receiver(shutdown));
    }
}
