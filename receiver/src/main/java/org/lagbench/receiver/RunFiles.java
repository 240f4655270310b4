package org.lagbench.receiver;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.FileExchange;
import org.lagbench.control.Heartbeat;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.capture.ReceiverCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.Point;
import org.lagbench.core.run.RunFileNames;
import org.lagbench.core.run.RunRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiver's directory of one run, and the exchange of its files with the sender.
 *
 * @param sideFiles the files other than stamps
 * @param createdNs when it was created, {@link System#nanoTime}
 */
record RunFiles(Path directory, ControlMessage.Offer offer, BestEffortFiles sideFiles, long createdNs) {
    private static final Logger LOG = LoggerFactory.getLogger(RunFiles.class);

    /** Creates the directory with the run's name, or with a number after it, that has no receiver's capture. */
    static RunFiles create(Path parent, ControlMessage.Offer offer) throws IOException {
        Path directory = RunFileNames.unusedDirectory(parent, offer.run().name(), ReceiverCapture.FILE_NAME)
                .toAbsolutePath();
        Files.createDirectories(directory);
        return new RunFiles(directory, offer, new BestEffortFiles(directory), System.nanoTime());
    }

    Path captureFile() {
        return directory.resolve(ReceiverCapture.FILE_NAME);
    }

    /** Creates the capture of the packets. */
    ReceiverCapture createCapture(boolean recordsBusCycle, boolean stampsArrivals) throws IOException {
        Point point = offer.point();
        long records = ReceiverCapture.capacityFor(point.stampedPackets());
        if (point.traffic().isAnswered()) {
            return ReceiverCapture.create(captureFile(), records, ReceiverCapture.ANSWERED_FIELDS);
        }
        return stampsArrivals && !recordsBusCycle
                ? ReceiverCapture.create(captureFile(), records, ReceiverCapture.KERNEL_FIELDS)
                : ReceiverCapture.create(captureFile(), records, recordsBusCycle);
    }

    /** Creates the capture of the bytes of transfers. */
    ReceiverCapture createBytes() throws IOException {
        Point point = offer.point();
        Path file = directory.resolve(ReceiverCapture.BYTES_FILE_NAME);
        return ReceiverCapture.ofBytes(file, point.packets(), point.packetBytes());
    }

    /** Returns the names of the receiver's files. */
    List<String> names() throws IOException {
        return RunFileNames.list(directory, RunFileNames::isReceivers);
    }

    /** Returns the longest accepted silence of the sender. */
    Duration timeout() {
        return Heartbeat.longestSilence(offer.point().stallTimeout());
    }

    /** Sends the receiver's files to the sender, as it requests them, until it closes the connection. */
    void serve(ControlSession control) throws IOException {
        if (control.keepsStamps() && !Files.exists(directory.resolve(SenderCapture.FILE_NAME))) {
            addChecksums();
        }
        exchange(control).serve(RunFileNames::isReceivers);
    }

    /** Adds the checksums of the receiver's files. In a directory shared by both sides, only the sender does. */
    private void addChecksums() {
        try {
            RunFileNames.addChecksums(directory, RunFileNames::isReceivers);
        } catch (LagbenchException e) {
            LOG.warn("the checksums were not written: {}", e.sentence());
        }
    }

    /**
     * Copies the files of a requested sender to the directory of the receiver's files.
     *
     * @throws LagbenchException if one cannot be copied, the sender violates the protocol, or its stamps cannot be
     *     true; the run is then not complete
     */
    void fetch(ControlSession control) throws IOException, LagbenchException {
        FileExchange exchange = exchange(control);
        for (String file : control.await(ControlMessage.Recorded.class).files()) {
            exchange.fetch(file);
        }
        String peer = control.connection().peer();
        String impossible;
        try {
            RunRecord.Clock clock = RunRecord.read(directory).clock();
            impossible = control.senderClock()
                    .impossible(directory.resolve(SenderCapture.FILE_NAME), clock == null ? 0 : clock.totalStepNs());
        } catch (LagbenchException e) {
            impossible = "an invalid file (" + e.sentence() + ")";
        }
        if (impossible != null) {
            Files.deleteIfExists(directory.resolve(RunRecord.FILE_NAME));
            throw ExitCode.BROKEN.failure(
                    "The sender at " + peer + " reported something impossible: " + impossible + ".");
        }
    }

    private FileExchange exchange(ControlSession control) {
        long maximumBytes = FileExchange.largestBytes(offer.point().stampedPackets(), createdNs);
        return new FileExchange(control.connection(), directory, null, maximumBytes, timeout());
    }

    /** Deletes the receiver's files, and the directory if it is empty then. */
    void delete() throws IOException {
        for (String name : names()) {
            Files.deleteIfExists(directory.resolve(name));
        }
        deleteDirectoryIfEmpty();
    }

    /** Deletes the directory unless a sender on this host keeps its files there. */
    void deleteDirectoryIfEmpty() throws IOException {
        try {
            Files.deleteIfExists(directory);
        } catch (DirectoryNotEmptyException e) {
            return;
        }
    }
}
