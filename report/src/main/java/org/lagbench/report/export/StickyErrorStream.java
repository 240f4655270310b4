package org.lagbench.report.export;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** Remembers the first failure of a stream below a writer that tells of none. */
final class StickyErrorStream extends FilterOutputStream {
    private @Nullable IOException failure;

    StickyErrorStream(OutputStream out) {
        super(out);
    }

    /** Throws what failed, if anything did. */
    void rethrow() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            out.write(bytes, offset, length);
        } catch (IOException e) {
            throw kept(e);
        }
    }

    @Override
    public void flush() throws IOException {
        try {
            out.flush();
        } catch (IOException e) {
            throw kept(e);
        }
    }

    private IOException kept(IOException e) {
        failure = failure == null ? e : failure;
        return e;
    }
}
