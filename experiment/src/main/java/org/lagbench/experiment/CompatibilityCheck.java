package org.lagbench.experiment;

import java.time.Duration;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.RunParameters;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Transport;
import org.lagbench.core.run.CompressionSpec;
import org.lagbench.core.run.Engine;
import org.lagbench.core.run.Engines;
import org.lagbench.core.run.ObservedSource;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.Traffic;
import org.lagbench.core.run.TrafficSpec;
import org.lagbench.experiment.MappingReader.Placed;

/** Checks accepted values against the limits of the transports, the engines and other values. */
record CompatibilityCheck(Problems problems) {

    void check(
            List<Placed<SettingAxes<Transport>>> sections,
            List<Placed<Integer>> sizes,
            List<Placed<Pace>> paces,
            Duration stallTimeout) {
        for (Placed<SettingAxes<Transport>> section : sections) {
            // More combinations are refused elsewhere, because of the number of runs.
            if ((double) section.value().combinationCount() * sizes.size() <= Experiment.MAXIMUM_RUNS) {
                List<Settings> combinations = section.value().combinations();
                checkSizes(section.value().owner(), combinations, sizes);
                checkSettings(section, combinations, sizes);
            }
            checkMedium(section.value().owner(), paces);
        }
        for (Placed<Pace> pace : paces) {
            if (pace.value().intervalNs() >= stallTimeout.toNanos()) {
                refuseInterval(pace, "be shorter than stall-timeout, " + Durations.format(stallTimeout.toNanos()));
            }
        }
    }

    /** Lets the engines check the settings of the transports; reports each error once. */
    void check(
            List<Placed<Engine>> engines, List<Placed<SettingAxes<Transport>>> sections, List<TrafficSpec> traffics) {
        for (Placed<SettingAxes<Transport>> section : sections) {
            if (section.value().combinationCount() > Experiment.MAXIMUM_RUNS) {
                continue;
            }
            Transport transport = section.value().owner();
            Set<String> sentences = new LinkedHashSet<>();
            for (Placed<Engine> placed : engines) {
                for (Settings settings : section.value().combinations()) {
                    for (TrafficSpec traffic : traffics) {
                        check(placed.value(), transport, settings, traffic, sentences);
                    }
                }
            }
            sentences.forEach(sentence -> problems.add(section.place(), sentence));
        }
    }

    /** Lets the engines check their own settings with the sizes of packets; reports each error once. */
    void checkPackets(
            List<Placed<SettingAxes<Engine>>> engines, List<Placed<Integer>> sizes, List<TrafficSpec> traffics) {
        for (Placed<SettingAxes<Engine>> placed : engines) {
            SettingAxes<Engine> axes = placed.value();
            if ((double) axes.combinationCount() * sizes.size() > Experiment.MAXIMUM_RUNS) {
                continue;
            }
            Set<String> sentences = new LinkedHashSet<>();
            for (Settings settings : axes.combinations()) {
                for (Placed<Integer> size : sizes) {
                    for (TrafficSpec traffic : traffics) {
                        addFailure(sentences, () -> axes.owner().checkPackets(traffic.kind(), size.value(), settings));
                    }
                }
            }
            sentences.forEach(sentence -> problems.add(placed.place(), sentence));
        }
    }

    /**
     * Refuses runs that an engine does not support.
     *
     * @param transports the transports of the experiment
     * @param areStreams whether they are sent at the same time, by one engine
     * @param observePlace where the file says what is observed
     */
    void check(
            Engines engines,
            List<Placed<Engine>> listed,
            List<Transport> transports,
            boolean areStreams,
            List<TrafficSpec> traffics,
            YamlNode.SourceLocation observePlace,
            Set<ObservedSource> observed) {
        for (Placed<Engine> engine : listed) {
            List<Transport> paired =
                    transports.stream().filter(engine.value()::pairsWith).toList();
            for (TrafficSpec traffic : traffics) {
                for (Transport transport : paired.isEmpty() || areStreams ? transports : paired) {
                    Traffic kind = traffic.kind();
                    Optional<String> unserved = failure(() -> engines.check(engine.value(), transport, kind, Set.of()));
                    Optional<String> unrecorded =
                            failure(() -> engines.check(engine.value(), transport, kind, observed));
                    unserved.ifPresent(sentence -> problems.add(engine.place(), sentence));
                    if (unserved.isEmpty() && unrecorded.isPresent()) {
                        problems.add(observePlace, unrecorded.get());
                        break;
                    }
                }
            }
        }
    }

