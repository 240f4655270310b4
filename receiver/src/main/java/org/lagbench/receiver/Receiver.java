package org.lagbench.receiver;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.commandline.ChronyOption;
import org.lagbench.core.commandline.ProgramCommandLine;
import org.lagbench.core.control.ReceiverConnection;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The receiver: waits for senders, takes their packets, keeps a capture of each run. */
@Command(
        name = "receiver",
        description = "Waits for lagbench senders, stamps their packets and keeps a capture of each run.",
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  scripts/receiver",
            "  scripts/receiver --listen 192.0.2.7:5394 --key-file ~/lagbench.key \\",
            "      --directory received",
            "",
            "Without --key-file the receiver listens on this machine's loopback addresses only."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything requested was done",
            "1:an error in lagbench",
            "2:wrong command line, or a sender's run with a wrong setting",
            "3:a sender's run was refused",
            "4:another address than loopback without a key, or an unfit key file",
            "5:the address cannot be listened on, or this machine lacks what a run needs",
            "6:a run failed; its stamps so far are kept",
            "7:a file could not be written",
            "130:interrupted; the stamps so far are kept"
        })
public final class Receiver implements Callable<Integer> {
    private final ShutdownCoordinator interruption;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for the control connection; port 0 takes a free one (default: ${DEFAULT-VALUE}).")
    private String listen = ReceiverConnection.DEFAULT_RECEIVER.toString();

    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "This host's address for the packets, where they shall take another way than the control"
                    + " connection. Senders are told.")
    private @Nullable String dataHost;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where captures are kept, a directory a run (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("received");

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The key that senders must have too; needed to listen elsewhere than on loopback.")
    private @Nullable Path keyFile;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "End after so many runs, with the exit code of the first that failed;"
                    + " 0 goes on for ever (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--end-with-stdin",
            hidden = true,
            description = "End when the standard input ends, as when the parent process dies.")
    private boolean endWithStandardInput;

    Receiver(ShutdownCoordinator interruption) {
        this.interruption = interruption;
    }

    @Override
    public Integer call() throws LagbenchException {
        if (endWithStandardInput) {
            interruption.endWithStandardInput();
        }
        if (runs < 0) {
            throw new LagbenchException(ExitCode.USAGE, "--runs " + runs + " is not accepted; it takes 0 or more.");
        }
        SharedKey key = keyFile == null ? null : SharedKey.read(keyFile);
        try (ReceiverServer server = ReceiverServer.listen(
                Endpoint.ofOption("--listen", listen), key, dataHost, directory, chrony.client())) {
            Runnable stop = () -> server.interrupt(interruptedWho());
            interruption.onInterrupt(stop);
            System.out.println("listening on " + server.endpoint());
            System.out.flush();
            return server.serve(runs == 0 ? Long.MAX_VALUE : runs).code();
        }
    }

    /** A receiver that ends with its parent process is interrupted together with the sender. */
    private String interruptedWho() {
        return endWithStandardInput ? "Interrupted" : "The receiver was interrupted";
    }

    /** Starts the receiver; ends the process. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(interruption -> commandLine(interruption).execute(arguments));
    }

    /** The command line of a receiver. */
    static CommandLine commandLine(ShutdownCoordinator interruption) {
        return ProgramCommandLine.of(new Receiver(interruption));
    }
}
