package org.lagbench.cli;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lagbench.core.clock.Durations;
import org.lagbench.core.run.RunRecord.LabRecord.Station;
import org.lagbench.report.table.Numbers;
import org.lagbench.report.table.Table;
import org.lagbench.report.table.TableColumns;

/** The counters of a lab as tables: one for the places that count the same, with a column for each place. */
final class LabCounters {
    private static final String TITLE = "Counters since the lab was created";
    private static final String NS = "Ns";

    /** The name of a counter of packets that were later than a limit, such as lateOver10us. */
    private static final Pattern LIMIT = Pattern.compile("(\\D+)(\\d{1,9}[mu]s)");

    private LabCounters() {}

    static List<Table> tables(List<Station> stations) {
        Map<Set<String>, List<Station>> places = new LinkedHashMap<>();
        for (Station station : stations) {
            places.computeIfAbsent(station.counts().keySet(), names -> new ArrayList<>())
                    .add(station);
        }
        List<Table> tables = new ArrayList<>();
        places.forEach((names, all) -> {
            TableColumns<String> columns = new TableColumns<String>().text("Counter", LabCounters::words);
            for (Station station : all) {
                Map<String, Long> counts = station.counts();
                columns.number(station.place(), "", name -> value(name, Objects.requireNonNull(counts.get(name))));
            }
            List<String> sorted = names.stream()
                    .sorted(Comparator.comparing(LabCounters::subject).thenComparing(LabCounters::limitNs))
                    .toList();
            tables.add(columns.table(TITLE, sorted));
        });
        return tables;
    }

    private static String value(String name, long count) {
        return name.endsWith(NS) ? Numbers.duration((double) count) : Numbers.grouped(count);
    }

    /** Returns the words of a counter's name: "late over 10us" for lateOver10us. */
    private static String words(String name) {
        String words = subject(name).replaceAll("([A-Z])", " $1").toLowerCase(Locale.ROOT);
        return limitNs(name) == 0 ? words : words + " " + Durations.format(limitNs(name));
    }

    /** Returns the name of a counter without its limit or unit. */
    private static String subject(String name) {
        Matcher limited = LIMIT.matcher(name);
        return limited.matches() ? limited.group(1) : name.replaceFirst(NS + "$", "");
    }

    private static long limitNs(String name) {
        Matcher limited = LIMIT.matcher(name);
        return limited.matches() ? Durations.parseNs(limited.group(2)) : 0;
    }
}
