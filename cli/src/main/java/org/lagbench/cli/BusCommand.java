package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ChildFailure;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.Uninterruptibly;
import org.lagbench.native1394.VirtualBus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench bus}: a virtual IEEE-1394 bus for any program that uses libraw1394 or /dev/fw*. */
@Listed(in = HelpSection.HOSTS, order = 40)
@Command(
        name = "bus",
        description = {
            "Run a virtual IEEE-1394 bus until Ctrl-C, and print how to run other programs on it.",
            "With a command, run only that command on the bus and end with its exit code.",
            "",
            "A sweep does not need this command: it starts its own bus on a machine without one."
        },
        footer = {
            "  lagbench bus                         keep a bus running; paste what it prints into another terminal",
            "  lagbench bus testlibraw              run one program on a new bus",
            "  lagbench bus --nodes 3 bash          run a shell whose programs all use the bus"
        })
public final class BusCommand extends Subcommand {
    private static final long GRACE_S = 5;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Number of nodes, 2 to 16; each has a device file and a port (default: ${DEFAULT-VALUE}).")
    private int nodes = 2;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Directory of the bus, created if necessary (default: a new temporary directory).")
    private @Nullable Path directory;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "A program with its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        require(nodes >= 2 && nodes <= 16, "--nodes " + nodes + ": a bus has 2 to 16 nodes.");
        try (VirtualBus bus = directory == null ? VirtualBus.create() : VirtualBus.in(directory)) {
            Process daemon = startDaemon(bus);
            try {
                if (command.isEmpty()) {
                    printUsage(bus);
                    shutdown().onInterrupt(() -> terminate(daemon));
                    int code = daemon.waitFor();
                    if (code != ExitCode.OK.code() && !ChildFailure.isInterrupted(code)) {
                        throw ExitCode.BROKEN.failure("The virtual bus ended " + ChildFailure.ending(code, "") + ".");
                    }
                    return ExitCode.OK.code();
                }
                ProcessBuilder builder = new ProcessBuilder(command);
                builder.environment().putAll(bus.environment());
                return runProgram(builder, ExitCode.USAGE);
            } finally {
                terminate(daemon);
                Uninterruptibly.awaitEnd(daemon);
            }
        }
    }

    private void printUsage(VirtualBus bus) {
        PrintWriter out = out();
        List<String> variables = bus.environment().entrySet().stream()
                .map(variable -> variable.getKey() + "=" + quoted(variable.getValue()))
                .toList();
        out.println("Programs with these environment variables use the bus:\n");
        variables.forEach(variable -> out.println("  export " + variable));
        out.println("\nTo run a single program on it, such as testlibraw of the package libraw1394-tools:\n");
        out.println("  env " + String.join(" ", variables) + " testlibraw");
        out.println("\nPress Ctrl-C to end the bus.");
    }

    /** Quotes a value so that a shell reads it as one word. */
    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9_./:=,@%+-]*") ? value : "'" + value.replace("'", "'\\''") + "'";
    }

    /** Starts the daemon, which ends with this process, and returns when programs can use the bus. */
    private Process startDaemon(VirtualBus bus) throws LagbenchException {
        List<String> arguments = List.of(
                bus.daemon().toString(),
                "--foreground",
                "--end-with-stdin",
                "--directory",
                bus.directory().toString(),
                "--nodes",
                Integer.toString(nodes));
        try {
            Process daemon = new ProcessBuilder(arguments)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            if (daemon.inputReader().readLine() == null) {
                throw ChildFailure.ended(
                        daemon, ExitCode.UNAVAILABLE, "The virtual bus in " + bus.directory() + " did not start.");
            }
            return daemon;
        } catch (IOException e) {
            throw ChildFailure.notStarted("The virtual bus cannot be started", e);
        }
    }

    /** Sends SIGTERM to the daemon, and kills it if it still runs after {@value #GRACE_S} s. Does not wait. */
    private static void terminate(Process daemon) {
        daemon.destroy();
        daemon.onExit().orTimeout(GRACE_S, TimeUnit.SECONDS).exceptionally(late -> daemon.destroyForcibly());
    }
}
