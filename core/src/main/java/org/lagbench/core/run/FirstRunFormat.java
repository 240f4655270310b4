package org.lagbench.core.run;

import java.time.Duration;
import org.lagbench.core.model.RunParameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads {@code run.json} of earlier versions, which had all members of the specification together with the outcome. */
final class FirstRunFormat {
    /** The value of its member {@code format}. */
    static final String NAME = "lagbench-run-1";

    private static final String RUN = "run";

    private FirstRunFormat() {}

    /** Returns a record in the current form. Members that do not fit are kept as they are, for the message. */
    static ObjectNode upgrade(ObjectNode first) {
        ObjectNode record = first.deepCopy();
        ObjectNode run = JsonNodeFactory.instance.objectNode();
        move(record, run, "name", "repeat", "stream");
        run.set("point", point(record));
        return record.set(RUN, run);
    }

    private static ObjectNode point(ObjectNode record) {
        ObjectNode point = JsonNodeFactory.instance.objectNode();
        move(record, point, "transport", "packetBytes", "packets", "warmUpPackets", "settings", "observe");
        ObjectNode program = point.putObject("program");
        rename(record, "engine", program, "engine");
        rename(record, "implementation", program, "engine");
        program.putObject("settings"); // it had those of the engine among the others
        rename(record, "jvm", program, "jvmOptions");
        setIfAbsent(program, "jvmOptions", JvmOptions.DEFAULT);
        if (isAbsent(point, "observe")) {
            point.putArray("observe");
        }
        ObjectNode pace = point.putObject("pace");
        rename(record, "paceMode", pace, "mode");
        rename(record, "paceIntervalNs", pace, "intervalNs");
        rename(record, "paceBurst", pace, "burst");
        if (isAbsent(pace, "burst")) {
            pace.put("burst", 1);
        }
        ObjectNode traffic = point.putObject("traffic");
        rename(record, "traffic", traffic, "kind");
        setIfAbsent(traffic, "kind", Traffic.ONE_WAY.text());
        move(record, traffic, "inFlight", "transfer");
        if (isAbsent(traffic, "inFlight")) {
            traffic.put("inFlight", RunParameters.IN_FLIGHT.defaultValue());
        }
        rename(record, "answerTimeoutNs", traffic, "answerTimeout");
        JsonNode timeoutNs = traffic.path("answerTimeout");
        if (timeoutNs.isIntegralNumber() && timeoutNs.canConvertToLong()) {
            traffic.put("answerTimeout", Duration.ofNanos(timeoutNs.longValue()).toString());
        }
        setIfAbsent(
                traffic,
                "answerTimeout",
                RunParameters.ANSWER_TIMEOUT.defaultValue().toString());
        // it had neither; no metric depends on them
        point.putObject("conditions")
                .put("drain", RunParameters.DRAIN.defaultValue().toString())
                .put("stallTimeout", Duration.ofHours(1).toString());
        return point;
    }

    private static void move(ObjectNode from, ObjectNode to, String... members) {
        for (String member : members) {
            rename(from, member, to, member);
        }
    }

    private static void rename(ObjectNode from, String member, ObjectNode to, String name) {
        JsonNode value = from.remove(member);
        if (value != null) {
            to.set(name, value);
        }
    }

    private static boolean isAbsent(ObjectNode node, String member) {
        return node.path(member).isMissingNode() || node.path(member).isNull();
    }

    private static void setIfAbsent(ObjectNode node, String member, String value) {
        if (isAbsent(node, member)) {
            node.put(member, value);
        }
    }
}
