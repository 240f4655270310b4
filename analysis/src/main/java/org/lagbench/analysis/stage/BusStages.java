package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.core.failure.LagbenchException;

/**
 * The stages of packets over IEEE-1394, by the cycles that both sides know. Nothing tells when in its cycle a packet
 * was complete: what is small is soon after the cycle's start, and may be received before its end. So a packet counts
 * as on the wire until its cycle is over or, if that is sooner, until it is received. The kernel hands packets over in
 * batches, an interrupt each, and does not say when: packets whose cycle was over when the first of a batch was handed
 * over are of its batch, and the interrupt came when the last of their cycles was over.
 */
final class BusStages implements StagedRun {
    /** More than any interrupt interval. */
    private static final int MOST_OF_A_BATCH = 4096;

    private static final List<Stage> OF_LAG =
            List.of(Stage.TRANSMIT_QUEUE, Stage.WIRE, Stage.RECEIVE_BUFFER, Stage.READER);
    private static final List<Stage> WITH_APPLICATION =
            List.of(Stage.APPLICATION, Stage.TRANSMIT_QUEUE, Stage.WIRE, Stage.RECEIVE_BUFFER, Stage.READER);

    private final JoinedRun run;
    private final Path senderFile;
    private final Path receiverFile;
    private final boolean isScheduled;

    BusStages(JoinedRun run, Path senderFile, Path receiverFile, boolean isScheduled) {
        this.run = run;
        this.senderFile = senderFile;
        this.receiverFile = receiverFile;
        this.isScheduled = isScheduled;
    }

    @Override
    public List<Stage> stages() {
        return isScheduled ? WITH_APPLICATION : OF_LAG;
    }

    @Override
    public long forEach(PacketConsumer consumer) throws LagbenchException {
        CycleClock senderClock = CycleClock.read(senderFile);
        CycleClock receiverClock = CycleClock.read(receiverFile);
        PacketStages packet = new PacketStages();
        long missing = 0;
        long readerFreeNs = Long.MIN_VALUE;
        for (long first = 0, end; first < run.received(); first = end) {
            long handedOverNs = run.receivedNs(first);
            long interruptNs = overNs(receiverClock, first);
            for (end = first + 1; end < run.received() && end - first < MOST_OF_A_BATCH; end++) {
                long cycleEndNs = endOfCycle(receiverClock, end);
                if (cycleEndNs > handedOverNs) {
                    break;
                }
                interruptNs = Math.max(interruptNs, cycleEndNs);
            }
            for (long arrival = first; arrival < end; arrival++) {
                long receivedNs = run.receivedNs(arrival);
                if (run.isFirstCopy(arrival)) {
                    long number = run.packetOf(arrival);
                    long cycle = run.sentCycle(number);
                    if (cycle < 0) {
                        missing++;
                    } else {
                        long sentNs = run.sentNs(number);
                        long startNs = senderClock.startNs(cycle, sentNs);
                        long overNs = overNs(receiverClock, arrival);
                        long turnNs = Math.max(overNs, Math.max(Math.min(interruptNs, receivedNs), readerFreeNs));
                        packet.put(Stage.APPLICATION, sentNs - run.scheduledNs(number));
                        packet.put(Stage.TRANSMIT_QUEUE, startNs - sentNs);
                        packet.put(Stage.WIRE, overNs - startNs);
                        packet.put(Stage.RECEIVE_BUFFER, turnNs - overNs);
                        packet.put(Stage.READER, receivedNs - turnNs);
                        consumer.accept(packet);
                    }
                }
                readerFreeNs = receivedNs;
            }
        }
        return missing;
    }

    private long overNs(CycleClock clock, long arrival) throws LagbenchException {
        return Math.min(endOfCycle(clock, arrival), run.receivedNs(arrival));
    }

    private long endOfCycle(CycleClock clock, long arrival) throws LagbenchException {
        return clock.endNs(run.receivedCycle(arrival), run.receivedNs(arrival));
    }
}
