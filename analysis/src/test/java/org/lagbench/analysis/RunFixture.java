package org.lagbench.analysis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.ChunkCapture;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.clock.ClockBound;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.Clock;
import org.lagbench.core.run.RunRecord.Counts;
import org.lagbench.core.run.RunRecord.Side;
import org.lagbench.core.run.RunRecord.State;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/** Builds one run; its stamps are ns after {@link SessionFixture#EPOCH_NS}. */
public final class RunFixture {
    private final Path directory;
    private final String name;
    private final String transport;
    private final int packetBytes;
    private final Map<String, Object> settings = new LinkedHashMap<>(Map.of("send-buffer", "auto"));
    private long[] scheduled = {};
    private long[] sent = {};
    private long[] returned = {};
    private long[][] arrivals = {};
    private long intervalNs;
    private int burst = 1;
    private long packets = -1;
    private Set<ObservedSource> observe = Set.of();
    private String engine = "java";
    private String jvm = "default";
    private Map<String, Object> senderMetadata = Map.of();
    private Map<String, Object> receiverMetadata = Map.of();
    private @Nullable StreamRole stream;
    private State state = State.COMPLETE;
    private @Nullable String failure;
    private @Nullable Clock clock = SessionFixture.clockOf(1L, ClockBound.Basis.SAME_KERNEL);
    private RunRecord.@Nullable Machine machine;
    private List<TwoWayExchange> twoWay = List.of();
    private @Nullable Counts counts;
    private RunRecord.@Nullable LabRecord lab;
    private long replyTimeoutNs;
    private long[] @Nullable [] replies;
    private long transferBytes;
    private long[] @Nullable [] transfers;
    private @Nullable CompressionSpec compression;
    private long[][] chunks = {};

    RunFixture(Path directory, String name, String transport, int packetBytes) {
        this.directory = directory;
        this.name = name;
        this.transport = transport;
        this.packetBytes = packetBytes;
        if (transport.equals("ieee1394")) {
            senderMetadata = Map.of("bus", "virtual bus");
        }
    }

    /** Sets when packet n was sent. */
    public RunFixture sent(long... times) {
        sent = times;
        return this;
    }

    /** Sets when the send call of packet n returned; without this, 1 ns after it was sent. */
    public RunFixture returned(long... times) {
        returned = times;
        return this;
    }

    /** Sets the interval, and when packet n was scheduled. */
    public RunFixture scheduled(long interval, long... times) {
        intervalNs = interval;
        scheduled = times;
        return this;
    }

    /** Sets how many packets are due at the same time. */
    public RunFixture burst(int value) {
        burst = value;
        return this;
    }

    /**
     * Sets pairs of sequence number and time received, in the order of arrival; triples also have the kernel's stamp.
     */
    public RunFixture received(long[]... pairs) {
        arrivals = pairs;
        return this;
    }

    /**
     * Makes it a run of round trips. Replies are sequence number, time answered and time replied; arrivals then have
     * the time replied too.
     */
    public RunFixture answered(long timeoutNs, long[]... triples) {
        replyTimeoutNs = timeoutNs;
        replies = triples;
        return this;
    }

    /**
     * Makes it a run of transfers.
     *
     * @param triples of each transfer: when its connection was opened, when it was established, and when the reply was
     *     received
     */
    public RunFixture transfers(long bytes, long[]... triples) {
        transferBytes = bytes;
        transfers = triples;
        return this;
    }

    /**
     * Compresses the transfers.
     *
     * @param rows of each chunk: its encoded bytes, and when compressing and sending it began and ended
     */
    public RunFixture chunks(String codec, long[]... rows) {
        compression = new CompressionSpec(codec, "text");
        chunks = rows;
        return this;
    }

    /** Sets how many packets the run should have sent; the default is as many as it sent. */
    public RunFixture packets(long ordered) {
        packets = ordered;
        return this;
    }

    public RunFixture setting(String setting, Object value) {
        settings.put(setting, value);
        return this;
    }

