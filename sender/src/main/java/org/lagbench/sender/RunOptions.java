package org.lagbench.sender;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Transports;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TransferSpec;
import org.lagbench.experiment.Experiment;
import org.lagbench.experiment.ExperimentReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The sender's options that describe its run: keys of an experiment, each with one value, and {@code --pace}. */
final class RunOptions {
    private static final String PACE = "pace";
    private static final String TRAFFIC = "traffic";
    private static final String ENGINE = "engine";

    /** Defaults that differ from an experiment's; empty for a value that depends on others. */
    private static final Map<String, String> DEFAULTS = Map.of(
            RunParameters.PACKET_BYTES.name(), "992",
            RunParameters.PACKETS.name(), "50000",
            RunParameters.WARM_UP_PACKETS.name(), "20000",
            RunParameters.TRANSFER_BYTES.name(), "");

    /** Keys that are no options: the transport has a command, and the number of transfers follows from the packets. */
    private static final Set<String> WITHOUT_OPTION = Set.of("transports", RunParameters.TRANSFERS.name());

    private static final Pattern SCHEDULED = Pattern.compile("([a-z]+):([^:]+)(?::(\\d{1,6}))?");
    private static final String PACE_ACCEPTED = "flood, or sleep, spin or hybrid with the interval of packets, such as"
            + " hybrid:125us, or with the interval of bursts and the packets of each, such as hybrid:40ms:12";

    private final Engines engines = Engines.load();
    private final ExperimentReader reader = new ExperimentReader(Transports.load(), engines, true);
    private final Map<String, OptionSpec> options = new LinkedHashMap<>();

    RunOptions() {
        for (Parameter<?> key : ExperimentReader.pointKeys()) {
            if (key.name().equals(PACE)) {
                add(PACE, Pace.Mode.FLOOD.text(), key.description(), PACE_ACCEPTED);
            } else if (!WITHOUT_OPTION.contains(key.name())) {
                // an option has one value, so the brackets and the mention of lists are left out
                add(
                        key.name(),
                        DEFAULTS.getOrDefault(key.name(), key.absentText()).replaceAll("[\\[\\]]", ""),
                        key.description(),
                        key.accepted().replaceFirst("[;,] or a list of these$", ""));
            }
        }
    }

    private void add(String key, String absent, String description, String accepted) {
        String sentences =
                description + " Takes " + accepted + (absent.isEmpty() ? "." : " (default: " + absent + ").");
        options.put(
                key,
                OptionSpec.builder("--" + key)
                        .paramLabel("VALUE")
                        .type(String.class)
                        .defaultValue(absent)
                        .description(sentences.replace("%", "%%"))
                        .build());
    }

    void addTo(CommandSpec command) {
        options.values().forEach(command::addOption);
    }

    private String value(String key) {
        return Objects.requireNonNull(options.get(key), key).getValue();
    }

    /**
     * Returns the point of the run.
     *
     * @param settings of the transport and the engine
     * @throws LagbenchException with {@link ExitCode#USAGE} if a value is not accepted; the message names it
     */
    Point point(String transport, Map<String, String> settings) throws LagbenchException {
        try {
            List<String> values = new ArrayList<>(List.of("transports=" + transport));
            options.keySet().stream()
                    .filter(key -> !value(key).isEmpty())
                    .forEach(key ->
                            values.add(key + "=" + (key.equals(PACE) ? yaml(parsePace(value(key))) : value(key))));
            values.addAll(transfers());
            Engine engine = value(ENGINE).isEmpty()
                    ? engines.defaultEngine(List.of(reader.transports().named(transport)))
                    : engines.named(value(ENGINE));
            settings.forEach((name, value) -> {
                boolean isOfEngine =
                        engine.settings().stream().anyMatch(own -> own.name().equals(name));
                values.add((isOfEngine ? engine.name() : transport) + "." + name + "=" + value);
            });
            Experiment experiment = reader.build("sender", values);
            if (experiment.runCount() != 1) {
                throw new IllegalArgumentException("A sender sends one run: give each option a single value.");
            }
            return experiment.runs(0).get(0).point();
        } catch (IllegalArgumentException e) {
            throw ExitCode.USAGE.failure(String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the keys of transfers: as many as the packets are; by default all packets are one. */
    private List<String> transfers() {
        if (!value(TRAFFIC).equals(Traffic.TRANSFER.text())) {
            return List.of();
        }
        long packets = RunParameters.PACKETS.parse(value(RunParameters.PACKETS.name()));
        int packetBytes = RunParameters.PACKET_BYTES.parse(value(RunParameters.PACKET_BYTES.name()));
        String given = value(RunParameters.TRANSFER_BYTES.name());
        long bytes = given.isEmpty() ? packets * packetBytes : RunParameters.TRANSFER_BYTES.parse(given);
        TransferSpec transfers = TransferSpec.of(bytes, packets, packetBytes, false, null);
        return List.of(
                RunParameters.TRANSFER_BYTES.name() + "=" + bytes,
                RunParameters.TRANSFERS.name() + "=" + transfers.count());
    }

    private static String yaml(Pace pace) {
        return pace.mode() == Pace.Mode.FLOOD
                ? pace.mode().text()
                : "{mode: " + pace.mode().text() + ", " + RunParameters.INTERVAL.yaml(pace.intervalNs()) + ", "
                        + RunParameters.BURST.yaml(pace.burst()) + "}";
    }

    /**
     * Returns the pace of {@code flood}, of a mode and the interval of the packets, {@code hybrid:125us}, or of the
     * interval of bursts and their number of packets, {@code hybrid:40ms:12}.
     *
     * @throws IllegalArgumentException if it is invalid; the message lists what is accepted
     */
    static Pace parsePace(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (lower.equals(Pace.Mode.FLOOD.text())) {
            return Pace.flood();
        }
        Matcher scheduled = SCHEDULED.matcher(lower);
        if (scheduled.matches()) {
            for (Pace.Mode mode : Pace.Mode.values()) {
                if (mode != Pace.Mode.FLOOD && mode.text().equals(scheduled.group(1))) {
                    String burst = scheduled.group(3);
                    return new Pace(
                            mode, Durations.parseNs(scheduled.group(2)), burst == null ? 1 : Integer.parseInt(burst));
                }
            }
        }
        throw new IllegalArgumentException("--pace \"" + text + "\" is invalid: use " + PACE_ACCEPTED + ".");
    }
}
