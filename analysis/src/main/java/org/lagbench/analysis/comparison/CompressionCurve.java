package org.lagbench.analysis.comparison;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.apache.commons.math3.stat.descriptive.moment.StandardDeviation;
import org.lagbench.analysis.comparison.CompressedPoints.Predicted;
import org.lagbench.analysis.summary.MeasuredPoint;
import org.lagbench.analysis.transfer.StagePrediction;
import org.lagbench.core.run.Axis;
import org.lagbench.core.text.Units;

/**
 * Transfers with one codec at several bandwidths, or with several sizes, as in figures 9 to 11 of Hu (2003).
 *
 * @param network the network of all points; empty if it differs
 * @param places at least two, in ascending order
 */
public record CompressionCurve(String codec, String network, List<Place> places) {

    /**
     * Points with the same bandwidth or size.
     *
     * @param x the bandwidth in bits per second, or the size in bytes
     */
    public record Place(double x, List<Predicted> points) {
        /** Returns the mean over the points of a value, which is itself the mean over the runs of a point. */
        public double mean(ToDoubleFunction<StagePrediction> value) {
            return points.stream()
                    .mapToDouble(point -> point.mean(value))
                    .average()
                    .orElseThrow();
        }

        /** Returns the mean duration of the same transfers without compression, in ns. */
        public double uncompressedNs() {
            return points.stream()
                    .mapToDouble(point -> point.none().medianTotalNs())
                    .average()
                    .orElseThrow();
        }

        /** Returns the standard deviation over the runs of all points; 0 for one run. */
        public double deviation(ToDoubleFunction<StagePrediction> value) {
            return new StandardDeviation()
                    .evaluate(points.stream()
                            .flatMap(point -> point.runs().stream())
                            .mapToDouble(value)
                            .toArray());
        }

        /** Returns the number of runs. */
        public int runs() {
            return points.stream().mapToInt(point -> point.runs().size()).sum();
        }
    }

    /**
     * Returns the curves over the rate of the transfers without compression, averaged over the sizes of the transfers.
     * Only sizes that every network of a curve has are included.
     */
    public static List<CompressionCurve> overBandwidth(CompressedPoints points) {
        List<CompressionCurve> curves = new ArrayList<>();
        for (List<Predicted> group : grouped(points.predicted(), point -> key(point, Axis.TRANSFER_BYTES))) {
            List<List<Predicted>> networks = grouped(group, CompressionCurve::network);
            List<Place> places = new ArrayList<>();
            for (List<Predicted> network : networks) {
                List<Predicted> common = network.stream()
                        .filter(point -> networks.stream()
                                .allMatch(other -> other.stream().anyMatch(one -> bytes(one) == bytes(point))))
                        .toList();
                if (!common.isEmpty()) {
                    places.add(new Place(bitsPerS(common), common));
                }
            }
            addCurve(curves, "", places);
        }
        return curves;
    }

    /** Returns the curves over the size of the transfer. */
    public static List<CompressionCurve> overTransferBytes(CompressedPoints points) {
        return overSize(points, Axis.TRANSFER_BYTES, MeasuredPoint::transferBytes);
    }

    /** Returns the curves over the size of a chunk. */
    public static List<CompressionCurve> overChunkBytes(CompressedPoints points) {
        return overSize(points, Axis.PACKET_BYTES, MeasuredPoint::packetBytes);
    }

    private static List<CompressionCurve> overSize(
            CompressedPoints points, String axis, ToLongFunction<MeasuredPoint> bytes) {
        List<CompressionCurve> curves = new ArrayList<>();
        for (List<Predicted> group : grouped(points.predicted(), point -> List.of(key(point, axis), network(point)))) {
            addCurve(
                    curves,
                    network(group.get(0)),
                    group.stream()
                            .map(point -> new Place(
                                    (double) bytes.applyAsLong(point.point().point()), List.of(point)))
                            .toList());
        }
        return curves;
    }

    private static void addCurve(List<CompressionCurve> curves, String network, List<Place> places) {
        if (places.size() > 1) {
            curves.add(new CompressionCurve(
                    CompressedPoints.codec(places.get(0).points().get(0).point()),
                    network,
                    places.stream().sorted(Comparator.comparingDouble(Place::x)).toList()));
        }
    }

    /** Returns the codec of a point and the values of its axes besides one. */
    private static List<String> key(Predicted point, String without) {
        return List.of(
                CompressedPoints.codec(point.point()),
                point.point().point().without(without).toString());
    }

    private static String network(Predicted point) {
        return point.point().point().network();
    }

    private static long bytes(Predicted point) {
        return point.point().point().transferBytes();
    }

    private static <K> List<List<Predicted>> grouped(List<Predicted> points, Function<Predicted, K> key) {
        return List.copyOf(points.stream()
                .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()))
                .values());
    }

    /** Returns the mean rate of the transfers without compression. */
    private static double bitsPerS(List<Predicted> points) {
        return points.stream()
                .mapToDouble(point -> Units.BITS_PER_BYTE
                        * Units.NS_PER_S
                        * point.none().encodedBytes()
                        / point.none().medianTotalNs())
                .average()
                .orElseThrow();
    }
}
