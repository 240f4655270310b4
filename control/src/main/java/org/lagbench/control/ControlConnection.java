package org.lagbench.control;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.UntrustedText;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.text.Endpoint;

/**
 * One side of the control session: a message per line, JSON in UTF-8, at most {@value #MAXIMUM_LINE_BYTES} bytes. After
 * {@link #protect}, each line begins with the HMAC of direction, sequence number and JSON, so that inserted, changed,
 * repeated and removed messages are detected. Nothing is encrypted.
 *
 * <p>One thread reads. Any thread may write, or close, which ends a blocked read.
 */
public final class ControlConnection implements AutoCloseable {
    /** Longest line, including the HMAC. */
    public static final int MAXIMUM_LINE_BYTES = 1 << 16;

    /** See {@link #trafficBytes}. */
    static final LongAdder TRAFFIC_BYTES = new LongAdder();

    /** Unprintable characters in the peer's texts are escaped, so that they can be printed. */
    static final MessageFormat<ControlMessage> FORMAT =
            new MessageFormat<>(ControlMessage.class, UntrustedText::escape);

    private static final int MAC_CHARACTERS = 64;
    private static final long REFUSAL_TIMEOUT_MS = 1_000;
    private static final int CHUNK_BYTES = 1 << 16;

    private final Socket socket;
    private final DeadlineInputStream timed;
    private final InputStream in;
    private final OutputStream out;
    private final String peerRole;
    private final byte[] ownDirection;
    private final byte[] peerDirection;
    private final ReentrantLock writing = new ReentrantLock();
    private volatile @Nullable SharedKey key;
    private long written;
    private long read;
    private volatile long messagesRead;
    private volatile long fileBytesWritten;
    private volatile boolean writesFile;
    private long lastReadNs;
    private boolean isWithinLine;
    private int readTimeoutMs;

