package org.lagbench.core.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Program;
import org.lagbench.core.time.Intervals;

/** Writes an experiment as YAML, every key with its value. */
final class ExperimentWriter {
    /** Text that YAML takes for text, or the reader takes as it stands, without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/.][A-Za-z0-9_/.-]*");

    private static final Set<String> NOT_TEXT = Set.of("null", "Null", "NULL", "...");

    private final StringBuilder yaml = new StringBuilder();

    private ExperimentWriter() {}

    static String write(Experiment experiment) {
        return new ExperimentWriter().experiment(experiment);
    }

    private String experiment(Experiment experiment) {
        put(ExperimentKey.NAME, scalar(experiment.name()));
        put(ExperimentKey.PACKETS, Long.toString(experiment.packets()));
        put(ExperimentKey.WARM_UP_PACKETS, Long.toString(experiment.warmUpPackets()));
        put(ExperimentKey.REPEATS, Integer.toString(experiment.repeats()));
        if (experiment.streams().isEmpty()) {
            putAxes(experiment);
        } else {
            put(
                    ExperimentKey.STREAMS,
                    experiment.streams().stream()
                            .map(ExperimentWriter::stream)
                            .collect(Collectors.joining("\n  - ", "\n  - ", "")));
        }
        put(
                ExperimentKey.ENGINE,
                oneOrList(experiment.programs().stream()
                        .map(Program::engine)
                        .distinct()
                        .toList()));
        put(
                ExperimentKey.JVM,
                oneOrList(jvmOptions(experiment.programs()).stream()
                        .map(options -> scalar(options.text()))
                        .toList()));
        put(
                ExperimentKey.OBSERVE,
                experiment.observe().isEmpty()
                        ? Observation.NOTHING
                        : list(experiment.observe().stream()
                                .sorted()
                                .map(Observation::text)
                                .toList()));
        put(
                ExperimentKey.SEED,
                experiment.seed() == null
                        ? ExperimentKey.AUTO
                        : experiment.seed().toString());
        put(
                ExperimentKey.RECEIVER,
                experiment.receiver() == null
                        ? ExperimentKey.LOCAL
                        : scalar(experiment.receiver().toString()));
        put(
                ExperimentKey.KEY_FILE,
                experiment.keyFile() == null
                        ? "null"
                        : scalar(experiment.keyFile().toString()));
        put(ExperimentKey.LAB, experiment.lab() == null ? LabReader.NONE : NetworkText.yaml(experiment.lab()));
        put(ExperimentKey.TUNE, TuneText.yaml(experiment.tune()));
        put(ExperimentKey.CLOCK, clock(experiment.clock()));
        put(ExperimentKey.DRAIN, Intervals.format(experiment.drain().toNanos()));
        put(
                ExperimentKey.STALL_TIMEOUT,
                Intervals.format(experiment.stallTimeout().toNanos()));
        for (TransportAxes transport : experiment.transports()) {
            section(transport);
        }
        return yaml.toString();
    }

    private void putAxes(Experiment experiment) {
        put(
                ExperimentKey.TRANSPORTS,
                list(experiment.transports().stream()
                        .map(TransportAxes::transport)
                        .toList()));
        put(
                ExperimentKey.PACKET_BYTES,
                list(experiment.packetBytes().stream().map(String::valueOf).toList()));
        put(
                ExperimentKey.PACE,
                oneOrList(
                        experiment.paces().stream().map(ExperimentWriter::pace).toList()));
    }

    /** Those of the engines that run on a JVM: the others have none. */
    private static List<JvmOptions> jvmOptions(List<Program> programs) {
        return programs.stream()
                .collect(Collectors.groupingBy(
                        Program::engine,
                        LinkedHashMap::new,
                        Collectors.mapping(Program::jvmOptions, Collectors.toList())))
                .values()
                .stream()
                .filter(options -> !options.equals(List.of(JvmOptions.NONE)))
                .findFirst()
                .orElse(List.of(JvmOptions.NONE));
    }

    private static String stream(PacketStream stream) {
        String settings = stream.settings().asText().entrySet().stream()
                .map(setting -> setting.getKey() + ": " + scalar(setting.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
        return "{" + StreamReader.NAME + ": " + scalar(stream.name()) + ", " + StreamReader.TRANSPORT + ": "
                + scalar(stream.transport()) + ", " + StreamReader.PACKET_BYTES + ": " + stream.packetBytes() + ", "
                + StreamReader.PACKETS + ": " + stream.packets() + ", " + StreamReader.PACE + ": "
                + pace(stream.pace()) + ", " + StreamReader.DIRECTION + ": "
                + stream.direction().text() + ", " + StreamReader.SETTINGS + ": " + settings + "}";
    }

    private void put(ExperimentKey key, String value) {
        yaml.append(key.text()).append(": ").append(value).append('\n');
    }

    private void section(TransportAxes transport) {
        if (transport.values().isEmpty()) {
            return;
        }
        yaml.append(transport.transport()).append(":\n");
        transport.values().forEach((name, values) -> yaml.append("  ")
                .append(name)
                .append(": ")
                .append(oneOrList(values.stream().map(ExperimentWriter::scalar).toList()))
                .append('\n'));
    }

    private static String pace(Pace pace) {
        String mode = "{mode: " + pace.mode().text();
        return pace.mode() == Pace.Mode.FLOOD
                ? mode + "}"
                : mode + ", interval: " + Intervals.format(pace.intervalNs()) + ", burst: " + pace.burst() + "}";
    }

    private static String clock(ClockPolicy clock) {
        return "{" + ClockReader.MAXIMUM_ERROR + ": "
                + Intervals.format(clock.maximumError().toNanos()) + ", " + ClockReader.CHRONY + ": "
                + scalar(clock.chrony().toString()) + "}";
    }

    private static String oneOrList(List<String> values) {
        return values.size() == 1 ? values.get(0) : list(values);
    }

    private static String list(List<String> values) {
        return values.stream().collect(Collectors.joining(", ", "[", "]"));
    }

    private static String scalar(String text) {
        if (PLAIN.matcher(text).matches() && !NOT_TEXT.contains(text)) {
            return text;
        }
        StringBuilder quoted = new StringBuilder("\"");
        text.codePoints().forEach(character -> {
            if (character == '"' || character == '\\') {
                quoted.append('\\').appendCodePoint(character);
            } else if ((character >= ' ' && character <= '~') || Character.isLetterOrDigit(character)) {
                quoted.appendCodePoint(character);
            } else {
                quoted.append(String.format("\\U%08x", character));
            }
        });
        return quoted.append('"').toString();
    }
}
