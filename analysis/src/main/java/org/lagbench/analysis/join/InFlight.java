package org.lagbench.analysis.join;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;

/**
 * The packets in flight when a run was stopped. A run that ends by itself waits for its last packets; a stopped one
 * does not, so that nobody knows whether they would have arrived.
 *
 * <p>They are the packets after the last one that arrived, or was answered if packets are answered, which were sent
 * within the time that a run waits: the drain, or the reply timeout if that is longer.
 */
final class InFlight {
    private static final Set<RunRecord.State> STOPPED =
            EnumSet.of(RunRecord.State.INTERRUPTED, RunRecord.State.RUNNING);

    private static final Transports TRANSPORTS = Transports.load();

    private InFlight() {}

    /** Returns the number of packets in the sender's capture, packets in flight excluded. */
    static long excludedFrom(SenderStamps sender, Path directory, RunRecord record) throws LagbenchException {
        long sent = sender.records();
        if (sent == 0) {
            return sent;
        }
        Point point = record.point();
        boolean isAnswered = point.traffic().isAnswered();
        Path arrivals = directory.resolve(isAnswered ? ReceiverCapture.REPLIES_FILE_NAME : ReceiverCapture.FILE_NAME);
        if (!STOPPED.contains(record.state()) || !Files.exists(arrivals)) {
            return sent;
        }
        long unknownSinceNs = sender.sentNs(sent - 1) - waitNs(point);
        long last = last(arrivals, sent);
        long known = sent;
        while (known > last + 1 && sender.sentNs(known - 1) > unknownSinceNs) {
            known--;
        }
        return known;
    }

    private static long waitNs(Point point) {
        Duration drain = TRANSPORTS.find(point.transport()).map(point::drain).orElse(point.drain());
        Duration reply = point.traffic().replyTimeout();
        return (point.traffic().isAnswered() && reply.compareTo(drain) > 0 ? reply : drain).toNanos();
    }

    /** Returns the highest sequence number below a limit in a capture of arrivals; -1 if there is none. */
    private static long last(Path arrivals, long limit) throws LagbenchException {
        try (CaptureReader capture = CaptureReader.open(arrivals)) {
            int sequence = capture.field("seq");
            long last = -1;
            for (long arrival = 0; arrival < capture.records(); arrival++) {
                long packet = capture.value(arrival, sequence);
                last = packet < limit ? Math.max(last, packet) : last;
            }
            return last;
        }
    }
}
