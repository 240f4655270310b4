package org.lagbench.cli.sweep;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.run.StreamRole;
import org.lagbench.lab.Lab;

/**
 * Where a run's sender and receiver are: on this machine as it is, or on two hosts of a lab.
 *
 * @param onSender what begins the sender's command line
 * @param onReceiver what begins the receiver's
 * @param listen where the receiver waits for the control connection
 * @param dataHost the receiver's address for the packets; null for the same
 * @param keyFile the key that both have; null for none
 */
record Hosts(
        List<String> onSender,
        List<String> onReceiver,
        String listen,
        @Nullable String dataHost,
        @Nullable Path keyFile) {
    /** Both on this machine's loopback, where no key is needed. */
    static final Hosts LOOPBACK = new Hosts(List.of(), List.of(), "127.0.0.1:0", null, null);

    /**
     * The two hosts of a lab. They talk over its control link, so that nothing they say is among the packets on the
     * link that is measured. A key keeps out what else may be put into the lab.
     *
     * @param direction which way the packets go
     */
    static Hosts of(Lab lab, StreamRole.Direction direction) throws LagbenchException {
        Map<String, String> addresses = lab.addresses();
        if (direction == StreamRole.Direction.BACKWARD) {
            return new Hosts(
                    lab.commandOn("receiver"),
                    lab.commandOn("sender"),
                    Objects.requireNonNull(addresses.get("control-sender")) + ":0",
                    addresses.get("sender"),
                    lab.keyFile());
        }
        return new Hosts(
                lab.commandOn("sender"),
                lab.commandOn("receiver"),
                Objects.requireNonNull(addresses.get("control")) + ":0",
                addresses.get("receiver"),
                lab.keyFile());
    }
}
