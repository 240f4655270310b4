package org.lagbench.report.table;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.Verdict;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.model.Quantities;
import org.lagbench.core.text.Units;
import tools.jackson.databind.JsonNode;

/**
 * The report on a path: its probes, the rate that TCP achieves, and the forecast duration of other transfers.
 *
 * @param estimate empty if no probe filled the path
 */
public record CapacityReport(List<Probe> probes, Optional<PathEstimate> estimate) {
    /** The transfer sizes whose duration is forecast. */
    private static final List<String> SIZES =
            List.of("1 KiB", "64 KiB", "1 MiB", "10 MiB", "100 MiB", "1 GiB", "10 GiB");

    private record Forecast(@JsonIgnore String size, long bytes, double timeNs, double lowNs, double highNs) {
        static Forecast of(PathEstimate path, String size) {
            long bytes = Quantities.parseBytes(size.replace(" ", ""), 1, Long.MAX_VALUE);
            Interval time = path.timeNs(bytes);
            return new Forecast(size, bytes, time.value(), time.low(), time.high());
        }
    }

    private record Test(long bytes, double elapsedNs, double bitsPerS, Verdict verdict) {
        Test(Probe probe) {
            this(
                    probe.bytes(),
                    probe.elapsedNs(),
                    probe.verdict().bitsPerS(),
                    probe.verdict().verdict());
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
        return new Document(List.of(probeTable(), forecastTable()), List.of(sentence()));
    }

    private JsonNode tree() {
        Map<String, @Nullable Object> members = Result.members("lagbench-capacity-1", "subject", "TCP");
        members.put("bitsPerS", rate());
        members.put("bytes", probes.stream().mapToLong(Probe::bytes).sum());
        members.put("tests", probes.stream().map(Test::new).toList());
        members.put("forecasts", forecasts());
        return ResultMapper.tree(members);
    }

    private List<Forecast> forecasts() {
        return estimate.stream()
                .flatMap(path -> SIZES.stream().map(size -> Forecast.of(path, size)))
                .toList();
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

    private Table forecastTable() {
        return new TableColumns<Forecast>()
                .text("Size", Forecast::size)
                .group("Time of a transfer")
                .number("Forecast", "ms", row -> ms(row.timeNs()))
                .number("Low", "ms", row -> ms(row.lowNs()))
                .number("High", "ms", row -> ms(row.highNs()))
                .table("Transfers over a new connection", forecasts());
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
