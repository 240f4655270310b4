package org.lagbench.experiment;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Limit;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.NetworkParameters;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.model.Section;
import org.lagbench.core.model.Transport;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.model.Tuning.GoodputFloor;
import org.lagbench.core.model.Tuning.Knob;
import org.lagbench.core.model.Tuning.TuneBudget;
import org.lagbench.core.run.MetricRegistry;
import org.lagbench.core.run.Objective;
import org.lagbench.experiment.YamlNode.Mapping;

/** Reads and writes {@code tune}: what {@code lagbench tune} searches for. */
record TuneReader(MappingReader experimentKeys) {
    private static final String ANY = "any";
    private static final long DEFAULT_FROM = 4L << 10;
    private static final long DEFAULT_TO = 4L << 20;
    private static final List<String> BUFFERS = List.of("send-buffer", "receive-buffer");
    private static final Pattern RUNS = Pattern.compile("(\\d{1,6})\\s*runs?");

    private static final Parameter<Optional<GoodputFloor>> GOODPUT = Parameter.of(
                    "goodput",
                    "a share of the lab link's rate (90%), a rate (40mbit)",
                    TuneReader::parseFloor,
                    TuneReader::formatFloor)
            .or(ANY);
    private static final Parameter<List<Knob>> KNOBS =
            Parameter.yaml("knobs", "settings with a range {from: …, to: …} or a list", TuneReader::format);
    private static final Parameter<String> OBJECTIVE = Parameter.text(
                    "objective", "a metric (lag.q99), or a setting of knobs")
            .byDefault("lag.q99");
    private static final Parameter<List<Limit>> REQUIRE = Parameter.of(
                    "require", "a limit of a metric (lag.q99 <= 2 ms)", Limit::parse, Limit::text)
            .list()
            .byDefault(List.of());
    static final Section<Tuning> SECTION = Section.of(
            Tuning.class,
            OBJECTIVE,
            REQUIRE,
            NetworkParameters.share("loss").or(ANY),
            GOODPUT,
            NetworkParameters.share("indifference").byDefault(100_000),
            Parameter.of(
                            "budget",
                            "a length of time (600s, 10min) or a number of runs (200 runs)",
                            TuneReader::parseBudget,
                            TuneReader::formatBudget)
                    .byDefault(new TuneBudget(Duration.ofMinutes(10), 0)),
            KNOBS);

    /** Reads the value of {@code tune} in an experiment; nothing for none, and for a value that was refused. */
    Optional<Tuning> read(Experiment experiment) {
        return experimentKeys
                .sectionUnlessNone(ExperimentKeys.TUNE, SECTION.names())
                .flatMap(keys -> read(keys, experiment));
    }

    private Optional<Tuning> read(MappingReader keys, Experiment experiment) {
        List<SettingAxes<Transport>> transports = experiment.axes().transports();
        List<Knob> knobs =
                transports.size() == 1 ? knobs(keys, transports.get(0).owner()) : List.of();
        if (transports.size() != 1 || experiment.runCount() != experiment.grid().repeats()) {
            experimentKeys.add(
                    ExperimentKeys.TUNE,
                    "a tune is of one transport, one packet size, one pace and one program, and every setting has one"
                            + " value, the baseline's; take values out of the lists, as with --set transports=udp.");
        }
        if (experiment.concurrent().parallel() > 1) {
            experimentKeys.addAtKey(ExperimentKeys.PARALLEL, "tune measures one stream; leave this out.");
        }
        if (experiment.concurrent().directions().size() > 1) {
            experimentKeys.addAtKey(ExperimentKeys.DIRECTION, "tune searches for one direction: forward or backward.");
        }
        Optional<Tuning> tuning = keys.record(SECTION, null, Map.of(KNOBS, knobs));
        GoodputFloor goodput = tuning.map(Tuning::goodput).orElse(null);
        Network lab = experiment.path().lab();
        if (goodput != null
                && goodput.sharePpm() > 0
                && (lab == null || lab.forward().rateBitsPerS() == 0)) {
            keys.add(
                    GOODPUT,
                    "a share refers to the rate of the lab's link, and there is no lab with a rate; write a rate,"
                            + " such as 40mbit.");
        }
        tuning.filter(read -> !read.knobs().isEmpty()).ifPresent(read -> check(read, keys));
        return tuning;
    }

