package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.run.RunRecord;

/**
 * How many bytes the JVMs allocate per packet: the means over the runs, of engines that measure it.
 *
 * @param senderBytesPerPacket by the sending thread; null if a run did not measure it
 * @param receiverBytesPerPacket by the threads that receive; null if a run did not measure it
 */
public record AllocationFigures(@Nullable Double senderBytesPerPacket, @Nullable Double receiverBytesPerPacket) {
    /** Returns the means; null if neither side of a run measured it. */
    static @Nullable AllocationFigures of(List<RunRecord> runs) {
        Double sender = mean(runs.stream().map(RunRecord::sender).toList(), "packetThreadBytesPerPacket");
        Double receiver = mean(runs.stream().map(RunRecord::receiver).toList(), "connectionThreadBytesPerPacket");
        return sender == null && receiver == null ? null : new AllocationFigures(sender, receiver);
    }

    private static @Nullable Double mean(List<RunRecord.@Nullable Side> sides, String name) {
        List<Number> values = sides.stream()
                .filter(Objects::nonNull)
                .map(side -> side.metadata().get(name))
                .filter(Number.class::isInstance)
                .map(Number.class::cast)
                .toList();
        OptionalDouble mean = values.stream().mapToDouble(Number::doubleValue).average();
        return values.size() < sides.size() || mean.isEmpty() ? null : (Double) mean.getAsDouble();
    }
}
