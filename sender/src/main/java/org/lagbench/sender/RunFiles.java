package org.lagbench.sender;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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

/** The directory of one run: the captures and the record. Closing it deletes the files of a run without records. */
final class RunFiles implements AutoCloseable {
    /** The files of observations other than packets. */
    private static final String OBSERVATIONS = "sender-*.npy";

    private final Path directory;
    private final SenderCapture capture;
    private final TwoWayCapture twoWay;

    private RunFiles(Path directory, SenderCapture capture, TwoWayCapture twoWay) {
        this.directory = directory;
        this.capture = capture;
        this.twoWay = twoWay;
    }

    /** Creates the directory, if necessary, and the captures, which must not exist. */
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
            throw IoErrors.toException("The captures cannot be created in " + directory, e);
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
     * Copies the receiver's files into this directory, unless the receiver wrote them here.
     *
     * @param timeout longest silence of the receiver
     */
    void fetchReceiverFiles(
            ControlConnection connection,
            ControlMessage.Accepted accepted,
            ControlMessage.Counted counted,
            Duration timeout)
            throws LagbenchException {
        Path receiverCapture = Path.of(accepted.captureFile());
        try {
            connection.readTimeoutMs(Math.toIntExact(timeout.toMillis()));
            for (String name : counted.files()) {
                Path copy = directory.resolve(name).toAbsolutePath();
                Path original = receiverCapture.resolveSibling(name);
                boolean isHere = Files.exists(copy) && Files.exists(original) && Files.isSameFile(copy, original);
                if (!isHere) {
                    CaptureTransfer.receive(connection, copy);
                }
            }
        } catch (IOException e) {
            throw new LagbenchException(
                    ExitCode.FILES,
                    "The receiver's capture cannot be copied to " + directory + " (" + IoErrors.reason(e)
                            + "); it is kept at " + connection.peer() + " in " + accepted.captureFile() + ".",
                    e);
        }
    }

    /** Ends the recording of causes and writes its file. */
    void writeCauses(CauseRecorder causes) throws LagbenchException {
        Path file = directory.resolve(EventsCapture.SENDER_FILE_NAME);
        try {
            causes.end(file);
        } catch (IOException e) {
            throw IoErrors.toException(file + " cannot be written", e);
        }
    }

    /** Closes the captures and writes the record. */
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
            throw IoErrors.toException("The captures in " + directory + " cannot be closed", e);
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
