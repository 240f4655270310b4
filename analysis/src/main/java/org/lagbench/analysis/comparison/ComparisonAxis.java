package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.SettingText;
import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Axis;

/**
 * An axis of a session's points that has several values; finds the points that differ in it alone.
 *
 * @param values in the order of tables, at least two
 * @param variedSettings the settings that vary, without their transport
 * @param jvmVaries whether the points have several sets of JVM options; an engine without a JVM has none
 */
public record ComparisonAxis(String name, List<String> values, Set<String> variedSettings, boolean jvmVaries) {
    private static ComparisonAxis of(String name, List<String> values, Set<String> varied, List<MeasuredPoint> points) {
        return new ComparisonAxis(
                name,
                values,
                varied.stream()
                        .map(axis -> axis.substring(axis.indexOf('.') + 1))
                        .collect(Collectors.toSet()),
                points.stream()
                                .filter(MeasuredPoint::runsOnJvm)
                                .map(MeasuredPoint::jvm)
                                .distinct()
                                .count()
                        > 1);
    }

    /**
     * Finds an axis of points.
     *
     * @param points in the order of tables
     * @throws LagbenchException with {@link ExitCode#USAGE}, naming the axes, if there is no such axis or all points
     *     have one value of it
     */
    static ComparisonAxis of(String name, List<MeasuredPoint> points) throws LagbenchException {
        List<Map<String, String>> all = points.stream().map(MeasuredPoint::axes).toList();
        List<String> values = all.stream()
                .map(axes -> Axis.value(axes, name))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        Map<String, List<String>> varied = Axis.varied(all);
        if (values.size() < 2) {
            throw ExitCode.USAGE.failure((values.isEmpty()
                            ? "This session has no axis " + name + ". "
                            : "All runs of this session have " + name + " " + values.get(0) + ". ")
                    + named(varied));
        }
        return of(name, values, varied.keySet(), points);
    }

    /** Returns the axes of points that have several values. */
    static List<ComparisonAxis> all(List<MeasuredPoint> points) {
        Map<String, List<String>> varied =
                Axis.varied(points.stream().map(MeasuredPoint::axes).toList());
        List<ComparisonAxis> all = new ArrayList<>();
        varied.forEach((name, values) -> all.add(of(name, values, varied.keySet(), points)));
        return all;
    }

    private static String named(Map<String, List<String>> varied) {
        return varied.isEmpty()
                ? "No axis has several values."
                : "Its axes with several values: "
                        + varied.entrySet().stream()
                                .map(axis -> axis.getKey() + " (" + String.join(", ", axis.getValue()) + ")")
                                .collect(Collectors.joining(", "))
                        + ".";
    }

    /** Returns the value of a point; null if the point does not have the axis. */
    public @Nullable String value(MeasuredPoint point) {
        return point.value(name);
    }

    /**
     * Returns the value that a user names.
     *
     * @param given as in files or in tables, "65536" or "64 KiB" or "64KiB"; null for the first value
     * @throws LagbenchException with {@link ExitCode#USAGE} if there is no such value
     */
    String baseline(@Nullable String given) throws LagbenchException {
        if (given == null) {
            return values.get(0);
        }
        for (String value : values) {
            if (isNamed(value, name, given)) {
                return value;
            }
        }
        throw ExitCode.USAGE.failure("No run of this session has " + name + " " + given + ". The values of " + name
                + " are " + String.join(", ", values) + ".");
    }

    /** Returns whether a user names a value of an axis, as in files or in tables; false if there is no value. */
    static boolean isNamed(@Nullable String value, String axis, String given) {
        String setting = axis.substring(axis.indexOf('.') + 1);
        return value != null
                && (given.equals(value) || squeezed(given).equals(squeezed(SettingText.value(setting, value))));
    }

    private static String squeezed(String text) {
        return text.replace(" ", "");
    }

    /**
     * Returns whether two points differ only in this axis. Ignores JVM options if an engine runs without a JVM, and
     * settings that only one of the two transports has.
     */
    boolean isSamePlace(MeasuredPoint left, MeasuredPoint right) {
        Map<String, String> leftOthers = left.without(name);
        Map<String, String> rightOthers = right.without(name);
        if (name.equals(Axis.ENGINE) && !(left.runsOnJvm() && right.runsOnJvm())) {
            leftOthers.remove(Axis.JVM);
            rightOthers.remove(Axis.JVM);
        }
        return leftOthers.equals(rightOthers)
                && Objects.equals(left.stream(), right.stream())
                && Objects.equals(left.lab(), right.lab())
                && (!isTransport()
                        || variedSettings.stream()
                                .filter(setting -> left.settings().containsKey(setting))
                                .filter(setting -> right.settings().containsKey(setting))
                                .allMatch(setting -> Objects.equals(
                                        left.settings().get(setting),
                                        right.settings().get(setting))));
    }

    /**
     * Returns a point with the values that two compared points have in common. Its value of this axis has no meaning.
     */
    MeasuredPoint place(MeasuredPoint baseline, MeasuredPoint other) {
        Map<String, Object> settings = new TreeMap<>(other.settings());
        settings.putAll(baseline.settings());
        settings.keySet().removeIf(setting -> isTransport() && !variedSettings.contains(setting));
        MeasuredPoint onJvm = baseline.runsOnJvm() ? baseline : other;
        return baseline.with(onJvm.point().program().jvmOptions(), new Settings(settings));
    }

    /**
     * Returns a key that is equal for all points in one chart of curves: a point's values without this axis and the
     * packet size.
     */
    Object placeOfCurve(MeasuredPoint point) {
        Map<String, Object> settings = new TreeMap<>(point.settings());
        settings.keySet().retainAll(isTransport() ? variedSettings : Set.of());
        Map<String, String> others = Axis.without(point.without(name), Axis.PACKET_BYTES);
        if (name.equals(Axis.ENGINE) && !jvmVaries) {
            others.remove(Axis.JVM);
        }
        return Arrays.asList(others, settings, point.stream(), point.lab());
    }

    private boolean isTransport() {
        return name.equals(Axis.TRANSPORT);
    }
}
