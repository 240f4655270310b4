package org.lagbench.analysis.summary;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.DropsCapture;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Metric;
import org.lagbench.core.run.PacketError;
import org.lagbench.core.run.QueueDropFacts;

/**
 * Where the lost packets of runs were lost, by counters: each packet has one place, so that the places add up to the
 * lost packets. Counts of a receiver are of the packets asked for. Those of a sender contain the packets around them,
 * and those of a library's socket the copies of packets: they take what the others leave.
 *
 * @param notSent packets that the sender's host did not send, because a call failed or the next hop has no known link
 *     address
 * @param ownQueue packets that a queue of the sender's host dropped, with an error of the call ({@code ENOBUFS}) or not
 * @param wire packets that were lost on the way, or arrived after the end of the run: what no counter has
 * @param damaged packets that arrived with a wrong checksum, or with two numbers that contradict each other
 * @param receiveBuffer packets that the receiver's kernel dropped because a buffer was full
 * @param receiverOther packets that the receiver's kernel dropped for another reason
 * @param receiveRing packets that a bus controller's receive ring overwrote
 * @param senderLibrary packets that the sender's library dropped: its queue was full, or they were late
 * @param givenUp packets that a library which repairs losses gave up: they were lost on the way, and their copies too,
 *     or they came too late
 */
public record LossPlaces(
        long notSent,
        long ownQueue,
        long wire,
        long damaged,
        long receiveBuffer,
        long receiverOther,
        long receiveRing,
        long senderLibrary,
        long givenUp) {
    /** The metrics of places. */
    static final List<Metric<LossPlaces>> METRICS = List.of(
            place("notSent", "Not sent", LossPlaces::notSent),
            place("ownQueue", "Queue of the sender's host", LossPlaces::ownQueue),
            place("wire", "Wire", LossPlaces::wire),
            place("damaged", "Damaged", LossPlaces::damaged),
            place("receiveBuffer", "Receive buffer", LossPlaces::receiveBuffer),
            place("receiverOther", "Other drops at the receiver", LossPlaces::receiverOther),
            place("receiveRing", "Receive ring", LossPlaces::receiveRing),
            place("senderLibrary", "Sender's library", LossPlaces::senderLibrary),
            place("givenUp", "Given up by the library", LossPlaces::givenUp));

    private static Metric<LossPlaces> place(String name, String title, Metric.Getter<LossPlaces> packets) {
        return Metric.packets("lossPlaces." + name, "Place of losses", title, packets);
    }

    private static final LossPlaces NONE = new LossPlaces(0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** Divides lost packets among counts, each of which takes as many as are left. */
    private static final class Division {
        private long left;

        Division(long lost) {
            left = lost;
        }

        long take(@Nullable Long counted) {
            long taken = Math.max(0, Math.min(left, Objects.requireNonNullElse(counted, 0L)));
            left -= taken;
            return taken;
        }
    }

    /**
     * Returns the places of one run.
     *
     * @param soFar its metrics that were computed before
     */
    static LossPlaces of(PooledRuns runs, Metrics soFar) {
        Division lost = new Division(soFar.packets().lost());
        long receiveBuffer = lost.take(soFar.get(MetricGroup.KERNEL_DROPS));
        long damaged = lost.take(soFar.get(MetricGroup.DAMAGED));
        long receiverOther = lost.take(FailedSends.sum(otherDrops(soFar)));
        long receiveRing = lost.take(soFar.get(MetricGroup.OVERWRITTEN));
        FailedSends failed = soFar.get(MetricGroup.FAILED_SENDS);
        Map<String, Long> errors = failed == null ? Map.of() : failed.packets();
        long fullQueue = errors.getOrDefault(PacketError.ENOBUFS.name(), 0L);
        long notSent = lost.take(FailedSends.sum(errors) - fullQueue);
        long ownQueue = lost.take(Math.max(fullQueue, runs.hostDrops(QueueDropFacts::queueDrops)));
        long senderLibrary = lost.take(failed == null ? null : (Long) failed.ofLibrary());
        boolean repairs = Transports.load()
                .find(runs.point().transport())
                .map(Transport::holdSetting)
                .isPresent();
        return new LossPlaces(
                notSent,
                ownQueue,
                repairs ? 0 : lost.left,
                damaged,
                receiveBuffer,
                receiverOther,
                receiveRing,
                senderLibrary,
                repairs ? lost.left : 0);
    }

    /**
     * Returns whether no counter says why lost packets did not reach the receiver's host: none is known to have reached
     * it, and the sender's host did not refuse all that its library sent.
     */
    public boolean isWayUnknown() {
        boolean hasReached = damaged + receiveBuffer + receiverOther + receiveRing > 0;
        boolean isRefused = notSent + ownQueue > 0;
        return !hasReached && (unknown() > 0 || !isRefused);
    }

    /** Returns the recorded drops of whole packets by the receiver's kernel for which no buffer was full, by reason. */
    public static Map<String, Long> otherDrops(Metrics metrics) {
        Map<String, Long> drops = new TreeMap<>(metrics.require(MetricGroup.RECORDED_DROPS));
        drops.keySet().removeAll(DropsCapture.OVERFLOWS);
        drops.keySet().removeAll(DropsCapture.DAMAGES);
        return drops;
    }

    /** Returns the packets that no counter has. */
    public long unknown() {
        return wire + givenUp;
    }

    /** Returns the sum of the places of runs. */
    static LossPlaces sum(Iterable<LossPlaces> runs) {
        LossPlaces sum = NONE;
        for (LossPlaces run : runs) {
            sum = new LossPlaces(
                    sum.notSent + run.notSent,
                    sum.ownQueue + run.ownQueue,
                    sum.wire + run.wire,
                    sum.damaged + run.damaged,
                    sum.receiveBuffer + run.receiveBuffer,
                    sum.receiverOther + run.receiverOther,
                    sum.receiveRing + run.receiveRing,
                    sum.senderLibrary + run.senderLibrary,
                    sum.givenUp + run.givenUp);
        }
        return sum;
    }
}
