package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.lagbench.core.capture.EventsCapture;
import org.lagbench.core.capture.SenderCapture;
import org.lagbench.core.capture.TwoWayCapture;
import org.lagbench.core.cause.CauseRecorder;
import org.lagbench.core.control.CaptureTransfer;
import org.lagbench.core.control.ControlConnection;
import org.lagbench.core.control.ControlMessage;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.RunRecord;
import org.lagbench.core.run.RunRecordFile;

/** The directory of one run: the captures and the record. Closing it leaves nothing of a run that recorded nothing. */
final class RunFiles implements AutoCloseable {
    /** What was observed of a run besides its packets. */
    private static final String OBSERVED = "sender-*.npy";

    private final Path directory;
    private final SenderCapture capture;
    private final TwoWayCapture twoWay;

    private RunFiles(Path directory, SenderCapture capture, TwoWayCapture twoWay) {
        this.directory = directory;
        this.capture = capture;
        this.twoWay = twoWay;
    }

    /** Makes the directory, if it is not there, and the captures, which must not be there. */
    static RunFiles create(Path directory, long packets, boolean busCycle) throws LagbenchException {
        try {
            Files.createDirectories(directory);
            SenderCapture capture = SenderCapture.create(directory.resolve(SenderCapture.FILE_NAME), packets, busCycle);
            try {
                return new RunFiles(
                        directory, capture, TwoWayCapture.create(directory.resolve(TwoWayCapture.FILE_NAME)));
            } catch (IOException e) {
                capture.close();
                Files.deleteIfExists(directory.resolve(SenderCapture.FILE_NAME));
                throw e;
            }
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, "The captures cannot be made in " + directory + ": " + IoErrors.reason(e) + ".", e);
        }
    }

    Path directory() {
        return directory;
    }

    Path captureFile() {
        return directory.resolve(SenderCapture.FILE_NAME);
    }

    SenderCapture capture() {
        return capture;
    }

    TwoWayCapture twoWay() {
        return twoWay;
    }

    /**
     * Brings the receiver's files here, unless it wrote them here.
     *
     * @param patience how long the receiver may say nothing before it is given up
     */
    void fetchReceiverFiles(
            ControlConnection connection,
            ControlMessage.Accepted accepted,
            ControlMessage.Counted counted,
            Duration patience)
            throws LagbenchException {
        Path there = Path.of(accepted.captureFile());
        try {
            connection.readTimeoutMs(Math.toIntExact(patience.toMillis()));
            for (String name : counted.files()) {
                Path here = directory.resolve(name).toAbsolutePath();
                Path original = there.resolveSibling(name);
                boolean sameDisk = Files.exists(here) && Files.exists(original) && Files.isSameFile(here, original);
                if (!sameDisk) {
                    CaptureTransfer.receive(connection, here);
                }
            }
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The receiver's capture could not be brought to " + directory + " (" + IoErrors.reason(e)
                            + "); it is kept at " + connection.peer() + " in " + accepted.captureFile() + ".",
                    e);
        }
    }

    /** Ends the recording of what may have delayed packets, and writes it. */
    void writeCauses(CauseRecorder causes) throws LagbenchException {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try {
            causes.end(file);
        } catch (IOException e) {
            throw new LagbenchException(ExitCode.FILES, file + " cannot be written: " + IoErrors.reason(e) + ".", e);
        }
    }

    /** Writes the record, after closing the captures that it tells of. */
    void write(RunRecord record) throws LagbenchException {
        closeCaptures();
        RunRecordFile.write(directory, record);
    }

    private void closeCaptures() throws LagbenchException {
        try {
            try {
                capture.close();
            } finally {
                twoWay.close();
            }
            if (twoWay.records() == 0) {
                Files.deleteIfExists(directory.resolve(TwoWayCapture.FILE_NAME));
            }
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The captures in " + directory + " cannot be closed: " + IoErrors.reason(e) + ".",
                    e);
        }
    }

    @Override
    public void close() throws LagbenchException {
        closeCaptures();
        if (capture.records() > 0) {
            return;
        }
        try {
            Files.deleteIfExists(directory.resolve(SenderCapture.FILE_NAME));
            Files.deleteIfExists(directory.resolve(TwoWayCapture.FILE_NAME));
            deleteObserved();
            if (isEmpty(directory)) {
                Files.delete(directory);
            }
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES, directory + " cannot be cleaned up: " + IoErrors.reason(e) + ".", e);
        }
    }

    private void deleteObserved() throws IOException {
        try (DirectoryStream<Path> observed = Files.newDirectoryStream(directory, OBSERVED)) {
            for (Path file : observed) {
                Files.delete(file);
            }
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.findAny().isEmpty();
        }
    }
}