    /** Sets the engine and its JVM options. */
    public RunFixture engine(String name, String options) {
        engine = name;
        jvm = options;
        return this;
    }

    /** Sets what both sides observe. */
    public RunFixture observed(ObservedSource... observations) {
        observe = Set.of(observations);
        return this;
    }

    /** Sets the metadata of each side. */
    public RunFixture metadata(Map<String, Object> ofSender, Map<String, Object> ofReceiver) {
        senderMetadata = ofSender;
        receiverMetadata = ofReceiver;
        return this;
    }

    /** Sets which of several streams it was; the one named backward has that direction. */
    public RunFixture stream(String streamName, String... beside) {
        boolean isBackward = streamName.equals(StreamRole.Direction.BACKWARD.text());
        StreamRole.Direction direction = isBackward ? StreamRole.Direction.BACKWARD : StreamRole.Direction.FORWARD;
        stream = new StreamRole(streamName, direction, List.of(beside));
        return this;
    }

    public RunFixture lab(RunRecord.LabRecord network) {
        lab = network;
        return this;
    }

    public RunFixture ended(State how, @Nullable String why) {
        state = how;
        failure = why;
        return this;
    }

    public RunFixture machine(RunRecord.Machine recorded) {
        machine = recorded;
        return this;
    }

    public RunFixture clock(@Nullable Clock recorded) {
        clock = recorded;
        return this;
    }

    /** Sets the exchanges over the control connection; their stamps are ns since the epoch. */
    public RunFixture twoWay(List<TwoWayExchange> exchanges) {
        twoWay = exchanges;
        return this;
    }

    public RunFixture counts(Counts recorded) {
        counts = recorded;
        return this;
    }

