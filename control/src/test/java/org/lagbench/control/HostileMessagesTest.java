package org.lagbench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lagbench.control.ControlMessage.Refusal;
import org.lagbench.core.clock.ChronyTracking;
import org.lagbench.core.clock.ClockHistory.ClockStep;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.EngineSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRequest;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.core.timeseries.ReceivedInterval;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts values that no honest peer sends into every field of every message. */
class HostileMessagesTest {
    private static final String HOSTILE = "a\u001b[31m\nERROR forged\r\u202e\u009b2J\u0000";

    private static final JsonMapper JSON = new JsonMapper();

    private static final RunRecord.Counts COUNTS = new RunRecord.Counts(10, 9, 1, 2, 3, 1, -1, null);

    private static final HostLoad LOAD = new HostLoad(1, 0.5, 2, 0, 0, 4, 5, 6, 1, List.of(2L), List.of(2_400L));

    private static final ChronyTracking TRACKING =
            new ChronyTracking("C0000207", "192.0.2.7", 2, ChronyTracking.Leap.NORMAL, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);

    private static final RunRequest REQUEST = new RunRequest(
            new RunSpec(
                    "run",
                    new Point(
                            "tcp",
                            24,
                            8,
                            5,
                            new Pace(Pace.Mode.HYBRID, 40_000_000, 12),
                            TrafficSpec.of(new TransferSpec(96, 2, true, new CompressionSpec("gzip-6", "text"))),
                            new Settings(Map.of("batch", 1, "send-buffer", "auto")),
                            new EngineSpec("java", JvmOptions.parse("-Xmx64m")),
                            Set.of(ObservedSource.EVENTS),
                            RunConditions.of(Duration.ofMillis(100), Duration.ofSeconds(5))),
                    1,
                    new StreamRole("audio", StreamRole.Direction.BACKWARD, List.of("video"))),
            Duration.ofMillis(1),
            100_000,
            Duration.ZERO,
            false);

    private static final List<ControlMessage> SAMPLES = List.of(
            new ControlMessage.Hello(7, "00", true),
            new ControlMessage.Introduction(7, "01"),
            new ControlMessage.Welcome(List.of("02")),
            new ControlMessage.Offer(REQUEST.run(), 2, 3, "04", Map.of("channel", "1")),
            new ControlMessage.Accepted(Map.of("port", "4711"), "/received/run/receiver.npy"),
            new ControlMessage.Connected(),
            new ControlMessage.Alive(),
            new ControlMessage.Watch(),
            new ControlMessage.Begin(),
            new ControlMessage.Begun(),
            new ControlMessage.Interval(new ReceivedInterval(1, 5, 6, 1, 0, false, List.of(0L, 0L))),
            new ControlMessage.Done(10),
            new ControlMessage.Counted(
                    COUNTS,
                    new RunRecord.Side(
                            "host",
                            "boot",
                            "17",
                            Map.of("localAddress", "192.0.2.7:1", "failedSends", Map.of("EPERM", 1))),
                    9,
                    List.of(new ClockStep(1, -2)),
                    List.of(LOAD),
                    List.of("receiver.npy")),
            new ControlMessage.Fetch("receiver.npy"),
            new ControlMessage.Capture(256, "05"),
            new ControlMessage.Refused(Refusal.BUSY, "Busy."),
            new ControlMessage.Ping(1),
            new ControlMessage.Pong(1, 2, 3),
            new ControlMessage.Ask(ControlMessage.Question.CLOCK),
            new ControlMessage.ClockIs(
                    new ClockState(1, "boot", ClockState.Source.CHRONY, TRACKING, 17L, "chronyd keeps it.")),
            new ControlMessage.HostIs(
                    new ReceiverHost("0.1.0", "17", Map.of("net.core.rmem_max", 212_992L), "192.0.2.7", 1, 2)),
            new ControlMessage.ReadingsAre(new ClockReadings(1, 2, 3)),
            new ControlMessage.OpenExchange(1, "06"),
            new ControlMessage.ExchangeOpened(1),
            new ControlMessage.OpenSender(REQUEST),
            new ControlMessage.SenderOpened(1),
            new ControlMessage.Recorded(List.of("sender.npy")),
            new ControlMessage.Probe(),
            new ControlMessage.LoadIs(LOAD),
            new ControlMessage.ObserverIs("No right."),
            new ControlMessage.MakeRun("127.0.0.1:5394", REQUEST),
            new ControlMessage.RunMade(List.of("sender.npy", "run.json")),
            new ControlMessage.Proof("03"));

