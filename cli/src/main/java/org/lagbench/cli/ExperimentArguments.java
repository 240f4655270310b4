package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.yaml.Experiment;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.SessionDirectory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of the commands that make the runs of an experiment file, or resume a session. */
final class ExperimentArguments {
    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The experiment; see configs/reference.yaml.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            completionCandidates = ExperimentOptions.Keys.class,
            description = "Override a key of the file: packets=1000, udp.receive-buffer=4MiB, packet-bytes=[24,992],"
                    + " tune.loss=1%%. May be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue this session directory: make only its missing runs.")
    private @Nullable Path resume;

    @Mixin
    private final SessionArguments session = new SessionArguments();

    /** Creates a session, or opens the session to resume; see {@link SessionArguments#create}. */
    Execution begin(Reader reader, boolean skipUnavailable, ShutdownCoordinator shutdown) throws LagbenchException {
        if (resume != null) {
            Subcommand.require(
                    file == null && overrides.isEmpty(),
                    "--resume uses the session's own experiment: omit the file and --set.");
            SessionDirectory resumed = SessionDirectory.open(resume);
            return session.open(
                    resumed, values -> reader.read(resumed.experimentFile(), values), skipUnavailable, shutdown);
        }
        Path source = file;
        if (source == null) {
            throw new LagbenchException(
                    ExitCode.USAGE, "Name an experiment file, such as configs/quickstart.yaml, or --resume DIR.");
        }
        return session.create(values -> reader.read(source, values), overrides, Map.of(), skipUnavailable, shutdown);
    }

    /** Returns whether an argument that names a file or a host names a file. */
    static boolean isFile(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml") || Files.exists(Path.of(name));
    }

    /** Reads an experiment from a file and applies overrides of the form {@code key=value}. */
    interface Reader {
        Experiment read(Path file, List<String> overrides) throws LagbenchException;
    }
}
