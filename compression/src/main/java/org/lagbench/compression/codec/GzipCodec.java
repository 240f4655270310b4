package org.lagbench.compression.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.lagbench.core.model.Codec;

/** The deflate algorithm of gzip by the JDK's zlib, with zlib's header (RFC 1950). */
public final class GzipCodec implements Codec {
    @Override
    public String name() {
        return "gzip";
    }

    @Override
    public int id() {
        return 1;
    }

    @Override
    public int minimumLevel() {
        return Deflater.BEST_SPEED;
    }

    @Override
    public int maximumLevel() {
        return Deflater.BEST_COMPRESSION;
    }

    /** Returns zlib's deflateBound for arbitrary settings. */
    @Override
    public int maximumBytes(int bytes) {
        return bytes + ((bytes + 7) >> 3) + ((bytes + 63) >> 6) + 11;
    }

    @Override
    public Encoder openEncoder(int level) {
        Deflater deflater = new Deflater(level);
        return new Encoder() {
            @Override
            public int encode(ByteBuffer from, ByteBuffer to) throws IOException {
                deflater.reset();
                deflater.setInput(from);
                deflater.finish();
                int bytes = deflater.deflate(to);
                if (!deflater.finished()) {
                    throw new IOException("zlib needs more than " + bytes + " bytes");
                }
                return bytes;
            }

            @Override
            public void close() {
                deflater.end();
            }
        };
    }

    @Override
    public Decoder openDecoder() {
        Inflater inflater = new Inflater();
        return new Decoder() {
            @Override
            public int decode(ByteBuffer from, ByteBuffer to) throws IOException {
                inflater.reset();
                inflater.setInput(from);
                try {
                    int bytes = inflater.inflate(to);
                    if (!inflater.finished() || inflater.getRemaining() > 0) {
                        throw new IOException("the chunk does not end where its header says");
                    }
                    return bytes;
                } catch (DataFormatException e) {
                    throw new IOException("zlib: " + e.getMessage(), e);
                }
            }

            @Override
            public void close() {
                inflater.end();
            }
        };
    }
}
