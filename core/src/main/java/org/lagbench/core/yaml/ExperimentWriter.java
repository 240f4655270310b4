package org.lagbench.core.yaml;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/** Writes an experiment as YAML, every key with its value. */
final class ExperimentWriter {
    /** The pattern of text that needs no quotes, because YAML or this reader reads it as text. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_/.][A-Za-z0-9_/.-]*");

    private static final Set<String> NOT_TEXT = Set.of("null", "Null", "NULL", "...");

    private final StringBuilder yaml = new StringBuilder();

    private ExperimentWriter() {}

    static String write(Experiment experiment) {
        return new ExperimentWriter().experiment(experiment);
    }

    private String experiment(Experiment experiment) {
        put(ExperimentKeys.NAME, scalar(experiment.name()));
        put(ExperimentKeys.PACKETS, experiment.packets());
        put(ExperimentKeys.WARM_UP_PACKETS, experiment.warmUpPackets());
        put(ExperimentKeys.REPEATS, experiment.repeats());
        if (experiment.streams().isEmpty()) {
            put(
                    ExperimentKeys.TRANSPORTS,
                    experiment.transports().stream()
                            .map(TransportAxes::transport)
                            .toList());
            put(ExperimentKeys.PACKET_BYTES, packetBytes(experiment));
            TrafficSpec answered = experiment.traffics().stream()
                    .filter(traffic -> traffic.kind() == Traffic.ROUND_TRIP)
                    .findFirst()
                    .orElse(TrafficSpec.ONE_WAY);
            put(
                    ExperimentKeys.TRAFFIC,
                    oneOrList(experiment.traffics().stream()
                            .map(traffic -> traffic.kind().text())
                            .distinct()));
            put(ExperimentKeys.IN_FLIGHT, answered.inFlightText());
            put(
                    ExperimentKeys.ANSWER_TIMEOUT,
                    Intervals.format(answered.answerTimeout().toNanos()));
            transfers(experiment.traffics());
            put(ExperimentKeys.PACE, oneOrList(experiment.paces().stream().map(PaceReader::yaml)));
            put(
                    ExperimentKeys.DIRECTION,
                    experiment.directions().size() > 1
                            ? ExperimentKeys.BOTH
                            : experiment.directions().get(0).text());
        } else {
            put(
                    ExperimentKeys.STREAMS,
                    experiment.streams().stream()
                            .map(StreamReader::yaml)
                            .collect(Collectors.joining("\n  - ", "\n  - ", "")));
        }
        put(ExperimentKeys.ENGINE, oneOrList(experiment.programs().stream().map(Program::engine)));
        put(ExperimentKeys.JVM, oneOrList(jvmOptions(experiment.programs())));
        put(
                ExperimentKeys.OBSERVE,
                experiment.observe().isEmpty()
                        ? Observation.NOTHING
                        : experiment.observe().stream()
                                .sorted()
                                .map(Observation::text)
                                .toList());
        put(
                ExperimentKeys.ORDER,
                experiment.pairsOf() == null
                        ? ExperimentKeys.SHUFFLED
                        : ExperimentKeys.PAIRS_OF + " " + experiment.pairsOf());
        put(ExperimentKeys.SEED, experiment.seed() == null ? ExperimentKeys.AUTO : experiment.seed());
        put(
                ExperimentKeys.RECEIVER,
                experiment.receiver() == null
                        ? ExperimentKeys.LOCAL
                        : scalar(experiment.receiver().toString()));
        put(
                ExperimentKeys.KEY_FILE,
                experiment.keyFile() == null
                        ? "null"
                        : scalar(experiment.keyFile().toString()));
        put(
                ExperimentKeys.DATA_HOST,
                experiment.dataHost() == null ? ExperimentKeys.AUTO : scalar(experiment.dataHost()));
        put(ExperimentKeys.LAB, experiment.lab() == null ? LabReader.NONE : NetworkText.yaml(experiment.lab()));
        put(ExperimentKeys.TUNE, TuneReader.yaml(experiment.tune()));
        put(ExperimentKeys.MONITOR, MonitorReader.yaml(experiment.monitor()));
        put(ExperimentKeys.CAPACITY, CapacityReader.yaml(experiment.capacity()));
        put(ExperimentKeys.CLOCK, ClockReader.yaml(experiment.clock()));
        put(ExperimentKeys.DRAIN, Intervals.format(experiment.drain().toNanos()));
        put(
                ExperimentKeys.STALL_TIMEOUT,
                Intervals.format(experiment.stallTimeout().toNanos()));
        experiment.transports().forEach(transport -> section(transport.transport(), transport.values()));
        engineSections(experiment.programs());
        return yaml.toString();
    }

    /** Returns one list of packet sizes, or a list for each kind of traffic if the lists differ. */
    private static Object packetBytes(Experiment experiment) {
        Map<String, List<Integer>> byKind = new LinkedHashMap<>();
        experiment.traffics().forEach(traffic -> byKind.put(traffic.kind().text(), experiment.packetBytes(traffic)));
        List<List<Integer>> different = byKind.values().stream().distinct().toList();
        return different.size() == 1
                ? different.get(0)
                : Key.mapping(byKind.entrySet().stream()
                        .map(kind -> kind.getKey() + ": " + kind.getValue())
                        .toList());
    }

