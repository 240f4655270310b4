package org.lagbench.packetio.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.socket.SilentReceiver;
import org.lagbench.packetio.transport.SideBuilder;
import org.lagbench.packetio.transport.SideConfig;
import org.lagbench.packetio.transport.TransferSender;

/** Transfers over loopback by each engine. */
@Tag("one-java")
class TransferLoopTest {
    private static final long TAG = 0x0246_8ace_1357_9bdfL;
    private static final int PIECE_BYTES = 1 << 14;
    private static final int PIECES = 4;
    private static final int TRANSFERS = 3;
    private static final int WARM_UP = 10;
    private static final long BYTES = (long) PIECES * PIECE_BYTES;

    private final Path sending;
    private final Path receiving;
    private final AtomicReference<String> failure = new AtomicReference<>();

    TransferLoopTest(@TempDir Path sending, @TempDir Path receiving) {
        this.sending = sending;
        this.receiving = receiving;
    }

    @ParameterizedTest
    @CsvSource({"java, false", "java, true", "java-nio, false", "java-nio, true", "c, false", "c, true"})
    void answersEachTransfer(String engine, boolean keepsConnection) throws Exception {
        try (Sides sides = open(engine, keepsConnection)) {
            sides.receiver.start();
            sides.sender.connect(sides.receiver.announce());
            sides.sender.send(-WARM_UP, 0, Pace.flood());
            sides.sender.send(0, TRANSFERS * PIECES, Pace.flood());
            sides.receiver.drain(1_000);
            sides.sender.endSocketRecord();
            assertThat(sides.receiver.counts().distinct()).isEqualTo(TRANSFERS * PIECES);
            assertThat(sides.receiver.counts().warmUpReceived()).isEqualTo(WARM_UP);
            assertThat(sides.receiver.counts().foreign()).isZero();
            assertThat(sides.sender.metadata()).containsKey("sendBufferBytes");
            assertThat(sides.sender.metadata().get("initialWindowSegments")).isEqualTo(10L);
            assertThat(sides.receiver.metadata()).containsKey("receiveBufferBytes");
        }

        assertThat(failure).hasNullValue();
        checkTransfers(keepsConnection);
        checkStates(keepsConnection);
        checkReceivedBytes();
    }

    private void checkTransfers(boolean keepsConnection) throws LagbenchException {
        try (CaptureReader transfers = CaptureReader.open(sending.resolve(TransferFiles.TRANSFERS_FILE_NAME));
                CaptureReader pieces = CaptureReader.open(sending.resolve(SenderCapture.FILE_NAME))) {
            assertThat(pieces.records()).isEqualTo(TRANSFERS * PIECES);
            assertThat(transfers.records()).isEqualTo(TRANSFERS);
            for (int i = 0; i < TRANSFERS; i++) {
                long startNs = value(transfers, i, "start_ns");
                long connectedNs = value(transfers, i, "connected_ns");
                long sentNs = value(pieces, (long) i * PIECES, "sent_ns");
                long returnedNs = value(pieces, (long) i * PIECES + PIECES - 1, "returned_ns");
                assertThat(value(transfers, i, "transfer")).isEqualTo(i);
                assertThat(value(transfers, i, "answered_ns")).isGreaterThan(returnedNs);
                if (i > 0 && keepsConnection) {
                    assertThat(startNs).isEqualTo(-1);
                    assertThat(connectedNs).isEqualTo(-1);
                } else {
                    assertThat(connectedNs).isBetween(startNs, sentNs);
                }
            }
        }
    }

    /** Returns the bytes sent, without those retransmitted: a busy machine acknowledges late, and TCP probes. */
    private static long sentOnce(CaptureReader states, long record) throws LagbenchException {
        return value(states, record, "sent_bytes") - value(states, record, "retransmitted_bytes");
    }

    /** The kernel counts what was sent independently of the stamps. */
    private void checkStates(boolean keepsConnection) throws LagbenchException {
        try (CaptureReader states = CaptureReader.open(sending.resolve(TransferFiles.TCP_FILE_NAME))) {
            long transfer = 0;
            long before = -1;
            for (long record = 0; record < states.records(); record++) {
                boolean isFirst = value(states, record, "transfer") != before;
                boolean isLast = record + 1 == states.records()
                        || value(states, record + 1, "transfer") != value(states, record, "transfer");
                before = value(states, record, "transfer");
                long connectionBytes = keepsConnection ? before * BYTES : 0;
                if (isFirst) {
                    assertThat(before).isEqualTo(transfer++);
                    assertThat(sentOnce(states, record)).isEqualTo(connectionBytes);
                }
                if (isLast) {
                    assertThat(value(states, record, "acked_bytes")).isEqualTo(connectionBytes + BYTES);
                    assertThat(sentOnce(states, record)).isEqualTo(connectionBytes + BYTES);
                    assertThat(value(states, record, "unacked_segments")).isZero();
                    assertThat(value(states, record, "min_rtt_ns")).isPositive();
                }
            }
            assertThat(transfer).isEqualTo(TRANSFERS);
        }
    }

