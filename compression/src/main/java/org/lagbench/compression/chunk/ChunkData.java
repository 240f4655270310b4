package org.lagbench.compression.chunk;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.file.FileTree;
import org.lagbench.core.run.CompressionSpec;

/** The raw chunks of a transfer, the same for each transfer. Only creating it allocates. Not thread-safe. */
public final class ChunkData {
    /**
     * The maximum size of the data in memory. A larger transfer repeats the data; only the first part of a larger file
     * is sent.
     */
    private static final int MAXIMUM_BYTES = 1 << 25;

    private static final long SEED = 22;

    private final List<ByteBuffer> parts;
    private final long chunks;
    private final int chunkBytes;

    private ChunkData(List<ByteBuffer> parts, long chunks, int chunkBytes) {
        this.parts = parts;
        this.chunks = chunks;
        this.chunkBytes = chunkBytes;
    }

    /**
     * Generates the data of a transfer, or reads its file.
     *
     * @param chunks number of chunks in a transfer
     * @param chunkBytes size of each
     * @throws LagbenchException if the file cannot be read or has less than one chunk
     */
    public static ChunkData of(CompressionSpec compression, long chunks, int chunkBytes) throws LagbenchException {
        if (compression.isOfFile()) {
            return new ChunkData(List.of(read(Path.of(compression.data()), chunkBytes)), chunks, chunkBytes);
        }
        List<CompressionSpec.DataKind> kinds = compression.kinds();
        long chunksOfPart = (chunks + kinds.size() - 1) / kinds.size();
        long kept = Math.max(1, Math.min(chunksOfPart, MAXIMUM_BYTES / kinds.size() / chunkBytes));
        List<ByteBuffer> parts = new ArrayList<>();
        for (CompressionSpec.DataKind kind : kinds) {
            parts.add(DataGenerator.generate(kind, Math.toIntExact(kept * chunkBytes), SEED));
        }
        return new ChunkData(parts, chunks, chunkBytes);
    }

    private static ByteBuffer read(Path file, int chunkBytes) throws LagbenchException {
        FileTree.requireFile(file, "data: " + file, "name a file");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            long bytes = Math.min(channel.size(), Math.max(MAXIMUM_BYTES, chunkBytes)) / chunkBytes * chunkBytes;
            if (bytes == 0) {
                throw ExitCode.USAGE.failure("data: " + file + " has " + channel.size()
                        + " bytes, less than a chunk of " + chunkBytes + "; use another file or smaller chunks.");
            }
            ByteBuffer data = ByteBuffer.allocateDirect((int) bytes);
            while (data.hasRemaining()) {
                if (channel.read(data) < 0) {
                    throw new EOFException("it was truncated");
                }
            }
            return data.flip();
        } catch (IOException e) {
            throw IoErrors.toException("data: " + file + " cannot be read", e);
        }
    }

    /**
     * Returns the buffer with a chunk between its position and its limit.
     *
     * @param sequence the chunk's number in the run, negative in the warm-up
     */
    ByteBuffer chunk(long sequence) {
        long index = Math.floorMod(sequence, chunks);
        ByteBuffer part = parts.get((int) (index * parts.size() / chunks));
        int offset = (int) (index % (part.capacity() / chunkBytes)) * chunkBytes;
        return part.limit(offset + chunkBytes).position(offset);
    }
}
