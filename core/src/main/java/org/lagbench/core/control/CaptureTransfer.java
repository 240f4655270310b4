package org.lagbench.core.control;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ProtocolException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Transfers a finished file from the receiver's disk to the sender's, checked by its SHA-256. */
public final class CaptureTransfer {
    private static final int CHUNK_BYTES = 1 << 16;

    private CaptureTransfer() {}

    /** Announces a file and sends its bytes; for the receiver. */
    public static void send(ControlConnection connection, Path file) throws IOException {
        MessageDigest digest = sha256();
        try (InputStream bytes = new DigestInputStream(Files.newInputStream(file), digest)) {
            bytes.transferTo(OutputStream.nullOutputStream());
        }
        connection.write(
                new ControlMessage.Capture(Files.size(file), HexFormat.of().formatHex(digest.digest())), file);
    }

    /** Requests the file of {@code target}'s name and creates it when it is complete and correct; for the sender. */
    public static void receive(ControlConnection connection, Path target) throws IOException {
        connection.write(new ControlMessage.Fetch(String.valueOf(target.getFileName())));
        ControlMessage.Capture announced = connection.read(ControlMessage.Capture.class);
        Path partial = target.resolveSibling(target.getFileName() + ".partial");
        MessageDigest digest = sha256();
        byte[] chunk = new byte[CHUNK_BYTES];
        try {
            try (OutputStream file = Files.newOutputStream(partial)) {
                long left = announced.bytes();
                while (left > 0) {
                    int n = connection.bytesIn().read(chunk, 0, (int) Math.min(left, CHUNK_BYTES));
                    if (n < 0) {
                        throw new EOFException(
                                "the receiver closed the connection before the last " + left + " bytes of its file");
                    }
                    digest.update(chunk, 0, n);
                    file.write(chunk, 0, n);
                    left -= n;
                }
            }
            if (!HexFormat.of().formatHex(digest.digest()).equals(announced.sha256())) {
                throw new ProtocolException("the receiver's file has a wrong SHA-256");
            }
            Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(partial);
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