    /** A value of a message, and how to replace it. */
    private record Place(String field, JsonNode value, Consumer<JsonNode> replace) {}

    @Test
    void hasASampleOfEachMessage() {
        assertThat(SAMPLES).extracting(message -> (Object) message.getClass()).containsExactlyInAnyOrder((Object[])
                ControlMessage.class.getPermittedSubclasses());
    }

    @Test
    void escapesEveryTextOfEveryMessage() throws Exception {
        int fed = 0;
        int read = 0;
        for (ControlMessage sample : SAMPLES) {
            ObjectNode tree = tree(sample);
            for (Place place : places(tree, "")) {
                if (place.value().isString()) {
                    place.replace().accept(JSON.getNodeFactory().stringNode(HOSTILE));
                    read += readPrintable(tree);
                    place.replace().accept(place.value());
                    fed++;
                }
            }
        }
        assertThat(fed).isGreaterThan(25);
        assertThat(read).isGreaterThan(18);
    }

    @Test
    void escapesNamesInMessages() throws Exception {
        ObjectNode offer = tree(SAMPLES.get(3));
        ((ObjectNode) offer.at("/run/point/settings")).put(HOSTILE, "1");
        ((ObjectNode) offer.get("announced")).put(HOSTILE, "1");
        ObjectNode counted = tree(SAMPLES.get(12));
        ((ObjectNode) counted.get("side").get("metadata")).put(HOSTILE, "1");

        assertThat(readPrintable(offer)).isOne();
        assertThat(readPrintable(counted)).isOne();
    }

    @Test
    void acceptsOnlyCountsOfErrorsAsMapsOfMetadata() {
        ObjectNode counted = tree(SAMPLES.get(12));
        ObjectNode metadata = (ObjectNode) counted.get("side").get("metadata");
        assertThat(readPrintable(counted)).isOne();
        metadata.putObject("failedSends").put("EPERM", "1");
        assertThat(readPrintable(counted)).isZero();
        metadata.putObject("failedSends").put(HOSTILE, 1);
        assertThat(readPrintable(counted)).isZero();
    }

    /**
     * Reads a message, and returns 1 if it was accepted, 0 if it was rejected; asserts that it is printed as one line.
     */
    private static int readPrintable(JsonNode tree) {
        String shown;
        int accepted = 0;
        try {
            shown = read(tree).toString();
            accepted = 1;
        } catch (ProtocolException e) {
            shown = String.valueOf(e.getMessage());
        }
        assertThat(shown.codePoints()).allMatch(character -> character >= ' ' && character <= '~');
        return accepted;
    }

    @Test
    void namesTheFieldOfAWrongType() throws Exception {
        List<JsonNode> wrong = List.of(
                JSON.readTree("[]"),
                JSON.readTree("{}"),
                JSON.readTree("\"NaN\""),
                JSON.readTree("1.5"),
                JSON.readTree("true"),
                JSON.readTree("1e999"),
                JSON.readTree("99999999999999999999"),
                JSON.nullNode());
        int rejected = 0;
        for (ControlMessage sample : SAMPLES) {
            ObjectNode tree = tree(sample);
            for (Place place : places(tree, "")) {
                for (JsonNode other : wrong) {
                    place.replace().accept(other);
                    String problem = problem(tree);
                    boolean isNumber =
                            place.value().isNumber() && !place.field().matches(".*(metadata|bufferLimits|settings).*");
                    if (isNumber && !other.isNumber() && !isNullable(place.field(), other)) {
                        assertThat(problem)
                                .as("%s for %s", other, place.field())
                                .contains(MessageFormat.name(sample.getClass()))
                                .satisfies(text -> assertThat(text.replaceAll("\\[\\d+]", ""))
                                        .contains(place.field()));
                        rejected++;
                    }
                    place.replace().accept(place.value());
                }
            }
        }
        assertThat(rejected).isGreaterThan(150);
    }

