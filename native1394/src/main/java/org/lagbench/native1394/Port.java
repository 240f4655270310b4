package org.lagbench.native1394;

import java.util.List;

/**
 * A 1394 port (controller) of this machine and its bus.
 *
 * @param number its number in libraw1394, from 0
 * @param device its device file, such as "/dev/fw0"
 * @param nodes number of nodes on its bus, including itself
 * @param guid its unique identifier (EUI-64), 0 if it could not be read
 * @param guids the unique identifiers of all nodes whose configuration ROM this process may read, including itself
 * @param speed its speed: 100, 200, 400, 800 or more Mbit/s; 0 if unknown
 * @param bandwidthUnits available isochronous bandwidth in allocation units; −1 if unknown
 * @param channels the available channels, channel 0 in the lowest bit; 0 if unknown
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

    /** Formats a unique identifier as 16 hexadecimal digits. */
    public static String guidText(long guid) {
        return String.format("%016x", guid);
    }
}
