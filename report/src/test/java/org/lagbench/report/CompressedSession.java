package org.lagbench.report;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.lagbench.analysis.SessionFixture;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord.LabRecord;

/** Writes a session with compressed transfers of known times. */
public final class CompressedSession {
    public static final int CHUNK_BYTES = 1_000;
    public static final long MS = 1_000_000;

    private final SessionFixture session;
    private int runs;

    public CompressedSession(Path directory) throws IOException {
        session = new SessionFixture(directory);
    }

    /**
     * A transfer.
     *
     * @param compressNs time to compress a chunk
     * @param sendNs time of the call that sends it
     */
    public record Transfer(int chunks, int chunkBytes, int encodedBytes, long compressNs, long sendNs, long totalNs) {}

    public Path path() {
        return session.path();
    }

    /** Writes a run with a transfer in chunks of {@link #CHUNK_BYTES}. */
    public void run(
            String network, String codec, int chunks, int encodedBytes, long compressNs, long sendNs, long totalNs)
            throws IOException, LagbenchException {
        run(network, codec, 1, new Transfer(chunks, CHUNK_BYTES, encodedBytes, compressNs, sendNs, totalNs));
    }

    /** Writes a run with a transfer. */
    public void run(String network, String codec, int repeat, Transfer transfer) throws IOException, LagbenchException {
        int chunks = transfer.chunks();
        long[] sent = new long[chunks];
        long[][] received = new long[chunks][];
        long[][] rows = new long[chunks][];
        for (int i = 0; i < chunks; i++) {
            long beginNs = i * (transfer.compressNs() + transfer.sendNs());
            sent[i] = beginNs + transfer.compressNs();
            long endNs = sent[i] + transfer.sendNs();
            received[i] = new long[] {i, endNs};
            rows[i] = new long[] {transfer.encodedBytes(), beginNs, sent[i], sent[i], endNs};
        }
        session.run(String.format("%04d-r%d", ++runs, repeat), "tcp", transfer.chunkBytes())
                .sent(sent)
                .received(received)
                .transfers((long) chunks * transfer.chunkBytes(), new long[] {-2_000, -1_000, transfer.totalNs()})
                .chunks(codec, rows)
                .lab(new LabRecord(network, network, 10_000_000, null, List.of()))
                .write();
    }

    /** Writes transfers of 10 and 20 chunks at 8 and 4 Mb/s, compressed to half their size in 0.2 ms a chunk. */
    public void runsOfTwoNetworks() throws IOException, LagbenchException {
        for (int chunks : new int[] {10, 20}) {
            run("fast", "none", chunks, CHUNK_BYTES, 0, MS, chunks * MS);
            run("slow", "none", chunks, CHUNK_BYTES, 0, 2 * MS, 2 * MS * chunks);
            run("fast", "gzip-6", chunks, CHUNK_BYTES / 2, MS / 5, MS / 2, 8 * MS * chunks / 10);
            run("slow", "gzip-6", chunks, CHUNK_BYTES / 2, MS / 5, MS, 13 * MS * chunks / 10);
        }
    }
}
