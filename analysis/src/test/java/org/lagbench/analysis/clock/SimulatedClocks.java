package org.lagbench.analysis.clock;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;

/**
 * Two clocks with a known offset and skew, and their stamps of packets over a network with known delays. True time is
 * the sender's clock, from {@link #EPOCH_NS}. Delays are at least {@link #forwardNs} and {@link #backwardNs}; queues
 * add an exponentially distributed time.
 */
final class SimulatedClocks {
    static final long EPOCH_NS = 1_790_000_000_123_456_789L;

    final Random random;
    double offsetNs;
    double skew;
    double forwardNs = 20_000;
    double backwardNs = 20_000;
    double queueNs = 5_000;

    final List<Step> steps = new ArrayList<>();

    /**
     * A step of a clock.
     *
     * @param atNs when it is stepped, after the epoch
     * @param sizeNs how much the receiver's clock gains on the sender's
     * @param bySender whether the sender's clock is stepped, not the receiver's
     */
    record Step(double atNs, double sizeNs, boolean bySender) {}

    SimulatedClocks(long seed) {
        random = new Random(seed);
        offsetNs = (random.nextDouble() - 0.5) * 100e6;
        skew = (random.nextDouble() - 0.5) * 200e-6;
    }

    /** Returns the true offset at a time after the epoch. */
    double offsetAt(double ns) {
        return offsetNs + skew * ns + gainNs(ns, true) + gainNs(ns, false);
    }

    /** Returns how much the receiver's clock has gained on the sender's by steps of one of them. */
    double gainNs(double ns, boolean bySender) {
        return steps.stream()
                .filter(step -> step.bySender == bySender && ns >= step.atNs)
                .mapToDouble(Step::sizeNs)
                .sum();
    }

    long sender(double ns) {
        return EPOCH_NS + (long) Math.floor(ns - gainNs(ns, true));
    }

    long receiver(double ns) {
        return EPOCH_NS + (long) Math.floor(ns + offsetNs + skew * ns + gainNs(ns, false));
    }

    double queue() {
        return -queueNs * Math.log(1 - random.nextDouble());
    }

    TwoWayStamps twoWay(double seconds, int eachSecond) {
        return new TwoWayStamps(exchanges(seconds, eachSecond));
    }

    /** Returns twenty exchanges 1 ms apart before a run, {@code eachSecond} a second during it, and twenty after it. */
    List<TwoWayExchange> exchanges(double seconds, int eachSecond) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            times.add(-50e6 + i * 1e6);
        }
        for (double s = 1.0 / eachSecond; s < seconds; s += 1.0 / eachSecond) {
            times.add(s * 1e9);
        }
        for (int i = 0; i < 20; i++) {
            times.add(seconds * 1e9 + 20e6 + i * 1e6);
        }
        List<TwoWayExchange> exchanges = new ArrayList<>();
        for (double at : times) {
            double there = at + forwardNs + queue();
            double answered = there + 4_000 + queue();
            double back = answered + backwardNs + queue();
            exchanges.add(new TwoWayExchange(sender(at), receiver(there), receiver(answered), sender(back)));
        }
        return exchanges;
    }

    /** Returns the error of an estimate at its mid-span, in ns. */
    double errorNs(OffsetEstimate estimate) {
        return estimate.midSpanOffsetNs() - offsetAt((double) (estimate.midSpanNs() - EPOCH_NS));
    }

    /** Returns the error of an estimate's skew, in ppm. */
    double skewErrorPpm(OffsetEstimate estimate) {
        return estimate.line().skewPpm() - skew * 1e6;
    }
}
