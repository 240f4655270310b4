package org.lagbench.report.table;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.PathEstimate;
import org.lagbench.analysis.capacity.Probe;
import org.lagbench.analysis.capacity.RateSearch;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.capacity.TransferLimit;
import org.lagbench.analysis.comparison.Verdict.Doubt;
import org.lagbench.analysis.statistics.Interval;
import org.lagbench.core.model.Quantities;

/**
 * The results of measurements of a path with TCP or UDP: the tests in chronological order, and the rate in bits per
 * second. Rates of UDP are those of IP packets. CSV has a row for each test.
 */
public final class CapacityReport {
    /** The transfer sizes whose duration is forecast. */
    private static final List<String> SIZES =
            List.of("1 KiB", "64 KiB", "1 MiB", "10 MiB", "100 MiB", "1 GiB", "10 GiB");

    /** The member of the JSON object with the reason why the result is undecided; null if it is not. */
    public static final String DOUBT = "doubt";

    private static final String CAPACITY = "IP-layer capacity";

    /** What the rate of a probe is that did not fill the path. */
    static final String OF_SECOND_HALF = "Rate without the verdict network: what was acknowledged in the second half of"
            + " the transfer's time, and before, as long as segments were missing. After a pause it may be less than"
            + " bytes / time.";

    private static final String UNDECIDED = "undecided (" + Doubt.SPOILED.text() + "), because the machine spoiled the"
            + " runs that filled the path; repeat this on an idle machine, or accept such runs with"
            + " --set machine.max-other-load=100%";

    private CapacityReport() {}

    private record Forecast(@JsonIgnore String size, long bytes, double timeNs, double lowNs, double highNs) {
        static Forecast of(PathEstimate path, String size) {
            long bytes = Quantities.parseBytes(size.replace(" ", ""), 1, Long.MAX_VALUE);
            Interval time = path.timeNs(bytes);
            return new Forecast(size, bytes, time.value(), time.low(), time.high());
        }
    }

    private record Test(long bytes, double elapsedNs, double bitsPerS, TransferLimit verdict) {
        Test(Probe probe) {
            this(
                    probe.bytes(),
                    probe.elapsedNs(),
                    probe.verdict().bitsPerS(),
                    probe.verdict().verdict());
        }
    }

    /**
     * Returns the rate that TCP achieves, and the forecast duration of other transfers.
     *
     * @param estimate empty if no probe filled the path, or the machine spoiled each that did: only the lower end of
     *     its rate is known
     * @param disturbed how the machine disturbed runs
     */
    public static Result ofTcp(List<Probe> probes, Optional<PathEstimate> estimate, List<String> disturbed) {
        Interval rate = estimate.map(PathEstimate::rate)
                .orElseGet(() -> new Interval(
                        Double.NaN, probes.isEmpty() ? 0 : Probe.carriedBitsPerS(probes), Double.POSITIVE_INFINITY));
        String sentence = estimate.isPresent()
                ? "TCP achieves " + mbps(rate.value()) + " on this path (" + range(rate) + ")."
                : (probes.isEmpty()
                                ? "The capacity of this path is unknown: "
                                : "TCP achieves at least " + mbps(rate.low()) + " on this path: ")
                        + unfilledReason(probes, estimate) + ".";
        List<Forecast> forecasts = estimate.stream()
                .flatMap(path -> SIZES.stream().map(size -> Forecast.of(path, size)))
                .toList();
        Table table = new TableColumns<Probe>()
                .number("Size", "bytes", probe -> Numbers.grouped(probe.bytes()))
                .time("Time", probe -> probe.elapsedNs())
                .number(
                        "Rate",
                        "Mbit/s",
                        probe -> Numbers.mbitText(probe.verdict().bitsPerS()))
                .text("Verdict", probe -> probe.verdict().verdict().phrase())
                .table("Probes: a rate is the path's only if the verdict is network", probes);
        Table ofTransfers = new TableColumns<Forecast>()
                .text("Size", Forecast::size)
                .group("Time of a transfer")
                .number("Forecast", "", row -> Numbers.duration(row.timeNs()))
                .number("Low", "", row -> Numbers.duration(row.lowNs()))
                .number("High", "", row -> Numbers.duration(row.highNs()))
                .table("Transfers over a new connection", forecasts);
        long bytes = probes.stream().mapToLong(Probe::bytes).sum();
        boolean isSpoiled = isSpoiled(probes, estimate);
        Map<String, @Nullable Object> members = members(
                "TCP", rate, isSpoiled, bytes, probes.stream().map(Test::new).toList());
        members.put("forecasts", forecasts);
        List<String> notes =
                probes.stream().allMatch(Probe::fillsPath) ? List.of(sentence) : List.of(sentence, OF_SECOND_HALF);
        return result(isSpoiled, disturbed, List.of(table, ofTransfers), notes, members);
    }

