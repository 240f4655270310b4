package org.lagbench.core.experiment;

import java.util.Arrays;
import java.util.List;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.RunSpec;
import org.lagbench.core.time.Intervals;

/** The keys of an experiment file besides the transports' sections: name, default, what each takes. */
enum ExperimentKey {
    NAME("name", "", "up to 100 letters, digits, dots, hyphens and underscores, the first a letter or digit"),
    PACKETS("packets", "10000", "a whole number from 1 to " + RunSpec.MAXIMUM_PACKETS),
    WARM_UP_PACKETS("warm-up-packets", "10000", "a whole number from 0 to " + RunSpec.MAXIMUM_PACKETS),
    REPEATS("repeats", "1", "a whole number from 1 to " + Experiment.MAXIMUM_REPEATS),
    TRANSPORTS("transports", "", "the name of a transport, or a list of them"),
    PACKET_BYTES(
            "packet-bytes",
            "[992, 396, 24]",
            "a whole number from " + RunSpec.MINIMUM_PACKET_BYTES + " to the transport's maximum, or a list of them"),
    PACE("pace", "{}", "mode, interval and burst, the word flood, or a list of these"),
    STREAMS(
            "streams",
            "[]",
            "a list, each of its elements with name, transport, packet-bytes, pace, direction, packets or duration, and"
                    + " settings"),
    ENGINE("engine", "", "the name of an engine, or a list of them"),
    JVM("jvm", JvmOptions.DEFAULT, JvmOptions.ACCEPTED + ", or a list of these"),
    OBSERVE("observe", "[causes]", "causes or stages, or a list of these, or " + Observation.NOTHING),
    SEED("seed", "auto", "a whole number from 0 to " + Long.MAX_VALUE + ", or auto"),
    RECEIVER("receiver", "local", "local, or " + Endpoint.ACCEPTED),
    KEY_FILE("key-file", "null", "a path, or null"),
    LAB("lab", LabReader.NONE, LabReader.ACCEPTED),
    TUNE(TuneReader.TUNE, TuneReader.NONE, TuneReader.ACCEPTED),
    CLOCK("clock", "{}", "max-error and chrony"),
    DRAIN(
            "drain",
            Intervals.format(RunSpec.DEFAULT_DRAIN.toNanos()),
            Intervals.accepted(0, RunSpec.MAXIMUM_DRAIN.toNanos())),
    STALL_TIMEOUT(
            "stall-timeout",
            Intervals.format(RunSpec.DEFAULT_STALL_TIMEOUT.toNanos()),
            Intervals.accepted(RunSpec.MINIMUM_STALL_TIMEOUT.toNanos(), RunSpec.MAXIMUM_STALL_TIMEOUT.toNanos()));

    static final String AUTO = "auto";
    static final String LOCAL = "local";

    private final String text;
    private final String defaultYaml;
    private final String accepted;

    ExperimentKey(String text, String defaultYaml, String accepted) {
        this.text = text;
        this.defaultYaml = defaultYaml;
        this.accepted = accepted;
    }

    /** The key as in the file. */
    String text() {
        return text;
    }

    /**
     * The default as one would write it; empty where it depends on the file's name, the transports or the engines. A
     * section has none as a whole: what is absent from it has a default of its own.
     */
    String defaultYaml() {
        return defaultYaml;
    }

    /** What the key takes, as part of a sentence. */
    String accepted() {
        return accepted;
    }

    static List<String> texts() {
        return Arrays.stream(values()).map(ExperimentKey::text).toList();
    }
}
