package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.experiment.MappingReader.Placed;
import org.lagbench.experiment.YamlNode.Mapping;

/**
 * Reads {@code packet-bytes}: the sizes of all packets, or those of each kind of traffic.
 *
 * @param keys the experiment's
 */
record PacketSizeReader(MappingReader keys) {
    private static final List<Integer> DEFAULT_PACKET_BYTES = List.of(992, 396, 24);

    /** The size of the chunks that the Network Weather Service sends, in bytes. */
    private static final List<Integer> DEFAULT_PIECE_BYTES = List.of(1 << 14);

    private static final Parameter<List<Integer>> KEY = ExperimentKeys.SIZES;

    /** Returns the sizes of each kind of traffic, each of at least 1 byte. */
    Map<Traffic, List<Placed<Integer>>> read(List<Traffic> kinds) {
        Map<Traffic, List<Placed<Integer>>> sizes = new LinkedHashMap<>();
        if (keys.node(KEY) instanceof Mapping mapping) {
            List<String> known = kinds.stream().map(Traffic::text).toList();
            keys.section(KEY, mapping, known)
                    .ifPresent(section -> kinds.forEach(
                            kind -> sizes.put(kind, sizes(section, KEY.named(kind.text()), List.of(kind)))));
        } else {
            List<Placed<Integer>> all = sizes(keys, KEY, kinds);
            kinds.forEach(kind -> sizes.put(kind, all));
        }
        return sizes;
    }

    private static List<Placed<Integer>> sizes(
            MappingReader reader, Parameter<List<Integer>> key, List<Traffic> kinds) {
        return reader.list(key.byDefault(areTransfers(kinds) ? DEFAULT_PIECE_BYTES : DEFAULT_PACKET_BYTES));
    }

    /** Returns the sizes without their locations in the file. */
    static Map<Traffic, List<Integer>> values(Map<Traffic, List<Placed<Integer>>> sizes) {
        Map<Traffic, List<Integer>> values = new LinkedHashMap<>();
        sizes.forEach((kind, placed) -> values.put(kind, MappingReader.values(placed)));
        return values;
    }

    static boolean areTransfers(Collection<Traffic> kinds) {
        return !kinds.isEmpty() && kinds.stream().allMatch(kind -> kind == Traffic.TRANSFER);
    }

    /** Returns the different sizes that the traffic of their kinds accepts; refuses the others. */
    List<Placed<Integer>> check(Map<Traffic, List<Placed<Integer>>> sizes, List<TrafficSpec> traffics) {
        Map<Placed<Integer>, List<TrafficSpec>> uses = new LinkedHashMap<>();
        for (TrafficSpec traffic : traffics) {
            for (Placed<Integer> size : sizes.getOrDefault(traffic.kind(), List.of())) {
                uses.computeIfAbsent(size, any -> new ArrayList<>()).add(traffic);
            }
        }
        Map<Integer, Placed<Integer>> accepted = new LinkedHashMap<>();
        uses.forEach((size, users) -> {
            String problem = problem(size.value(), users);
            if (problem == null) {
                accepted.putIfAbsent(size.value(), size);
            } else {
                keys.problems().add(size.place(), problem);
            }
        });
        return List.copyOf(accepted.values());
    }

    private static @Nullable String problem(int size, List<TrafficSpec> traffics) {
        if (traffics.stream().anyMatch(traffic -> size < traffic.minimumPacketBytes())) {
            boolean isAnswered = traffics.stream().anyMatch(TrafficSpec::isAnswered);
            return KEY.name() + ": " + size + " is not accepted; it takes " + KEY.accepted() + "."
                    + (isAnswered
                            ? " Smaller packets have no header: they need in-flight: 1 and no other kind of traffic"
                                    + " beside round-trip."
                            : "");
        }
        for (TrafficSpec traffic : traffics) {
            TransferSpec transfer = traffic.transfer();
            if (transfer == null) {
                continue;
            }
            boolean isWhole = transfer.bytes() % size == 0;
            if (!isWhole || traffic.packets(1, size) > RunParameters.MAXIMUM_PACKETS) {
                return RunParameters.PACKET_BYTES.yaml(size) + " is not accepted with "
                        + RunParameters.TRANSFER_BYTES.yaml(transfer.bytes()) + "; "
                        + (isWhole
                                ? "a run has at most " + RunParameters.MAXIMUM_PACKETS + " packets."
                                : "a transfer consists of whole packets.");
            }
        }
        return null;
    }
}
