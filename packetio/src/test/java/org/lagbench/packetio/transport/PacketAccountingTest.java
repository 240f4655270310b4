package org.lagbench.packetio.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;

class PacketAccountingTest {
    private static final long TAG = 42;
    private static final int OFFSET = 3;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(OFFSET + 24);
    private final Path path;
    private final ReceiverCapture capture;

    PacketAccountingTest(@TempDir Path directory) throws Exception {
        path = directory.resolve(ReceiverCapture.FILE_NAME);
        capture = ReceiverCapture.create(path, 6, false);
    }

    @AfterEach
    void close() throws Exception {
        capture.close();
    }

    @Test
    void countsUnrecordedPacketsSeparately() throws Exception {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(2, 3, 3), capture);
        arrive(accounting, -2, -1, 0, 1, -5, -3, -4);
        assertThat(accounting.warmUpReceived()).isEqualTo(2);
        assertThat(accounting.leadOutReceived()).isEqualTo(3);
        assertThat(accounting.received()).isEqualTo(2);
        assertThat(accounting.isComplete()).isFalse();
        arrive(accounting, -6);
        assertThat(accounting.counts().foreign())
                .as("before the lead-out's first")
                .isEqualTo(1);
        arrive(accounting, 2);
        assertThat(accounting.isComplete()).isTrue();
        capture.close();
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isEqualTo(3);
            assertThat(reader.value(1, reader.field("received_ns"))).isEqualTo(1_001);
        }
    }

    @Test
    void countsReorderingAsRfc4737() {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 100, 0), capture);
        arrive(accounting, 1, 4, 3, 2, 7);
        assertThat(accounting.counts().reordered())
                .as("3 and 2 came after 4; 5, 6 and 0 are merely lost")
                .isEqualTo(2);
        assertThat(accounting.counts().distinct()).isEqualTo(5);
    }

    @Test
    void doesNotCountACopyAsReordered() {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 100, 0), capture);
        arrive(accounting, 0, 1, 2, 0, 0);
        assertThat(accounting.counts().reordered()).isZero();
        assertThat(accounting.counts().duplicated()).isEqualTo(2);
        assertThat(accounting.received()).isEqualTo(5);
    }

    @Test
    void keepsRoomForFirstArrivals() throws Exception {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 2, 0), capture);
        arrive(accounting, 0, 0, 0, 0, 0, 0, 0, 1);
        assertThat(accounting.counts().unrecorded()).isEqualTo(2);
        assertThat(accounting.received()).isEqualTo(8);
        assertThat(accounting.isComplete()).isTrue();
        capture.close();
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isEqualTo(6);
            assertThat(reader.value(4, reader.field("seq"))).as("a copy").isZero();
            assertThat(reader.value(5, reader.field("seq")))
                    .as("the last to arrive")
                    .isEqualTo(1);
        }
    }

    @Test
    void distinguishesManySequenceNumbers() {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 1_000, 0), capture);
        for (long sequence = 999; sequence >= 0; sequence -= 3) {
            arrive(accounting, sequence);
        }
        assertThat(accounting.counts().distinct()).isEqualTo(334);
        assertThat(accounting.counts().duplicated()).isZero();
        assertThat(accounting.counts().reordered()).isEqualTo(333);
    }

    @Test
    void countsPacketsWithAnotherTagAsForeign() {
        PacketAccounting accounting = new PacketAccounting(TAG ^ 0x1ff, new Phases(0, 1_000, 0), capture);
        arrive(accounting, 0, 1);
        assertThat(accounting.counts().foreign()).isEqualTo(2);
        assertThat(accounting.counts().damaged()).isZero();
        assertThat(accounting.received()).isZero();
        assertThat(capture.records()).isZero();
    }

    /** Each bit of both numbers; the number alone is that of another packet of the run. */
    @Test
    void countsPacketsWhoseNumbersContradictEachOtherAsDamaged() {
        PacketAccounting accounting = new PacketAccounting(TAG, new Phases(0, 1_000, 0), capture);
        for (int bit = 0; bit < Long.SIZE; bit++) {
            PacketLayout.putIdentity(buffer, OFFSET, TAG, 100);
            buffer.putLong(OFFSET + 8, buffer.getLong(OFFSET + 8) ^ (1L << bit));
            accounting.packet(buffer, OFFSET, 1_000, PacketAccounting.NO_STAMP);
        }
        assertThat(accounting.counts().damaged()).isEqualTo(Long.SIZE);
        assertThat(accounting.counts().foreign()).isZero();
        assertThat(accounting.received()).isZero();
    }

    @Test
    void countsPacketsWithOneByteOfTagChangedAsDamaged() {
        PacketAccounting accounting = new PacketAccounting(TAG ^ 0xff00, new Phases(0, 1_000, 0), capture);
        arrive(accounting, 0, 1);
        assertThat(accounting.counts().damaged()).isEqualTo(2);
        assertThat(accounting.counts().foreign()).isZero();
        assertThat(accounting.received()).isZero();
    }

    @Test
    void rejectsARunWithoutPackets() {
        assertThatThrownBy(() -> new PacketAccounting(TAG, new Phases(0, 0, 0), capture))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void arrive(PacketAccounting accounting, long... sequences) {
        for (long sequence : sequences) {
            PacketLayout.putIdentity(buffer, OFFSET, TAG, sequence);
            accounting.packet(buffer, OFFSET, 1_000 + sequence, PacketAccounting.NO_STAMP);
        }
    }
}
