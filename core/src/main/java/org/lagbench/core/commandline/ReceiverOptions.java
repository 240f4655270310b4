package org.lagbench.core.commandline;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.control.SharedKey;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a receiver except its address, also those of {@code lagbench serve}; a picocli mixin. */
public final class ReceiverOptions {
    @Option(
            names = "--data-host",
            paramLabel = "HOST",
            description = "This host's address for packets (default: that of the control connection).")
    private @Nullable String dataHost;

    @Option(
            names = "--directory",
            paramLabel = "DIR",
            description = "Parent of the directories with this side's stamps, one per run (default: ${DEFAULT-VALUE}).")
    private Path directory = Path.of("received");

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the shared key of the senders (default: the variable " + SharedKey.VARIABLE
                    + "); a key is required except on a loopback address.")
    private @Nullable Path keyFile;

    @Option(
            names = "--runs",
            paramLabel = "N",
            description = "End after this number of runs, with the exit code of the first failure; 0 for no limit"
                    + " (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(
            names = "--agent",
            description = "Also send to other hosts with the same key, if lagbench matrix requests it; requires a key.")
    private boolean agent;

    @Mixin
    private final ChronyOption chrony = new ChronyOption();

    /** Returns this host's address for packets; null for that of the control connection. */
    public @Nullable String dataHost() {
        return dataHost;
    }

    /** Returns the parent of the directories of the runs. */
    public Path directory() {
        return directory;
    }

    /** Returns the file with the shared key; null if none is given. */
    public @Nullable Path keyFile() {
        return keyFile;
    }

    /**
     * Returns the number of runs after which the receiver ends; 0 for no limit.
     *
     * @throws LagbenchException if it is negative
     */
    public int runs() throws LagbenchException {
        if (runs < 0) {
            throw new LagbenchException(ExitCode.USAGE, "--runs: " + runs + " is below the minimum of 0.");
        }
        return runs;
    }

    /**
     * Returns whether the receiver also sends to other hosts on request.
     *
     * @param key the shared key; null for none
     * @throws LagbenchException if it would do so for anyone
     */
    public boolean isAgent(@Nullable SharedKey key) throws LagbenchException {
        if (agent && key == null) {
            throw new LagbenchException(
                    ExitCode.KEY, "--agent requires a key: lagbench serve --new-key makes one, --key-file names one.");
        }
        return agent;
    }

    /** Returns the option for this host's chronyd. */
    public ChronyOption chrony() {
        return chrony;
    }

    /** Returns the options for the command line of a receiver with the same options. */
    public List<String> arguments() throws LagbenchException {
        List<String> arguments = new ArrayList<>(List.of(
                "--directory", directory.toString(),
                "--runs", Integer.toString(runs()),
                "--chrony", chrony.endpoint()));
        if (dataHost != null) {
            arguments.addAll(List.of("--data-host", dataHost));
        }
        if (keyFile != null) {
            arguments.addAll(List.of("--key-file", keyFile.toString()));
        }
        if (agent) {
            arguments.add("--agent");
        }
        return arguments;
    }
}
