package org.lagbench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.cli.bus.BusDaemon;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.native1394.VirtualBus;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** {@code lagbench bus}: a virtual IEEE-1394 bus for any program that uses libraw1394 or /dev/fw*. */
@Command(
        name = "bus",
        sortOptions = false,
        description = {
            "Run a virtual IEEE-1394 bus, and print how to run any other program on it, until Ctrl-C.",
            "With a command, run that on the bus and end with its exit code.",
            "",
            "A sweep needs none of this: it starts a bus of its own where a machine has none."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  lagbench bus                         leave it running; paste what it prints into another terminal",
            "  lagbench bus testlibraw              one program on a bus of its own",
            "  lagbench bus --nodes 3 bash          a shell whose programs are all on the bus"
        })
final class BusCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private Lagbench lagbench;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Option(
            names = "--nodes",
            paramLabel = "N",
            description = "Nodes on the bus, 2 to 16, each with a device file and a port of its own "
                    + "(default: ${DEFAULT-VALUE}).")
    private int nodes = 2;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Where the bus is; the daemon makes it if need be (default: a new one for temporary files).")
    private @Nullable Path directory;

    @Parameters(arity = "0..*", paramLabel = "COMMAND", description = "A program with its arguments.")
    private List<String> command = new ArrayList<>();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        if (nodes < 2 || nodes > 16) {
            throw new LagbenchException(ExitCode.USAGE, "--nodes " + nodes + ": a bus has 2 to 16 nodes.");
        }
        try (VirtualBus bus = directory == null ? VirtualBus.create() : VirtualBus.in(directory);
                BusDaemon daemon = BusDaemon.start(bus, nodes)) {
            if (command.isEmpty()) {
                print(bus, spec.commandLine().getOut());
                lagbench.interruption().onInterrupt(daemon::terminate);
                daemon.awaitEnd();
                return ExitCode.OK.code();
            }
            return run(bus);
        }
    }

    private static void print(VirtualBus bus, PrintWriter out) {
        out.println("A program is on the bus with these in its environment:");
        out.println();
        bus.environment().forEach((name, value) -> out.println("  export " + name + "=" + quoted(value)));
        out.println();
        out.println("Or for one program alone, such as testlibraw of the package libraw1394-tools:");
        out.println();
        out.println("  env "
                + bus.environment().entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + quoted(entry.getValue()))
                        .collect(Collectors.joining(" "))
                + " testlibraw");
        out.println();
        out.println("Ctrl-C ends the bus.");
        out.flush();
    }

    private int run(VirtualBus bus) throws LagbenchException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().putAll(bus.environment());
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new LagbenchException(
                    ExitCode.USAGE, command.get(0) + " cannot be run: " + reason.getMessage() + ".", e);
        }
        lagbench.interruption().onInterrupt(process::destroy);
        return process.waitFor();
    }

    /** As a shell reads it as one word. */
    private static String quoted(String value) {
        return value.matches("[A-Za-z0-9_./:=,@%+-]*") ? value : "'" + value.replace("'", "'\\''") + "'";
    }
}
