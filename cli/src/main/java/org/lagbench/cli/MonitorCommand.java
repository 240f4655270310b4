package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.forecast.SeriesSummary;
import org.lagbench.commandline.ExperimentOptions;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.SessionId;
import org.lagbench.core.text.Endpoint;
import org.lagbench.core.timeseries.SeriesStore;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import org.lagbench.report.page.MonitorReportFile;
import org.lagbench.report.page.ReportFile;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.RequirementReport;
import org.lagbench.report.table.SeriesTable;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.monitor.Monitor;
import org.lagbench.runner.monitor.MonitorSession;
import org.lagbench.runner.monitor.ProbeCost;
import org.lagbench.runner.monitor.Turn;
import org.lagbench.runner.sweep.RunLab;
import org.lagbench.runner.sweep.SessionDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench monitor}: probes a path on a schedule and records series of its metrics. */
@Listed(in = HelpSection.MEASURE, order = 70)
@Command(
        name = "monitor",
        description = {
            "Probe the path to one or several receivers on a schedule, and record a series of each figure: by default"
                    + " the round trip with and without Nagle's algorithm, the throughput, lag and loss of a burst, and"
                    + " the load of the receiver's host, every 12 s for 24 hours.",
            "",
            "Prints the values of each turn, and at the end their table. Tables, reports and forecasts of the session"
                    + " can be made at any time, also while it is recorded."
        },
        footer = {
            "  lagbench monitor 192.0.2.7 --key-file ~/lagbench.key",
            "  lagbench monitor configs/krintz-wolski-javanws.yaml",
            "  lagbench monitor weather.yaml --resume weather      begins or continues the session there",
            "  lagbench table results/monitor-20260101T120000Z"
        })
