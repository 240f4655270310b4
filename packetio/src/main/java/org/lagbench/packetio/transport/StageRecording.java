package org.lagbench.packetio.transport;

import java.nio.file.Path;

/**
 * Where one side of a run records the stages of its packets.
 *
 * @param directory the run's directory, in which the files are created
 * @param packets number of recorded packets
 * @param warmUpPackets number of packets before them
 */
public record StageRecording(Path directory, long packets, long warmUpPackets) {}
