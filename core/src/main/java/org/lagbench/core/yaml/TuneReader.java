package org.lagbench.core.yaml;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.Intervals;
import org.lagbench.core.model.GoodputFloor;
import org.lagbench.core.model.Knob;
import org.lagbench.core.model.Network;
import org.lagbench.core.model.Objective;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.TuneBudget;
import org.lagbench.core.model.Tuning;
import org.lagbench.core.yaml.TransportReader.Section;
import org.lagbench.core.yaml.YamlNode.Mapping;
import org.lagbench.core.yaml.YamlNode.Scalar;

/** Reads and writes {@code tune}: what {@code lagbench tune} searches for. */
final class TuneReader {
    private static final String NONE = "none";
    private static final String ANY = "any";

    private static final Key<Objective> MINIMIZE = Key.word("minimize", Objective.class);
    private static final Key<Optional<Integer>> LOSS =
            new Key<>("loss", NetworkText.SHARES, NetworkText::share).or(ANY);
    private static final Key<Optional<GoodputFloor>> GOODPUT =
            new Key<>("goodput", "a share of the lab link's rate (90%), a rate (40mbit)", TuneReader::floor).or(ANY);
    private static final Key<Integer> INDIFFERENCE = new Key<>("indifference", NetworkText.SHARES, NetworkText::share);
    private static final Key<TuneBudget> BUDGET =
            new Key<>("budget", "a length of time (600s, 10min) or a number of runs (200 runs)", TuneReader::budget);
    private static final Key<String> KNOBS = Key.of("knobs", "settings with a range {from: …, to: …} or a list");
    private static final List<Key<?>> KEYS = List.of(MINIMIZE, LOSS, GOODPUT, INDIFFERENCE, BUDGET, KNOBS);
    static final String ACCEPTED = NONE + ", or " + String.join(", ", Key.names(KEYS));

    private static final String FROM = "from";
    private static final String TO = "to";

    private static final int DEFAULT_INDIFFERENCE_PPM = 100_000;
    private static final TuneBudget DEFAULT_BUDGET = new TuneBudget(Duration.ofMinutes(10), 0);
    private static final long DEFAULT_FROM = 4L << 10;
    private static final long DEFAULT_TO = 4L << 20;
    private static final List<String> BUFFERS = List.of("send-buffer", "receive-buffer");
    private static final Pattern RUNS = Pattern.compile("(\\d{1,6})\\s*runs?");
    private static final Pattern MINUTES = Pattern.compile("(\\d{1,5})\\s*min");

    private final Problems problems;

    TuneReader(Problems problems) {
        this.problems = problems;
    }

    /**
     * Reads the value of {@code tune}.
     *
     * @param sections the experiment's transports
     * @param combinations how many combinations of sizes, paces and programs the experiment has
     * @return null for none, and for a value that was refused
     */
    @Nullable
    Tuning read(YamlNode node, List<Section> sections, long combinations, @Nullable Network lab) {
        if (node instanceof Scalar scalar && NONE.equals(scalar.text())) {
            return null;
        }
        MappingReader keys = MappingReader.ofSection(ExperimentKeys.TUNE, node, KEYS, problems)
                .orElse(null);
        if (keys == null) {
            return null;
        }
        List<Knob> knobs = sections.size() == 1 ? knobs(keys, sections.get(0)) : List.of();
        if (sections.size() != 1 || combinations != 1 || sections.get(0).axes().combinationCount() != 1) {
            problems.add(
                    node.place(),
                    ExperimentKeys.TUNE.name()
                            + ": a tune is of one transport, one packet size, one pace and one program, and every"
                            + " setting has one value, today's; take values out of the lists, as with --set"
                            + " transports=udp.");
        }
        GoodputFloor goodput = keys.get(GOODPUT, Optional.empty()).orElse(null);
        if (goodput != null
                && goodput.sharePpm() > 0
                && (lab == null || lab.forward().rateBitsPerS() == 0)) {
            keys.add(
                    GOODPUT,
                    "a share refers to the rate of the lab's link, and there is no lab with a rate; write a rate,"
                            + " such as 40mbit.");
        }
        return new Tuning(
                keys.get(MINIMIZE, Objective.LAG_Q99),
                keys.get(LOSS, Optional.empty()).orElse(null),
                goodput,
                keys.get(INDIFFERENCE, DEFAULT_INDIFFERENCE_PPM),
                keys.get(BUDGET, DEFAULT_BUDGET),
                knobs);
    }

