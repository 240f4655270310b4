package org.lagbench.core.capture;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;

/**
 * The fields that captures have. No reader accepts others, so that a file of another author cannot make one interpret
 * numbers as something else. {@code CaptureFieldsTest} writes the tables of the readers in C and Python from this one.
 */
public final class CaptureFields {
    /** The fields of a capture of simultaneous readings of this machine's clock and the bus clock. */
    public static final List<String> BUS_CLOCK = List.of("at_ns", "bus_ns");

    /** The fields of each kind of capture, in their order. */
    static final List<List<String>> CAPTURES = List.of(
            SenderCapture.FIELDS,
            SenderCapture.BUS_FIELDS,
            ReceiverCapture.FIELDS,
            ReceiverCapture.KERNEL_FIELDS,
            ReceiverCapture.BUS_FIELDS,
            ReceiverCapture.ANSWERED_FIELDS,
            ReceiverCapture.REPLY_FIELDS,
            ReceiverCapture.BYTES_FIELDS,
            KernelCapture.FIELDS,
            EventsCapture.FIELDS,
            DropsCapture.FIELDS,
            DeparturesCapture.FIELDS,
            BufferFiles.SENDER_FIELDS,
            BufferFiles.RECEIVER_FIELDS,
            TransferFiles.TRANSFERS_FIELDS,
            TransferFiles.TCP_FIELDS,
            ChunkCapture.SENDER_FIELDS,
            ChunkCapture.RECEIVER_FIELDS,
            TwoWayExchange.FIELDS,
            BUS_CLOCK);

    private static final Set<String> NAMES = names().collect(Collectors.toUnmodifiableSet());

    private CaptureFields() {}

    /** Returns the names of all fields, each once, in the order of the captures. */
    static Stream<String> names() {
        return CAPTURES.stream().flatMap(List::stream).distinct();
    }

    /** Returns whether captures have a field with this name; each is a signed 64-bit integer. */
    static boolean isDeclared(String name) {
        return NAMES.contains(name);
    }
}
