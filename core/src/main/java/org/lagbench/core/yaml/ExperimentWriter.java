package org.lagbench.core.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunConditions;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.JvmOptions;
import org.lagbench.core.run.Observation;
import org.lagbench.core.run.Program;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.core.run.TransferSpec;

/** Writes an experiment as YAML, every key with its value. */
final class ExperimentWriter {
    private final StringBuilder yaml = new StringBuilder();

    private ExperimentWriter() {}

    static String write(Experiment experiment) {
        return new ExperimentWriter().experiment(experiment);
    }

    private String experiment(Experiment experiment) {
        put(RunParameters.NAME, experiment.name());
        put(RunParameters.PACKETS, experiment.packets());
        put(RunParameters.WARM_UP_PACKETS, experiment.warmUpPackets());
        put(ExperimentKeys.REPEATS, experiment.repeats());
        if (experiment.streams().isEmpty()) {
            points(experiment);
        } else {
            putText(
                    ExperimentKeys.STREAMS,
                    experiment.streams().stream()
                            .map(StreamReader::format)
                            .collect(Collectors.joining("\n  - ", "\n  - ", "")));
        }
        putAll(ExperimentKeys.ENGINE, experiment.programs().stream().map(Program::engine));
        putAll(ExperimentKeys.JVM, jvmOptions(experiment.programs()));
        putText(
                ExperimentKeys.OBSERVE,
                experiment.observe().isEmpty()
                        ? Observation.NOTHING
                        : experiment.observe().stream()
                                .sorted()
                                .map(Observation::text)
                                .toList());
        put(ExperimentKeys.ORDER, Optional.ofNullable(experiment.pairsOf()));
        put(ExperimentKeys.SEED, Optional.ofNullable(experiment.seed()));
        put(ExperimentKeys.RECEIVER, Optional.ofNullable(experiment.receiver()));
        Path keyFile = experiment.keyFile();
        putText(ExperimentKeys.KEY_FILE, keyFile == null ? "null" : YamlWriter.scalar(keyFile.toString()));
        put(ExperimentKeys.DATA_HOST, Optional.ofNullable(experiment.dataHost()));
        Network lab = experiment.lab();
        putText(ExperimentKeys.LAB, lab == null ? Parameter.NONE : NetworkReader.format(lab));
        putText(ExperimentKeys.TUNE, TuneReader.format(experiment.tune()));
        putText(ExperimentKeys.MONITOR, MonitorReader.format(experiment.monitor()));
        put(ExperimentKeys.CAPACITY, Optional.ofNullable(experiment.capacity()));
        put(ExperimentKeys.CLOCK, experiment.clock());
        YamlWriter.entries(RunConditions.SECTION, experiment.conditions())
                .forEach(line -> yaml.append(line).append('\n'));
        experiment.transports().forEach(transport -> section(transport.transport(), transport.values()));
        engineSections(experiment.programs());
        return yaml.toString();
    }

    /** Appends the axes besides the programs, and what else belongs to the kinds of traffic. */
    private void points(Experiment experiment) {
        putText(
                ExperimentKeys.TRANSPORTS,
                experiment.transports().stream().map(TransportAxes::transport).toList());
        putText(ExperimentKeys.PACKET_BYTES, packetBytes(experiment));
        TrafficSpec answered = experiment.traffics().stream()
                .filter(traffic -> traffic.kind() == Traffic.ROUND_TRIP)
                .findFirst()
                .orElse(TrafficSpec.ONE_WAY);
        putAll(ExperimentKeys.TRAFFIC, experiment.traffics().stream().map(traffic -> traffic.kind()
                .text()));
        put(RunParameters.IN_FLIGHT, answered.inFlight());
        put(RunParameters.ANSWER_TIMEOUT, answered.answerTimeout());
        transfers(experiment.traffics());
        putAll(ExperimentKeys.PACE, experiment.paces().stream().map(PaceReader::format));
        put(ExperimentKeys.DIRECTION, experiment.directions());
    }

    /** Returns one list of packet sizes, or a list for each kind of traffic if the lists differ. */
    private static Object packetBytes(Experiment experiment) {
        Map<String, List<Integer>> byKind = new LinkedHashMap<>();
        experiment.traffics().forEach(traffic -> byKind.put(traffic.kind().text(), experiment.packetBytes(traffic)));
        List<List<Integer>> different = byKind.values().stream().distinct().toList();
        return different.size() == 1
                ? different.get(0)
                : YamlWriter.mapping(byKind.entrySet().stream()
                        .map(kind -> kind.getKey() + ": " + kind.getValue())
                        .toList());
    }

    private void transfers(List<TrafficSpec> traffics) {
        List<TransferSpec> transfers = traffics.stream()
                .map(TrafficSpec::transfer)
                .filter(Objects::nonNull)
                .toList();
        List<TransferSpec> written = transfers.isEmpty() ? List.of(TransferSpec.DEFAULT) : transfers;
        List<CompressionSpec> compressions = written.stream()
                .map(TransferSpec::compression)
                .filter(Objects::nonNull)
                .toList();
        putAll(ExperimentKeys.TRANSFER_BYTES, written.stream().map(transfer -> Long.toString(transfer.bytes())));
        put(RunParameters.TRANSFERS, written.get(0).count());
        put(RunParameters.CONNECTION, written.get(0).keepsConnection());
        putAll(
                ExperimentKeys.CODEC,
                written.stream()
                        .map(TransferSpec::compression)
                        .map(compression -> compression == null ? CompressionSpec.OFF : compression.codec()));
        putAll(
                ExperimentKeys.DATA,
                compressions.isEmpty()
                        ? Stream.of(CompressionSpec.DEFAULT_DATA)
                        : compressions.stream().map(compression -> YamlWriter.scalar(compression.data())));
        putText(ExperimentKeys.CHUNK_BYTES, Parameter.AUTO);
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
                .map(options -> YamlWriter.scalar(options.text()));
    }

    private <T> void put(Parameter<T> parameter, T value) {
        putText(parameter, YamlWriter.value(parameter, value));
    }

    /** Appends one value, or a list of different ones. */
    private void putAll(Parameter<?> parameter, Stream<String> values) {
        putText(parameter, oneOrList(values));
    }

    private void putText(Parameter<?> parameter, Object text) {
        yaml.append(parameter.name()).append(": ").append(text).append('\n');
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
                    .append(oneOrList(values.stream().map(YamlWriter::scalar)))
                    .append('\n'));
        }
    }

    private static Object oneOrList(Stream<String> values) {
        List<String> distinct = values.distinct().toList();
        return distinct.size() == 1 ? distinct.get(0) : distinct;
    }
}
