package org.lagbench.core.run;

import org.lagbench.core.model.LabRecord;
import org.lagbench.core.model.TextEnum;

/** Checks that the values of a run's record can be true. */
final class RunRecordRanges {
    private RunRecordRanges() {}

    /**
     * Checks a record.
     *
     * @throws IllegalArgumentException if a value cannot be true; the message has the member
     */
    static void check(RunRecord run) {
        checkName("name", run.name());
        checkName("transport", run.transport());
        checkRange("packetBytes", run.packetBytes(), 1, Integer.MAX_VALUE);
        checkRange("packets", run.packets(), 1, RunSpec.MAXIMUM_PACKETS);
        checkRange("warmUpPackets", run.warmUpPackets(), 0, RunSpec.MAXIMUM_PACKETS);
        checkRange("repeat", run.repeat(), 1, Integer.MAX_VALUE);
        checkRange("paceIntervalNs", run.paceIntervalNs(), 0, Pace.MAXIMUM_INTERVAL_NS);
        checkRange("paceBurst", run.paceBurst(), 1, Pace.MAXIMUM_BURST);
        TextEnum.parse(Traffic.class, "traffic", run.traffic());
        if (run.inFlight() != null) {
            checkRange("inFlight", run.inFlight(), TrafficSpec.UNLIMITED, 1);
        }
        if (run.answerTimeoutNs() != null) {
            checkRange(
                    "answerTimeoutNs",
                    run.answerTimeoutNs(),
                    TrafficSpec.MINIMUM_ANSWER_TIMEOUT.toNanos(),
                    TrafficSpec.MAXIMUM_ANSWER_TIMEOUT.toNanos());
        }
        TransferSpec transfer = run.transfer();
        if (transfer != null && !transfer.equals(wholeTransfers(run, transfer))) {
            throw new IllegalArgumentException("transfer.count: " + transfer.count() + " does not fit the packets");
        }
        RunRecord.Counts counts = run.counts();
        if (counts != null) {
            check(counts, run.packets());
        }
        RunRecord.Clock clock = run.clock();
        if (clock != null && clock.boundNs() != null) {
            checkRange("clock.boundNs", clock.boundNs(), 0, Long.MAX_VALUE / 2);
        }
        LabRecord lab = run.lab();
        if (lab != null) {
            checkRange("lab.rateBitsPerS", lab.rateBitsPerS(), 0, Long.MAX_VALUE);
            if (lab.capacityPacketsPerS() != null && lab.capacityPacketsPerS() <= 0) {
                throw new IllegalArgumentException(
                        "lab.capacityPacketsPerS: " + lab.capacityPacketsPerS() + " is not above 0");
            }
        }
    }

    private static TransferSpec wholeTransfers(RunRecord run, TransferSpec transfer) {
        return TransferSpec.of(
                transfer.bytes(), run.packets(), run.packetBytes(), transfer.keepsConnection(), transfer.compression());
    }

    private static void check(RunRecord.Counts counts, long packets) {
        long received = counts.received();
        checkRange("counts.received", received, 0, Long.MAX_VALUE);
        checkRange("counts.distinct", counts.distinct(), 0, Math.min(received, packets));
        checkRange("counts.duplicated", counts.duplicated(), 0, received);
        checkRange("counts.reordered", counts.reordered(), 0, received);
        checkRange("counts.foreign", counts.foreign(), 0, Long.MAX_VALUE);
        checkRange("counts.unrecorded", counts.unrecorded(), 0, received);
        checkRange("counts.kernelDrops", counts.kernelDrops(), -1, Long.MAX_VALUE);
    }

    /** Checks a name that becomes a part of names of files. */
    private static void checkName(String member, String name) {
        if (!RunSpec.NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    member + ": this is not a name of at most 100 letters, digits, dots, hyphens and underscores");
        }
    }

    private static void checkRange(String member, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(member + ": " + value
                    + (most == Long.MAX_VALUE ? " is below " + least : " is not from " + least + " to " + most));
        }
    }
}
