package org.lagbench.receiver;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.lagbench.control.ControlConnection;
import org.lagbench.control.ControlMessage;
import org.lagbench.control.DatagramExchange;
import org.lagbench.control.PeerClock;
import org.lagbench.control.ReceiverHost;
import org.lagbench.core.cause.KernelObserver;
import org.lagbench.core.clock.ChronyClient;
import org.lagbench.core.clock.ClockReadings;
import org.lagbench.core.clock.ClockState;
import org.lagbench.core.clock.RealtimeClock;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.HostLoad;
import org.lagbench.core.run.LagbenchVersion;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.text.Endpoint;
import org.lagbench.packetio.socket.DataPort;
import org.lagbench.packetio.socket.SocketBuffer;

/** The receiver's side of a control connection. While it waits, it answers what the sender asks about this host. */
final class ControlSession implements AutoCloseable {
    /** How often within the longest silence the signs of life are read. */
    private static final int SILENCE_READS = 8;

    private final ControlConnection connection;
    private final LocalEnd local;
    private final ChronyClient chrony;
    private final PeerClock senderClock = new PeerClock();
    private @Nullable EchoPorts echoPorts;
    private @Nullable ControlMessage first;
    private boolean isWatched;
    private boolean isProbe;
    private boolean keepsStamps = true;
    private LongSupplier signsOfLife = () -> 0;
    private int readsPerSilence = 1;
    private DatagramExchange.@Nullable Responder responder;

    /**
     * Creates a session on an open connection.
     *
     * @param local the address and port of packets on this host; the address of the connection by default
     * @param chrony the daemon that synchronizes this host's clock
     */
    ControlSession(ControlConnection connection, LocalEnd local, ChronyClient chrony) {
        this.connection = connection;
        this.local = local;
        this.chrony = chrony;
    }

    ControlConnection connection() {
        return connection;
    }

    /** Returns the sender's clock by its pings so far. */
    PeerClock senderClock() {
        return senderClock;
    }

    /** Returns whether the sender has requested the metrics of each second. */
    boolean isWatched() {
        return isWatched;
    }

    /** Returns whether the run is a monitor's probe. */
    boolean isProbe() {
        return isProbe;
    }

    /** Makes this host delete its stamps of the run after it. */
    void keepNoStamps() {
        keepsStamps = false;
    }

    /** Returns whether this host keeps its stamps of the run. */
    boolean keepsStamps() {
        return keepsStamps && !isProbe;
    }

    /** Returns this host's end of the packets. */
    LocalEnd local() {
        return local;
    }

    /** Returns this host's address for packets. */
    String dataHost() {
        String host = local.bind();
        return host == null ? connection.localHost() : host;
    }

    /**
     * Returns the only host whose datagrams this host answers: that of the connection; null if packets use another
     * network, on which the sender's address is not known.
     */
    @Nullable
    InetAddress replyTo() throws IOException {
        return local.bind() == null ? sender() : null;
    }

    /** Returns the hosts from which packets reach the parser of a library on this host. */
    Set<InetAddress> admitted(ControlMessage.Offer offer) throws IOException, LagbenchException {
        return DataPort.sources(sender(), offer.announced());
    }

    /** Returns the sender's address on the control connection. */
    private InetAddress sender() throws IOException {
        return InetAddress.getByName(Endpoint.parse(connection.peer()).host());
    }

    /** Returns a transport's announcement with the address for packets, if it is not that of the connection. */
    Map<String, String> announcement(Map<String, String> ofTransport) {
        String host = local.bind();
        return DataPort.withOwn(host == null ? ofTransport : withHost(ofTransport, host), connection.localHost());
    }

    /** Returns the sender's announcement, with the sender's address if this side connects to its port. */
    Map<String, String> announced(ControlMessage.Offer offer) {
        return DataPort.isAnnounced(offer.announced())
                ? withHost(offer.announced(), Endpoint.parse(connection.peer()).host())
                : offer.announced();
    }

    private static Map<String, String> withHost(Map<String, String> announcement, String host) {
        Map<String, String> both = new HashMap<>(announcement);
        both.put(DataPort.HOST, host);
        return both;
    }

    void write(ControlMessage message) throws IOException {
        connection.write(message);
    }