    public Path write() throws IOException, LagbenchException {
        captures();
        int repeat = name.matches(".*-r\\d+") ? Integer.parseInt(name.substring(name.lastIndexOf("-r") + 2)) : 1;
        Pace pace = intervalNs == 0 ? Pace.flood() : new Pace(Pace.Mode.SPIN, intervalNs, burst);
        TrafficSpec traffic = replies != null
                ? new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofNanos(replyTimeoutNs))
                : transfers != null
                        ? TrafficSpec.of(new TransferSpec(transferBytes, transfers.length, false, compression))
                        : TrafficSpec.ONE_WAY;
        Point point = new Point(
                transport,
                packetBytes,
                Math.max(1, packets < 0 ? sent.length : packets),
                0,
                pace,
                traffic,
                new Settings(settings),
                new EngineSpec(engine, JvmOptions.parse(jvm)),
                observe,
                RunConditions.of(RunParameters.DRAIN.defaultValue(), Duration.ofHours(1)));
        RunRecord record = new RunRecord(
                new RunSpec(name, point, repeat, stream),
                title(),
                state,
                failure,
                Instant.parse("2026-11-20T00:00:00Z"),
                Instant.parse("2026-11-20T00:00:01Z"),
                new Side("here", "boot", "17", onLoopback()),
                new Side("here", "boot", "17", receiverMetadata),
                counts == null && state == State.COMPLETE
                        ? new Counts(arrivals.length, 0, 0, 0, 0, 0, 0, null)
                        : counts,
                clock,
                machine,
                lab);
        record.write(directory);
        return directory;
    }

    /** Writes only the captures, as if the sender had been killed. */
    public Path captures() throws IOException {
        Files.createDirectories(directory);
        try (SenderCapture capture =
                SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), Math.max(1, sent.length), false)) {
            for (int i = 0; i < sent.length; i++) {
                long due = scheduled.length == 0 ? SenderCapture.UNSCHEDULED : SessionFixture.EPOCH_NS + scheduled[i];
                capture.append(
                        i,
                        due,
                        SessionFixture.EPOCH_NS + sent[i],
                        SessionFixture.EPOCH_NS + (returned.length > 0 ? returned[i] : sent[i] + 1));
            }
        }
        Path receiverFile = directory.resolve(ReceiverCapture.FILE_NAME);
        long room = Math.max(1, arrivals.length);
        try (ReceiverCapture capture = replies != null
                ? ReceiverCapture.create(receiverFile, room, ReceiverCapture.ANSWERED_FIELDS)
                : hasKernelStamps()
                        ? ReceiverCapture.create(receiverFile, room, ReceiverCapture.KERNEL_FIELDS)
                        : ReceiverCapture.create(receiverFile, room, false)) {
            for (long[] arrival : arrivals) {
                capture.append(
                        arrival[0],
                        SessionFixture.EPOCH_NS + arrival[1],
                        arrival.length < 3 ? 0 : SessionFixture.EPOCH_NS + arrival[2]);
            }
        }
        if (replies != null) {
            writeReplies(replies);
        }
        if (transfers != null) {
            writeTransfers(transfers);
        }
        if (compression != null) {
            writeChunks();
        }
        if (!twoWay.isEmpty()) {
            try (GrowingCapture capture =
                    GrowingCapture.create(directory.resolve(TwoWayExchange.FILE_NAME), TwoWayExchange.FIELDS)) {
                for (TwoWayExchange exchange : twoWay) {
                    capture.append(
                            capture.records(),
                            exchange.sentNs(),
                            exchange.receivedNs(),
                            exchange.repliedNs(),
                            exchange.returnedNs());
                }
            }
        }
        return directory;
    }

    private void writeReplies(long[][] triples) throws IOException {
        try (ReceiverCapture capture = ReceiverCapture.create(
                directory.resolve(ReceiverCapture.REPLIES_FILE_NAME), 100, ReceiverCapture.REPLY_FIELDS)) {
            for (long[] reply : triples) {
                capture.append(
                        reply[0],
                        SessionFixture.EPOCH_NS + reply[1],
                        packetBytes < RunParameters.MINIMUM_PACKET_BYTES ? 0 : SessionFixture.EPOCH_NS + reply[2]);
            }
        }
    }

    private void writeTransfers(long[][] triples) throws IOException {
        try (GrowingCapture capture = GrowingCapture.create(
                directory.resolve(TransferFiles.TRANSFERS_FILE_NAME), TransferFiles.TRANSFERS_FIELDS)) {
            for (int i = 0; i < triples.length; i++) {
                capture.append(
                        i,
                        SessionFixture.EPOCH_NS + triples[i][0],
                        SessionFixture.EPOCH_NS + triples[i][1],
                        SessionFixture.EPOCH_NS + triples[i][2]);
            }
        }
    }

    private void writeChunks() throws IOException {
        try (ChunkCapture encoded = ChunkCapture.ofSender(directory.resolve(SenderCapture.FILE_NAME), chunks.length);
                ChunkCapture decoded =
                        ChunkCapture.ofReceiver(directory.resolve(ReceiverCapture.FILE_NAME), chunks.length)) {
            for (int i = 0; i < chunks.length; i++) {
                long[] at = LongStream.of(chunks[i])
                        .skip(1)
                        .map(ns -> SessionFixture.EPOCH_NS + ns)
                        .toArray();
                int codec = chunks[i][0] < packetBytes ? 1 : 0;
                encoded.append(
                        i, packetBytes, chunks[i][0], codec, 0, codec, 0, at[0], at[1], at[2], at[3], 0, -1, -1, -1);
                decoded.append(i, at[3], at[3], at[3]);
            }
        }
    }

    private boolean hasKernelStamps() {
        return arrivals.length > 0 && arrivals[0].length == 3;
    }

    /** Returns the sender's metadata, with a loopback address of the receiver unless they have another one. */
    private Map<String, Object> onLoopback() {
        Map<String, Object> metadata = new HashMap<>(senderMetadata);
        metadata.putIfAbsent("remoteAddress", "127.0.0.1:4711");
        return metadata;
    }

    private String title() {
        return switch (transport) {
            case "tcp" -> "TCP/IP";
            case "udp" -> "UDP/IP";
            case "ieee1394" -> "IEEE-1394";
            default -> transport;
        };
    }
}
