package org.lagbench.compression.chunk;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;

/**
 * Decodes chunks and verifies them. The first chunk of a codec opens the codec's decoder; nothing else in the stream
 * makes it allocate memory. One thread calls all methods.
 */
final class ChunkDecoder implements AutoCloseable {
    private final Codecs known;
    private final int chunkBytes;
    private final Codec.Decoder[] decoders = new Codec.Decoder[Codecs.IDS];
    private final ByteBuffer encoded;
    private final ByteBuffer raw;
    private final CRC32C checksum = new CRC32C();

    ChunkDecoder(Codecs known, int chunkBytes) {
        this.known = known;
        this.chunkBytes = chunkBytes;
        this.encoded = ByteBuffer.allocateDirect(chunkBytes);
        this.raw = ByteBuffer.allocateDirect(chunkBytes);
    }

    /**
     * Checks the header at {@code offset}. The buffer must contain the whole header.
     *
     * @return the size of the chunk with its header
     * @throws ProtocolException if the header is not valid for the run; the message is a clause for the caller's
     *     sentence
     */
    int check(ByteBuffer buffer, int offset) throws ProtocolException {
        int id = ChunkLayout.codec(buffer, offset);
        Codec codec = known.byId(id);
        if (codec == null) {
            throw new ProtocolException("its header names the codec " + id + ", which does not exist");
        }
        int level = ChunkLayout.level(buffer, offset);
        if (level < codec.minimumLevel() || level > codec.maximumLevel() || ChunkLayout.zero(buffer, offset) != 0) {
            throw new ProtocolException(
                    "its header names the level " + level + ", but " + codec.name() + " has no such level");
        }
        int rawBytes = ChunkLayout.rawBytes(buffer, offset);
        if (rawBytes != chunkBytes) {
            throw new ProtocolException("it has " + rawBytes + " raw bytes, but the run's chunks have " + chunkBytes);
        }
        int encodedBytes = ChunkLayout.encodedBytes(buffer, offset);
        if (encodedBytes < 1 || encodedBytes > chunkBytes) {
            throw new ProtocolException("it has " + encodedBytes + " encoded bytes, not from 1 to " + chunkBytes);
        }
        return ChunkLayout.HEADER_BYTES + encodedBytes;
    }

    /**
     * Decodes the chunk whose header begins at {@code offset}. The header must have been checked.
     *
     * @return the raw chunk, valid until the next call
     * @throws ProtocolException if the chunk is damaged; the message is a clause for the caller's sentence
     * @throws IOException if the codec's library cannot be loaded
     */
    ByteBuffer decode(ByteBuffer buffer, int offset) throws IOException {
        int encodedBytes = ChunkLayout.encodedBytes(buffer, offset);
        encoded.clear().put(0, buffer, offset + ChunkLayout.HEADER_BYTES, encodedBytes);
        encoded.limit(encodedBytes);
        raw.clear();
        Codec codec = Objects.requireNonNull(known.byId(ChunkLayout.codec(buffer, offset)));
        Codec.Decoder decoder = decoder(codec);
        int rawBytes;
        try {
            rawBytes = decoder.decode(encoded, raw);
        } catch (IOException e) {
            throw damaged(codec.name() + " does not decode it: " + IoErrors.reason(e), e);
        }
        if (rawBytes != chunkBytes) {
            throw damaged(codec.name() + " makes " + rawBytes + " bytes of it instead of " + chunkBytes, null);
        }
        checksum.reset();
        raw.clear();
        checksum.update(raw);
        if ((int) checksum.getValue() != ChunkLayout.checksum(buffer, offset)) {
            throw damaged("its checksum is wrong", null);
        }
        return raw.clear();
    }

    private Codec.Decoder decoder(Codec codec) throws IOException {
        Codec.Decoder decoder = decoders[codec.id()];
        if (decoder == null) {
            try {
                decoder = Codecs.openDecoder(codec);
            } catch (LagbenchException e) {
                throw new IOException(e.sentence(), e);
            }
            decoders[codec.id()] = decoder;
        }
        return decoder;
    }

    private static ProtocolException damaged(String how, @Nullable Exception cause) {
        ProtocolException damaged = new ProtocolException(how);
        if (cause != null) {
            damaged.initCause(cause);
        }
        return damaged;
    }

    @Override
    public void close() {
        for (Codec.Decoder decoder : decoders) {
            if (decoder != null) {
                decoder.close();
            }
        }
    }
}
