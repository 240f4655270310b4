package org.lagbench.compression.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.lagbench.core.model.Codec;

/** Copies chunks without compression. Chunks that another codec does not shorten are also sent with this one. */
public final class NoCodec implements Codec {
    /** The codec's number in the chunk header. */
    public static final int ID = 0;

    @Override
    public String name() {
        return "none";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public int maximumBytes(int bytes) {
        return bytes;
    }

    @Override
    public Encoder openEncoder(int level) {
        return NoCodec::copy;
    }

    @Override
    public Decoder openDecoder() {
        return NoCodec::copy;
    }

    private static int copy(ByteBuffer from, ByteBuffer to) throws IOException {
        int bytes = from.remaining();
        if (bytes > to.remaining()) {
            throw new IOException(bytes + " bytes do not fit into " + to.remaining() + " bytes");
        }
        to.put(from);
        return bytes;
    }
}