    /** Why the machine disturbed runs stands first if it leaves the result undecided. */
    private static Result result(
            boolean isSpoiled,
            List<String> disturbed,
            List<Table> tables,
            List<String> notes,
            Map<String, @Nullable Object> members) {
        List<String> marks = disturbed.stream().map(sentence -> "! " + sentence).toList();
        return Result.of(
                isSpoiled
                        ? new Document(disturbed, List.of(), tables, List.of(), notes)
                        : new Document(List.of(), List.of(), tables, marks, notes),
                members,
                "tests");
    }

    /** Returns whether all probes that filled the path were in runs that the machine spoiled. */
    private static boolean isSpoiled(List<Probe> probes, Optional<PathEstimate> estimate) {
        return estimate.isEmpty() && probes.stream().anyMatch(Probe::fillsPath);
    }

    /** Returns why no probe shows the rate of the path, and what to do; empty if one does. */
    public static String unfilledReason(List<Probe> probes, Optional<PathEstimate> estimate) {
        if (estimate.isPresent()) {
            return "";
        }
        if (probes.isEmpty()) {
            return "no state of a connection was recorded; use the default engine";
        }
        if (isSpoiled(probes, estimate)) {
            return UNDECIDED;
        }
        return switch (probes.get(probes.size() - 1).verdict().verdict()) {
            case WINDOW ->
                "the window limited the probes; give larger buffers with --set tcp.send-buffer=… and"
                        + " --set tcp.receive-buffer=…";
            case APPLICATION -> "this sender limited the probes";
            default -> "no probe within the budget filled it; give a larger --budget";
        };
    }

    /**
     * Returns the result of a search for the available bandwidth. A train that its sender delayed shows no upper bound,
     * but the path carried what arrived of it.
     *
     * @param bounds the rates between which the search ended
     * @param disturbed how the machine disturbed runs
     */
    public static Result ofAvailable(List<RateTest> tests, RateSearch.Bounds bounds, List<String> disturbed) {
        String subject = "available bandwidth";
        List<RateTest> highest =
                tests.stream().filter(test -> test.rate() == bounds.high()).toList();
        if (highest.isEmpty()) {
            String note = "No train within the budget exceeded the available bandwidth; set a larger --budget.";
            return ofUdp(subject, tests, new Interval(Double.NaN, bounds.low(), bounds.high()), disturbed, note);
        }
        if (highest.stream().anyMatch(test -> test.isTooFastForNetwork() && !test.isSpoiled())) {
            return ofUdp(subject, tests, new Interval(bounds.middle(), bounds.low(), bounds.high()), disturbed, null);
        }
        double low = tests.stream()
                .filter(test -> !test.isDisturbed() && !test.isTooFastForNetwork())
                .mapToDouble(test -> test.received().low())
                .reduce(bounds.low(), Math::max);
        return ofUdp(
                subject,
                tests,
                new Interval(Double.NaN, low, Double.POSITIVE_INFINITY),
                disturbed,
                highest.stream().anyMatch(RateTest::isTooFastForNetwork)
                        ? null
                        : "This sender, or its own link, limited the trains: it could not send " + mbps(bounds.high())
                                + ".");
    }