    private static void check(
            Engine engine, Transport transport, Settings settings, TrafficSpec traffic, Set<String> sentences) {
        CompressionSpec compression = traffic.compression();
        if (compression != null) {
            addFailure(sentences, () -> engine.checkCompression(transport, settings, compression));
        }
        if (engine.serves(transport, traffic.kind())) {
            addFailure(sentences, () -> engine.check(transport, settings));
        }
    }

    private interface Check {
        void run() throws LagbenchException;
    }

    private static void addFailure(Set<String> sentences, Check check) {
        failure(check).ifPresent(sentences::add);
    }

    private static Optional<String> failure(Check check) {
        try {
            check.run();
            return Optional.empty();
        } catch (LagbenchException e) {
            return Optional.of(e.sentence());
        }
    }

    private void checkSizes(Transport transport, List<Settings> combinations, List<Placed<Integer>> sizes) {
        Settings narrowest = combinations.stream()
                .min(Comparator.comparingInt(transport::maximumPacketBytes))
                .orElse(null);
        if (narrowest == null) {
            return;
        }
        int maximum = transport.maximumPacketBytes(narrowest);
        for (Placed<Integer> size : sizes) {
            if (size.value() < transport.minimumPacketBytes() || size.value() > maximum) {
                problems.add(
                        size.place(),
                        ExperimentKeys.PACKET_BYTES.name() + ": " + size.value() + " is not accepted; "
                                + transport.name() + " takes a whole number from " + RunParameters.MINIMUM_PACKET_BYTES
                                + " to "
                                + maximum + cause(transport, narrowest, maximum) + ".");
            }
        }
    }

    /** Returns the settings that lower the maximum; empty if the transport's defaults have the same maximum. */
    private static String cause(Transport transport, Settings narrowest, int maximum) {
        if (maximum >= transport.maximumPacketBytes(Settings.of(transport.settings(), Map.of()))) {
            return "";
        }
        return narrowest.asText().entrySet().stream()
                .filter(setting -> transport.maximumPacketBytes(
                                Settings.of(transport.settings(), Map.of(setting.getKey(), setting.getValue())))
                        == maximum)
                .map(setting -> setting.getKey() + ": " + setting.getValue())
                .collect(Collectors.joining(" and ", " with ", ""));
    }

    /** Lets the transport check its settings against one another; reports each error once. */
    private void checkSettings(
            Placed<SettingAxes<Transport>> section, List<Settings> combinations, List<Placed<Integer>> sizes) {
        Transport transport = section.value().owner();
        Set<String> sentences = new LinkedHashSet<>();
        for (Settings settings : combinations) {
            int maximum = transport.maximumPacketBytes(settings);
            for (Placed<Integer> size : sizes) {
                if (size.value() <= maximum) {
                    addFailure(sentences, () -> transport.check(size.value(), settings));
                }
            }
        }
        sentences.forEach(sentence -> problems.add(section.place(), transport.name() + ": " + sentence));
    }

    private void checkMedium(Transport transport, List<Placed<Pace>> paces) {
        for (Placed<Pace> pace : paces) {
            int burst = pace.value().burst();
            // A bus that takes one packet per cycle spreads a burst, which must end before the next one.
            long minimumNs = burst * transport.minimumIntervalNs();
            if (pace.value().mode() != Pace.Mode.FLOOD && pace.value().intervalNs() < minimumNs) {
                refuseInterval(
                        pace,
                        "be " + Durations.format(minimumNs) + " or more with "
                                + (burst == 1 ? "" : "bursts of " + burst + " packets over ") + transport.name()
                                + ", or the pace flood");
            }
        }
    }

    private void refuseInterval(Placed<Pace> pace, String must) {
        problems.add(
                pace.place(RunParameters.INTERVAL),
                ExperimentKeys.PACE + "."
                        + RunParameters.INTERVAL.yaml(pace.value().intervalNs()) + " is not accepted; it must " + must
                        + ".");
    }
}
