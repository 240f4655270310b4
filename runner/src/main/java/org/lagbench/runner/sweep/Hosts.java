package org.lagbench.runner.sweep;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.key.SharedKey;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.StreamRole;
import org.lagbench.core.text.Endpoint;
import org.lagbench.lab.Lab;

/**
 * Where the sender and the receiver of a run are: on this machine, or on two hosts of a lab.
 *
 * @param onSender prefix of the sender's command line
 * @param onReceiver prefix of the receiver's command line
 * @param listen where the receiver listens for the control connection
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param local this host's end of the packets
 * @param key shared by both; null for none
 */
public record Hosts(
        List<String> onSender,
        List<String> onReceiver,
        Endpoint listen,
        @Nullable String dataHost,
        LocalEnd local,
        @Nullable SharedKey key) {
    /**
     * Sender and receiver both on this machine, over its loopback interface. Other users of this machine can connect to
     * that interface too, so the two share a random key that is new in each process.
     */
    public static final Hosts LOOPBACK =
            new Hosts(List.of(), List.of(), new Endpoint("127.0.0.1", 0), null, LocalEnd.ANY, SharedKey.random());

    /** Returns the hosts of a run whose receiver is already listening elsewhere. */
    static Hosts external(Endpoint receiver, @Nullable String dataHost, LocalEnd local, @Nullable SharedKey key) {
        return new Hosts(List.of(), List.of(), receiver, dataHost, local, key);
    }

    /**
     * Returns the two hosts of a lab. Their control connection uses the lab's control link, so that no control message
     * is among the measured packets. The key keeps other programs in the lab out.
     */
    static Hosts of(Lab lab, StreamRole.Direction direction) throws LagbenchException {
        boolean isForward = direction == StreamRole.Direction.FORWARD;
        String sender = isForward ? "sender" : "receiver";
        String receiver = isForward ? "receiver" : "sender";
        Map<String, String> addresses = lab.addresses();
        return new Hosts(
                lab.commandOn(sender),
                lab.commandOn(receiver),
                new Endpoint(Objects.requireNonNull(addresses.get(isForward ? "control" : "control-sender")), 0),
                addresses.get(receiver),
                LocalEnd.ANY,
                SharedKey.read(lab.keyFile()));
    }
}
