package org.lagbench.analysis.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunRecord;

/** A run whose packets' stages were recorded. */
public interface StagedRun {
    /** The files of a run's directory, besides the captures of packets, that have the stamps of stages. */
    List<String> FILES = List.of(KernelCapture.FILE_NAME, CycleClock.SENDER_FILE_NAME, CycleClock.RECEIVER_FILE_NAME);

    /** Accepts packets one at a time. */
    @FunctionalInterface
    interface PacketConsumer {
        /** Accepts a packet; the object is reused after the call. */
        void accept(PacketStages packet);
    }

    /** Returns the stages of the run's packets, in order. */
    List<Stage> stages();

    /**
     * Passes each packet with all stamps to the consumer, in the order of arrival.
     *
     * @return the number of packets that arrived but have no stamp of some stage
     */
    long forEach(PacketConsumer consumer) throws LagbenchException;

    /** Returns the difference of the stamps' keys of consecutive packets: 1, or the bytes of a packet of a stream. */
    static long keysPerPacket(RunRecord record) {
        return Transports.load()
                .find(record.point().transport())
                .map(transport -> transport.stampKeysPerPacket(record.point().packetBytes()))
                .orElse(1L);
    }

    /** Returns the stages of a run; null if they were not recorded. */
    static @Nullable StagedRun of(Path directory, RunRecord record, JoinedRun run) {
        boolean isScheduled = record.point().pace().intervalNs() > 0;
        Path stamps = directory.resolve(KernelCapture.FILE_NAME);
        if (record.sender().metadata().get(KernelCapture.FIRST_KEY_NAME) instanceof Number firstKey
                && run.hasKernelStamps()
                && Files.exists(stamps)) {
            return new SocketStages(run, stamps, firstKey.longValue(), keysPerPacket(record), isScheduled);
        }
        Path senderCycles = directory.resolve(CycleClock.SENDER_FILE_NAME);
        Path receiverCycles = directory.resolve(CycleClock.RECEIVER_FILE_NAME);
        return record.point().observes(Observation.STAGES)
                        && run.hasBusCycles()
                        && Files.exists(senderCycles)
                        && Files.exists(receiverCycles)
                ? new BusStages(run, senderCycles, receiverCycles, isScheduled)
                : null;
    }

    /** How long one packet was in each stage. One object is reused for all packets of a pass. Not thread-safe. */
    final class PacketStages {
        private final long[] ns = new long[Stage.values().length];
        private long lagNs;

        /** Returns how long the packet was in a stage, in ns; 0 if its transport does not have the stage. */
        public long ns(Stage stage) {
            return ns[stage.place()];
        }

        /** Returns the packet's lag in ns: the sum of all stages except {@link Stage#APPLICATION}. */
        public long lagNs() {
            return lagNs;
        }

        void put(Stage stage, long value) {
            if (stage != Stage.APPLICATION) {
                lagNs += value - ns[stage.place()];
            }
            ns[stage.place()] = value;
        }

        /** Adds the times to sums, which are indexed by {@link Stage#place}. */
        void addTo(long[] sumsNs) {
            Arrays.setAll(sumsNs, place -> sumsNs[place] + ns[place]);
        }
    }
}
