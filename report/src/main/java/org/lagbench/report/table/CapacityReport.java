package org.lagbench.report.table;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.text.Units;
import tools.jackson.databind.JsonNode;

/**
 * The report on a path: its probes, the rate that TCP achieves, and the forecast duration of other transfers.
 *
 * @param estimate empty if no probe filled the path
 */
public record CapacityReport(List<Probe> probes, Optional<PathEstimate> estimate) {
    private static final long KIB = 1_024;

    /** The transfer sizes whose duration is forecast, in KiB by name, in order. */
    private static final List<Map.Entry<String, Long>> SIZES = List.of(
            Map.entry("1 KiB", 1L),
            Map.entry("64 KiB", 64L),
            Map.entry("1 MiB", KIB),
            Map.entry("10 MiB", 10 * KIB),
            Map.entry("100 MiB", 100 * KIB),
            Map.entry("1 GiB", KIB * KIB),
            Map.entry("10 GiB", 10 * KIB * KIB));

    private record Forecast(String size, long bytes, Interval timeNs) {
        static List<Forecast> of(PathEstimate path) {
            return SIZES.stream()
                    .map(size -> new Forecast(size.getKey(), size.getValue() * KIB, path.timeNs(size.getValue() * KIB)))
                    .toList();
        }

        Map<String, Object> members() {
            Map<String, Object> members = new LinkedHashMap<>();
            members.put("bytes", bytes);
            members.put("timeUs", timeNs.value() / Units.NS_PER_US);
            members.put("lowUs", timeNs.low() / Units.NS_PER_US);
            members.put("highUs", timeNs.high() / Units.NS_PER_US);
            return members;
        }
    }

    public CapacityReport {
        probes = List.copyOf(probes);
    }

    /** Returns the report: the tables, then a sentence about the capacity; CSV has a row for each probe. */
    public Result result() {
        return new Result(this::document, this::tree, tree -> CsvRows.of(tree.get("tests")));
    }

    private Document document() {
        List<Table> tables = new ArrayList<>(List.of(probeTable()));
        estimate.ifPresent(path -> tables.add(forecastTable(path)));
        return new Document(tables, List.of(sentence()));
    }

    private JsonNode tree() {
        Map<String, @Nullable Object> members = Result.members("lagbench-capacity-1", "subject", "TCP");
        members.put("bitsPerS", rate());
        members.put("bytes", probes.stream().mapToLong(Probe::bytes).sum());
        members.put("tests", probes.stream().map(CapacityReport::members).toList());
        members.put(
                "forecasts",
                estimate.stream()
                        .flatMap(path -> Forecast.of(path).stream().map(Forecast::members))
                        .toList());
        return ResultMapper.tree(members);
    }

    private static Map<String, Object> members(Probe probe) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("bytes", probe.bytes());
        members.put("elapsedUs", probe.elapsedNs() / Units.NS_PER_US);
        members.put("bitsPerS", probe.verdict().bitsPerS());
        members.put("verdict", probe.verdict().verdict().text());
        return members;
    }

    private Table probeTable() {
        return new TableColumns<Probe>()
                .number("Size", "bytes", probe -> Numbers.grouped(probe.bytes()))
                .number("Time", "ms", probe -> ms(probe.elapsedNs()))
                .number(
                        "Rate",
                        "Mb/s",
                        probe -> Numbers.mbpsText(probe.verdict().bitsPerS()))
                .text("Verdict", probe -> probe.verdict().verdict().phrase())
                .table("Probes: a rate is the path's only if the verdict is network", probes);
    }

    private static Table forecastTable(PathEstimate path) {
        return new TableColumns<Forecast>()
                .text("Size", Forecast::size)
                .group("Time of a transfer")
                .number("Forecast", "ms", row -> ms(row.timeNs().value()))
                .number("Low", "ms", row -> ms(row.timeNs().low()))
                .number("High", "ms", row -> ms(row.timeNs().high()))
                .table("Transfers over a new connection", Forecast.of(path));
    }

    private String sentence() {
        return estimate.map(
                        path -> "TCP achieves " + Numbers.mbpsText(path.rate().value()) + " Mb/s on this path ("
                                + Numbers.mbpsText(path.rate().low()) + " to "
                                + Numbers.mbpsText(path.rate().high()) + " Mb/s).")
                .orElseGet(() -> probes.isEmpty()
                        ? "The capacity of this path is unknown: " + unfilledReason() + "."
                        : "TCP achieves at least " + Numbers.mbpsText(rate().low()) + " Mb/s on this path: "
                                + unfilledReason() + ".");
    }

    /** Returns the rate of the path in bits per second. If no probe filled the path, only the lower end is known. */
    private Interval rate() {
        return estimate.map(PathEstimate::rate)
                .orElseGet(() -> new Interval(
                        Double.NaN, probes.isEmpty() ? 0 : Probe.carriedBitsPerS(probes), Double.POSITIVE_INFINITY));
    }

    /** Returns why no probe filled the path, and what to do; empty if one did. */
    public String unfilledReason() {
        if (estimate.isPresent()) {
            return "";
        }
        if (probes.isEmpty()) {
            return "no state of a connection was recorded; use the default engine";
        }
        return switch (probes.get(probes.size() - 1).verdict().verdict()) {
            case WINDOW ->
                "the window limited the probes; give larger buffers with --set tcp.send-buffer=… and"
                        + " --set tcp.receive-buffer=…";
            case APPLICATION -> "this sender limited the probes";
            default -> "no probe within the budget filled it; give a larger --budget";
        };
    }

    private static String ms(double ns) {
        return Numbers.grouped(1, ns / Units.NS_PER_MS);
    }
}
