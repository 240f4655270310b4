package org.lagbench.analysis.clock;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.LagbenchException;

/**
 * The two-way exchanges of one run, in order. There are a few per second, so they are kept in memory.
 *
 * @param exchanges at least one
 */
public record TwoWayStamps(List<TwoWayExchange> exchanges) {
    public TwoWayStamps {
        exchanges = List.copyOf(exchanges);
        if (exchanges.isEmpty()) {
            throw new IllegalArgumentException("two-way stamps need at least one exchange");
        }
    }

    /**
     * Reads the exchanges from a run's directory.
     *
     * @return the exchanges, at least one; null if the run recorded no exchange, as on one kernel
     * @throws LagbenchException with the path, if they cannot be read
     */
    public static @Nullable TwoWayStamps read(Path directory) throws LagbenchException {
        Path file = directory.resolve(TwoWayExchange.FILE_NAME);
        if (!Files.exists(file)) {
            return null;
        }
        try (CaptureReader reader = CaptureReader.open(file)) {
            int sent = reader.field("sent_ns");
            int received = reader.field("received_ns");
            int replied = reader.field("replied_ns");
            int returned = reader.field("returned_ns");
            List<TwoWayExchange> exchanges = new ArrayList<>();
            for (long i = 0; i < reader.records(); i++) {
                exchanges.add(new TwoWayExchange(
                        reader.value(i, sent),
                        reader.value(i, received),
                        reader.value(i, replied),
                        reader.value(i, returned)));
            }
            return of(exchanges);
        }
    }

    /** Returns the stamps of exchanges; null if there is none. */
    static @Nullable TwoWayStamps of(List<TwoWayExchange> exchanges) {
        return exchanges.isEmpty() ? null : new TwoWayStamps(exchanges);
    }

    /** Returns when the first request was sent, by the sender's clock, ns since the epoch. */
    public long firstNs() {
        return exchanges.get(0).sentNs();
    }

    /** Returns when the last reply returned, by the sender's clock, ns since the epoch. */
    public long lastNs() {
        return exchanges.get(exchanges.size() - 1).returnedNs();
    }

    /** Returns the middle between the first request and the last reply, by the sender's clock. */
    long midSpanNs() {
        return firstNs() + (lastNs() - firstNs()) / 2;
    }
}
