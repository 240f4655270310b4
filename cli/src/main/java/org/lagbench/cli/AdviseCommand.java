package org.lagbench.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.analysis.transfer.CodecAdvice;
import org.lagbench.analysis.transfer.CodecAdvice.Chunks;
import org.lagbench.commandline.ExperimentOptions;
import org.lagbench.compression.chunk.ChunkData;
import org.lagbench.compression.chunk.CodecMeter;
import org.lagbench.core.failure.CheckedFunction;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.text.Units;
import org.lagbench.experiment.CapacitySpec;
import org.lagbench.report.table.AdviceReport;
import org.lagbench.report.table.CapacityReport;
import org.lagbench.report.table.TableFormat;
import org.lagbench.runner.capacity.TcpProbes;
import org.lagbench.runner.sweep.Execution;
import org.lagbench.runner.sweep.Progress;
import org.lagbench.runner.sweep.Sweep;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lagbench advise}: recommends settings for a path. */
@Listed(in = HelpSection.MEASURE, order = 80)
@Command(
        name = "advise",
        description = "Measure for several seconds, and recommend what to use.",
        synopsisSubcommandLabel = "COMMAND",
        subcommands = AdviseCommand.CompressionCommand.class,
        footer = "  lagbench advise compression 192.0.2.7 --key-file ~/lagbench.key --data ./backup.tar")
public final class AdviseCommand extends Subcommand {
    @Override
    public Integer call() {
        return usage();
    }

    /** {@code lagbench advise compression}: recommends the fastest codec for data and a path. */
    @Command(
            name = "compression",
            description = {
                "Say whether to compress data for the path to a host where lagbench serve runs, and by which codec.",
                "",
                "Measures the path with TCP transfers, and then each codec with chunks of the data in memory."
                        + " Prints the"
                        + " expected gain of each with an interval of 95 %%."
            },
            footer = {
                "  lagbench advise compression 192.0.2.7 --key-file ~/lagbench.key --data ./backup.tar",
                "  lagbench advise compression 192.0.2.7 --key-file ~/lagbench.key --data text --codec lz4,zstd-3",
                "  sudo lagbench advise compression --data text --set 'lab={rate: 10mbit}'"
            })
    static final class CompressionCommand extends Subcommand {
        private static final long BYTES_PER_MB = 1_000_000;
        private static final long DURATION_NS = TimeUnit.MILLISECONDS.toNanos(500);
        private static final int CHUNK_BYTES = 1 << 16;

        /** The size of generated data. */
        private static final long GENERATED_BYTES = 1 << 22;

        @Parameters(
                arity = "0..1",
                paramLabel = "HOST[:PORT]",
                description = "Host where lagbench serve runs; port 5394 unless given. Without it, both sides run on"
                        + " this machine.")
        private @Nullable String host;

        @Option(
                names = "--data",
                required = true,
                paramLabel = "FILE|KIND",
                description =
                        "What to send: a file, of which the first 32 MiB are used, or generated data, such as text.")
        private String data = "";

        @Option(
                names = "--codec",
                split = ",",
                paramLabel = "NAME",
                description = "Codecs to compare (default: ${DEFAULT-VALUE}).")
        private List<String> codecs = List.of("lz4", "snappy", "gzip-1", "gzip-6", "zstd-1", "zstd-3", "zstd-9");

        @Option(
                names = "--budget",
                paramLabel = "MB",
                description = "How many megabytes to send at most (default: ${DEFAULT-VALUE}).")
        private int budgetMb = 20;

