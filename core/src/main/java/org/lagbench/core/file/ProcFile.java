package org.lagbench.core.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file of {@code /proc} that can be read repeatedly without allocating. Not thread-safe. */
public final class ProcFile implements AutoCloseable {
    private final FileChannel channel;
    private final ByteBuffer buffer;

    private ProcFile(FileChannel channel, int maximumBytes) {
        this.channel = channel;
        this.buffer = ByteBuffer.allocateDirect(maximumBytes);
    }

    /**
     * Opens the file.
     *
     * @param maximumBytes bytes to read at most
     */
    public static ProcFile open(Path path, int maximumBytes) throws IOException {
        return new ProcFile(FileChannel.open(path, StandardOpenOption.READ), maximumBytes);
    }

    /** Reads the file from its beginning. */
    public void read() throws IOException {
        buffer.clear();
        int read = 1;
        while (read > 0 && buffer.hasRemaining()) {
            read = channel.read(buffer, buffer.position());
        }
        buffer.flip();
    }

    /** Returns the index of a text in the bytes read; −1 if there is none. */
    public int indexOf(byte[] text) {
        for (int at = 0; at + text.length <= buffer.limit(); at++) {
            int matching = 0;
            while (matching < text.length && buffer.get(at + matching) == text[matching]) {
                matching++;
            }
            if (matching == text.length) {
                return at;
            }
        }
        return -1;
    }

    /** Returns the first decimal number at or after an index; −1 if there is none. */
    public long numberAt(int from) {
        int at = numberIndex(from);
        if (at == buffer.limit()) {
            return -1;
        }
        long number = 0;
        while (at < buffer.limit() && isDigit(at)) {
            number = number * 10 + (buffer.get(at++) - '0');
        }
        return number;
    }

    /** Returns the index after the first decimal number at or after an index. */
    public int afterNumber(int from) {
        int at = numberIndex(from);
        while (at < buffer.limit() && isDigit(at)) {
            at++;
        }
        return at;
    }

    private int numberIndex(int from) {
        int at = from;
        while (at < buffer.limit() && !isDigit(at)) {
            at++;
        }
        return at;
    }

    private boolean isDigit(int at) {
        return buffer.get(at) >= '0' && buffer.get(at) <= '9';
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