    private List<Knob> knobs(MappingReader keys, Section section) {
        List<Parameter<?>> settings = section.transport().settings();
        List<String> names = settings.stream().map(Parameter::name).toList();
        YamlNode node = keys.node(KNOBS);
        if (node == null) {
            if (!names.containsAll(BUFFERS)) {
                keys.add(
                        KNOBS,
                        section.transport().name() + " has no socket buffers; name the settings to vary, of "
                                + String.join(", ", names) + ".");
            }
            return BUFFERS.stream()
                    .map(name -> Knob.range(name, DEFAULT_FROM, DEFAULT_TO))
                    .toList();
        }
        if (!(node instanceof Mapping mapping) || mapping.entries().isEmpty()) {
            problems.refuse(keys.path(KNOBS), node, KNOBS.accepted());
            return List.of();
        }
        MappingReader given = new MappingReader(mapping, keys.path(KNOBS) + ".", problems);
        given.refuseUnknown(names);
        List<Knob> knobs = new ArrayList<>();
        for (Parameter<?> setting : settings) {
            knob(setting, given).ifPresent(knobs::add);
        }
        return knobs;
    }

    private Optional<Knob> knob(Parameter<?> setting, MappingReader knobs) {
        Key<Object> key =
                new Key<>(setting.name(), "{from: …, to: …}, or a list of " + setting.accepted(), setting::parse);
        YamlNode node = knobs.node(key);
        if (node instanceof Mapping range) {
            return range(setting, new MappingReader(range, knobs.path(key) + ".", problems), knobs.path(key));
        }
        List<Object> values = node == null ? List.of() : knobs.list(key, "");
        return values.isEmpty()
                ? Optional.empty()
                : Optional.of(Knob.list(
                        setting.name(), values.stream().map(Object::toString).toList()));
    }

    private Optional<Knob> range(Parameter<?> setting, MappingReader range, String path) {
        Key<Long> from = end(setting, FROM);
        Key<Long> to = end(setting, TO);
        range.refuseUnknown(List.of(FROM, TO));
        if (!range.has(from) || !range.has(to)) {
            problems.add(range.place(), path + ": a range has " + FROM + " and " + TO + ".");
            return Optional.empty();
        }
        Optional<Long> least = range.find(from, 0L);
        Optional<Long> greatest = range.find(to, 0L);
        if (least.isEmpty() || greatest.isEmpty()) {
            return Optional.empty();
        }
        if (least.get() < 1 || least.get() > greatest.get()) {
            problems.add(range.place(), path + ": a range begins above 0 and ends at a greater value.");
            return Optional.empty();
        }
        return Optional.of(Knob.range(setting.name(), least.get(), greatest.get()));
    }

    private static Key<Long> end(Parameter<?> setting, String name) {
        return new Key<>(name, setting.accepted(), text -> {
            if (setting.parse(text) instanceof Long number) {
                return number;
            }
            throw new IllegalArgumentException(text + " is not a number");
        });
    }

    private static GoodputFloor floor(String text) {
        if (!text.endsWith("%")) {
            return new GoodputFloor(0, NetworkText.rate(text));
        }
        int ppm = NetworkText.share(text);
        if (ppm == 0) {
            throw new IllegalArgumentException("a goodput floor of 0");
        }
        return new GoodputFloor(ppm, 0);
    }

    private static TuneBudget budget(String text) {
        Matcher runs = RUNS.matcher(text);
        if (runs.matches()) {
            return new TuneBudget(null, (int) Key.parseNumber(runs.group(1), 1, TuneBudget.MAXIMUM_RUNS));
        }
        Matcher minutes = MINUTES.matcher(text);
        Duration time = minutes.matches()
                ? Duration.ofMinutes(Long.parseLong(minutes.group(1)))
                : Duration.ofNanos(Intervals.parseNs(text));
        Key.within(time.toNanos(), 1, TuneBudget.MAXIMUM_TIME.toNanos());
        return new TuneBudget(time, 0);
    }

    /** Returns the value of {@code tune} as a user would write it. */
    static String yaml(@Nullable Tuning tuning) {
        if (tuning == null) {
            return NONE;
        }
        Integer loss = tuning.maximumLossPpm();
        GoodputFloor goodput = tuning.goodput();
        Duration time = tuning.budget().time();
        return Key.mapping(List.of(
                MINIMIZE.yaml(tuning.objective().text()),
                LOSS.yaml(loss == null ? ANY : NetworkText.share(loss)),
                GOODPUT.yaml(
                        goodput == null
                                ? ANY
                                : goodput.sharePpm() > 0
                                        ? NetworkText.share(goodput.sharePpm())
                                        : NetworkText.rate(goodput.bitsPerS())),
                INDIFFERENCE.yaml(NetworkText.share(tuning.indifferencePpm())),
                BUDGET.yaml(time == null ? tuning.budget().runs() + " runs" : Intervals.format(time.toNanos())),
                KNOBS.yaml(Key.mapping(
                        tuning.knobs().stream().map(TuneReader::yaml).toList()))));
    }

    private static String yaml(Knob knob) {
        return knob.name() + ": "
                + (knob.isRange() ? "{from: " + knob.from() + ", to: " + knob.to() + "}" : knob.values());
    }
}