        @Option(
                names = "--format",
                paramLabel = "FORMAT",
                defaultValue = "text",
                converter = Formats.class,
                completionCandidates = Formats.class,
                description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
        private TableFormat format = TableFormat.TEXT;

        @Option(
                names = "--set",
                paramLabel = "KEY=VALUE",
                completionCandidates = ExperimentOptions.Keys.class,
                description =
                        "Set a key of the experiment that measures the path: lab=dumbbell, tcp.send-buffer=4MiB. May"
                                + " be repeated.")
        private List<String> overrides = new ArrayList<>();

        @Mixin
        private final KeyArguments key = new KeyArguments();

        @Mixin
        private final SessionArguments session = new SessionArguments();

        @Override
        public Integer call() throws LagbenchException, InterruptedException {
            require(budgetMb >= 1, "--budget: " + budgetMb + " is not accepted; it takes 1 or more.");
            List<Codec.Choice> choices = choices();
            long chunks = chunks();
            ChunkData contents = ChunkData.of(compression(), chunks, CHUNK_BYTES);
            List<String> all = key.with(overrides);
            all.add(new CapacitySpec(CapacitySpec.Method.TCP, budgetMb).override());
            TcpProbes probes;
            try (Execution execution = session.createPath(null, host, TcpProbes.values(), all, shutdown())) {
                probes = new TcpProbes(execution.session(), budgetMb * BYTES_PER_MB);
                Progress progress = Progress.lines(err(), true);
                ExitCode exitCode = Sweep.execute(execution, probes, (missing, remaining) -> progress);
                if (exitCode != ExitCode.OK) {
                    return exitCode.code();
                }
            }
            Optional<PathEstimate> estimate = probes.estimate();
            String unfilledReason = CapacityReport.unfilledReason(probes.probes(), estimate);
            Interval bandwidth = bandwidth(probes.probes(), estimate, unfilledReason);
            List<CodecAdvice> advice = CheckedFunction.each(
                    choices, choice -> CodecAdvice.of(choice.name(), measure(choice, contents, chunks), bandwidth));
            AdviceReport report = new AdviceReport(bandwidth, unfilledReason, CodecAdvice.ranked(advice));
            print(report.result().text(format));
            return ExitCode.OK.code();
        }

        private List<Codec.Choice> choices() throws LagbenchException {
            Codecs known = Codecs.load();
            List<Codec.Choice> choices = CheckedFunction.each(codecs, name -> CodecsCommand.choice(known, name));
            for (Codec.Choice choice : choices) {
                Codecs.openEncoder(choice).close(); // fails before the path is measured
            }
            return choices;
        }

        /** Returns the data of the option: a kind of generated data or a file. */
        private CompressionSpec compression() throws LagbenchException {
            try {
                return new CompressionSpec(AdviceReport.NONE, isFile() ? file().toString() : data);
            } catch (IllegalArgumentException e) {
                throw ExitCode.USAGE.failure("--" + e.getMessage(), e);
            }
        }

        private boolean isFile() {
            return data.contains("/") || Files.exists(Path.of(data));
        }

        private Path file() {
            return Path.of(data).toAbsolutePath();
        }

        private long chunks() throws LagbenchException {
            long bytes = IoErrors.explained(
                    "--data: " + data + " cannot be read", () -> isFile() ? Files.size(file()) : GENERATED_BYTES);
            require(
                    bytes >= CHUNK_BYTES,
                    "--data: " + data + " has " + bytes + " bytes, less than a chunk of " + CHUNK_BYTES
                            + "; use a larger file.");
            return bytes / CHUNK_BYTES;
        }

        /** Returns the path's rate; the rate that it carried at least if no probe filled the path. */
        static Interval bandwidth(List<Probe> probes, Optional<PathEstimate> estimate, String unfilledReason)
                throws LagbenchException {
            if (estimate.isPresent()) {
                Interval rate = estimate.get().rate();
                return new Interval(
                        rate.value() / Units.BITS_PER_BYTE,
                        rate.low() / Units.BITS_PER_BYTE,
                        rate.high() / Units.BITS_PER_BYTE);
            }
            double min = Probe.carriedBitsPerS(probes) / Units.BITS_PER_BYTE;
            if (Double.isNaN(min)) {
                throw ExitCode.UNAVAILABLE.failure("The rate of this path is unknown: " + unfilledReason + ".");
            }
            return new Interval(min, min, min);
        }

        private static Chunks measure(Codec.Choice choice, ChunkData data, long chunks) throws LagbenchException {
            CodecMeter.Measurements measured = CodecMeter.measure(choice, data, chunks, CHUNK_BYTES, DURATION_NS);
            return new Chunks(
                    CHUNK_BYTES,
                    measured.chunks(),
                    measured.encodedBytes(),
                    measured.compressNs(),
                    measured.decompressNs());
        }

        private static final class Formats extends Choice<TableFormat> {
            Formats() {
                super("format", List.of(TableFormat.TEXT, TableFormat.JSON), TableFormat::text);
            }
        }
    }
}
