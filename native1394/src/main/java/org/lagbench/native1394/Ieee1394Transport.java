package org.lagbench.native1394;

import java.util.List;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.core.model.Parameter;
import org.lagbench.core.model.Settings;
import org.lagbench.core.model.Wire;
import org.lagbench.native1394.Ieee1394Settings.Speed;
import org.lagbench.native1394.Ieee1394Side.Announcement;
import org.lagbench.packetio.transport.PacketReceiver;
import org.lagbench.packetio.transport.PacketSender;
import org.lagbench.packetio.transport.PacketTransport;
import org.lagbench.packetio.transport.SideConfig;

/** Isochronous streams over IEEE-1394: one packet per cycle of 125 µs, on a reserved channel, through libraw1394. */
public final class Ieee1394Transport implements PacketTransport {
    /** Length of a bus cycle in ns; an isochronous channel carries at most one packet per cycle. */
    public static final long CYCLE_NS = 125_000;

    @Override
    public String name() {
        return "ieee1394";
    }

    @Override
    public String title() {
        return "IEEE-1394";
    }

    @Override
    public int tableOrder() {
        return 2;
    }

    @Override
    public List<Parameter<?>> settings() {
        return Ieee1394Settings.DEFINITIONS;
    }

    @Override
    public int maximumPacketBytes(Settings settings) {
        return Speed.of(settings).maximumPacketBytes();
    }

    @Override
    public void check(int packetBytes, Settings settings) throws LagbenchException {
        Ieee1394Settings.of(packetBytes, settings);
    }

    @Override
    public void checkMachine(Settings settings) throws LagbenchException {
        Raw1394.load();
    }

    @Override
    public long minimumIntervalNs() {
        return CYCLE_NS;
    }

    @Override
    public Wire wire() {
        return Wire.BUS;
    }

    /** Enough to complete the interrupt interval, and to fill the transmit queue meanwhile. */
    @Override
    public long leadOutPackets(int packetBytes, Settings settings, boolean flood) {
        return (long) Ieee1394Settings.interruptInterval(settings, packetBytes)
                + Ieee1394Settings.queuePackets(settings);
    }

    @Override
    public PacketSender openSender(SideConfig run) throws LagbenchException {
        return Ieee1394Sender.open(run, Ieee1394Settings.of(run));
    }

    @Override
    public PacketReceiver openReceiver(SideConfig run) throws LagbenchException {
        return Ieee1394Receiver.open(run, Ieee1394Settings.of(run), Announcement.parse("sender", run.announced()));
    }
}
