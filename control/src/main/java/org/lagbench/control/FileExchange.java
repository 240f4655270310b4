package org.lagbench.control;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.capture.BestEffortFiles;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.IoErrors;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.UntrustedText;

/**
 * The exchange of files at the end of a run: one side copies the other's finished files, checked by their SHA-256, and
 * the other sends them. For the thread that reads from the connection.
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
    private static final int CHUNK_BYTES = 1 << 16;
    private static final int MIN_BYTES_PER_S = 1_000;
    private static final long LARGEST_BASE_BYTES = 64L << 20;
    private static final long LARGEST_PACKET_BYTES = 64;
    private static final long LARGEST_BYTES_PER_S = 1L << 20;

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
                throw new IOException(
                        "the " + connection.peerRole() + " requested " + name + ", which is not a file of the run");
            }
            send(connection, directory.resolve(name));
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
        } catch (RefusedException e) {
            throw e.asFailure();
        } catch (ProtocolException e) {
            throw violation(e);
        } catch (IOException e) {
            ExitCode code = e instanceof FileSystemException ? ExitCode.FILES : ExitCode.BROKEN;
            throw code.failure(
                    "The " + connection.peerRole() + "'s file " + name + " cannot be copied to " + directory + " ("
                            + IoErrors.reason(e) + "); it is kept at " + connection.peer()
                            + (peerDirectory == null
                                    ? "."
                                    : " in " + UntrustedText.line(peerDirectory.toString()) + "."),
                    e);
        }
    }

    /**
     * Copies files other than stamps. Those that cannot be copied are missing; the run is complete without them.
     *
     * @throws LagbenchException with {@link ExitCode#BROKEN} if the other side violates the protocol
     */
    public void fetch(List<String> names, BestEffortFiles sideFiles) throws LagbenchException {
        int copied = 0;
        try {
            for (String name : names) {
                copy(name);
                copied++;
            }
        } catch (ProtocolException e) {
            throw violation(e);
        } catch (IOException e) {
            names.subList(copied, names.size()).forEach(name -> sideFiles.addMissing(name, e));
        }
    }

    private void copy(String name) throws IOException {
        Path copy = directory.resolve(name).toAbsolutePath();
        if (!isHere(copy, name)) {
            setReadTimeout();
            receive(connection, copy, maximumBytes, timeout);
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
        return ExitCode.BROKEN.failure(
                "The " + connection.peerRole() + " at " + connection.peer() + " sent " + e.getMessage() + ".", e);
    }

    /** Announces a file and sends its bytes. */
    public static void send(ControlConnection connection, Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream bytes = new DigestInputStream(Files.newInputStream(file), digest)) {
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        connection.write(
                new ControlMessage.Capture(Files.size(file), HexFormat.of().formatHex(digest.digest())), file);
    }

    /**
     * Returns an upper bound of the size of a file that the other side wrote since the run began.
     *
     * @param packets number of recorded packets
     * @param begunNs when the run began, {@link System#nanoTime}
     */
    public static long largestBytes(long packets, long begunNs) {
        long elapsedS = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begunNs);
        return LARGEST_BASE_BYTES + LARGEST_PACKET_BYTES * packets + LARGEST_BYTES_PER_S * elapsedS;
    }

    /**
     * Requests the file of {@code target}'s name and creates it when it is complete and correct.
     *
     * @param maximumBytes the largest accepted size
     * @param timeout how long the first byte may take; the others may arrive with {@value #MIN_BYTES_PER_S} per second
     * @throws ProtocolException if the other side sends something else
     * @throws FileSystemException if the file cannot be written
     */
    public static void receive(ControlConnection connection, Path target, long maximumBytes, Duration timeout)
            throws IOException {
        connection.write(new ControlMessage.Fetch(String.valueOf(target.getFileName())));
        ControlMessage.Capture announced = connection.read(ControlMessage.Capture.class);
        if (announced.bytes() > maximumBytes) {
            throw new ProtocolException(
                    "a file of " + announced.bytes() + " bytes; at most " + maximumBytes + " are possible");
        }
        long endNs =
                System.nanoTime() + timeout.toNanos() + TimeUnit.SECONDS.toNanos(announced.bytes() / MIN_BYTES_PER_S);
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        MessageDigest digest = sha256();
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            Files.deleteIfExists(partial);
            // in a directory of others, a new file cannot be a link of theirs
            try (OutputStream file =
                    Files.newOutputStream(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                long left = announced.bytes();
                while (left > 0) {
                    int n = connection.readBytes(chunk, (int) Math.min(left, CHUNK_BYTES));
                    if (n < 0) {
                        throw new EOFException(
                                "the connection was closed before the last " + left + " bytes of the file");
                    }
                    digest.update(chunk, 0, n);
                    write(file, partial, chunk, n);
                    left -= n;
                    if (System.nanoTime() - endNs > 0) {
                        throw new SocketTimeoutException("the file arrives too slowly");
                    }
                }
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(announced.sha256())) {
                throw new ProtocolException("a file with a wrong SHA-256");
            }
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
        }
    }

    private static void write(OutputStream file, Path path, byte[] chunk, int n) throws FileSystemException {
        try {
            file.write(chunk, 0, n);
        } catch (IOException e) {
            FileSystemException failure = new FileSystemException(path.toString(), null, IoErrors.reason(e));
            failure.initCause(e);
            throw failure;
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
