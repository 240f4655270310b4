package org.lagbench.runner.sweep;

import java.nio.file.Path;
import java.util.ArrayList;
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
 * @param keyFile the shared key of both; null for none
 * @param key the text of a key that both read from their standard inputs, which no other user can read; null for none
 */
public record Hosts(
        List<String> onSender,
        List<String> onReceiver,
        String listen,
        @Nullable String dataHost,
        LocalEnd local,
        @Nullable Path keyFile,
        @Nullable String key) {
    /**
     * Sender and receiver both on this machine, over its loopback interface. Other users of this machine can connect to
     * that interface too, so the two share a random key that is new in each process.
     */
    public static final Hosts LOOPBACK =
            new Hosts(List.of(), List.of(), "127.0.0.1:0", null, LocalEnd.ANY, null, SharedKey.newText());

    /** Returns the hosts of a run whose receiver is already listening elsewhere. */
    static Hosts external(Endpoint receiver, @Nullable String dataHost, LocalEnd local, @Nullable Path keyFile) {
        return new Hosts(List.of(), List.of(), receiver.toString(), dataHost, local, keyFile, null);
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
                addresses.get(isForward ? "control" : "control-sender") + ":0",
                addresses.get(receiver),
                LocalEnd.ANY,
                lab.keyFile(),
                null);
    }

    /** Returns the key that both sides read from their standard inputs; there must be one. */
    public SharedKey sharedKey() throws LagbenchException {
        return SharedKey.parse("The session", Objects.requireNonNull(key, "the key"));
    }

    /** Returns the options of a receiver that listens at this address and keeps its files in this directory. */
    List<String> receiverOptions(String address, Path directory) {
        List<String> options = new ArrayList<>(List.of("--listen=" + address, "--directory=" + directory));
        if (keyFile != null) {
            options.add("--key-file=" + keyFile);
        }
        if (key != null) {
            options.add("--key-on-stdin");
        }
        if (dataHost != null) {
            options.add("--data-host=" + dataHost);
        }
        return options;
    }

    @Override
    public String toString() {
        return listen; // the text must not contain the key
    }
}