public final class MonitorCommand extends Subcommand {
    /** The rounds whose summary is far from the time that an interrupted program has to end. */
    private static final long MAX_SUMMARIZED = 100_000;

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE|HOST[:PORT]",
            description = "Experiment file, or host where lagbench serve runs; port 5394 unless given.")
    private @Nullable String source;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            description = "Time between two values of a series; the same as --set monitor.every=TIME.")
    private @Nullable String every;

    @Option(
            names = "--for",
            paramLabel = "TIME",
            description = "How long to monitor: 24h, 7d or unlimited; the same as --set monitor.for=TIME.")
    private @Nullable String length;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            completionCandidates = ExperimentOptions.Keys.class,
            description = "Replace the value of a key of the experiment; may be repeated.")
    private List<String> overrides = new ArrayList<>();

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "File with the shared key; the same as --set key-file=FILE.")
    private @Nullable Path keyFile;

    @Option(
            names = "--output",
            paramLabel = "DIR",
            description = "Parent of the new session directory (default: ${DEFAULT-VALUE}).")
    private Path output = Path.of(SessionArguments.DEFAULT_OUTPUT);

    @Option(
            names = "--resume",
            paramLabel = "DIR",
            description = "Continue the series of the session in DIR; with FILE or HOST, start a new session there"
                    + " if there is none.")
    private @Nullable Path resume;

    @Mixin
    private final ExperimentArguments.JvmArguments jvm = new ExperimentArguments.JvmArguments();

    @Mixin
    private final ResumeArguments resumed = new ResumeArguments();

    @Mixin
    private final RequireArguments requirements = new RequireArguments();

    @Mixin
    private final LiveArguments live = new LiveArguments();

    @Option(names = "--quiet", description = "Print no line for each turn, and no table and report at the end.")
    private boolean quiet;

    @Option(names = "--cost", description = "Print the CPU time and the bytes of the probes at the end.")
    private boolean cost;

    @Option(
            names = "--in-lab",
            hidden = true,
            arity = "3",
            paramLabel = "VALUE",
            description =
                    "This process runs on the sender's host of a lab: the address on which the receiver listens, its"
                            + " address for packets, and the file with the shared key.")
    private List<String> inLab = new ArrayList<>();

    @Override
    public Integer call() throws LagbenchException, InterruptedException {
        ExperimentReader reader = jvm.reader();
        boolean isNew = resume == null || !SessionDirectory.isSession(resume);
        if (isNew && source == null) {
            throw ExitCode.USAGE.failure(
                    resume == null
                            ? "Name an experiment file or a host, such as 192.0.2.7, or --resume DIR."
                            : resume + " is not a session directory; name a file or a host to start one there.");
        }
        if (inLab.isEmpty()) {
            Experiment experiment =
                    isNew ? read(reader) : reader.read(openedExperiment(Objects.requireNonNull(resume)));
            if (experiment.path().lab() != null) {
                return monitorInLab(experiment, experiment.path().lab());
            }
            Terminal.warnRoot(err(), "monitor");
        }
        try (SessionDirectory session =
                isNew ? create(read(reader)) : SessionDirectory.open(Objects.requireNonNull(resume))) {
            Experiment experiment = reader.read(session.experimentFile());
            if (!isNew && source != null) {
                requireSame(session, reader);
            } else if (!isNew) {
                resumed.check(session.directory(), experiment.files(), experiment.hosts(), err());
            }
            return monitor(session, experiment).code();
        }
    }

    /** Creates the lab, and runs this command again on the lab's sender until it ends. This process serves the page. */
    private int monitorInLab(Experiment experiment, Network network) throws LagbenchException, InterruptedException {
        Path received = IoErrors.explained(
                "No temporary directory can be created", () -> Files.createTempDirectory("lagbench-received"));
        try {
            return monitorInLab(experiment, network, received);
        } finally {
            FileTree.delete(received); // its receiver has ended with the lab
        }
    }

    private int monitorInLab(Experiment experiment, Network network, Path received)
            throws LagbenchException, InterruptedException {
        try (RunLab lab = new RunLab(network)) {
            Endpoint receiver = lab.startReceiver(received, err(), shutdown());
            lab.beginTimes();
            List<String> arguments =
                    new ArrayList<>(commandLine().getParent().getParseResult().originalArgs());
            Path session = resume;
            if (session == null) {
                try (SessionDirectory created = create(experiment)) {
                    session = created.directory();
                }
                arguments.add("--resume=" + session);
            }
            arguments.addAll(List.of(
                    "--in-lab",
                    receiver.toString(),
                    String.valueOf(lab.hosts().dataHost()),
                    lab.keyFile().toString()));
            ProcessBuilder monitor = new ProcessBuilder(lab.command(arguments));
            try (MonitorPage page = new MonitorPage(live, session, "the lab " + network.name(), out(), err())) {
                if (live.isGiven()) {
                    page.follow();
                }
                return requireNotKilled("The monitor in the lab", runProgram(monitor, ExitCode.INTERNAL));
            }
        }
    }

    private static Path openedExperiment(Path session) throws LagbenchException {
        try (SessionDirectory opened = SessionDirectory.open(session)) {
            return opened.experimentFile();
        }
    }

    /** Reads the experiment. Without a section monitor, its own points are monitored. */
    private Experiment read(ExperimentReader reader) throws LagbenchException {
        String name = String.valueOf(source);
        List<String> values = new ArrayList<>();
        boolean isFile = ExperimentArguments.isFile(name);
        if (!isFile) {
            values.add("receiver=" + Endpoint.ofOption("FILE|HOST[:PORT]", name, Endpoint.DEFAULT_RECEIVER.port()));
        }
        values.addAll(overrides);
        if (every != null) {
            values.add("monitor.every=" + every);
        }
        if (length != null) {
            values.add("monitor.for=" + length);
        }
        if (keyFile != null) {
            values.add("key-file=" + keyFile);
        }
        if (!isFile) {
            values.add(0, "monitor={}");
            return reader.build(commandLine().getCommandName(), values);
        }
        Experiment experiment = reader.read(Path.of(name), overrides);
        if (experiment.monitor() == null) {
            values.add(0, "monitor={probes: points}");
        }
        return reader.read(Path.of(name), values);
    }

    private SessionDirectory create(Experiment experiment) throws LagbenchException {
        if (resume == null) {
            return SessionDirectory.create(output, experiment, Instant.now());
        }
        SessionDirectory created = SessionDirectory.createIn(resume, experiment);
        SessionId.create(resume, Instant.now());
        return created;
    }

    private void requireSame(SessionDirectory session, ExperimentReader reader) throws LagbenchException {
        if (!probed(reader.read(session.experimentFile())).equals(probed(read(reader)))) {
            throw ExitCode.USAGE.failure(
                    session.directory() + " was started with a different experiment; name another directory, or only"
                            + " --resume " + session.directory() + " to continue it.");
        }
    }

    /** Returns an experiment with what its probes observe: nothing if they decide. */
    private static String probed(Experiment experiment) {
        return experiment.withoutAuto().toYaml();
    }

    private ExitCode monitor(SessionDirectory session, Experiment experiment)
            throws LagbenchException, InterruptedException {
        Turn.Access access = new Turn.Access(
                SharedKey.find(inLab.isEmpty() ? experiment.path().keyFile() : Path.of(inLab.get(2))),
                inLab.isEmpty() ? experiment.path().dataHost() : inLab.get(1),
                inLab.isEmpty() ? experiment.path().local() : LocalEnd.ANY,
                !inLab.isEmpty(),
                shutdown());
        Endpoint target = inLab.isEmpty() ? null : Endpoint.ofOption("--in-lab", inLab.get(0));
        MonitorSession monitor = new MonitorSession(session, experiment, target, access, err());
        requirements.check(monitor.series());
        Path directory = session.directory();
        ProbeCost ofProbes = new ProbeCost();
        try (SeriesStore store = new SeriesStore(directory, monitor.series());
                MonitorPage page = new MonitorPage(live, directory, target(experiment), out(), err())) {
            out().println("Session: " + directory);
            out().println(Numbers.grouped(monitor.series().size()) + " series, a value every "
                    + Durations.format(monitor.everyNs()) + ". Press Ctrl-C to end; "
                    + experiment.resumeOptions(directory) + " continues.");
            if (inLab.isEmpty() && live.isGiven()) {
                page.start();
            }
            monitor.run(store, new Monitor.Lines(quiet ? null : out(), err()), ofProbes);
        } finally {
            if (cost) {
                printCost(ofProbes.cost());
            }
        }
        if (!quiet) {
            summarize(directory, monitor.rounds());
        }
        if (shutdown().isInterrupted() || !requirements.isGiven()) {
            return ExitCode.OK;
        }
        RequirementReport judged = requirements.judge(directory);
        out().append(judged.text()).flush();
        return requirements.finish(judged, err());
    }

    /** Returns the addresses of the receivers of an experiment as text. */
    private static String target(Experiment experiment) {
        List<Endpoint> targets =
                new ArrayList<>(Objects.requireNonNull(experiment.monitor()).targets());
        Endpoint receiver = experiment.path().receiver();
        if (targets.isEmpty() && receiver != null) {
            targets.add(receiver);
        }
        return targets.isEmpty()
                ? "this machine"
                : targets.stream().map(Endpoint::toString).collect(Collectors.joining(", "));
    }

    /** Prints the table of the series and writes the report, which takes seconds for many values. */
    private void summarize(Path session, long rounds) throws LagbenchException {
        if (rounds > MAX_SUMMARIZED) {
            out().println("Report: lagbench report " + session);
            return;
        }
        List<SeriesSummary> series = SeriesSummary.ofAll(session);
        out().println();
        print(SeriesTable.result(session.toString(), series).text(TableFormat.TEXT));
        Path report = session.resolve(ReportFile.NAME);
        MonitorReportFile.write(report, session, series);
        out().println("Report: " + report);
    }

    private void printCost(ProbeCost.Cost cost) {
        out().println(Numbers.grouped(cost.probes()) + " probes in " + Numbers.fixed(0, cost.elapsedS())
                + " s took " + Numbers.fixed(2, cost.cpuS()) + " s of CPU time (the start of this program included)"
                + " and " + Numbers.grouped(cost.bytes())
                + " bytes of packets and control messages, without headers: "
                + Numbers.grouped(0, cost.bytesPerDay()) + " bytes a day.");
    }
}
