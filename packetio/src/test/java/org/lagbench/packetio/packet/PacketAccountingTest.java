package org.lagbench.packetio.packet;

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
    void warmUpPacketsAreCountedApartAndNotRecorded() throws Exception {
        PacketAccounting arrivals = new PacketAccounting(TAG, 3, 2, capture);
        arrive(arrivals, -2, -1, 0, 1);
        assertThat(arrivals.warmUpReceived()).isEqualTo(2);
        assertThat(arrivals.received()).isEqualTo(2);
        assertThat(arrivals.isComplete()).isFalse();
        arrive(arrivals, -3);
        assertThat(arrivals.foreign()).as("before the warm-up's first").isEqualTo(1);
        arrive(arrivals, 2);
        assertThat(arrivals.isComplete()).isTrue();
        capture.close();
        try (CaptureReader reader = CaptureReader.open(path)) {
            assertThat(reader.records()).isEqualTo(3);
            assertThat(reader.value(1, reader.field("received_ns"))).isEqualTo(1_001);
        }
    }

    @Test
    void reorderingIsThatOfRfc4737AndLossIsNone() {
        PacketAccounting arrivals = new PacketAccounting(TAG, 100, 0, capture);
        arrive(arrivals, 1, 4, 3, 2, 7);
        assertThat(arrivals.reordered())
                .as("3 and 2 came after 4; 5, 6 and 0 are merely lost")
                .isEqualTo(2);
        assertThat(arrivals.distinct()).isEqualTo(5);
    }

    @Test
    void aCopyIsNotReordered() {
        PacketAccounting arrivals = new PacketAccounting(TAG, 100, 0, capture);
        arrive(arrivals, 0, 1, 2, 0, 0);
        assertThat(arrivals.reordered()).isZero();
        assertThat(arrivals.duplicated()).isEqualTo(2);
        assertThat(arrivals.received()).isEqualTo(5);
    }

    @Test
    void whatFindsNoRoomInTheCaptureIsCountedAllTheSame() {
        PacketAccounting arrivals = new PacketAccounting(TAG, 2, 0, capture);
        arrive(arrivals, 0, 0, 0, 0, 0, 0, 0, 1);
        assertThat(arrivals.unrecorded()).isEqualTo(2);
        assertThat(arrivals.received()).isEqualTo(8);
        assertThat(arrivals.isComplete()).isTrue();
    }

    @Test
    void sequenceNumbersAcrossManyWordsAreToldApart() {
        PacketAccounting arrivals = new PacketAccounting(TAG, 1_000, 0, capture);
        for (long sequence = 999; sequence >= 0; sequence -= 3) {
            arrive(arrivals, sequence);
        }
        assertThat(arrivals.distinct()).isEqualTo(334);
        assertThat(arrivals.duplicated()).isZero();
        assertThat(arrivals.reordered()).isEqualTo(333);
    }

    @Test
    void anotherTagIsForeign() {
        PacketAccounting arrivals = new PacketAccounting(TAG + 1, 1_000, 0, capture);
        arrive(arrivals, 0, 1);
        assertThat(arrivals.foreign()).isEqualTo(2);
        assertThat(arrivals.received()).isZero();
        assertThat(capture.records()).isZero();
    }

    @Test
    void aRunOfNoPacketsIsRefused() {
        assertThatThrownBy(() -> new PacketAccounting(TAG, 0, 0, capture)).isInstanceOf(IllegalArgumentException.class);
    }

    private void arrive(PacketAccounting arrivals, long... sequences) {
        for (long sequence : sequences) {
            PacketLayout.putIdentity(buffer, OFFSET, TAG, sequence);
            arrivals.packet(buffer, OFFSET, 1_000 + sequence, PacketAccounting.NO_STAMP);
        }
    }
}
