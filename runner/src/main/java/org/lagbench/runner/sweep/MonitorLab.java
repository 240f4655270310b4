package org.lagbench.runner.sweep;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lagbench.core.address.Endpoint;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.failure.ShutdownCoordinator;
import org.lagbench.core.model.Network;
import org.lagbench.core.run.StreamRole;
import org.lagbench.lab.Lab;

/** An emulated network for a monitor: a receiver runs on one host, and the monitor itself on the other. */
public final class MonitorLab implements AutoCloseable {
    private final Lab lab;
    private final Hosts hosts;

    private MonitorLab(Lab lab) throws LagbenchException {
        this.lab = lab;
        this.hosts = Hosts.of(lab, StreamRole.Direction.FORWARD);
    }

    /** Creates the network, which {@link #close} removes. */
    public static MonitorLab create(Network network) throws LagbenchException {
        return new MonitorLab(Lab.forThisProcess(network));
    }

    /**
     * Starts the receiver.
     *
     * @param directory parent of the directories of its runs
     * @param messages receives a line each time the receiver dies
     */
    public Endpoint startReceiver(Path directory, PrintWriter messages, ShutdownCoordinator shutdown)
            throws LagbenchException, InterruptedException {
        return LocalReceiver.start(hosts, directory, messages, shutdown);
    }

    /**
     * Returns the program that runs lagbench on the sender's host, with these arguments and the keys of the receiver.
     */
    public List<String> command(List<String> arguments, Endpoint receiver) {
        List<String> all = new ArrayList<>(arguments);
        all.add("--lab-receiver=" + receiver);
        if (hosts.dataHost() != null) {
            all.add("--lab-data-host=" + hosts.dataHost());
        }
        if (hosts.keyFile() != null) {
            all.add("--lab-key-file=" + hosts.keyFile());
        }
        List<String> command = new ArrayList<>(hosts.onSender());
        command.addAll(ChildJvm.lagbench(all));
        return command;
    }

    /** Begins the competing flows of the network. */
    public void beginFlows() throws LagbenchException {
        lab.beginFlows(0);
    }

    @Override
    public void close() throws LagbenchException {
        lab.close();
    }
}