    private static boolean isNullable(String field, JsonNode value) {
        return field.equals("state.boundNs") && value.isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "3, run.point.packets, -1",
        "3, run.point.packets, 9000000000000000000",
        "3, leadInPackets, 6",
        "3, leadOutPackets, -1",
        "3, run.point.pace.burst, 0",
        "3, run.repeat, 0",
        "3, run.point.traffic.transfer, null",
        "10, received.lost, 7",
        "10, received.durationNs, -1",
        "11, sent, -1",
        "12, counts.received, -1",
        "12, counts.distinct, 11",
        "12, counts.kernelDrops, -2",
        "12, captureRecords, -1",
        "12, clockSteps.sizeNs, -9223372036854775808",
        "14, bytes, -1",
        "17, repliedNs, 9223372036854775807",
        "19, state.boundNs, -1",
        "19, state.tracking.skewPpm, 1e300",
        "20, host.tcpPort, 65536",
        "22, port, 0",
        "23, port, 0",
    })
    void rejectsImpossibleNumber(int sample, String field, String value) throws Exception {
        ObjectNode tree = tree(SAMPLES.get(sample));
        Place place = places(tree, "").stream()
                .filter(one -> one.field().equals(field))
                .findFirst()
                .orElseThrow();

        place.replace().accept(JSON.readTree(value));

        assertThat(problem(tree))
                .contains(MessageFormat.name(SAMPLES.get(sample).getClass()))
                .satisfies(problem ->
                        assertThat(problem.replaceAll("[^A-Za-z]+", " ")).contains(field.replace('.', ' ')));
    }

    @Test
    void acceptsOnlyKnownReasonsOfRefusals() {
        assertThatThrownBy(() -> read(JSON.readTree("{\"type\":\"refused\",\"reason\":\"OK\",\"text\":\"fine\"}")))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("reason");
        assertThat(Refusal.values())
                .allSatisfy(reason -> assertThat(reason.exitCode().code()).isNotZero());
    }

    /** Returns why a message is rejected, and checks that the reason names no class; null if it is accepted. */
    private static @Nullable String problem(JsonNode tree) {
        try {
            read(tree);
            return null;
        } catch (ProtocolException e) {
            assertThat(e.getMessage()).doesNotContain("java.", "org.lagbench", "Exception", "`", "jackson");
            return e.getMessage();
        }
    }

    private static ControlMessage read(JsonNode tree) throws ProtocolException {
        byte[] bytes = tree.toString().getBytes(StandardCharsets.UTF_8);
        return ControlConnection.FORMAT.read(bytes, 0, bytes.length);
    }

    private static ObjectNode tree(ControlMessage message) {
        return (ObjectNode) JSON.readTree(ControlConnection.FORMAT.write(message));
    }

    /** Returns all values below a node except the type of the message. */
    private static List<Place> places(JsonNode node, String prefix) {
        List<Place> places = new ArrayList<>();
        if (node instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                if (!(prefix.isEmpty() && name.equals("type"))) {
                    places.add(new Place(prefix + name, object.get(name), value -> object.set(name, value)));
                    places.addAll(places(object.get(name), prefix + name + "."));
                }
            }
        } else if (node instanceof ArrayNode array) {
            for (int i = 0; i < array.size(); i++) {
                int index = i;
                String field = prefix.substring(0, prefix.length() - 1);
                places.add(new Place(field, array.get(i), value -> array.set(index, value)));
                places.addAll(places(array.get(i), prefix));
            }
        }
        return places;
    }
}