    /**
     * Returns the result of a search for the capacity: the median rate at which the trains arrived that filled the
     * path, and that the machine did not spoil. The highest would be that of the train whose first packets were delayed
     * most.
     *
     * @param disturbed how the machine disturbed runs
     */
    public static Result ofCapacity(List<RateTest> tests, List<String> disturbed) {
        List<Interval> full = tests.stream()
                .filter(RateTest::boundsPath)
                .map(RateTest::received)
                .sorted(Comparator.comparingDouble(Interval::value))
                .toList();
        double carried =
                tests.stream().mapToDouble(test -> test.received().low()).max().orElse(0);
        return full.isEmpty()
                ? ofUdp(
                        CAPACITY,
                        tests,
                        new Interval(Double.NaN, carried, Double.POSITIVE_INFINITY),
                        disturbed,
                        "No train within the budget filled the path; give a larger --budget.")
                : ofUdp(CAPACITY, tests, full.get((full.size() - 1) / 2), disturbed, null);
    }

    /**
     * Returns the result of trains of UDP.
     *
     * @param subject the measured value, such as "available bandwidth"
     * @param bitsPerS an end of its interval is 0 or infinite if no test bounds it
     * @param disturbed how the machine disturbed runs
     * @param note why the rate is not bounded, unless trains that the machine spoiled are the reason; null for none
     */
    public static Result ofUdp(
            String subject, List<RateTest> tests, Interval bitsPerS, List<String> disturbed, @Nullable String note) {
        boolean isSpoiled = Double.isNaN(bitsPerS.value())
                && tests.stream().anyMatch(test -> test.fillsPath() && !test.boundsPath());
        String sentence = "The " + subject + " is "
                + (bitsPerS.high() == Double.POSITIVE_INFINITY
                        ? "at least " + mbps(bitsPerS.low())
                        : bitsPerS.low() == 0
                                ? "at most " + mbps(bitsPerS.high())
                                : mbps(bitsPerS.value()) + " (" + range(bitsPerS) + ")")
                + (isSpoiled ? ": " + UNDECIDED : "")
                + ".";
        Table table = new TableColumns<RateTest>()
                .number("Tested", "Mbit/s", test -> Numbers.mbitText(test.rate()))
                .number("Bytes", "", test -> Numbers.grouped(test.bytes()))
                .number(
                        "Arrived",
                        "Mbit/s",
                        test -> Numbers.mbitText(test.received().value()))
                .percent("Lost", RateTest::lostShare)
                .text("Result", CapacityReport::verdict)
                .table("Trains of packets: rates of IP packets", tests);
        return result(
                isSpoiled,
                disturbed,
                List.of(table),
                note == null || isSpoiled ? List.of(sentence) : List.of(sentence, note),
                members(
                        subject,
                        bitsPerS,
                        isSpoiled,
                        tests.stream().mapToLong(RateTest::bytes).sum(),
                        tests));
    }

    private static String verdict(RateTest test) {
        if (test.isDisturbed()) {
            return "disturbed by a pause";
        }
        if (!test.isTooFast()) {
            return "carried";
        }
        return test.isTooFastForNetwork() ? "too fast: a queue grew" : "too fast: the sender waited";
    }

    private static Map<String, @Nullable Object> members(
            String subject, Interval bitsPerS, boolean isSpoiled, long bytes, List<?> tests) {
        Map<String, @Nullable Object> members = Result.members("lagbench-capacity-2", "subject", subject);
        members.put("bitsPerS", bitsPerS);
        members.put(DOUBT, isSpoiled ? Doubt.SPOILED : null);
        members.put("bytes", bytes);
        members.put("tests", tests);
        return members;
    }

    private static String mbps(double bitsPerS) {
        return Numbers.mbitText(bitsPerS) + " Mbit/s";
    }

    private static String range(Interval bitsPerS) {
        return Numbers.mbitText(bitsPerS.low()) + " to " + mbps(bitsPerS.high());
    }
}
