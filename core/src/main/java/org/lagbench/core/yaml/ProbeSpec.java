package org.lagbench.core.yaml;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lagbench.core.run.RunSpec;

/**
 * What a monitor probes: one point, or several that follow each other, such as one for each engine.
 *
 * @param name part of the names of its series
 * @param isKept whether the captures of its runs are kept
 * @param points an experiment with these points, one repeat
 */
public record ProbeSpec(String name, boolean isKept, Experiment points) {
    /** The engine is in the names of all series, so that adding another renames none. */
    private static final List<String> ALWAYS_NAMED = List.of(PointAxes.ENGINE);

    /**
     * Returns the runs of one round in the order of the points, by the end of their series' names: the engine, and the
     * values of other axes with several.
     */
    public Map<String, RunSpec> runs() {
        List<PointAxes> axes = points.axes();
        Map<String, List<String>> varied = PointAxes.varied(axes);
        List<RunSpec> runs = points.runsInOrder();
        Map<String, RunSpec> named = new LinkedHashMap<>();
        for (int i = 0; i < runs.size(); i++) {
            StringBuilder end = new StringBuilder(String.valueOf(axes.get(i).value(PointAxes.ENGINE)));
            for (String axis : varied.keySet()) {
                if (!ALWAYS_NAMED.contains(axis)) {
                    String value = String.valueOf(axes.get(i).value(axis)).replaceAll("[^A-Za-z0-9.]+", "-");
                    end.append('-')
                            .append(axis.substring(axis.indexOf('.') + 1))
                            .append('-')
                            .append(value);
                }
            }
            named.put(end.toString(), runs.get(i));
        }
        return named;
    }
}
