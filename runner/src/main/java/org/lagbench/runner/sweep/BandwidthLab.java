package org.lagbench.runner.sweep;

import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.StreamRole;
import org.lagbench.lab.Lab;
import org.lagbench.lab.LabBottleneck;

/** An emulated network for estimates of its available bandwidth on the sender's host. */
public final class BandwidthLab implements AutoCloseable {
    private final Lab lab;
    private final LabBottleneck bottleneck;

    private BandwidthLab(Lab lab, LabBottleneck bottleneck) {
        this.lab = lab;
        this.bottleneck = bottleneck;
    }

    /**
     * Creates the network, which {@link #close} removes.
     *
     * @param withAgent whether to start an SNMP agent at the slow link
     */
    public static BandwidthLab create(Network network, boolean withAgent) throws LagbenchException {
        Lab lab = Lab.forThisProcess(network);
        try {
            return new BandwidthLab(lab, lab.openBottleneck(network, withAgent));
        } catch (LagbenchException e) {
            lab.close();
            throw e;
        }
    }

    /** Returns the command that runs lagbench on the sender's host, with arguments and the bottleneck's option. */
    public List<String> command(List<String> arguments) throws LagbenchException {
        List<String> all = new ArrayList<>(arguments);
        all.add("--bottleneck=" + bottleneck.bottleneck().text());
        List<String> command =
                new ArrayList<>(Hosts.of(lab, StreamRole.Direction.FORWARD).onSender());
        command.addAll(ChildJvm.lagbench(all));
        return command;
    }

    /** Starts the competing flows. Their times are relative to this call. */
    public void beginFlows() throws LagbenchException {
        lab.beginFlows(0);
    }

    @Override
    public void close() throws LagbenchException {
        try (lab;
                bottleneck) {
            // closed in the reverse order
        }
    }
}
