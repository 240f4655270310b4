package org.lagbench.analysis.stage;

import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.join.JoinedRun;
import org.lagbench.analysis.stage.StagedRun.PacketStages;
import org.lagbench.core.failure.LagbenchException;

/**
 * The stages of packets over IEEE-1394, by the bus cycles that both sides recorded. Nothing records when in its cycle a
 * packet was complete: a small one is complete soon after the cycle's start, and may be received before its end. So a
 * packet counts as on the wire until its cycle is over or, if that is sooner, until it is received. The kernel delivers
 * packets in batches, one interrupt each, and does not record when. A packet whose cycle was over when the first of a
 * batch was delivered belongs to that batch. The interrupt was at the end of the last cycle of the batch.
 */
record BusStages(JoinedRun run, Path senderFile, Path receiverFile, boolean isScheduled) implements StagedRun {
    /**
     * The maximum number of packets in a batch: more than the largest interrupt interval, which is a number of packets.
     */
    private static final int LARGEST_BATCH = 4096;

    private static final List<Stage> STAGES =
            List.of(Stage.APPLICATION, Stage.TRANSMIT_QUEUE, Stage.WIRE, Stage.RECEIVE_BUFFER, Stage.READER);

    @Override
    public List<Stage> stages() {
        return isScheduled ? STAGES : STAGES.subList(1, STAGES.size());
    }

    @Override
    public long forEach(PacketConsumer consumer) throws LagbenchException {
        CycleClock senderClock = CycleClock.read(senderFile);
        CycleClock receiverClock = CycleClock.read(receiverFile);
        PacketStages packet = new PacketStages();
        long missing = 0;
        long readerFreeNs = Long.MIN_VALUE;
        for (long first = 0, end; first < run.received(); first = end) {
            long deliveredNs = run.receivedNs(first);
            long interruptNs = overNs(receiverClock, first);
            for (end = first + 1; end < run.received() && end - first < LARGEST_BATCH; end++) {
                long cycleEndNs = cycleEndNs(receiverClock, end);
                if (cycleEndNs > deliveredNs) {
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
        return Math.min(cycleEndNs(clock, arrival), run.receivedNs(arrival));
    }

    private long cycleEndNs(CycleClock clock, long arrival) throws LagbenchException {
        return clock.endNs(run.receivedCycle(arrival), run.receivedNs(arrival));
    }
}
