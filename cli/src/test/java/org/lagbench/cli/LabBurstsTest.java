package org.lagbench.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.core.capture.CaptureReader;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecord.LabRecord;

/** Loses packets on a lab's link in bursts of 40 ms, which begin each 200 ms. */
@Tag("one-java")
class LabBurstsTest {
    private static final String EXPERIMENT =
            """
            name: bursts
            observe: none
            jvm: -XX:TieredStopAtLevel=1 -XX:+UseSerialGC
            lab: {delay: 2ms, forward: {bursts: {every: 200ms, for: 40ms, lengths: fixed}}, name: bursty}
            transports: [udp]
            packet-bytes: 100
            packets: 2000
            warm-up-packets: 50
            pace: {mode: sleep, interval: 500us}
            """;

    private static final int PACKETS = 2_000;
    private static final long PERIOD_NS = 200_000_000;
    private static final long BURST_NS = 40_000_000;

    /** How much later or earlier than its stamp a packet may pass the link. */
    private static final long MARGIN_NS = 5_000_000;

    private static final int TRIES = 10;

    @TempDir
    private Path directory;

    @BeforeEach
    void onlyRootMakesNamespaces() throws Exception {
        Namespaces.assumeCreatable();
    }

    /**
     * The packets of a run.
     *
     * @param inBursts packets sent in bursts
     * @param lostInBursts those of them that were lost
     * @param outside lost packets that were sent between bursts
     * @param lost all lost packets
     * @param lostByLink packets that the link counts as lost in bursts, with those after the recorded ones
     */
    private record Losses(long inBursts, long lostInBursts, long outside, long lost, long lostByLink) {
        private static final long MAX_UNRECORDED = 1_100;

        /**
         * Counts a run's packets. A busy machine may send the first packet later than it announced, so the bursts are
         * found from the first loss on.
         */
        static Losses of(Path run) throws Exception {
            boolean[] received = new boolean[PACKETS];
            try (CaptureReader sent = CaptureReader.open(run.resolve("sender.npy"));
                    CaptureReader arrived = CaptureReader.open(run.resolve("receiver.npy"))) {
                for (long i = 0; i < arrived.records(); i++) {
                    received[(int) arrived.value(i, arrived.field("seq"))] = true;
                }
                int first = 0;
                while (received[first]) {
                    first++;
                }
                long beganNs = sent.value(first, sent.field("sent_ns")) - MARGIN_NS;
                long inBursts = 0;
                long lostInBursts = 0;
                long outside = 0;
                long lost = 0;
                for (int i = first; i < received.length; i++) {
                    long afterNs = (sent.value(i, sent.field("sent_ns")) - beganNs) % PERIOD_NS;
                    boolean isWhollyInBurst = afterNs >= 2 * MARGIN_NS && afterNs < BURST_NS;
                    boolean isOutside = afterNs >= BURST_NS + 2 * MARGIN_NS;
                    inBursts += isWhollyInBurst ? 1 : 0;
                    lostInBursts += isWhollyInBurst && !received[i] ? 1 : 0;
                    outside += isOutside && !received[i] ? 1 : 0;
                    lost += received[i] ? 0 : 1;
                }
                return new Losses(inBursts, lostInBursts, outside, lost, lostByLink(run));
            }
        }

        boolean areOfBursts() {
            return inBursts > 0
                    && lostInBursts > inBursts * 3 / 4
                    && outside < lost / 4
                    && lost <= lostByLink
                    && lostByLink <= lost + MAX_UNRECORDED;
        }

        private static long lostByLink(Path run) throws Exception {
            LabRecord lab = Objects.requireNonNull(RunRecord.read(run).lab());
            return lab.stations().stream()
                    .filter(station -> station.place().equals("relay forward"))
                    .map(station -> station.counts().get("lostInBursts"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** A machine that stops a program moves packets out of their bursts, or fills a buffer: then it runs again. */
    @Test
    void losesPacketsOfBursts() throws Exception {
        List<Losses> losses = new ArrayList<>();
        for (int tries = 0; tries < TRIES && (tries == 0 || !losses.stream().allMatch(Losses::areOfBursts)); tries++) {
            losses.clear();
            Sweeps sweeps = new Sweeps(Files.createDirectory(directory.resolve("try-" + tries)));
            try (LagbenchProcess sweep = sweeps.start(EXPERIMENT, "--no-report")) {
                assertThat(sweep.exitCode()).as(sweep.err()).isZero();
            }
            for (Path run : Sweeps.runs(sweeps.session())) {
                losses.add(Losses.of(run));
            }
        }
        assertThat(losses).hasSize(1).allMatch(Losses::areOfBursts);
    }
}