    private ControlConnection(Socket socket, String own, String peer) throws IOException {
        this.socket = socket;
        this.timed = new DeadlineInputStream(socket);
        this.in = new BufferedInputStream(timed);
        this.out = new BufferedOutputStream(socket.getOutputStream());
        this.peerRole = peer;
        this.ownDirection = SharedKey.ascii(own);
        this.peerDirection = SharedKey.ascii(peer);
        socket.setTcpNoDelay(true);
        // Detects the loss of the peer's host within 20 s.
        socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, 5);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, 5);
        socket.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, 3);
    }

    /**
     * Returns how many bytes all control connections of this process have sent and received, with the datagrams of
     * their clock exchanges, without headers. For any thread.
     */
    public static long trafficBytes() {
        return TRAFFIC_BYTES.sum();
    }

    /** Returns the sender's side of a connected socket, which is closed with the connection. */
    public static ControlConnection ofSender(Socket socket) throws IOException {
        return new ControlConnection(socket, "sender", "receiver");
    }

    /** Returns the receiver's side of a connected socket, which is closed with the connection. */
    public static ControlConnection ofReceiver(Socket socket) throws IOException {
        return new ControlConnection(socket, "receiver", "sender");
    }

    /** Adds an HMAC with this key to every line from now on. */
    void protect(SharedKey sessionKey) {
        key = sessionKey;
    }

    /**
     * Sets how long a read waits for the peer, in ms; 0 means forever. A message must be complete within twice that
     * time, so that single bytes cannot hold the connection.
     */
    public void readTimeoutMs(int timeoutMs) throws IOException {
        socket.setSoTimeout(timeoutMs);
        readTimeoutMs = timeoutMs;
        timed.deadlineNs(null);
    }

    /**
     * Sets when all following reads end, however many messages they are for: each waits for what is left.
     *
     * @param atNs by {@link System#nanoTime}
     */
    public void readDeadlineNs(long atNs) throws IOException {
        readTimeoutMs(0);
        timed.deadlineNs(atNs);
    }

    /**
     * Ignores what the peer sends, until a time or until the connection is closed.
     *
     * @param atNs by {@link System#nanoTime}
     */
    public void ignoreUntil(long atNs) throws IOException {
        readDeadlineNs(atNs);
        try {
            in.transferTo(OutputStream.nullOutputStream());
        } catch (SocketTimeoutException e) {
            return; // the given time has passed
        }
    }

    /** Returns the peer's host and port. */
    public String peer() {
        return socket.getRemoteSocketAddress() instanceof InetSocketAddress address
                ? Endpoint.of(address).toString()
                : "unknown";
    }

    /** Returns which side of a run the peer is: "sender" or "receiver". */
    String peerRole() {
        return peerRole;
    }

    /** Returns this host's address on the connection, without a port. */
    public String localHost() {
        return Endpoint.format(socket.getLocalAddress());
    }

    /** Returns this host's address on the connection. */
    InetAddress localAddress() {
        return socket.getLocalAddress();
    }

    /** Returns the peer's address on the connection. */
    InetAddress peerAddress() {
        return socket.getInetAddress();
    }

    /**
     * Returns the key that authenticates the datagrams exchanged outside the connection. Without a shared key it does
     * not authenticate the peer.
     */
    SharedKey exchangeKey(String nonce) {
        SharedKey protecting = key;
        byte[] secret = SharedKey.ascii(nonce);
        return new SharedKey(protecting == null ? secret : protecting.mac(SharedKey.ascii("exchange"), secret));
    }

    /**
     * Returns the tag of a run's packets: the first 8 bytes of an HMAC-SHA-256 of the nonce with the session's key, or
     * without a shared key with the nonce itself. With a key nobody can read it before the first packet.
     */
    public long runTag(String nonce) {
        SharedKey protecting = key;
        byte[] secret = SharedKey.ascii(nonce);
        SharedKey with = protecting == null ? new SharedKey(secret) : protecting;
        return ByteBuffer.wrap(with.mac(SharedKey.ascii("run tag"), secret)).getLong();
    }

    /** Sends a message. For any thread. */
    public void write(ControlMessage message) throws IOException {
        writing.lock();
        try {
            writeLine(message);
        } finally {
            writing.unlock();
        }
    }

    private void writeLine(ControlMessage message) throws IOException {
        byte[] json = FORMAT.write(message);
        SharedKey protecting = key;
        if (protecting != null) {
            out.write(SharedKey.ascii(mac(protecting, ownDirection, written, json)));
            TRAFFIC_BYTES.add(MAC_CHARACTERS);
        }
        TRAFFIC_BYTES.add(json.length + 1L);
        written++;
        out.write(json);
        out.write('\n');
        out.flush();
    }

    /**
     * Closes the connection after sending a refusal. Omits the refusal if a capture is being sent or the peer does not
     * read. For any thread.
     */
    public void refuseAndClose(ControlMessage.Refused why) throws IOException {
        try {
            if (writing.tryLock(REFUSAL_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                try {
                    writeLine(why);
                } finally {
                    writing.unlock();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            socket.close();
        }
    }

    /**
     * Waits for the next message.
     *
     * @throws EOFException if the peer has closed the connection
     * @throws ProtocolException if the line is not a message, or its HMAC is wrong
     */
    public ControlMessage read() throws IOException {
        byte[] line = line();
        int start = 0;
        SharedKey protecting = key;
        if (protecting != null) {
            start = MAC_CHARACTERS;
            if (line.length < start) {
                throw new ProtocolException("a line without an HMAC");
            }
            byte[] json = Arrays.copyOfRange(line, start, line.length);
            byte[] expected = SharedKey.ascii(mac(protecting, peerDirection, read, json));
            if (!MessageDigest.isEqual(expected, Arrays.copyOf(line, start))) {
                throw new ProtocolException("a line with a wrong HMAC");
            }
        }
        read++;
        ControlMessage message = FORMAT.read(line, start, line.length - start);
        messagesRead = read;
        return message;
    }

    /** Returns how many messages have arrived. For any thread. */
    public long messagesRead() {
        return messagesRead;
    }

    /** Waits for the next message, which must be of this type. */
    public <T extends ControlMessage> T read(Class<T> type) throws IOException {
        return expect(read(), type);
    }

    /** Waits for the next message; returns null if the peer has closed the connection instead. */
    public @Nullable ControlMessage readUnlessClosed() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            return null;
        }
        in.reset();
        return read();
    }

    /**
     * Returns whether a read ended within a message, so that no other message can be read. For the thread that reads.
     */
    public boolean isWithinMessage() {
        return isWithinLine;
    }

    /**
     * Casts a message to the expected type.
     *
     * @throws RefusedException if it is a refusal
     * @throws ProtocolException if it is another message
     */
    public static <T extends ControlMessage> T expect(ControlMessage message, Class<T> type) throws IOException {
        if (type.isInstance(message)) {
            return type.cast(message);
        }
        if (message instanceof ControlMessage.Refused refused) {
            throw new RefusedException(refused);
        }
        throw new ProtocolException("an unexpected message \"" + MessageFormat.name(message.getClass())
                + "\" instead of \"" + MessageFormat.name(type) + "\"");
    }

    /** Returns when the last message arrived, CLOCK_REALTIME in ns. For the thread that reads. */
    public long lastReadNs() {
        return lastReadNs;
    }

    /** Reads some of the bytes that follow a {@link ControlMessage.Capture}, as {@link InputStream#read} does. */
    int readBytes(byte[] into, int length) throws IOException {
        int n = in.read(into, 0, length);
        TRAFFIC_BYTES.add(Math.max(0, n));
        return n;
    }

    /** Sends a message and the bytes of the file that it announces. */
    public void write(ControlMessage.Capture message, Path file) throws IOException {
        writing.lock();
        try {
            writesFile = true;
            writeLine(message);
            byte[] chunk = new byte[CHUNK_BYTES];
            long sent = fileBytesWritten;
            try (InputStream bytes = Files.newInputStream(file)) {
                for (int n = bytes.read(chunk); n >= 0; n = bytes.read(chunk)) {
                    out.write(chunk, 0, n);
                    TRAFFIC_BYTES.add(n);
                    sent += n;
                    fileBytesWritten = sent;
                }
            }
            out.flush();
        } finally {
            writesFile = false;
            writing.unlock();
        }
    }

    /** Returns whether a file is being sent. For any thread. */
    boolean writesFile() {
        return writesFile;
    }

    /** Returns how many bytes of files were sent. For any thread. */
    long fileBytesWritten() {
        return fileBytesWritten;
    }

    private byte[] line() throws IOException {
        byte[] line = new byte[256];
        int length = 0;
        long startNs = System.nanoTime();
        isWithinLine = true;
        int next = in.read();
        for (; next != '\n'; next = in.read()) {
            if (next < 0) {
                throw new EOFException("the peer has closed the control connection");
            }
            if (readTimeoutMs > 0 && System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(readTimeoutMs)) {
                throw new SocketTimeoutException("the peer's message is incomplete");
            }
            if (length == MAXIMUM_LINE_BYTES) {
                throw new ProtocolException("a line longer than " + MAXIMUM_LINE_BYTES + " bytes");
            }
            if (length == line.length) {
                line = Arrays.copyOf(line, 2 * length);
            }
            line[length++] = (byte) next;
        }
        TRAFFIC_BYTES.add(length + 1L);
        isWithinLine = false;
        lastReadNs = RealtimeClock.nowNs();
        return Arrays.copyOf(line, length);
    }

    private static String mac(SharedKey key, byte[] direction, long number, byte[] json) {
        byte[] counter = ByteBuffer.allocate(Long.BYTES).putLong(0, number).array();
        return HexFormat.of().formatHex(key.mac(direction, counter, json));
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
