package org.lagbench.compression.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;
import org.lagbench.core.model.Codec;

/** The LZ4 block format. The decompressor checks all bounds, so corrupt input cannot make it access other memory. */
public final class Lz4Codec implements Codec {
    @Override
    public String name() {
        return "lz4";
    }

    @Override
    public int id() {
        return 3;
    }

    /** Returns LZ4_COMPRESSBOUND of lz4.h. */
    @Override
    public int maximumBytes(int bytes) {
        return bytes + bytes / 255 + 16;
    }

    @Override
    public Encoder openEncoder(int level) {
        LZ4Compressor compressor = LZ4Factory.fastestInstance().fastCompressor();
        return (from, to) ->
                compressor.compress(from, from.position(), from.remaining(), to, to.position(), to.remaining());
    }

    @Override
    public Decoder openDecoder() {
        LZ4SafeDecompressor decompressor = LZ4Factory.fastestInstance().safeDecompressor();
        return (from, to) -> decode(decompressor, from, to);
    }

    private static int decode(LZ4SafeDecompressor decompressor, ByteBuffer from, ByteBuffer to) throws IOException {
        try {
            return decompressor.decompress(from, from.position(), from.remaining(), to, to.position(), to.remaining());
        } catch (LZ4Exception e) {
            throw new IOException("lz4: " + e.getMessage(), e);
        }
    }
}
