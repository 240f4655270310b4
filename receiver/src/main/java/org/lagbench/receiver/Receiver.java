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
            "Without --key-file the receiver listens on this machine's loopback addresses only."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:everything asked for was done",
            "1:an internal error of lagbench",
            "2:invalid command line, or a sender's run with an invalid setting",
            "3:a sender's run was refused",
            "4:an address other than loopback without a key, or an invalid key file",
            "5:the address cannot be used, or this machine lacks what a run needs",
            "6:a run broke; its stamps are kept",
            "7:a file cannot be written",
            "130:interrupted; the stamps are kept"
        })
public final class Receiver implements Callable<Integer> {
    private final ShutdownCoordinator shutdown;

    @Option(
            names = "--listen",
            paramLabel = "HOST:PORT",
            description = "Address for the control connection; port 0 selects a free port (default: ${DEFAULT-VALUE}).")
    private String listen = ReceiverConnection.DEFAULT_RECEIVER.toString();

    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "This host's address for packets (default: that of the control connection).")
    private @Nullable String dataHost;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Parent of the directories of the runs (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("received");

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the shared key of the senders; required except on a loopback address.")
    private @Nullable Path keyFile;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "End after this number of runs, with the exit code of the first failure; 0 for no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    @Option(
            names = "--end-with-stdin",
            hidden = true,
            description = "End when the standard input ends, as it does when the parent process dies.")
    private boolean endWithStandardInput;

    Receiver(ShutdownCoordinator shutdown) {
        this.shutdown = shutdown;
    }

    @Override
    public Integer call() throws LagbenchException {
        if (endWithStandardInput) {
            shutdown.endWithStandardInput();
        }
        if (runs < 0) {
            throw new LagbenchException(ExitCode.USAGE, "--runs: " + runs + " is below the minimum of 0.");
        }
        SharedKey key = keyFile == null ? null : SharedKey.read(keyFile);
        try (ReceiverServer server = ReceiverServer.listen(
                Endpoint.ofOption("--listen", listen), key, dataHost, directory, chrony.client())) {
            // A parent process that ends its receiver interrupts the sender as well.
            String message = endWithStandardInput ? "Interrupted" : "The receiver was interrupted";
            shutdown.onInterrupt(() -> server.interrupt(message));
            System.out.println("listening on " + server.endpoint());
            System.out.flush();
            return server.serve(runs == 0 ? Long.MAX_VALUE : runs).code();
        }
    }

    /** Runs the receiver and exits. */
    public static void main(String[] arguments) {
        ShutdownCoordinator.run(shutdown -> commandLine(shutdown).execute(arguments));
    }

    /** Returns the command line of a receiver. */
    static CommandLine commandLine(ShutdownCoordinator shutdown) {
        return ProgramCommandLine.of(new Receiver(shutdown));
    }
}
