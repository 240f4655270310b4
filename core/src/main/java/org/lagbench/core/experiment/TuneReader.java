package org.lagbench.core.experiment;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.experiment.TransportReader.Section;
import org.lagbench.core.experiment.ValueReader.Placed;
import org.lagbench.core.experiment.YamlNode.Entry;
import org.lagbench.core.experiment.YamlNode.Mapping;
import org.lagbench.core.experiment.YamlNode.Scalar;
import org.lagbench.core.lab.Network;
import org.lagbench.core.settings.SettingDefinition;
import org.lagbench.core.time.Intervals;
import org.lagbench.core.tune.GoodputFloor;
import org.lagbench.core.tune.Knob;
import org.lagbench.core.tune.Objective;
import org.lagbench.core.tune.TuneBudget;
import org.lagbench.core.tune.Tuning;

/** Reads {@code tune}: what {@code lagbench tune} is to find. */
final class TuneReader {
    static final String NONE = "none";
    static final String MINIMISE = "minimise";
    static final String LOSS = "loss";
    static final String GOODPUT = "goodput";
    static final String INDIFFERENCE = "indifference";
    static final String BUDGET = "budget";
    static final String KNOBS = "knobs";
    static final String FROM = "from";
    static final String TO = "to";
    static final String ANY = "any";
    private static final List<String> KEYS = List.of(MINIMISE, LOSS, GOODPUT, INDIFFERENCE, BUDGET, KNOBS);
    static final String ACCEPTED = NONE + ", or " + String.join(", ", KEYS);

    static final String TUNE = "tune";
    private static final int DEFAULT_INDIFFERENCE_PPM = 100_000;
    private static final TuneBudget DEFAULT_BUDGET = new TuneBudget(Duration.ofMinutes(10), 0);
    private static final long DEFAULT_FROM = 4L << 10;
    private static final long DEFAULT_TO = 4L << 20;
    private static final List<String> BUFFERS = List.of("send-buffer", "receive-buffer");
    private static final Pattern RUNS = Pattern.compile("(\\d{1,6})\\s*runs?");
    private static final Pattern MINUTES = Pattern.compile("(\\d{1,5})\\s*min");
    private static final String BUDGETS = "a length of time (600s, 10min) or a number of runs (200 runs)";
    private static final String FLOORS = "a share of the lab link's rate (90%), a rate (40mbit), or " + ANY;
    private static final String LOSSES = NetworkText.SHARES + ", or " + ANY;

    private final Problems problems;
    private final ValueReader values;

    TuneReader(Problems problems) {
        this.problems = problems;
        this.values = new ValueReader(problems);
    }

    /**
     * What is to be found; null for none.
     *
     * @param sections the experiment's transports
     * @param combinations of how many sizes, paces and programs the experiment is
     */
    @Nullable
    Tuning read(YamlNode node, List<Section> sections, long combinations, @Nullable Network lab) {
        if (node instanceof Scalar scalar && NONE.equals(scalar.text())) {
            return null;
        }
        if (!(node instanceof Mapping mapping)) {
            problems.refuse(TUNE, node, ACCEPTED);
            return null;
        }
        values.refuseUnknown(mapping, TUNE + ".", KEYS);
        List<Knob> knobs = sections.size() == 1 ? knobs(mapping, sections.get(0)) : List.of();
        if (sections.size() != 1 || combinations != 1 || sections.get(0).axes().combinationCount() != 1) {
            problems.add(
                    node.place(),
                    TUNE + ": a tune is of one transport, one packet size, one pace and one program, and every setting"
                            + " has one value, today's; take values out of the lists, as with --set transports=udp.");
        }
        return new Tuning(
                value(mapping, MINIMISE, Objective.ACCEPTED, Objective::named).orElse(Objective.LAG_Q99),
                value(mapping, LOSS, LOSSES, text -> anyOr(text, NetworkText::share))
                        .flatMap(Function.identity())
                        .orElse(null),
                goodput(mapping, lab),
                value(mapping, INDIFFERENCE, NetworkText.SHARES, NetworkText::share)
                        .orElse(DEFAULT_INDIFFERENCE_PPM),
                value(mapping, BUDGET, BUDGETS, TuneReader::budget).orElse(DEFAULT_BUDGET),
                knobs);
    }

    private @Nullable GoodputFloor goodput(Mapping mapping, @Nullable Network lab) {
        GoodputFloor floor = value(mapping, GOODPUT, FLOORS, text -> anyOr(text, TuneReader::floor))
                .flatMap(Function.identity())
                .orElse(null);
        if (floor != null && floor.sharePpm() > 0 && (lab == null || lab.there().rateBitsPerS() == 0)) {
            problems.add(
                    mapping.place(),
                    TUNE + "." + GOODPUT + ": a share is one of the lab link's rate, and there is no lab with a rate;"
                            + " write a rate, such as 40mbit.");
        }
        return floor;
    }

