package org.lagbench.report.table;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.capacity.RateSearch;
import org.lagbench.analysis.capacity.RateSearch.RateTest;
import org.lagbench.analysis.statistics.Interval;
import tools.jackson.databind.JsonNode;

/**
 * The report on a measurement of a path with UDP: the tested rates and the result. Rates are those of IP packets.
 *
 * @param subject the measured value, such as "available bandwidth"
 * @param tests the tests in chronological order
 * @param bitsPerS the result; an end of its interval is 0 or infinite if no test bounds it
 * @param note a sentence about the result; null for none
 */
public record RateReport(String subject, List<RateTest> tests, Interval bitsPerS, @Nullable String note) {
    public RateReport {
        tests = List.copyOf(tests);
    }

    /**
     * Returns the report on a search for the available bandwidth. A train that its sender delayed shows no upper bound,
     * but the path carried what arrived of it.
     *
     * @param bounds the rates between which the search ended
     */
    public static RateReport available(List<RateTest> tests, RateSearch.Bounds bounds) {
        String subject = "available bandwidth";
        List<RateTest> highest =
                tests.stream().filter(test -> test.rate() == bounds.high()).toList();
        if (highest.isEmpty()) {
            String note = "No train within the budget exceeded the available bandwidth; set a larger --budget.";
            return new RateReport(subject, tests, new Interval(Double.NaN, bounds.low(), bounds.high()), note);
        }
        if (highest.stream().anyMatch(RateTest::isTooFastForNetwork)) {
            return new RateReport(subject, tests, new Interval(bounds.middle(), bounds.low(), bounds.high()), null);
        }
        double low = tests.stream()
                .filter(test -> !test.isDisturbed() && !test.isTooFastForNetwork())
                .mapToDouble(test -> test.received().low())
                .reduce(bounds.low(), Math::max);
        return new RateReport(
                subject,
                tests,
                new Interval(Double.NaN, low, Double.POSITIVE_INFINITY),
                "This sender, or its own link, limited the trains: it could not send " + Numbers.mbpsText(bounds.high())
                        + " Mb/s.");
    }

    /** Returns the report: the table of tests, then the result; CSV has a row for each test. */
    public Result result() {
        return new Result(this::document, this::tree, tree -> CsvRows.of(tree.get("tests")));
    }

    private Document document() {
        return new Document(
                List.of(new TableColumns<RateTest>()
                        .number("Tested", "Mb/s", test -> Numbers.mbpsText(test.rate()))
                        .number("Bytes", "", test -> Numbers.grouped(test.bytes()))
                        .number(
                                "Arrived",
                                "Mb/s",
                                test -> Numbers.mbpsText(test.received().value()))
                        .percent("Lost", RateTest::lostShare)
                        .text("Result", RateReport::result)
                        .table("Trains of packets: rates of IP packets", tests)),
                note == null ? List.of(sentence()) : List.of(sentence(), note));
    }

    private JsonNode tree() {
        Map<String, @Nullable Object> members = Result.members("lagbench-capacity-1", "subject", subject);
        members.put("bitsPerS", bitsPerS);
        members.put("bytes", tests.stream().mapToLong(RateTest::bytes).sum());
        members.put("tests", tests);
        return ResultMapper.tree(members);
    }

    private static String result(RateTest test) {
        if (test.isDisturbed()) {
            return "disturbed by a pause";
        }
        if (!test.isTooFast()) {
            return "carried";
        }
        return test.isTooFastForNetwork() ? "too fast: a queue grew" : "too fast: the sender waited";
    }

    private String sentence() {
        if (bitsPerS.high() == Double.POSITIVE_INFINITY) {
            return "The " + subject + " is at least " + Numbers.mbpsText(bitsPerS.low()) + " Mb/s.";
        }
        if (bitsPerS.low() == 0) {
            return "The " + subject + " is at most " + Numbers.mbpsText(bitsPerS.high()) + " Mb/s.";
        }
        return "The " + subject + " is " + Numbers.mbpsText(bitsPerS.value()) + " Mb/s ("
                + Numbers.mbpsText(bitsPerS.low()) + " to " + Numbers.mbpsText(bitsPerS.high()) + " Mb/s).";
    }
}
