package org.lagbench.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.commandline.ExperimentOptions;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.experiment.SettingAxes;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.MachineCheck;
import org.lagbench.runner.sweep.SessionDirectory;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The arguments of the commands that execute the runs of an experiment file, or resume a session. */
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
            description = "Continue this session directory: execute only its missing runs.")
    private @Nullable Path resume;

    @Mixin
    private final ResumeArguments resumed = new ResumeArguments();

    @Mixin
    private final SessionArguments session = new SessionArguments();

    /**
     * Opens the session to resume, or creates one; see {@link SessionArguments#begin}. A new session leaves out the
     * transports that this installation cannot use. If it can use none of them, the session keeps all.
     *
     * @param err receives a line for each transport that is left out
     */
    Execution begin(Reader reader, boolean skipUnavailable, PrintWriter err, ShutdownCoordinator shutdown)
            throws LagbenchException {
        if (resume != null) {
            Subcommand.require(
                    file == null && overrides.isEmpty(),
                    "--resume uses the session's own experiment: omit the file and --set.");
            SessionDirectory opened = SessionDirectory.open(resume);
            Experiment experiment = reader.read(opened.experimentFile(), List.of());
            resumed.check(opened.directory(), experiment.files(), experiment.hosts(), err);
            return session.begin(opened, experiment, keyOf(experiment), skipUnavailable, shutdown);
        }
        Path source = file;
        if (source == null) {
            throw ExitCode.USAGE.failure("Name an experiment file, such as configs/quickstart.yaml, or --resume DIR.");
        }
        Experiment experiment = reader.read(source, overrides);
        if (experiment.sendsFile()) {
            ResumeArguments.print(source, experiment.files(), experiment.hosts(), err);
        }
        Optional<String> usable = withoutUnusable(experiment, err);
        if (usable.isPresent()) {
            List<String> values = new ArrayList<>(overrides);
            values.add(usable.get());
            experiment = reader.read(source, values);
        }
        return session.begin(null, experiment, keyOf(experiment), skipUnavailable, shutdown);
    }

    /**
     * Returns the key of the experiment's receiver; null for none. A sweep may have no terminal, so it does not ask.
     */
    private static @Nullable SharedKey keyOf(Experiment experiment) throws LagbenchException {
        return experiment.path().receiver() == null
                ? null
                : SharedKey.find(experiment.path().keyFile());
    }

    /** Returns whether the user's file or options name what runs observe. False for a session to resume. */
    boolean isObserveSet() throws LagbenchException {
        return ObservationNotes.isObserveSet(overrides)
                || (file != null && ExperimentReader.names(file, ObservedSource.KEY));
    }

    /** Returns the key and value for the usable transports; empty if all transports are usable, or none is. */
    private static Optional<String> withoutUnusable(Experiment experiment, PrintWriter err) {
        Map<String, String> unusable = MachineCheck.unusableTransports(experiment);
        List<String> remaining = experiment.axes().transports().stream()
                .map(SettingAxes::name)
                .filter(name -> !unusable.containsKey(name))
                .toList();
        if (unusable.isEmpty() || remaining.isEmpty()) {
            return Optional.empty();
        }
        unusable.forEach((name, reason) -> err.println("lagbench: without " + name + ": " + reason));
        return Optional.of("transports=" + remaining);
    }

    /** Returns whether an argument that names a file or a host names a file. */
    static boolean isFile(String name) {
        return name.endsWith(".yaml") || name.endsWith(".yml") || Files.exists(Path.of(name));
    }

    /** Reads an experiment from a file and applies overrides of the form {@code key=value}. */
    interface Reader {
        Experiment read(Path file, List<String> overrides) throws LagbenchException;
    }

    /** The option by which a user accepts any JVM options in an experiment. */
    static final class JvmArguments {
        @Option(
                names = ExperimentReader.ALLOW_JVM_OPTIONS,
                description =
                        "Accept any JVM options in the key jvm, also those that load code, open ports or write files."
                                + " Give it only for experiments that you trust.")
        private boolean anyJvmOptions;

        ExperimentReader reader() {
            return new ExperimentReader(Transports.load(), Engines.load(), anyJvmOptions);
        }
    }
}