    private void checkReceivedBytes() throws LagbenchException {
        try (CaptureReader calls = CaptureReader.open(receiving.resolve(ReceiverCapture.BYTES_FILE_NAME));
                CaptureReader pieces = CaptureReader.open(receiving.resolve(ReceiverCapture.FILE_NAME))) {
            assertThat(pieces.records()).isEqualTo(TRANSFERS * PIECES);
            long bytes = 0;
            for (long record = 0; record < calls.records(); record++) {
                long now = value(calls, record, "bytes");
                assertThat(now).isBetween(bytes + 1, BYTES);
                if (now == BYTES) {
                    long lastPiece = (value(calls, record, "transfer") + 1) * PIECES - 1;
                    assertThat(value(pieces, lastPiece, "received_ns")).isEqualTo(value(calls, record, "received_ns"));
                }
                bytes = now == BYTES ? 0 : now;
            }
            assertThat(value(calls, calls.records() - 1, "transfer")).isEqualTo(TRANSFERS - 1);
            assertThat(bytes).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"java", "java-nio"})
    void keepsStampsWhenTheReceiverDies(String engine) throws Exception {
        try (Sides sides = open(engine, false)) {
            sides.receiver.start();
            sides.sender.connect(sides.receiver.announce());
            sides.sender.send(0, PIECES, Pace.flood());
            sides.receiver.close();
            assertThatThrownBy(() -> sides.sender.send(PIECES, 2 * PIECES, Pace.flood()))
                    .isInstanceOf(IOException.class);
        }
        try (CaptureReader pieces = CaptureReader.open(sending.resolve(SenderCapture.FILE_NAME));
                CaptureReader transfers = CaptureReader.open(sending.resolve(TransferFiles.TRANSFERS_FILE_NAME))) {
            assertThat(pieces.records()).isGreaterThanOrEqualTo(PIECES);
            assertThat(transfers.records()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource({"java", "java-nio"})
    void closingEndsTheWaitForAReply(String engine) throws Exception {
        try (Sides sides = open(engine, false);
                SilentReceiver silent = new SilentReceiver()) {
            CompletableFuture<Throwable> ended = CompletableFuture.supplyAsync(() -> {
                try {
                    sides.sender.connect(silent.announce());
                    sides.sender.send(0, PIECES, Pace.flood());
                    return new AssertionError("answered");
                } catch (IOException | LagbenchException e) {
                    return e;
                }
            });
            await().atMost(Duration.ofMinutes(2)).until(() -> sides.sender.lastIndex() == PIECES - 1);
            sides.sender.close();
            assertThat(ended.get(60, TimeUnit.SECONDS)).isInstanceOf(IOException.class);
        }
        try (CaptureReader pieces = CaptureReader.open(sending.resolve(SenderCapture.FILE_NAME));
                CaptureReader states = CaptureReader.open(sending.resolve(TransferFiles.TCP_FILE_NAME))) {
            assertThat(pieces.records()).isEqualTo(PIECES);
            assertThat(states.records()).isPositive();
        }
    }

    @Test
    void reportsFailureOfChunksSeparately() throws Exception {
        TransferLoop.Connections connections = new TransferLoop.Connections() {
            @Override
            public TransferSender open(boolean introduces) {
                throw new AssertionError("opened");
            }

            @Override
            public void close() throws IOException {
                throw new IOException("No space left on device");
            }
        };
        try (SenderCapture capture = SenderCapture.create(sent(), 12, false);
                TransferLoop loop = new TransferLoop(config(false, 12, sent()), capture, connections)) {
            loop.endSocketRecord();
            assertThatThrownBy(loop::endChunkRecording).hasMessage("No space left on device");
        }
    }

    @Test
    void refusesPacketsThatAreNotWholeTransfers() {
        for (long packets : new long[] {1, 11, 13}) {
            assertThatThrownBy(() -> config(false, packets, received()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("whole transfers");
        }
    }

    private static long value(CaptureReader capture, long record, String field) throws LagbenchException {
        return capture.value(record, capture.field(field));
    }

    private SideConfig config(boolean keepsConnection, long packets, Path captureFile) throws LagbenchException {
        return side(keepsConnection, packets, captureFile).build();
    }

    private SideBuilder side(boolean keepsConnection, long packets, Path captureFile) throws LagbenchException {
        return new SideBuilder("tcp", TAG, PIECE_BYTES, Map.of())
                .traffic(TrafficSpec.of(new TransferSpec(BYTES, TRANSFERS, keepsConnection)))
                .phases(WARM_UP, packets, 0)
                .file(captureFile);
    }

    private Path sent() {
        return sending.resolve(SenderCapture.FILE_NAME);
    }

    private Path received() {
        return receiving.resolve(ReceiverCapture.FILE_NAME);
    }

    private Sides open(String name, boolean keepsConnection) throws Exception {
        PacketEngine engine = PacketEngine.of(Engines.load().named(name));
        long packets = TRANSFERS * PIECES;
        SenderCapture sent = SenderCapture.create(sent(), packets, false);
        ReceiverCapture received = ReceiverCapture.create(received(), packets, false);
        SendEngine sender = engine.openSender(config(keepsConnection, packets, sent()), sent);
        ReceiverCapture bytes =
                ReceiverCapture.ofBytes(receiving.resolve(ReceiverCapture.BYTES_FILE_NAME), packets, PIECE_BYTES);
        SideBuilder side = side(keepsConnection, packets, received()).receivedBytes(bytes);
        ReceiveEngine receiver =
                engine.openReceiver(side.announced(sender.announce()).build(), received, failure::set);
        return new Sides(sender, receiver, sent, received, bytes);
    }

    private record Sides(
            SendEngine sender,
            ReceiveEngine receiver,
            SenderCapture sent,
            ReceiverCapture received,
            ReceiverCapture bytes)
            implements AutoCloseable {
        @Override
        public void close() throws IOException {
            sender.close();
            receiver.close();
            sent.close();
            received.close();
            bytes.close();
        }
    }
}
