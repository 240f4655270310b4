package org.lagbench.experiment;

import org.lagbench.core.model.Settings;
import org.lagbench.core.run.Pace;
import org.lagbench.core.run.StreamRole;

/**
 * One of several streams that an experiment sends at the same time.
 *
 * @param name a unique name for directories and tables
 * @param transport the transport's name
 * @param packetBytes size of each packet, header included, in bytes
 * @param packets number of packets that a run records
 */
public record PacketStream(
        String name,
        String transport,
        int packetBytes,
        long packets,
        Pace pace,
        StreamRole.Direction direction,
        Settings settings) {}
