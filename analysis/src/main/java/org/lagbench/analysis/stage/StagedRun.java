package org.lagbench.analysis.stage;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.capture.KernelCapture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.transport.Transports;

/** The stages of a run's packets. */
public interface StagedRun {
    /** Takes one packet after the other. */
    @FunctionalInterface
    interface PacketConsumer {
        /** The object is good until this returns. */
        void accept(PacketStages packet);
    }

    /** The stages that the packets of the run went through, in their order. */
    List<Stage> stages();

    /**
     * Hands over each packet of which all is known, in the order of arrival.
     *
     * @return how many packets came of which something is not known: they are left out
     * @throws LagbenchException if a file cannot be read
     */
    long forEach(PacketConsumer consumer) throws LagbenchException;

    /** The stages of a run; null if they were not recorded. */
    static @Nullable StagedRun of(Path directory, RunRecord record, JoinedRun run) {
        Object firstKey = record.sender().metadata().get(KernelCapture.FIRST_KEY_NAME);
        Path stamps = directory.resolve(KernelCapture.FILE_NAME);
        if (firstKey instanceof Number key && run.hasKernelStamps() && Files.exists(stamps)) {
            long keysAPacket = Transports.load()
                    .find(record.transport())
                    .map(transport -> transport.stampKeysPerPacket(record.packetBytes()))
                    .orElse(1L);
            return new SocketStages(run, stamps, key.longValue(), keysAPacket, record.paceIntervalNs() > 0);
        }
        Path senderCycles = directory.resolve("sender-cycles.npy");
        Path receiverCycles = directory.resolve("receiver-cycles.npy");
        if (run.hasBusCycles() && Files.exists(senderCycles) && Files.exists(receiverCycles)) {
            return new BusStages(run, senderCycles, receiverCycles, record.paceIntervalNs() > 0);
        }
        return null;
    }
}
