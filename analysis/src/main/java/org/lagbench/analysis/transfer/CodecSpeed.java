package org.lagbench.analysis.transfer;

import java.util.List;
import org.apache.commons.math3.stat.descriptive.moment.Mean;
import org.apache.commons.math3.stat.descriptive.moment.StandardDeviation;

/**
 * The speed and ratio of a codec for a kind of data: a row of Hu's Table 1. Averages and standard deviations are over
 * the files; the standard deviations are NaN for one file.
 *
 * @param data the kind of data
 * @param codec the codec and level
 * @param files number of files
 */
public record CodecSpeed(
        String data,
        String codec,
        int files,
        double meanBytesPerS,
        double deviationBytesPerS,
        double meanRatio,
        double deviationRatio) {
    /** Computes the metrics of the speed and ratio of each file, at least one. */
    public static CodecSpeed of(String data, String codec, List<Double> bytesPerS, List<Double> ratios) {
        return new CodecSpeed(
                data,
                codec,
                ratios.size(),
                new Mean().evaluate(array(bytesPerS)),
                deviation(bytesPerS),
                new Mean().evaluate(array(ratios)),
                deviation(ratios));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static double deviation(List<Double> values) {
        return values.size() < 2 ? Double.NaN : new StandardDeviation().evaluate(array(values));
    }
}
