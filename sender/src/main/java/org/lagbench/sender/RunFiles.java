package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ClockMonitor;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.FileExchange;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.capture.GrowingCapture;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.clock.OffsetInterval.TwoWayExchange;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;

/**
 * The directory of one run: the captures and the record. Closing it deletes the files of a run without records.
 *
 * @param packets the number of recorded packets
 * @param replies null if packets are not answered
 * @param sideFiles the files other than stamps
 * @param createdNs when it was created, {@link System#nanoTime}
 * @param ended how the run ended; null before its record is written
 */
record RunFiles(
        Path directory,
        long packets,
        SenderCapture capture,
        @Nullable ReceiverCapture replies,
        GrowingCapture twoWay,
        BestEffortFiles sideFiles,
        long createdNs,
        AtomicReference<RunRecord.@Nullable State> ended)
        implements AutoCloseable {
    /** Packets whose stamps a slow disk, of about 20 MB/s, reads or writes in a second. */
    private static final long CAPTURE_PACKETS_PER_S = 1_000_000;

    /** The files of observations other than packets. */
    private static final String OBSERVATIONS = "sender-*.npy";

    /**
     * Creates the directory, if necessary, and the captures, which must not exist.
     *
     * @param isAnswered whether there is a capture of replies
     */
    static RunFiles create(Path directory, long packets, boolean busCycle, boolean isAnswered)
            throws LagbenchException {
        try {
            Files.createDirectories(directory);
            Path repliesFile = directory.resolve(ReceiverCapture.REPLIES_FILE_NAME);
            SenderCapture capture = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), packets, busCycle);
            ReceiverCapture replies = null;
            try {
                if (isAnswered) {
                    replies = ReceiverCapture.create(
                            repliesFile, ReceiverCapture.capacityFor(packets), ReceiverCapture.REPLY_FIELDS);
                }
                return new RunFiles(
                        directory,
                        packets,
                        capture,
                        replies,
                        GrowingCapture.create(directory.resolve(TwoWayExchange.FILE_NAME), TwoWayExchange.FIELDS),
                        new BestEffortFiles(directory),
                        System.nanoTime(),
                        new AtomicReference<>());
            } catch (IOException e) {
                capture.close();
                Files.deleteIfExists(directory.resolve(SenderCapture.FILE_NAME));
                if (replies != null) {
                    replies.close();
                    Files.deleteIfExists(repliesFile);
                }
                throw e;
            }
        } catch (IOException e) {
            throw IoErrors.toException("The captures cannot be created in " + directory, e);
        }
    }

    Path captureFile() {
        return directory.resolve(SenderCapture.FILE_NAME);
    }

    /** Returns how long the receiver's disk may take to preallocate, write or read a capture. */
    Duration diskTimeout() {
        return Duration.ofSeconds(packets / CAPTURE_PACKETS_PER_S);
    }

    /**
     * Copies the receiver's files into this directory, unless the receiver wrote them here.
     *
     * @param clocks the clocks during the run, which bound the stamps
     * @param timeout longest silence of the receiver
     * @throws LagbenchException if its capture cannot be copied, or it violates the protocol
     */
    void fetchReceiverFiles(
            ControlConnection connection,
            ControlMessage.Accepted accepted,
            ReceiverResult result,
            ClockMonitor clocks,
            Duration timeout)
            throws LagbenchException {
        Path peerDirectory = Path.of(accepted.captureFile()).getParent();
        List<String> others = new ArrayList<>(result.counted().files());
        if (others.remove(ReceiverCapture.FILE_NAME)) {
            long largestBytes = ReceiverCapture.largestBytes(result.counted().captureRecords());
            new FileExchange(connection, directory, peerDirectory, largestBytes, timeout)
                    .fetch(ReceiverCapture.FILE_NAME);
        }
        result.checkCapture(
                directory.resolve(ReceiverCapture.FILE_NAME), clocks.receiverFromNs(), clocks.receiverUntilNs());
        exchange(connection, peerDirectory, timeout).fetch(others, sideFiles);
    }

    /**
     * Sends the sender's files to the receiver, as it requests them, until it closes the connection. The record is
     * written.
     *
     * @param timeout longest silence of the receiver
     */
    void serve(ControlConnection connection, Duration timeout) throws LagbenchException {
        try {
            connection.write(new ControlMessage.Recorded(RunFileNames.list(directory, RunFileNames::isSenders)));
            exchange(connection, null, timeout).serve(RunFileNames::isSenders);
        } catch (IOException e) {
            throw ExitCode.BROKEN.failure(
                    "The receiver at " + connection.peer() + " did not copy the files of the run (" + IoErrors.reason(e)
                            + "); they are kept in " + directory + ".",
                    e);
        }
    }

    private FileExchange exchange(ControlConnection connection, @Nullable Path peerDirectory, Duration timeout) {
        long maximumBytes = FileExchange.largestBytes(packets, createdNs);
        return new FileExchange(connection, directory, peerDirectory, maximumBytes, timeout);
    }

    /** Closes the captures and writes the record, even if stamps were lost. */
    void write(RunRecord record) throws LagbenchException {
        try {
            closeCaptures();
        } finally {
            record.write(directory);
            ended.set(record.state());
        }
    }

    /** Closes the captures. May be called more than once. */
    void closeCaptures() throws LagbenchException {
        try (capture;
                replies) {
            closeTwoWay();
        } catch (IOException e) {
            ExitCode code = capture.failure() == null ? ExitCode.BROKEN : ExitCode.FILES;
            throw code.failure("The sender cannot keep its stamps: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Closes the two-way stamps. Deletes them if there are none, or if not all could be written. */
    private void closeTwoWay() throws IOException {
        twoWay.close();
        IOException failure = twoWay.failure();
        boolean isDeleted = (failure != null || twoWay.records() == 0)
                && Files.deleteIfExists(directory.resolve(TwoWayExchange.FILE_NAME));
        if (failure != null && isDeleted) {
            sideFiles.addMissing(TwoWayExchange.FILE_NAME, failure);
        }
    }

    /**
     * Adds the checksums of a run with a record. The receiver's files are finished only in a complete run. In another
     * run, a receiver on this host may still write to them.
     */
    private void addChecksums() throws LagbenchException {
        if (ended.get() != null) {
            boolean isComplete = ended.get() == RunRecord.State.COMPLETE;
            RunFileNames.addChecksums(directory, name -> isComplete || !RunFileNames.isReceivers(name));
        }
    }

    @Override
    public void close() throws LagbenchException {
        closeCaptures();
        if (capture.records() > 0) {
            addChecksums();
            return;
        }
        try {
            Files.deleteIfExists(directory.resolve(SenderCapture.FILE_NAME));
            Files.deleteIfExists(directory.resolve(TwoWayExchange.FILE_NAME));
            Files.deleteIfExists(directory.resolve(RunRecord.FILE_NAME));
            try (DirectoryStream<Path> observations = Files.newDirectoryStream(directory, OBSERVATIONS)) {
                for (Path file : observations) {
                    Files.delete(file);
                }
            }
            Files.delete(directory);
        } catch (DirectoryNotEmptyException e) {
            return; // a receiver on this host keeps its files in the same directory
        } catch (IOException e) {
            throw IoErrors.toException(directory + " cannot be cleaned up", e);
        }
    }
}
