package org.lagbench.native1394;

import java.util.LinkedHashMap;
import java.util.Map;
import org.lagbench.core.failure.ExitCode;
import org.lagbench.core.failure.LagbenchException;

/**
 * What a sender tells its receiver.
 *
 * @param channel the channel that it reserved, 0 to 63
 * @param senderGuid the unique identifier (EUI-64) of the sending node, 0 if it could not be read
 */
record Announcement(int channel, long senderGuid) {
    private static final String CHANNEL = "channel";
    private static final String NODE = "node";

    Map<String, String> toMap() {
        Map<String, String> map = new LinkedHashMap<>();
        map.put(CHANNEL, Integer.toString(channel));
        map.put(NODE, Port.guidText(senderGuid));
        return map;
    }

    /** Reads what came from the sender, which may be anybody. */
    static Announcement parse(Map<String, String> map) throws LagbenchException {
        try {
            int channel = Integer.parseInt(map.getOrDefault(CHANNEL, ""));
            long guid = Long.parseUnsignedLong(map.getOrDefault(NODE, ""), 16);
            if (channel >= 0 && channel <= 63) {
                return new Announcement(channel, guid);
            }
        } catch (NumberFormatException e) {
            // the sentence below says what was wrong
        }
        throw new LagbenchException(
                ExitCode.PEER,
                "The sender's announcement does not name a channel from 0 to 63 and a node: " + map + ".");
    }
}
