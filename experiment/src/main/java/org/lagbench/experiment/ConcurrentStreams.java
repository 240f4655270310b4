package org.lagbench.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.RunSpec.RunGroup;
import org.lagbench.core.run.StreamRole;

/**
 * The streams of packets that an experiment sends at the same time: several equal ones of each point, or different
 * ones.
 *
 * @param directions which way the packets go: one direction, or both at the same time
 * @param parallel number of equal streams of each run in each direction
 * @param streams the streams to send together and each alone; empty if the points have axes instead
 */
public record ConcurrentStreams(List<StreamRole.Direction> directions, int parallel, List<PacketStream> streams) {
    /** One stream of each point, forward. */
    static final ConcurrentStreams ONE = new ConcurrentStreams(List.of(StreamRole.Direction.FORWARD), 1, List.of());

    public ConcurrentStreams {
        directions = List.copyOf(directions);
        streams = List.copyOf(streams);
    }

    /** Returns whether the experiment has different streams instead of axes. */
    public boolean areDifferent() {
        return !streams.isEmpty();
    }

    /** Returns the simultaneous runs of a point. */
    RunGroup group(Point point) {
        String name =
                point.transport() + "-" + point.packetBytes() + point.traffic().nameSuffix();
        return new RunGroup(
                name,
                StreamRole.parallel(directions, parallel).stream()
                        .map(role -> RunSpec.of(name, point, role))
                        .toList());
    }

    /** Returns the number of groups of each program: each stream alone, and all together if there are several. */
    int groupCount() {
        return streams.size() == 1 ? 1 : streams.size() + 1;
    }

    /** Returns each stream alone, and all together if there are several. */
    List<RunGroup> groups(BasePoint base, EngineSpec program, RunConditions conditions) {
        List<RunGroup> groups = new ArrayList<>();
        streams.forEach(stream -> groups.add(group(List.of(stream), base, program, conditions)));
        if (streams.size() > 1) {
            groups.add(group(streams, base, program, conditions));
        }
        return groups;
    }

    private static RunGroup group(
            List<PacketStream> together, BasePoint base, EngineSpec program, RunConditions conditions) {
        List<RunSpec> runs = new ArrayList<>();
        for (PacketStream stream : together) {
            List<String> beside = together.stream()
                    .map(PacketStream::name)
                    .filter(other -> !other.equals(stream.name()))
                    .toList();
            String name = (beside.isEmpty() ? "alone-" : "together-") + stream.name();
            StreamRole role = new StreamRole(stream.name(), stream.direction(), beside);
            runs.add(new RunSpec(name, base.point(stream, program, conditions), 1, role));
        }
        return new RunGroup("together", runs);
    }

    /** Returns the values of the axes of simultaneous runs. */
    Map<String, String> values(RunGroup group) {
        Point point = group.runs().get(0).point();
        Map<String, String> all = Axis.values(point);
        if (!areDifferent()) {
            return all;
        }
        Map<String, String> values = new LinkedHashMap<>();
        values.put(
                ExperimentKeys.STREAMS.name(),
                group.runs().stream()
                        .map(RunSpec::stream)
                        .filter(Objects::nonNull)
                        .map(StreamRole::name)
                        .collect(Collectors.joining(" ")));
        values.put(Axis.ENGINE, point.program().engine());
        values.put(Axis.JVM, point.program().jvmOptions().text());
        RunConditions.SECTION.names().forEach(name -> values.put(name, String.valueOf(Axis.value(all, name))));
        return values;
    }
}
