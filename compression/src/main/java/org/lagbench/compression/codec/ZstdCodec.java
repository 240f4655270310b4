package org.lagbench.compression.codec;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import com.github.luben.zstd.util.Native;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.model.Codec;

/** Zstandard (RFC 8878): one frame for each chunk, so that the level may change with each. */
public final class ZstdCodec implements Codec {
    private static final NativeLibrary LIBRARY = new NativeLibrary("ZstdTempFolder", Native::load);

    /** The largest level. Higher levels need hundreds of MiB of memory. */
    private static final int MAXIMUM_LEVEL = 19;

    @Override
    public String name() {
        return "zstd";
    }

    @Override
    public int id() {
        return 2;
    }

    @Override
    public int minimumLevel() {
        return 1;
    }

    @Override
    public int maximumLevel() {
        return MAXIMUM_LEVEL;
    }

    @Override
    public int maximumBytes(int bytes) {
        return bytes + (bytes >> 8) + (bytes < 1 << 17 ? ((1 << 17) - bytes) >> 11 : 0); // ZSTD_COMPRESSBOUND
    }

    @Override
    public Encoder openEncoder(int level) {
        LIBRARY.load();
        ZstdCompressCtx context = new ZstdCompressCtx();
        context.setLevel(level);
        return new Encoder() {
            @Override
            public int encode(ByteBuffer from, ByteBuffer to) throws IOException {
                try {
                    return context.compressDirectByteBuffer(
                            to, to.position(), to.remaining(), from, from.position(), from.remaining());
                } catch (ZstdException e) {
                    throw new IOException("zstd: " + e.getMessage(), e);
                }
            }

            @Override
            public void close() {
                context.close();
            }
        };
    }

    @Override
    public Decoder openDecoder() {
        LIBRARY.load();
        ZstdDecompressCtx context = new ZstdDecompressCtx();
        return new Decoder() {
            @Override
            public int decode(ByteBuffer from, ByteBuffer to) throws IOException {
                int at = from.position();
                int bytes = from.remaining();
                try {
                    // Refuses a frame that asks for a larger window before anything is allocated for it.
                    long content = Zstd.getDirectByteBufferFrameContentSize(from, at, bytes);
                    if (content < 0 || content > to.remaining()) {
                        throw new IOException("zstd: the frame does not fit into " + to.remaining() + " bytes");
                    }
                    return context.decompressDirectByteBuffer(to, to.position(), to.remaining(), from, at, bytes);
                } catch (ZstdException e) {
                    throw new IOException("zstd: " + e.getMessage(), e);
                }
            }

            @Override
            public void close() {
                context.close();
            }
        };
    }
}
