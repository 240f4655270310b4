package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.yaml.MappingReader.Placed;
import org.lagbench.core.yaml.YamlNode.Mapping;

/** Reads {@code packet-bytes}: the sizes of all packets, or those of each kind of traffic. */
final class PacketSizeReader {
    private static final List<Integer> DEFAULT_PACKET_BYTES = List.of(992, 396, 24);

    /** The size of the chunks that the Network Weather Service sends, in bytes. */
    private static final List<Integer> DEFAULT_PIECE_BYTES = List.of(1 << 14);

    private static final Parameter<List<Integer>> KEY = ExperimentKeys.PACKET_BYTES;

    private final MappingReader keys;
    private final TrafficReader trafficReader;
    private final Problems problems;

    /** Creates a reader of an experiment's keys. */
    PacketSizeReader(MappingReader keys, TrafficReader trafficReader, Problems problems) {
        this.keys = keys;
        this.trafficReader = trafficReader;
        this.problems = problems;
    }

    /** Returns the valid sizes of each kind of traffic. */
    Map<Traffic, List<Placed<Integer>>> read(List<Placed<TrafficSpec>> traffics) {
        Map<Traffic, List<Placed<TrafficSpec>>> byKind = traffics.stream()
                .collect(Collectors.groupingBy(
                        traffic -> traffic.value().kind(), () -> new EnumMap<>(Traffic.class), Collectors.toList()));
        Map<Traffic, List<Placed<Integer>>> sizes = new EnumMap<>(Traffic.class);
        List<Placed<Integer>> chunks = chunkSizes();
        if (keys.has(KEY) && !chunks.isEmpty()) {
            keys.addAtKey(ExperimentKeys.CHUNK_BYTES, "it is another name of " + KEY + "; leave one of the two out.");
        }
        if (keys.node(KEY) instanceof Mapping mapping) {
            List<String> known = byKind.keySet().stream().map(Traffic::text).toList();
            MappingReader.ofSection(KEY, mapping, known, problems)
                    .ifPresent(section -> byKind.forEach((kind, specs) -> sizes.put(
                            kind, trafficReader.checkSizes(sizes(section, KEY.named(kind.text()), specs), specs))));
        } else {
            List<Placed<Integer>> all =
                    trafficReader.checkSizes(chunks.isEmpty() ? sizes(keys, KEY, traffics) : chunks, traffics);
            byKind.keySet().forEach(kind -> sizes.put(kind, all));
        }
        return sizes;
    }

    /** Returns the sizes of {@code chunk-bytes}; an empty list if they are not given or {@code auto}. */
    private List<Placed<Integer>> chunkSizes() {
        List<Placed<Integer>> sizes = new ArrayList<>();
        if (keys.has(ExperimentKeys.CHUNK_BYTES)) {
            keys.list(ExperimentKeys.CHUNK_BYTES)
                    .forEach(chunk -> chunk.value().ifPresent(bytes -> sizes.add(new Placed<>(chunk.place(), bytes))));
        }
        return sizes;
    }

    private static List<Placed<Integer>> sizes(
            MappingReader reader, Parameter<List<Integer>> key, List<Placed<TrafficSpec>> traffics) {
        return reader.list(
                key.byDefault(TrafficReader.areTransfers(traffics) ? DEFAULT_PIECE_BYTES : DEFAULT_PACKET_BYTES));
    }

    /** Returns the sizes of all kinds of traffic, without duplicates. */
    static List<Placed<Integer>> different(Map<Traffic, List<Placed<Integer>>> sizes) {
        Map<Integer, Placed<Integer>> different = new LinkedHashMap<>();
        sizes.values().stream().flatMap(Collection::stream).forEach(size -> different.putIfAbsent(size.value(), size));
        return new ArrayList<>(different.values());
    }

    /** Returns the number of combinations of traffic and size. */
    static long count(Map<Traffic, List<Placed<Integer>>> sizes, List<Placed<TrafficSpec>> traffics) {
        return traffics.stream()
                .mapToLong(traffic ->
                        sizes.getOrDefault(traffic.value().kind(), List.of()).size())
                .sum();
    }

    /** Returns the sizes without their locations in the file. */
    static Map<Traffic, List<Integer>> values(Map<Traffic, List<Placed<Integer>>> sizes) {
        Map<Traffic, List<Integer>> values = new EnumMap<>(Traffic.class);
        sizes.forEach((kind, placed) -> values.put(kind, MappingReader.values(placed)));
        return values;
    }
}