    private List<Knob> knobs(Mapping mapping, Section section) {
        Entry entry = mapping.entries().get(KNOBS);
        List<SettingDefinition> definitions = section.transport().settings();
        if (entry == null) {
            List<String> names =
                    definitions.stream().map(SettingDefinition::name).toList();
            if (!names.containsAll(BUFFERS)) {
                problems.add(
                        mapping.place(),
                        TUNE + "." + KNOBS + ": "
                                + section.transport().name() + " has no socket buffers; name what is to be varied of "
                                + String.join(", ", names) + ".");
            }
            return BUFFERS.stream()
                    .map(name -> Knob.range(name, DEFAULT_FROM, DEFAULT_TO))
                    .toList();
        }
        if (!(entry.value() instanceof Mapping knobs) || knobs.entries().isEmpty()) {
            problems.refuse(TUNE + "." + KNOBS, entry.value(), "settings with a range {from: …, to: …} or a list");
            return List.of();
        }
        values.refuseUnknown(
                knobs,
                TUNE + "." + KNOBS + ".",
                definitions.stream().map(SettingDefinition::name).toList());
        List<Knob> read = new ArrayList<>();
        for (SettingDefinition definition : definitions) {
            Entry knob = knobs.entries().get(definition.name());
            if (knob != null) {
                knob(definition, knob.value()).ifPresent(read::add);
            }
        }
        return read;
    }

    private Optional<Knob> knob(SettingDefinition definition, YamlNode node) {
        String key = TUNE + "." + KNOBS + "." + definition.name();
        if (node instanceof Mapping range) {
            values.refuseUnknown(range, key + ".", List.of(FROM, TO));
            Optional<Long> from = end(definition, key, range, FROM);
            Optional<Long> to = end(definition, key, range, TO);
            if (from.isPresent() && to.isPresent() && (from.get() < 1 || from.get() > to.get())) {
                problems.add(range.place(), key + ": a range goes from less to more, and begins above 0.");
                return Optional.empty();
            }
            return from.isPresent() && to.isPresent()
                    ? Optional.of(Knob.range(definition.name(), from.get(), to.get()))
                    : Optional.empty();
        }
        List<String> texts =
                values
                        .many(key, node, "{from: …, to: …}, or a list of " + definition.accepted(), definition::parse)
                        .stream()
                        .map(Placed::value)
                        .map(Object::toString)
                        .toList();
        return texts.isEmpty() ? Optional.empty() : Optional.of(Knob.list(definition.name(), texts));
    }

    private Optional<Long> end(SettingDefinition definition, String key, Mapping range, String end) {
        Entry entry = range.entries().get(end);
        if (entry == null) {
            problems.add(range.place(), key + ": a range has " + FROM + " and " + TO + ".");
            return Optional.empty();
        }
        return values.one(key + "." + end, entry.value(), definition.accepted(), text -> {
            if (definition.parse(text) instanceof Long number) {
                return number;
            }
            throw new IllegalArgumentException(text + " is not a number");
        });
    }

    private <T> Optional<T> value(Mapping mapping, String key, String accepted, Function<String, T> parser) {
        Map<String, Entry> entries = mapping.entries();
        Entry entry = entries.get(key);
        return entry == null ? Optional.empty() : values.one(TUNE + "." + key, entry.value(), accepted, parser);
    }

    private static <T> Optional<T> anyOr(String text, Function<String, T> parser) {
        return text.equals(ANY) ? Optional.empty() : Optional.of(parser.apply(text));
    }

    private static GoodputFloor floor(String text) {
        if (!text.endsWith("%")) {
            return new GoodputFloor(0, NetworkText.rate(text));
        }
        int ppm = NetworkText.share(text);
        if (ppm == 0) {
            throw new IllegalArgumentException("a floor of nothing");
        }
        return new GoodputFloor(ppm, 0);
    }

    private static TuneBudget budget(String text) {
        Matcher runs = RUNS.matcher(text);
        if (runs.matches()) {
            return new TuneBudget(null, (int) ValueReader.number(runs.group(1), 1, TuneBudget.MAXIMUM_RUNS));
        }
        Matcher minutes = MINUTES.matcher(text);
        Duration time = minutes.matches()
                ? Duration.ofMinutes(Long.parseLong(minutes.group(1)))
                : Duration.ofNanos(Intervals.parseNs(text));
        if (time.isZero() || time.compareTo(TuneBudget.MAXIMUM_TIME) > 0) {
            throw new IllegalArgumentException(text + " is out of range");
        }
        return new TuneBudget(time, 0);
    }
}
