package org.lagbench.native1394;

import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * The channel and node that one side announces to the side that receives from it.
 *
 * @param channel the reserved channel, 0 to 63
 * @param senderGuid the unique identifier (EUI-64) of the sending node, 0 if it could not be read
 */
record Announcement(int channel, long senderGuid) {
    private static final String CHANNEL = "channel";
    private static final String NODE = "node";

    Map<String, String> toMap() {
        return Map.of(CHANNEL, Integer.toString(channel), NODE, Port.guidText(senderGuid));
    }

    /**
     * Parses an announcement, which is not trusted.
     *
     * @param side the side that announced it, "sender" or "receiver"
     */
    static Announcement parse(String side, Map<String, String> map) throws LagbenchException {
        try {
            int channel = Integer.parseInt(map.getOrDefault(CHANNEL, ""));
            long guid = Long.parseUnsignedLong(map.getOrDefault(NODE, ""), 16);
            if (channel >= 0 && channel <= 63) {
                return new Announcement(channel, guid);
            }
        } catch (NumberFormatException e) {
            // the exception below contains the announcement
        }
        throw ExitCode.PEER.failure(
                "The " + side + "'s announcement has no channel from 0 to 63 or no node: " + map + ".");
    }
}
