package org.lagbench.compression.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.model.Codec;
import org.xerial.snappy.Snappy;

/** The Snappy block format. */
public final class SnappyCodec implements Codec {
    private static final NativeLibrary LIBRARY =
            new NativeLibrary("org.xerial.snappy.tempdir", () -> Snappy.maxCompressedLength(0));

    @Override
    public String name() {
        return "snappy";
    }

    @Override
    public int id() {
        return 4;
    }

    /** Returns snappy_max_compressed_length of snappy-c.h. */
    @Override
    public int maximumBytes(int bytes) {
        return 32 + bytes + bytes / 6;
    }

    @Override
    public Encoder openEncoder(int level) {
        LIBRARY.load();
        return Snappy::compress;
    }

    @Override
    public Decoder openDecoder() {
        LIBRARY.load();
        return SnappyCodec::decode;
    }

    /**
     * Checks the decoded size in the block's header before decoding: the library does not check the capacity of a
     * direct buffer.
     */
    private static int decode(ByteBuffer from, ByteBuffer to) throws IOException {
        int bytes = Snappy.uncompressedLength(from);
        if (bytes < 0 || bytes > to.remaining()) {
            throw new IOException("snappy: " + bytes + " bytes do not fit into " + to.remaining() + " bytes");
        }
        return Snappy.uncompress(from, to);
    }
}
