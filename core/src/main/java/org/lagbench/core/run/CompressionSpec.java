package org.lagbench.core.run;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.lagbench.core.model.TextEnum;

/**
 * How transfers are compressed. Their pieces are chunks, each sent behind a header that names its codec.
 *
 * @param codec a codec with its level, or {@link ChunkPolicy#text()}; the engine checks whether it exists
 * @param data the contents of the chunks: a {@link DataKind}, several joined by {@code +} for consecutive parts of a
 *     transfer, or the path of a file of the sender's host
 */
public record CompressionSpec(String codec, String data) {
    public static final String DEFAULT_DATA = DataKind.TEXT.text();

    /** The value of {@code codec} for transfers of packets, without chunks and compression. */
    public static final String OFF = "off";

    /** The values of {@code codec} as users write them. */
    public static final String CODEC_ACCEPTED =
            OFF + ", none, gzip-1 to gzip-9, zstd-1 to zstd-19, lz4, snappy or compute-1 to compute-99; paper or"
                    + " paper-kernel or paper-snmp or overlap or adoc or adaptive decides about each chunk";

    /** The values of {@code data} as users write them. */
    public static final String DATA_ACCEPTED =
            "text or binary or html or postscript-like or pdf-like or jpeg-like or random, several of these joined by"
                    + " +, or the path of a file, which has a slash";

    private static final Pattern CODEC = Pattern.compile("[a-z0-9]{1,15}(-[0-9]{1,2}|-kernel|-snmp)?");

    public CompressionSpec {
        parseCodec(codec);
        parseData(data);
    }

    /**
     * Returns the text if it may be the name of a codec or policy.
     *
     * @throws IllegalArgumentException if it is not in the form of such a name
     */
    public static String parseCodec(String text) {
        if (!CODEC.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "codec: \"" + text + "\" is not accepted; it takes " + CODEC_ACCEPTED + ".");
        }
        return text;
    }

    /**
     * Returns the text if it names data.
     *
     * @throws IllegalArgumentException if it is neither kinds of data nor a path
     */
    public static String parseData(String text) {
        if (!isFile(text)) {
            kinds(text);
        }
        return text;
    }

    /** Returns whether {@code data} is the path of a file. */
    public static boolean isFile(String text) {
        return text.contains("/");
    }

    /** Returns whether {@link #data} is the path of a file. */
    public boolean isOfFile() {
        return isFile(data);
    }

    /** Returns the policy that chooses the codec of each chunk; empty if all chunks have the same codec. */
    public Optional<ChunkPolicy> policy() {
        return Arrays.stream(ChunkPolicy.values())
                .filter(policy -> policy.text().equals(codec))
                .findFirst();
    }

    /** Returns the kinds of data; each fills an equal part of a transfer. The data must not be a file. */
    public List<DataKind> kinds() {
        return kinds(data);
    }

    private static List<DataKind> kinds(String text) {
        return Arrays.stream(text.split("\\+", -1))
                .map(name -> TextEnum.parse(DataKind.class, "data", name))
                .collect(Collectors.toList());
    }

    /** How a sender chooses the codec of each chunk, instead of one codec for all chunks. */
    public enum ChunkPolicy implements TextEnum {
        /**
         * Hu's formulas (1) to (5): gzip-6 if the bandwidth is below V(1 − 1/r), with speed V and ratio r; else none.
         */
        PAPER,
        /** Like {@link #PAPER}, with the bandwidth from the kernel's counters of the bottleneck's interface. */
        PAPER_KERNEL,
        /** Like {@link #PAPER}, with the bandwidth from the counters of the bottleneck's SNMP agent. */
        PAPER_SNMP,
        /**
         * Hu's formula (6): gzip-6 if the longer of compression and transmission is shorter than sending the raw chunk;
         * else none.
         */
        OVERLAP,
        /** AdOC's rule: none, lz4 or gzip-1 to gzip-9, a higher level for a longer send queue. */
        ADOC,
        /**
         * The codec and level with which a chunk delays the end of the transfer by the shortest time, according to
         * running estimates.
         */
        ADAPTIVE;

        /** Returns whether the policy reads the counters of the bottleneck's interface. */
        public boolean usesCounters() {
            return this == PAPER_KERNEL || this == PAPER_SNMP;
        }
    }

    /** The kinds of generated data. A kind and a seed always give the same bytes. */
    public enum DataKind implements TextEnum {
        /** English-like words in lines. */
        TEXT,
        /** Machine code and tables. */
        BINARY,
        /** Pages with tags. */
        HTML,
        /** Drawing operators with coordinates. */
        POSTSCRIPT_LIKE,
        /** Mostly compressed streams between short dictionaries. */
        PDF_LIKE,
        /** Entropy-coded segments with byte stuffing. */
        JPEG_LIKE,
        /** Uniform bytes, which do not compress. */
        RANDOM
    }
}
