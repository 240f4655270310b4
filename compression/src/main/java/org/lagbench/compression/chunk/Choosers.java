package org.lagbench.compression.chunk;

import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.ChunkPolicy;
import org.lagbench.core.model.Codecs;
import org.lagbench.core.run.CompressionSpec;

/** Creates choosers for the codec or policy that the experiment names. */
public final class Choosers {
    /** The codecs of Hu's models: none and gzip. The paper does not specify the level of gzip. */
    private static final List<String> PAPER = List.of("none", "gzip-6");

    private static final List<String> ADAPTIVE =
            List.of("none", "lz4", "zstd-1", "zstd-3", "zstd-6", "zstd-9", "gzip-1", "gzip-6");

    /** The levels of AdOC, with lz4 in place of lzf. */
    private static final List<String> ADOC = List.of(
            "none", "lz4", "gzip-1", "gzip-2", "gzip-3", "gzip-4", "gzip-5", "gzip-6", "gzip-7", "gzip-8", "gzip-9");

    private Choosers() {}

    /**
     * Checks that the codec exists.
     *
     * @throws LagbenchException if not; the message lists the codecs
     */
    public static void check(CompressionSpec compression) throws LagbenchException {
        if (compression.policy().isEmpty()) {
            of(compression, Codecs.load());
        }
    }

    static ChunkChooser of(CompressionSpec compression, Codecs codecs) throws LagbenchException {
        ChunkPolicy policy = compression.policy().orElse(null);
        if (policy == null) {
            return codecs.choice(compression.codec())
                    .map(ChunkChooser::fixed)
                    .orElseThrow(() -> new LagbenchException(
                            ExitCode.USAGE,
                            "There is no codec \"" + compression.codec() + "\"; there are " + codecs.accepted() + "."));
        }
        return switch (policy) {
            case PAPER -> ModelChooser.ofPaper(codecs.choices(PAPER), new BandwidthEstimate());
            case PAPER_KERNEL -> ModelChooser.ofPaper(codecs.choices(PAPER), CounterBandwidth.open("kernel"));
            case PAPER_SNMP -> ModelChooser.ofPaper(codecs.choices(PAPER), CounterBandwidth.open("snmp"));
            case OVERLAP -> ModelChooser.ofOverlap(codecs.choices(PAPER), new BandwidthEstimate());
            case ADOC -> new AdocChooser(codecs.choices(ADOC));
            case ADAPTIVE -> new AdaptiveChooser(codecs.choices(ADAPTIVE));
        };
    }
}
