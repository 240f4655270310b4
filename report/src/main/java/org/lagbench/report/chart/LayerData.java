package org.lagbench.report.chart;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The data of a layer for the script of a page, drawing.js, which has the members of each kind. */
final class LayerData {
    private static final MathContext DIGITS = new MathContext(15);

    private final Map<String, Object> members = new LinkedHashMap<>();

    /**
     * Creates data.
     *
     * @param style its color is that of the run unless it differs
     * @param x in ascending order
     */
    LayerData(String kind, String name, LineStyle style, double[] x) {
        members.put("kind", kind);
        members.put("name", name);
        members.put("width", style.width());
        if (!style.color().equals(PlotColor.RUN)) {
            members.put("color", style.color().css());
        }
        members.put("x", steps(Arrays.stream(x).mapToObj(LayerData::rounded).toList()));
    }

    /** Adds a member. */
    LayerData with(String member, Object value) {
        members.put(
                member,
                value instanceof double[] values
                        ? Arrays.stream(values).mapToObj(LayerData::rounded).toList()
                        : value);
        return this;
    }

    /** Adds the numbers of the packets of the last points. */
    static List<BigDecimal> packets(List<Long> packets) {
        return steps(packets.stream().map(BigDecimal::valueOf).toList());
    }

    /** Returns the differences from the number before, which are shorter. */
    private static List<BigDecimal> steps(List<BigDecimal> numbers) {
        BigDecimal[] steps = numbers.toArray(BigDecimal[]::new);
        for (int i = steps.length - 1; i > 0; i--) {
            steps[i] = steps[i].subtract(steps[i - 1]).stripTrailingZeros();
        }
        return List.of(steps);
    }

    /** Returns a number exact to 15 digits. */
    private static BigDecimal rounded(double value) {
        return BigDecimal.valueOf(value).round(DIGITS).stripTrailingZeros();
    }

    /** Returns the members in their order. */
    Map<String, Object> members() {
        return members;
    }
}
