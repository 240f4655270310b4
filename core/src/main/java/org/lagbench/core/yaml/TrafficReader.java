package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.yaml.MappingReader.Placed;

/** Reads what the runs of an experiment do, and the keys that belong to one kind of traffic. */
final class TrafficReader {
    private final MappingReader keys;
    private final Problems problems;

    /** Creates a reader of an experiment's keys. */
    TrafficReader(MappingReader keys, Problems problems) {
        this.keys = keys;
        this.problems = problems;
    }

    /** Returns the kinds of traffic, without refused ones. */
    List<Placed<TrafficSpec>> read(Duration stallTimeout) {
        List<Placed<Traffic>> kinds = keys.list(ExperimentKeys.TRAFFIC);
        int inFlight = keys.get(RunParameters.IN_FLIGHT);
        Duration answerTimeout = keys.get(RunParameters.ANSWER_TIMEOUT);
        boolean isAnswered = kinds.stream().anyMatch(kind -> kind.value() == Traffic.ROUND_TRIP);
        if (isAnswered && answerTimeout.compareTo(stallTimeout) >= 0) {
            keys.add(
                    RunParameters.ANSWER_TIMEOUT,
                    Intervals.format(answerTimeout.toNanos()) + " is not accepted; it must be shorter than "
                            + RunParameters.STALL_TIMEOUT.name() + ", " + Intervals.format(stallTimeout.toNanos())
                            + ".");
        }
        if (!isAnswered) {
            refuseIfSet(RunParameters.IN_FLIGHT, Traffic.ROUND_TRIP);
            refuseIfSet(RunParameters.ANSWER_TIMEOUT, Traffic.ROUND_TRIP);
        }
        List<TransferSpec> transfers = transfers(kinds.stream().anyMatch(kind -> kind.value() == Traffic.TRANSFER));
        List<Placed<TrafficSpec>> specs = new ArrayList<>();
        for (Placed<Traffic> kind : kinds) {
            if (kind.value() == Traffic.TRANSFER) {
                transfers.forEach(transfer -> specs.add(new Placed<>(kind.place(), TrafficSpec.of(transfer))));
            } else {
                specs.add(new Placed<>(kind.place(), spec(kind.value(), inFlight, answerTimeout)));
            }
        }
        return specs;
    }

    /** Returns the transfers of each size. */
    private List<TransferSpec> transfers(boolean hasTransfers) {
        List<Long> sizes = MappingReader.values(keys.list(ExperimentKeys.TRANSFER_BYTES));
        int count = keys.get(RunParameters.TRANSFERS);
        boolean keepsConnection = keys.get(RunParameters.CONNECTION);
        if (!hasTransfers) {
            for (Parameter<?> key : List.of(
                    ExperimentKeys.TRANSFER_BYTES,
                    RunParameters.TRANSFERS,
                    RunParameters.CONNECTION,
                    ExperimentKeys.CODEC)) {
                refuseIfSet(key, Traffic.TRANSFER);
            }
        }
        List<@Nullable CompressionSpec> compressions = compressions();
        return sizes.stream()
                .flatMap(bytes -> compressions.stream()
                        .map(compression -> new TransferSpec(bytes, count, keepsConnection, compression)))
                .toList();
    }

    /** Returns each codec with each kind of data; null stands for the codec {@code off}, which sends packets. */
    private List<@Nullable CompressionSpec> compressions() {
        List<String> codecs = MappingReader.values(keys.list(ExperimentKeys.CODEC));
        List<String> data = MappingReader.values(keys.list(ExperimentKeys.DATA));
        if (codecs.equals(List.of(CompressionSpec.OFF)) && !data.equals(List.of(CompressionSpec.DEFAULT_DATA))) {
            keys.addAtKey(ExperimentKeys.DATA, "only compressed transfers have it; leave it out, or name a codec.");
        }
        List<@Nullable CompressionSpec> compressions = new ArrayList<>();
        for (String codec : codecs) {
            if (codec.equals(CompressionSpec.OFF)) {
                compressions.add(null);
            } else {
                data.forEach(contents -> compressions.add(new CompressionSpec(codec, contents)));
            }
        }
        return compressions;
    }

    static boolean areTransfers(List<Placed<TrafficSpec>> traffics) {
        return !traffics.isEmpty()
                && traffics.stream().allMatch(traffic -> traffic.value().kind() == Traffic.TRANSFER);
    }

    private static TrafficSpec spec(Traffic kind, int inFlight, Duration answerTimeout) {
        return kind == Traffic.ROUND_TRIP ? new TrafficSpec(kind, inFlight, answerTimeout) : TrafficSpec.of(kind);
    }

    /**
     * Refuses a key of another kind of traffic whose value is not the default. The default is accepted, because a
     * written experiment has all keys.
     */
    private void refuseIfSet(Parameter<?> key, Traffic owner) {
        if (keys.isSet(key)) {
            keys.addAtKey(
                    key,
                    "only " + ExperimentKeys.TRAFFIC + ": " + owner.text()
                            + " has it; leave it out, or name that traffic.");
        }
    }

    /**
     * Returns the sizes that all kinds of traffic accept; refuses the others.
     *
     * @param sizes sizes of at least 1 byte
     */
    List<Placed<Integer>> checkSizes(List<Placed<Integer>> sizes, List<Placed<TrafficSpec>> traffics) {
        boolean takesAll = traffics.stream().allMatch(traffic -> traffic.value().isPingPong());
        boolean isAnswered =
                traffics.stream().anyMatch(traffic -> traffic.value().kind() == Traffic.ROUND_TRIP);
        for (Placed<Integer> size : sizes) {
            if (size.value() < RunParameters.MINIMUM_PACKET_BYTES && !takesAll) {
                Parameter<?> key = ExperimentKeys.PACKET_BYTES;
                problems.add(
                        size.place(),
                        key.name() + ": " + size.value() + " is not accepted; it takes " + key.accepted() + "."
                                + (isAnswered
                                        ? " Smaller packets have no header: they need in-flight: 1 and no other kind of"
                                                + " traffic beside round-trip."
                                        : ""));
            }
        }
        return sizes.stream()
                .filter(size -> takesAll || size.value() >= RunParameters.MINIMUM_PACKET_BYTES)
                .filter(size -> areWholeTransfers(size, traffics))
                .toList();
    }

    /** Returns whether a size divides the transfers into whole packets, and few enough of them; refuses other sizes. */
    private boolean areWholeTransfers(Placed<Integer> size, List<Placed<TrafficSpec>> traffics) {
        boolean areWhole = true;
        for (Placed<TrafficSpec> traffic : traffics) {
            TransferSpec transfer = traffic.value().transfer();
            String problem = null;
            if (transfer != null && transfer.bytes() % size.value() != 0) {
                problem = "a transfer consists of whole packets.";
            } else if (traffic.value().packets(1, size.value()) > RunParameters.MAXIMUM_PACKETS) {
                problem = "a run has at most " + RunParameters.MAXIMUM_PACKETS + " packets.";
            }
            if (transfer != null && problem != null) {
                problems.add(
                        size.place(),
                        RunParameters.PACKET_BYTES.yaml(size.value()) + " is not accepted with "
                                + RunParameters.TRANSFER_BYTES.yaml(transfer.bytes()) + "; " + problem);
                areWhole = false;
            }
        }
        return areWhole;
    }
}
