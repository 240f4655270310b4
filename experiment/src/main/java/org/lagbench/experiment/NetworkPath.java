package org.lagbench.experiment;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.ClockPolicy;
import org.lagbench.core.run.LocalEnd;
import org.lagbench.core.run.MachinePolicy;
import org.lagbench.core.text.Endpoint;

/**
 * The hosts of an experiment and the network between them.
 *
 * @param receiver the receiver's address; null to start one on this machine
 * @param keyFile the file with the key shared with the receiver, absolute; null for none
 * @param dataHost the receiver's address for packets; null if it is that of the control connection
 * @param local this host's end of the packets
 * @param lab the emulated network; null for this machine's own
 * @param clock the requirements of the clocks
 * @param machine the requirements of the hosts besides their clocks
 */
public record NetworkPath(
        @Nullable Endpoint receiver,
        @Nullable Path keyFile,
        @Nullable String dataHost,
        LocalEnd local,
        @Nullable Network lab,
        ClockPolicy clock,
        MachinePolicy machine) {}
