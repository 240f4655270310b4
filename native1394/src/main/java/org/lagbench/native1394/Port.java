package org.lagbench.native1394;

import java.util.List;

/**
 * A 1394 port (controller) of this machine and what it sees of its bus.
 *
 * @param number its number in libraw1394, from 0
 * @param device its device file, "/dev/fw0"
 * @param nodes how many nodes are on its bus, itself included
 * @param guid its own unique identifier (EUI-64), 0 if it could not be read
 * @param guids the unique identifiers of all nodes whose configuration ROM this process may read, itself included
 * @param speed its speed: 100, 200, 400, 800 or more Mbit/s; 0 if not told
 * @param bandwidthUnits isochronous bandwidth left at the resource manager in allocation units; −1 if it cannot be read
 * @param channels the channels left there, channel 0 in the lowest bit; 0 if they cannot be read
 */
public record Port(
        int number,
        String device,
        int nodes,
        long guid,
        List<Long> guids,
        int speed,
        int bandwidthUnits,
        long channels) {
    public Port {
        guids = List.copyOf(guids);
    }

    /** A unique identifier as 16 hexadecimal digits. */
    public static String guidText(long guid) {
        return String.format("%016x", guid);
    }
}
