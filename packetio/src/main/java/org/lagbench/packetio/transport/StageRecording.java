package org.lagbench.packetio.transport;

import java.nio.file.Path;

/**
 * Where one side of a run records the stages of its packets.
 *
 * @param directory the run's directory, in which the files are created
 * @param packets number of recorded packets
 * @param warmUpPackets number of warm-up packets, which are sent before the recorded ones
 * @param leadOutPackets number of lead-out packets, which are sent after the recorded ones
 */
public record StageRecording(Path directory, long packets, long warmUpPackets, long leadOutPackets) {}
