package org.lagbench.core.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The declarations of all metrics and of what they mean, read from {@value #NAME}, which describes its form. */
record MetricsFile(List<Metric> metrics, List<MetricMeaning> meanings) {
    private static final String NAME = "metrics.txt";
    private static final int MARKS = 7;
    private static final Pattern LET = Pattern.compile("let (\\w+) = (.*)");
    private static final Pattern USE = Pattern.compile("\\$(\\w+)");
    private static final Pattern MEANING = Pattern.compile("meaning ([\\w.]+) \\| (.*) \\| (.*) \\| (.*)");
    private static final Pattern CHOICE = Pattern.compile("\\{([^{}]*)}");
    private static final Pattern PATH = Pattern.compile("(\\S+)(?: ([*/]) ([\\de]+))?");

    MetricsFile {
        metrics = List.copyOf(metrics);
        meanings = List.copyOf(meanings);
    }

    static MetricsFile read() {
        List<Metric> metrics = new ArrayList<>();
        List<MetricMeaning> meanings = new ArrayList<>();
        Map<String, String> texts = new LinkedHashMap<>();
        text().lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            Matcher let = LET.matcher(line);
            String full = USE.matcher(line)
                    .replaceAll(use -> Matcher.quoteReplacement(Objects.requireNonNull(texts.get(use.group(1)), line)));
            Matcher meaning = MEANING.matcher(full);
            if (let.matches()) {
                texts.put(let.group(1), let.group(2));
            } else if (meaning.matches()) {
                meanings.add(meaning(meaning));
            } else {
                each(full).map(MetricsFile::metric).forEach(metrics::add);
            }
        });
        return new MetricsFile(metrics, meanings);
    }

    private static String text() {
        try (InputStream in = Objects.requireNonNull(MetricsFile.class.getResourceAsStream(NAME), NAME)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MetricMeaning meaning(Matcher columns) {
        Map<Traffic, String> meanings = new EnumMap<>(Traffic.class);
        int column = 2;
        for (Traffic traffic : List.of(Traffic.ONE_WAY, Traffic.ROUND_TRIP, Traffic.TRANSFER)) {
            String clause = columns.group(column++);
            if (!clause.equals("-")) {
                meanings.put(traffic, clause);
            }
        }
        return new MetricMeaning(columns.group(1), meanings);
    }

    /** Expands a line with alternatives in braces: one line for each. */
    private static Stream<String> each(String line) {
        int count = CHOICE.matcher(line)
                .results()
                .mapToInt(choice -> choice.group(1).split(";", -1).length)
                .max()
                .orElse(1);
        return Stream.iterate(0, i -> i < count, i -> i + 1).map(i -> CHOICE.matcher(line)
                .replaceAll(choice -> Matcher.quoteReplacement(choice.group(1).split(";", -1)[i])));
    }

    /** Returns the metric that a line declares, without alternatives. */
    static Metric metric(String line) {
        String[] columns = line.split(" \\| ?", -1);
        Matcher path = PATH.matcher(columns[1]);
        if (!path.matches()) {
            throw new IllegalStateException(NAME + ": the path of a metric is invalid: " + line);
        }
        double scale = path.group(2) == null ? 1 : Double.parseDouble(path.group(3));
        boolean isDivided = "/".equals(path.group(2));
        if (columns.length < MARKS) {
            throw new IllegalStateException(NAME + ": a metric does not say how repeats combine: " + line);
        }
        Set<Metric.Mark> marks = columns.length == MARKS
                ? Set.of()
                : Stream.of(columns[MARKS].split(" "))
                        .filter(mark -> !mark.isEmpty())
                        .map(mark -> Metric.Mark.valueOf(mark.toUpperCase(Locale.ROOT)))
                        .collect(Collectors.toSet());
        return new Metric(
                columns[0],
                path.group(1),
                isDivided ? 1 : scale,
                isDivided ? scale : 1,
                columns[2],
                columns[3],
                columns[4],
                columns[5].equals("lower"),
                Combination.parse(columns[6]),
                marks);
    }
}
