package org.lagbench.engines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.TransferFiles;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.packetio.engine.PacketEngine;

/** Engines of this module move transfers, whose replies come after all of their bytes. */
class InterfaceTransfersTest {
    private static final int PIECE_BYTES = 1 << 14;
    private static final int PIECES = 8;
    private static final int TRANSFERS = 3;
    private static final long BYTES = (long) PIECES * PIECE_BYTES;

    @TempDir
    private Path directory;

    private InterfaceRun open(String engine, String transport, String io, boolean keepsConnection) throws Exception {
        Map<String, String> settings = io == null ? Map.of() : Map.of("io", io);
        PacketEngine found = InterfaceRun.engine(engine);
        Transport over = InterfaceRun.transport(transport);
        assumeTrue(isAvailable(found, over, settings), "this machine has no " + engine + " " + io);
        TrafficSpec traffic = TrafficSpec.of(new TransferSpec(BYTES, TRANSFERS, keepsConnection));
        return InterfaceRun.of(traffic, directory, engine, transport, settings, PIECE_BYTES, TRANSFERS * PIECES);
    }

    private static boolean isAvailable(PacketEngine engine, Transport over, Map<String, String> settings) {
        try {
            engine.checkMachine(over, InterfaceRun.settings(engine, over, settings));
            return true;
        } catch (LagbenchException e) {
            assertThat(engine.name()).isIn("java-virtual", "netty");
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({
        "java-socket, tcp,, false",
        "java-socket, tcp,, true",
        "java-virtual, tcp,, false",
        "netty, tcp, nio, false",
        "netty, tcp, nio, true",
        "netty, tcp, epoll, false",
        "netty, tcp, io_uring, false",
        "grpc, tcp,, false",
        "grpc, tcp,, true",
        "quic, udp,, false",
        "quic, udp,, true"
    })
    void answersEachTransfer(String engine, String transport, String io, boolean keepsConnection) throws Exception {
        InterfaceRun ended;
        try (InterfaceRun run = open(engine, transport, io, keepsConnection)) {
            run.connect().sender.send(-5, 0, Pace.flood());
            run.sender.send(0, TRANSFERS * PIECES, Pace.flood());
            run.receiver.drain(1_000);
            run.sender.endSocketRecord();
            assertThat(run.failures).isEmpty();
            assertThat(run.receiver.counts().distinct()).isEqualTo(TRANSFERS * PIECES);
            assertThat(run.receiver.counts().warmUpReceived()).isEqualTo(5);
            assertThat(run.receiver.counts().foreign()).isZero();
            assertThat(run.sender.metadata().get("connectionStates"))
                    .isEqualTo(io == null ? "not recorded: the sockets are hidden" : "TCP_INFO, every ms");
            assertThat(run.receiver.metadata()).containsKey("receiveCallsWithoutRoom");
            ended = run;
        }
        checkTransfers(ended, keepsConnection);
        checkStates(ended, io != null, keepsConnection);
    }

    private static void checkTransfers(InterfaceRun run, boolean keepsConnection) throws LagbenchException {
        try (CaptureReader transfers =
                        CaptureReader.open(run.sentFile.resolveSibling(TransferFiles.TRANSFERS_FILE_NAME));
                CaptureReader sent = CaptureReader.open(run.sentFile);
                CaptureReader received = CaptureReader.open(run.receivedFile);
                CaptureReader calls =
                        CaptureReader.open(run.receivedFile.resolveSibling(ReceiverCapture.BYTES_FILE_NAME))) {
            assertThat(transfers.records()).isEqualTo(TRANSFERS);
            assertThat(received.records()).isEqualTo(TRANSFERS * PIECES);
            for (int i = 0; i < TRANSFERS; i++) {
                long first = (long) i * PIECES;
                long last = first + PIECES - 1;
                long startNs = value(transfers, i, "start_ns");
                long connectedNs = value(transfers, i, "connected_ns");
                assertThat(value(received, last, "seq")).isEqualTo(last);
                assertThat(new long[] {
                            value(sent, first, "sent_ns"),
                            value(sent, last, "sent_ns"),
                            value(received, last, "received_ns"),
                            value(transfers, i, "answered_ns")
                        })
                        .isSorted();
                if (i > 0 && keepsConnection) {
                    assertThat(new long[] {startNs, connectedNs}).containsOnly(-1);
                } else {
                    assertThat(connectedNs).isBetween(startNs, value(sent, first, "sent_ns"));
                }
            }
            long calledBytes = 0;
            for (long call = 0; call < calls.records(); call++) {
                calledBytes += value(calls, call, "bytes") == BYTES ? BYTES : 0;
            }
            assertThat(calledBytes).isEqualTo(TRANSFERS * BYTES);
        }
    }

    /** The kernel counts the bytes independently of the interface. */
    private static void checkStates(InterfaceRun run, boolean hasStates, boolean keepsConnection)
            throws LagbenchException {
        try (CaptureReader states = CaptureReader.open(run.sentFile.resolveSibling(TransferFiles.TCP_FILE_NAME))) {
            if (!hasStates) {
                assertThat(states.records()).isZero();
                return;
            }
            long last = states.records() - 1;
            assertThat(value(states, last, "transfer")).isEqualTo(TRANSFERS - 1);
            assertThat(value(states, last, "acked_bytes")).isEqualTo(keepsConnection ? TRANSFERS * BYTES : BYTES);
        }
    }

    private static long value(CaptureReader capture, long record, String field) throws LagbenchException {
        return capture.value(record, capture.field(field));
    }

    @ParameterizedTest
    @CsvSource({"java-socket, tcp,", "netty, tcp, nio"})
    void keepsStampsWhenTheReceiverDies(String engine, String transport, String io) throws Exception {
        InterfaceRun ended;
        try (InterfaceRun run = open(engine, transport, io, true)) {
            run.connect().sender.send(0, PIECES, Pace.flood());
            run.receiver.close();
            assertThatThrownBy(() -> run.sender.send(PIECES, 2 * PIECES, Pace.flood()))
                    .isInstanceOf(IOException.class);
            ended = run;
        }
        try (CaptureReader sent = CaptureReader.open(ended.sentFile);
                CaptureReader transfers =
                        CaptureReader.open(ended.sentFile.resolveSibling(TransferFiles.TRANSFERS_FILE_NAME))) {
            assertThat(sent.records()).isGreaterThanOrEqualTo(PIECES);
            assertThat(transfers.records()).isEqualTo(1);
        }
    }
}