    private void transfers(List<TrafficSpec> traffics) {
        List<TransferSpec> transfers = traffics.stream()
                .map(TrafficSpec::transfer)
                .filter(Objects::nonNull)
                .toList();
        List<TransferSpec> written = transfers.isEmpty() ? List.of(TransferSpec.DEFAULT) : transfers;
        put(
                ExperimentKeys.TRANSFER_BYTES,
                oneOrList(written.stream()
                        .map(transfer -> Long.toString(transfer.bytes()))
                        .distinct()));
        put(ExperimentKeys.TRANSFERS, written.get(0).count());
        put(ExperimentKeys.CONNECTION, written.get(0).connectionText());
        put(
                ExperimentKeys.CODEC,
                oneOrList(written.stream()
                        .map(transfer -> transfer.compression() == null
                                ? CompressionSpec.OFF
                                : transfer.compression().codec())
                        .distinct()));
        List<String> data = written.stream()
                .map(TransferSpec::compression)
                .filter(Objects::nonNull)
                .map(compression -> scalar(compression.data()))
                .distinct()
                .toList();
        put(ExperimentKeys.DATA, data.isEmpty() ? CompressionSpec.DEFAULT_DATA : oneOrList(data.stream()));
        put(ExperimentKeys.CHUNK_BYTES, ExperimentKeys.AUTO);
    }

    /** Returns the options of the engines that run on a JVM: the others have none. */
    private static Stream<String> jvmOptions(List<Program> programs) {
        return programs.stream()
                .collect(Collectors.groupingBy(
                        Program::engine, Collectors.mapping(Program::jvmOptions, Collectors.toList())))
                .values()
                .stream()
                .filter(options -> !options.equals(List.of(JvmOptions.NONE)))
                .findFirst()
                .orElse(List.of(JvmOptions.NONE))
                .stream()
                .map(options -> scalar(options.text()));
    }

    private void put(Key<?> key, Object value) {
        yaml.append(key.yaml(value)).append('\n');
    }

    /** Appends the values of each setting of the engines; their combinations are the programs. */
    private void engineSections(List<Program> programs) {
        Map<String, Map<String, List<String>>> sections = new LinkedHashMap<>();
        for (Program program : programs) {
            Map<String, List<String>> values =
                    sections.computeIfAbsent(program.engine(), engine -> new LinkedHashMap<>());
            program.settings().asText().forEach((name, value) -> values.computeIfAbsent(name, any -> new ArrayList<>())
                    .add(value));
        }
        sections.forEach(this::section);
    }

    private void section(String title, Map<String, List<String>> settings) {
        if (!settings.isEmpty()) {
            yaml.append(title).append(":\n");
            settings.forEach((name, values) -> yaml.append("  ")
                    .append(name)
                    .append(": ")
                    .append(oneOrList(values.stream().map(ExperimentWriter::scalar)))
                    .append('\n'));
        }
    }

    private static Object oneOrList(Stream<String> values) {
        List<String> distinct = values.distinct().toList();
        return distinct.size() == 1 ? distinct.get(0) : distinct;
    }

    /** Returns text as a YAML scalar, in quotes where YAML would read something else. */
    static String scalar(String text) {
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
