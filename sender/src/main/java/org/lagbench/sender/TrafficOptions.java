package org.lagbench.sender;

import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.TextEnum;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import picocli.CommandLine.Option;

/** The sender's options that describe the traffic of the run. */
final class TrafficOptions {
    @Option(
            names = "--traffic",
            paramLabel = "KIND",
            description = "What the run does: one-way, round-trip or transfer (default: ${DEFAULT-VALUE}).")
    private String traffic = Traffic.ONE_WAY.text();

    @Option(
            names = "--in-flight",
            paramLabel = "N",
            description = "With round-trip: packets that may wait for answers, " + "1 or unlimited"
                    + " (default: ${DEFAULT-VALUE}).")
    private String inFlight = RunParameters.IN_FLIGHT.absentText();

    @Option(
            names = "--answer-timeout",
            paramLabel = "TIME",
            description = "With round-trip: time after which an answer is late (default: ${DEFAULT-VALUE}).")
    private String answerTimeout =
            Intervals.format(RunParameters.ANSWER_TIMEOUT.defaultValue().toNanos());

    @Option(
            names = "--transfer-bytes",
            paramLabel = "N",
            description = "With transfer: size of each transfer, whose pieces are the packets (default: that of all"
                    + " packets).")
    private @Nullable Long transferBytes;

    @Option(
            names = "--connection",
            paramLabel = "HOW",
            description = "With transfer: " + "new or kept"
                    + ", whether each transfer has a new connection or all use one (default: ${DEFAULT-VALUE}).")
    private String connection = RunParameters.CONNECTION.absentText();

    @Option(
            names = "--codec",
            paramLabel = "NAME",
            description = "With transfer: the codec of the pieces, which are then chunks: "
                    + CompressionSpec.CODEC_ACCEPTED + " (default: ${DEFAULT-VALUE}, the pieces are packets).")
    private String codec = CompressionSpec.OFF;

    @Option(
            names = "--data",
            paramLabel = "WHAT",
            description = "With --codec: the contents of the chunks, " + CompressionSpec.DATA_ACCEPTED
                    + " (default: ${DEFAULT-VALUE}).")
    private String data = CompressionSpec.DEFAULT_DATA;

    /** Returns the traffic of a run of {@code packets} packets with {@code packetBytes} bytes each. */
    TrafficSpec spec(long packets, int packetBytes) throws LagbenchException {
        Traffic kind = TextEnum.parse(Traffic.class, "--traffic", traffic);
        return kind == Traffic.TRANSFER
                ? TrafficSpec.of(TransferSpec.of(
                        transferBytes == null ? packets * packetBytes : transferBytes,
                        packets,
                        packetBytes,
                        RunParameters.CONNECTION.parse(connection),
                        compression()))
                : new TrafficSpec(
                        kind,
                        RunParameters.IN_FLIGHT.parse(inFlight),
                        Intervals.ofOption("--answer-timeout", answerTimeout));
    }

    /** Returns how the pieces of transfers are compressed, or null if they are packets. */
    @Nullable
    CompressionSpec compression() {
        return codec.equals(CompressionSpec.OFF) ? null : new CompressionSpec(codec, data);
    }
}