    private static void check(Tuning tuning, MappingReader keys) {
        try {
            Objective.of(tuning);
        } catch (LagbenchException e) {
            keys.add(OBJECTIVE, e.sentence());
        }
        for (Limit limit : tuning.require()) {
            try {
                limit.in(MetricRegistry.judged(limit.name()).unit());
            } catch (LagbenchException e) {
                keys.add(REQUIRE, e.sentence());
            } catch (IllegalArgumentException e) {
                keys.add(REQUIRE, e.getMessage() + ".");
            }
        }
    }

    private List<Knob> knobs(MappingReader keys, Transport transport) {
        List<String> names = ExperimentKeys.names(transport.settings());
        YamlNode node = keys.node(KNOBS);
        if (node == null) {
            if (!names.containsAll(BUFFERS)) {
                keys.add(
                        KNOBS,
                        transport.name() + " has no socket buffers; name the settings to vary, of "
                                + String.join(", ", names) + ".");
            }
            return BUFFERS.stream()
                    .map(name -> Knob.range(name, DEFAULT_FROM, DEFAULT_TO))
                    .toList();
        }
        if (node instanceof Mapping mapping && mapping.entries().isEmpty()) {
            keys.problems().refuse(keys.path(KNOBS), node, KNOBS.accepted());
            return List.of();
        }
        return keys.section(KNOBS, node, names).stream()
                .flatMap(given -> transport.settings().stream().flatMap(setting -> knob(setting, given).stream()))
                .toList();
    }

    private Optional<Knob> knob(Parameter<?> setting, MappingReader knobs) {
        if (knobs.node(setting) instanceof Mapping) {
            return knobs.read(Parameter.section(setting.name(), range(setting)))
                    .filter(TuneReader::isPositive)
                    .map(range ->
                            new Knob(setting.name(), range.minimum(), range.maximum(), List.of(), setting.isTime()));
        }
        List<String> values = knobs.has(setting) ? knobs.texts(listed(setting)) : List.of();
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(new Knob(setting.name(), 0, 0, values, setting.isTime()));
    }

    private static <T> Parameter<List<T>> listed(Parameter<T> setting) {
        return setting.list().accepting("{from: …, to: …}, or a list of " + setting.accepted());
    }

    private static boolean isPositive(Parameter.Range range) {
        return range.minimum() >= 1 && range.minimum() <= range.maximum();
    }

    private static Section<Parameter.Range> range(Parameter<?> setting) {
        Parameter<Long> to = end(setting, "to");
        return Section.of(Parameter.Range.class, end(setting, "from"), to).checked((range, keys) -> {
            if (!isPositive(range)) {
                keys.add(to, "a range begins above 0 and ends at a greater value.");
            }
        });
    }

    private static Parameter<Long> end(Parameter<?> setting, String name) {
        return Parameter.of(
                name,
                setting.accepted(),
                text -> {
                    Object value = setting.parse(text);
                    if (value instanceof Long number) {
                        return number;
                    }
                    return Durations.parseNs(value.toString());
                },
                Object::toString);
    }

    private static GoodputFloor parseFloor(String text) {
        if (!text.endsWith("%")) {
            return new GoodputFloor(0, Quantities.parseRate(text));
        }
        int ppm = Quantities.parseShare(text);
        if (ppm == 0) {
            throw new IllegalArgumentException("the goodput floor must be above 0");
        }
        return new GoodputFloor(ppm, 0);
    }

    private static String formatFloor(GoodputFloor goodput) {
        return goodput.sharePpm() > 0
                ? Quantities.formatShare(goodput.sharePpm())
                : Quantities.formatRate(goodput.bitsPerS());
    }

    private static TuneBudget parseBudget(String text) {
        Matcher runs = RUNS.matcher(text);
        if (runs.matches()) {
            return new TuneBudget(null, (int) Quantities.parseNumber(runs.group(1), 1, TuneBudget.MAXIMUM_RUNS));
        }
        Duration time = Duration.ofNanos(Durations.parseNs(text));
        Quantities.within(time.toNanos(), 1, TuneBudget.MAXIMUM_TIME.toNanos());
        return new TuneBudget(time, 0);
    }

    private static String formatBudget(TuneBudget budget) {
        Duration time = budget.time();
        return time == null ? budget.runs() + " runs" : Durations.format(time.toNanos());
    }

    private static String format(List<Knob> knobs) {
        return YamlWriter.mapping(knobs.stream().map(TuneReader::format).toList());
    }

    private static String format(Knob knob) {
        return knob.name() + ": "
                + (knob.isRange()
                        ? "{from: " + knob.text(knob.from()) + ", to: " + knob.text(knob.to()) + "}"
                        : knob.values());
    }
}
