package org.lagbench.receiver;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.lagbench.commandline.ProgramCommandLine;
import org.lagbench.commandline.ReceiverOptions;
import org.lagbench.control.Access;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.control.SideMessage;
import org.lagbench.control.SidePipe;
import org.lagbench.control.SideRequests;
import org.lagbench.control.StartGate;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
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
            paramLabel = "HOST[:PORT]",
            description = "Address for the control connection; port 0 selects a free port (default: ${DEFAULT-VALUE}).")
    private String listen = Endpoint.DEFAULT_RECEIVER.toString();

    @Mixin
    private final ReceiverOptions options = new ReceiverOptions();

    @Option(
            names = "--end-with-stdin",
            description = "End when the standard input ends, as it does when the program dies that has started it.")
    private boolean endWithStandardInput;

    Receiver(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws LagbenchException {
        if (endWithStandardInput) {
            shutdown.endWithStandardInput();
        }
        SideMessage.Serve request = options.request(
                Endpoint.ofOption("--listen", listen, Endpoint.DEFAULT_RECEIVER.port()),
                SharedKey.find(options.keyFile()));
        if (request.access().permissions().stream()
                .anyMatch(permission -> permission.grants().contains(Access.Grant.SEND_TO_OTHERS))) {
            throw ExitCode.USAGE.failure("--allow " + Access.Grant.SEND_TO_OTHERS.text()
                    + ": the receiver cannot send; start lagbench serve, which can.");
        }
        String interrupted = endWithStandardInput ? "Interrupted" : "The receiver was interrupted";
        return serve(request, () -> new ControlMessage.Refused(Refusal.INTERRUPTED, interrupted), SidePipe::printText)
                .code();
    }

    private ExitCode serve(
            SideMessage.Serve request, Supplier<ControlMessage.Refused> why, Consumer<SideMessage.Event> events)
            throws LagbenchException {
        // the log of a run that a parent process requests has the ms since its start, which takes less time to load
        System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
        SharedKey key = request.access().permissions().get(0).key();
        try (ReceiverServer server = new ReceiverServer(
                request.listen(),
                request.access(),
                request.local(),
                Path.of(request.directory()),
                new ChronyClient(request.chrony().resolve()),
                new SenderPrograms(request.senderCommand(), key, request.chrony()))) {
            if (!request.keepsStamps()) {
                server.keepNoStamps();
            }
            shutdown.onInterrupt(() -> server.interrupt(why.get()));
            return serve(server, request.runs() == 0 ? Long.MAX_VALUE : request.runs(), events);
        }
    }

    private static ExitCode serve(ReceiverServer server, long runs, Consumer<SideMessage.Event> events)
            throws LagbenchException {
        events.accept(new SideMessage.Listening(server.endpoint()));
        ExitCode outcome = server.serve(runs);
        LagbenchException failure = server.failure();
        if (failure != null) {
            throw failure;
        }
        return outcome;
    }

    /** Executes what the parent process requests. */
    private ExitCode execute(SideMessage.Request request, StartGate startGate) throws LagbenchException {
        if (request instanceof SideMessage.ReceiveFrom call) {
            return ReceiverCall.execute(call, startGate, shutdown);
        } else if (request instanceof SideMessage.Receive receive) {
            return receive(receive);
        } else if (request instanceof SideMessage.Serve serve) {
            return serve(serve, this::whyInterrupted, SidePipe::print);
        }
        throw new IllegalArgumentException("a receiver cannot " + request);
    }

    /** Receives a run whose sender has the same parent process, which ends both. */
    private ExitCode receive(SideMessage.Receive request) throws LagbenchException {
        SharedKey key = request.run().key();
        try (ReceiverServer server = new ReceiverServer(
                request.listen(),
                Access.of(key, Access.Grant.DEFAULT),
                request.local(),
                Path.of(request.run().directory()),
                request.run().chronyClient(),
                new SenderPrograms(List.of(), key, request.run().chrony()))) {
            shutdown.onInterrupt(
                    () -> server.interrupt(new ControlMessage.Refused(Refusal.INTERRUPTED, "Interrupted")));
            return serve(server, 1, SidePipe::print);
        }
    }

    /** Returns what senders on other hosts read when this receiver ends. */
    private ControlMessage.Refused whyInterrupted() {
        return shutdown.isOrphaned()
                ? new ControlMessage.Refused(Refusal.FAILED, "The receiver ended because its parent process died")
                : new ControlMessage.Refused(Refusal.INTERRUPTED, "The receiver was interrupted");
    }

    /** Runs the receiver and exits. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown -> SideRequests.areRequested(arguments)
                ? new SideRequests(shutdown).executeAll(new Receiver(shutdown)::execute)
                : commandLine(shutdown).execute(arguments));
    }

    static CommandLine commandLine(ShutdownCoordinator shutdown) {
        return ProgramCommandLine.of(new Receiver(shutdown));
    }
}
