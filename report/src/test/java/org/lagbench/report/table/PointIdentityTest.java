package org.lagbench.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.analysis.comparison.Comparisons;
import org.lagbench.analysis.comparison.Comparisons.Between;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.summary.PointSummary;
import org.lagbench.analysis.summary.Session;
import org.lagbench.analysis.summary.Summaries;
import org.lagbench.analysis.summary.Summary;
import org.lagbench.analysis.summary.SummaryOptions;
import org.lagbench.core.file.StrictJson;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Axis;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Changes each value of points, one at a time: results of the two points are never pooled, nor compared unnamed. */
class PointIdentityTest {
    private static final JsonMapper JSON = new JsonMapper();

    /** Texts of which at least one is accepted in place of any other. */
    private static final List<String> TEXTS =
            List.of("tcp", "java-nio", "sleep", "one-way", "transfer", "PT2S", "-Xint", "gzip-6", "random", "x");

    @TempDir
    private Path directory;

    @Test
    void distinguishesPointsThatDifferInOneValue() throws Exception {
        Set<String> changed = new LinkedHashSet<>();
        Set<String> all = new LinkedHashSet<>();
        for (Point point : points()) {
            for (Change change : changes(point)) {
                all.add(change.path());
                for (Point other : change.accepted()) {
                    changed.add(change.path());
                    MeasuredPoint left = measured(point);
                    MeasuredPoint right = measured(other);
                    assertThat(right).as(change.path()).isNotEqualTo(left).isNotEqualByComparingTo(left);
                    TableColumns<MeasuredPoint> columns = Axes.of(List.of(left, right));
                    if (point.transport().equals(other.transport())) {
                        assertThat(columns.cells(left)).as(change.path()).isNotEqualTo(columns.cells(right));
                    }
                }
            }
        }
        assertThat(changed).as("values with an accepted change").isEqualTo(all);
    }

    @Test
    void comparesOnlyPointsThatDifferInTheAxisAlone() throws Exception {
        PointSummary metrics = metrics();
        for (Point point : points()) {
            Point nio = point.with(point.settings(), new EngineSpec("java-nio", JvmOptions.NONE), point.observe());
            assertThat(comparisons(metrics, point, nio)).isNotEmpty();
            for (Change change : changes(nio)) {
                for (Point other : change.accepted()) {
                    if (other.program().engine().equals("java-nio")) {
                        assertThat(comparisons(metrics, point, other))
                                .as(change.path())
                                .isEmpty();
                    }
                    Comparisons ofSessions = Comparisons.ofSessions(
                            List.of(summary(metrics, nio)),
                            List.of(summary(metrics, other)),
                            List.of(),
                            new Comparisons.Limits(Between.MARGIN, 0));
                    assertThat(ofSessions.all()).as(change.path()).isEmpty();
                    assertThat(ComparisonNotes.of(ofSessions, List.of()))
                            .as(change.path())
                            .anyMatch(note -> note.startsWith("Only in the compared session")
                                    && note.contains(", in the baseline "));
                    assertThat(ofSessions.alone()).containsExactly(measured(other));
                    assertThat(ofSessions.onlyInBaseline()).containsExactly(measured(nio));
                }
            }
        }
    }

    @Test
    void completesSettingsOfEarlierVersions() {
        Point point = points().get(0);
        Point earlier = point.with(new Settings(Map.of()), point.program(), point.observe());

        assertThat(measured(earlier)).isEqualTo(measured(point));
    }

    /** A point for each kind of traffic. */
    private static List<Point> points() {
        Settings settings = new Settings(Map.of("send-buffer", "auto"));
        TransferSpec transfer = new TransferSpec(9_600, 2, false, new CompressionSpec("gzip-1", "text"));
        List<Point> points = new ArrayList<>();
        for (TrafficSpec traffic : List.of(
                TrafficSpec.ONE_WAY,
                new TrafficSpec(Traffic.ROUND_TRIP, 1, Duration.ofSeconds(1)),
                TrafficSpec.of(transfer))) {
            points.add(new Point(
                    "udp",
                    96,
                    traffic.packets(10, 96),
                    5,
                    new Pace(Pace.Mode.SPIN, 125_000, 1),
                    traffic,
                    settings,
                    new EngineSpec("java", JvmOptions.NONE),
                    Set.of(),
                    RunConditions.DEFAULT));
        }
        return points;
    }

    /** Other values for one value of a point, as points. */
    private record Change(String path, List<Point> accepted) {}

    private static List<Change> changes(Point point) {
        List<Change> changes = new ArrayList<>();
        addChanges(point, JSON.readTree(StrictJson.line(point)), "", changes);
        return changes;
    }

    private static void addChanges(Point point, JsonNode node, String path, List<Change> changes) {
        for (Map.Entry<String, JsonNode> member : node.properties()) {
            String inner = path + "/" + member.getKey();
            if (member.getValue().isObject()) {
                addChanges(point, member.getValue(), inner, changes);
            } else if (!member.getValue().isNull()) {
                changes.add(new Change(inner, accepted(point, inner, member.getValue())));
            }
        }
    }

    private static List<Point> accepted(Point point, String path, JsonNode value) {
        List<Object> others = new ArrayList<>(TEXTS);
        if (value.isNumber()) {
            others = List.of(1, 2, 2 * value.asLong());
        } else if (value.isBoolean()) {
            others = List.of(!value.asBoolean());
        } else if (value.isArray()) {
            others = List.of(List.of("events"), List.of("timestamping"));
        }
        List<Point> accepted = new ArrayList<>();
        for (Object other : others) {
            ObjectNode tree = (ObjectNode) JSON.readTree(StrictJson.line(point));
            int end = path.lastIndexOf('/');
            ((ObjectNode) tree.at(path.substring(0, end))).set(path.substring(end + 1), JSON.valueToTree(other));
            TransferSpec transfer = point.traffic().transfer();
            if (transfer != null && !path.equals("/packets")) {
                JsonNode changed = tree.at("/traffic/transfer");
                tree.put(
                        "packets",
                        changed.get("count").asLong()
                                * changed.get("bytes").asLong()
                                / tree.get("packetBytes").asLong());
            }
            try {
                Point read = StrictJson.convert(tree, Point.class);
                if (!read.equals(point)) {
                    accepted.add(read);
                }
            } catch (IllegalArgumentException e) {
                // not a value of this member
            }
        }
        return accepted;
    }

    private static MeasuredPoint measured(Point point) {
        return MeasuredPoint.of(new RunSpec("run", point, 1, null));
    }

    /** Returns a point with metrics of a run; only they are read. */
    private PointSummary metrics() throws Exception {
        SessionFixture session = new SessionFixture(directory.resolve("session"));
        session.run("a", "udp", 96)
                .sent(0, 1_000)
                .received(new long[] {0, 500}, new long[] {1, 1_600})
                .write();
        return Summaries.of(Session.open(session.path()), SummaryOptions.DEFAULT)
                .points()
                .get(0);
    }

    private static Summary summary(PointSummary metrics, Point... points) {
        List<PointSummary> all = new ArrayList<>();
        for (Point point : points) {
            all.add(new PointSummary(measured(point), metrics.pooled(), metrics.runs()));
        }
        return new Summary("made-up", false, all, List.of());
    }

    private static List<?> comparisons(PointSummary metrics, Point left, Point right) throws Exception {
        return Comparisons.of(summary(metrics, left, right), new Between(Axis.ENGINE, null, Between.MARGIN))
                .all();
    }
}