    /** Reads the next message, which must be of a type. */
    <T extends ControlMessage> T await(Class<T> type) throws IOException {
        T message = awaitUnlessClosed(type);
        if (message == null) {
            throw new IOException("the sender has closed the control connection");
        }
        return message;
    }

    /** Reads the next message, which must be of a type; returns null if the sender has closed the connection. */
    <T extends ControlMessage> @Nullable T awaitUnlessClosed(Class<T> type) throws IOException {
        while (true) {
            ControlMessage message = readUnlessClosed();
            if (message == null) {
                return null;
            } else if (message instanceof ControlMessage.Ping ping) {
                long receivedNs = connection.lastReadNs();
                senderClock.add(ping.sentNs(), receivedNs);
                connection.write(new ControlMessage.Pong(ping.sentNs(), receivedNs, RealtimeClock.nowNs()));
            } else if (message instanceof ControlMessage.Ask ask) {
                connection.write(
                        switch (ask.question()) {
                            case CLOCK -> new ControlMessage.ClockIs(ClockState.ask(chrony));
                            case HOST -> new ControlMessage.HostIs(host());
                            case LOAD -> new ControlMessage.LoadIs(HostLoad.read());
                            case READINGS -> new ControlMessage.ReadingsAre(ClockReadings.take());
                            case OBSERVER -> new ControlMessage.ObserverIs(KernelObserver.refusal());
                        });
            } else if (message instanceof ControlMessage.Watch) {
                isWatched = true;
            } else if (message instanceof ControlMessage.OpenExchange request) {
                closeResponder();
                responder = DatagramExchange.Responder.open(connection, request);
            } else if (message instanceof ControlMessage.Probe) {
                isProbe = true;
            } else if (!(message instanceof ControlMessage.Alive)) {
                return ControlConnection.expect(message, type);
            }
        }
    }

    /**
     * Sets how long the sender may be silent while a count does not grow: its packets may delay its messages.
     *
     * @param count for the thread that reads
     */
    void longestSilence(Duration silence, LongSupplier count) throws IOException {
        signsOfLife = count;
        readsPerSilence = SILENCE_READS;
        connection.readTimeoutMs(Math.max(1, Math.toIntExact(silence.toMillis() / SILENCE_READS)));
    }

    /**
     * Waits for the first message, which the next call of {@link #awaitUnlessClosed} handles. Returns false if the
     * sender has closed the connection.
     */
    boolean awaitFirst() throws IOException {
        first = connection.readUnlessClosed();
        return first != null;
    }

    private @Nullable ControlMessage readUnlessClosed() throws IOException {
        ControlMessage before = first;
        if (before != null) {
            first = null;
            return before;
        }
        return readNext();
    }

    private @Nullable ControlMessage readNext() throws IOException {
        long before = signsOfLife.getAsLong();
        int silentReads = 0;
        while (true) {
            try {
                return connection.readUnlessClosed();
            } catch (SocketTimeoutException e) {
                long now = signsOfLife.getAsLong();
                silentReads = now == before ? silentReads + 1 : 0;
                before = now;
                if (connection.isWithinMessage() || silentReads >= readsPerSilence) {
                    throw e;
                }
            }
        }
    }

    private ReceiverHost host() throws IOException {
        EchoPorts ports = echoPorts;
        if (ports == null) {
            ports = EchoPorts.open(dataHost(), Endpoint.parse(connection.peer()).host());
            echoPorts = ports;
        }
        Map<String, Long> limits = new HashMap<>();
        for (SocketBuffer buffer : List.of(SocketBuffer.RECEIVE, SocketBuffer.SEND)) {
            buffer.limitBytes().ifPresent(bytes -> limits.put(buffer.limitName(), bytes));
        }
        return new ReceiverHost(
                LagbenchVersion.number(),
                System.getProperty("java.version"),
                limits,
                dataHost(),
                ports.tcpPort(),
                ports.udpPort());
    }

    private void closeResponder() throws IOException {
        if (responder != null) {
            responder.close();
            responder = null;
        }
    }

    /** Closes what the sender requested besides a run. The connection remains open. */
    @Override
    public void close() throws IOException {
        closeResponder();
        if (echoPorts != null) {
            echoPorts.close();
        }
    }
}
