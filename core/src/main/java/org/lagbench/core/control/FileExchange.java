package org.lagbench.core.control;

import java.io.IOException;
import java.net.ProtocolException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.SideFiles;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.text.ForeignText;

/**
 * The exchange of files at the end of a run: one side copies the other's files, and the other sends them. For the
 * thread that reads from the connection.
 *
 * @param directory this side's directory of the run
 * @param peerDirectory the other side's directory of the run, which may be the same; null if it is unknown
 * @param maximumBytes the largest accepted size of a file
 * @param timeout longest silence of the other side
 */
public record FileExchange(
        ControlConnection connection,
        Path directory,
        @Nullable Path peerDirectory,
        long maximumBytes,
        Duration timeout) {
    /**
     * Sends the files that the other side requests, until it closes the connection.
     *
     * @param isName whether this may be the name of one of this side's files
     */
    public void serve(Predicate<String> isName) throws IOException {
        setReadTimeout();
        for (ControlMessage next = connection.readUnlessClosed(); next != null; next = connection.readUnlessClosed()) {
            if (next instanceof ControlMessage.Alive) {
                continue;
            }
            String name =
                    ControlConnection.expect(next, ControlMessage.Fetch.class).file();
            if (!isName.test(name)) {
                throw new IOException("the " + connection.peerRole() + " requested " + name);
            }
            CaptureTransfer.send(connection, directory.resolve(name));
        }
    }

    /**
     * Copies a file without which the run is broken, unless the other side wrote it in this directory.
     *
     * @throws LagbenchException with {@link ExitCode#FILES} if this side cannot keep the file; with
     *     {@link ExitCode#BROKEN} if the other side does not send it, or violates the protocol
     */
    public void fetch(String name) throws LagbenchException {
        try {
            copy(name);
        } catch (ControlConnection.RefusedException e) {
            throw e.asFailure();
        } catch (ProtocolException e) {
            throw violation(e);
        } catch (IOException e) {
            throw new LagbenchException(
                    e instanceof FileSystemException ? ExitCode.FILES : ExitCode.BROKEN,
                    "The " + connection.peerRole() + "'s file " + name + " cannot be copied to " + directory + " ("
                            + IoErrors.reason(e) + "); it is kept at " + connection.peer()
                            + (peerDirectory == null ? "." : " in " + ForeignText.line(peerDirectory.toString()) + "."),
                    e);
        }
    }

    /**
     * Copies files other than stamps. Those that cannot be copied are missing; the run is complete without them.
     *
     * @throws LagbenchException with {@link ExitCode#BROKEN} if the other side violates the protocol
     */
    public void fetch(List<String> names, SideFiles sideFiles) throws LagbenchException {
        int copied = 0;
        try {
            for (String name : names) {
                copy(name);
                copied++;
            }
        } catch (ProtocolException e) {
            throw violation(e);
        } catch (IOException e) {
            sideFiles.addLacking(String.join(", ", names.subList(copied, names.size())), e);
        }
    }

    private void copy(String name) throws IOException {
        Path copy = directory.resolve(name).toAbsolutePath();
        if (!isHere(copy, name)) {
            setReadTimeout();
            CaptureTransfer.receive(connection, copy, maximumBytes, timeout);
        }
    }

    private boolean isHere(Path copy, String name) throws IOException {
        if (peerDirectory == null) {
            return false;
        }
        Path original = peerDirectory.resolve(name);
        return Files.exists(copy) && Files.exists(original) && Files.isSameFile(copy, original);
    }

    private void setReadTimeout() throws IOException {
        connection.readTimeoutMs(Math.toIntExact(timeout.toMillis()));
    }

    private LagbenchException violation(ProtocolException e) {
        return new LagbenchException(
                ExitCode.BROKEN,
                "The " + connection.peerRole() + " at " + connection.peer() + " sent " + e.getMessage() + ".",
                e);
    }
}
