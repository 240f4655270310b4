package org.lagbench.core.run;

import java.time.Duration;
import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code run.json} of earlier versions, which had all members of the specification together with the outcome. */
final class FirstRunFormat {
    /** The value of its member {@code format}. */
    static final String NAME = "lagbench-run-1";

    /** The former name of each member and its place in the specification. */
    private static final String MEMBERS =
            """
            name /name
            repeat /repeat
            stream /stream
            transport /point/transport
            packetBytes /point/packetBytes
            packets /point/packets
            warmUpPackets /point/warmUpPackets
            settings /point/settings
            observe /point/observe
            engine /point/program/engine
            implementation /point/program/engine
            jvm /point/program/jvmOptions
            paceMode /point/pace/mode
            paceIntervalNs /point/pace/intervalNs
            paceBurst /point/pace/burst
            traffic /point/traffic/kind
            inFlight /point/traffic/inFlight
            answerTimeoutNs /point/traffic/replyTimeout
            transfer /point/traffic/transfer
            """;

    /**
     * The values of absent members. The first format had no conditions, and had the engine's settings among all
     * settings.
     */
    private static final String ABSENT =
            """
            {"point": {"program": {"settings": {}, "jvmOptions": "default"}, "observe": [], "pace": {"burst": 1},
             "traffic": {"kind": "one-way", "inFlight": 1, "replyTimeout": "PT1S"},
             "conditions": {"drain": "PT0.5S", "stallTimeout": "PT1H"}}}
            """;

    private static final JsonMapper JSON = new JsonMapper();

    private FirstRunFormat() {}

    /** Returns a record in the current form. Members that do not fit are kept as they are, for the message. */
    static ObjectNode upgrade(ObjectNode first) {
        ObjectNode record = first.deepCopy();
        ObjectNode run = (ObjectNode) JSON.readTree(ABSENT);
        MEMBERS.lines().map(line -> line.split(" ", 2)).forEach(member -> {
            JsonNode value = record.remove(member[0]);
            JsonPointer place = JsonPointer.compile(member[1]);
            if (value != null && (!value.isNull() || run.at(place).isMissingNode())) {
                run.withObject(place.head()).set(place.last().getMatchingProperty(), value);
            }
        });
        ObjectNode traffic = run.withObject("/point/traffic");
        JsonNode timeoutNs = traffic.path("replyTimeout");
        if (timeoutNs.isIntegralNumber() && timeoutNs.canConvertToLong()) {
            traffic.put("replyTimeout", Duration.ofNanos(timeoutNs.longValue()).toString());
        }
        return record.set("run", run);
    }
}
