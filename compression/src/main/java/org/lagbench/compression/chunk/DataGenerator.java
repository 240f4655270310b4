package org.lagbench.compression.chunk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.lagbench.core.run.CompressionSpec.DataKind;

/**
 * Generates data of a kind. The same seed gives the same bytes on every machine. Its parameters are chosen so that
 * gzip-6 compresses chunks of 16 KiB to about the ratios in Hu's Table 1.
 */
public final class DataGenerator {
    private static final String[] SYLLABLES = {
        "ba", "con", "de", "en", "fer", "ga", "in", "la", "men", "net", "or", "per", "re", "sis", "ti", "un", "ver",
        "work"
    };
    private static final int WORDS = 270;
    private static final int LINE_CHARACTERS = 72;
    private static final int FILL_BYTES = 7;
    private static final String[] TAGS = {"p", "div", "li", "span", "td", "a", "h2", "em"};
    private static final String[] OPERATORS = {"moveto", "lineto", "rlineto", "curveto", "stroke", "show"};

    /** Opcodes with frequent operands, as in the text section of an executable. */
    private static final int[] OPCODES = {0x48, 0x89, 0x8b, 0x0f, 0xe8, 0x85, 0x74, 0x83, 0xc3, 0x55, 0x5d, 0x90};

    private final SplittableRandom random;
    private final byte[][] words;
    private final ByteBuffer into;

    private DataGenerator(ByteBuffer into, long seed) {
        this.into = into;
        this.random = new SplittableRandom(seed);
        this.words = new byte[WORDS][];
        for (int i = 0; i < WORDS; i++) {
            StringBuilder word = new StringBuilder();
            for (int syllables = 1 + random.nextInt(3); syllables > 0; syllables--) {
                word.append(SYLLABLES[random.nextInt(SYLLABLES.length)]);
            }
            words[i] = ascii(word.toString());
        }
    }

    /** Returns this many bytes of a kind of data, in a direct buffer. */
    public static ByteBuffer generate(DataKind kind, int bytes, long seed) {
        ByteBuffer data = ByteBuffer.allocateDirect(bytes);
        DataGenerator generator =
                new DataGenerator(data, 31 * seed + kind.name().hashCode());
        while (data.hasRemaining()) {
            generator.append(kind);
        }
        return data.flip();
    }

    private void append(DataKind kind) {
        switch (kind) {
            case TEXT -> line();
            case HTML -> element();
            case BINARY -> routine();
            case POSTSCRIPT_LIKE -> path();
            case PDF_LIKE -> object();
            case JPEG_LIKE -> segment();
            case RANDOM -> noise(1 << 10);
        }
    }

    /** Appends the bytes that fit in the buffer. */
    private void put(byte[] bytes) {
        into.put(bytes, 0, Math.min(bytes.length, into.remaining()));
    }

    private void put(String text) {
        put(ascii(text));
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns a random word. The n-th word is less frequent than the one before, as in natural language. */
    private byte[] word() {
        return words[(int) StrictMath.pow(WORDS, StrictMath.pow(random.nextDouble(), 1.3)) - 1];
    }

    private void line() {
        int characters = 0;
        while (characters < LINE_CHARACTERS) {
            byte[] word = word();
            put(word);
            put(random.nextInt(12) == 0 ? ", " : " ");
            characters += word.length + 1;
        }
        put(random.nextInt(8) == 0 ? ".\n\n" : "\n");
    }

    private void element() {
        String tag = TAGS[random.nextInt(TAGS.length)];
        put("  <" + tag + " class=\"style-" + random.nextInt(12) + "\" href=\"/site/page-" + random.nextInt(400)
                + ".html\">");
        for (int count = 2 + random.nextInt(8); count > 0; count--) {
            put(word());
            put(" ");
        }
        put("</" + tag + ">\n");
    }

    private void routine() {
        for (int i = 0; i < 60; i++) {
            put(new byte[] {
                (byte) OPCODES[random.nextInt(random.nextInt(OPCODES.length) + 1)],
                (byte) (random.nextInt(16) == 0 ? random.nextInt(256) : 0xc0 + random.nextInt(5))
            });
            if (random.nextInt(4) == 0) {
                int offset = random.nextInt(1 << 6);
                put(new byte[] {(byte) offset, (byte) (offset >> 8), 0, 0});
            }
        }
        put(new byte[random.nextInt(24)]);
    }

    private void path() {
        int x = random.nextInt(600);
        int y = random.nextInt(800);
        for (int i = 0; i < 10; i++) {
            x += random.nextInt(401) - 200;
            y += random.nextInt(401) - 200;
            put(x + " " + y + " " + OPERATORS[random.nextInt(random.nextInt(OPERATORS.length) + 1)] + "\n");
        }
        put("gsave /Helvetica findfont 12 scalefont setfont grestore\n");
    }

    private void object() {
        put(random.nextInt(10_000) + " 0 obj\n<< /Type /XObject /Filter /FlateDecode /Length " + random.nextInt(4_000)
                + " /Resources << /ProcSet [/PDF /Text] /Font << /F1 5 0 R >> >> >>\nstream\n");
        noise(600 + random.nextInt(120));
        put("\nendstream\nendobj\n");
    }

    /**
     * Writes an entropy-coded segment: a 0 follows each byte 0xff (ITU-T T.81, B.1.1.5). Fill bytes precede the marker
     * at its end (B.1.1.2).
     */
    private void segment() {
        byte[] bytes = new byte[512];
        random.nextBytes(bytes);
        for (byte value : bytes) {
            put(value == (byte) 0xff ? new byte[] {value, 0} : new byte[] {value});
        }
        byte[] marker = new byte[FILL_BYTES + 2];
        Arrays.fill(marker, (byte) 0xff);
        marker[FILL_BYTES + 1] = (byte) (0xd0 + random.nextInt(8));
        put(marker);
    }

    private void noise(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        put(bytes);
    }
}
