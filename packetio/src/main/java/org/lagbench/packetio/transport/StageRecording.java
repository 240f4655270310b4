package org.lagbench.packetio.transport;

import java.nio.file.Path;

/**
 * Where one side of a run records what happens to packets on their way through the machine.
 *
 * @param directory the run's, in which files are made
 * @param packets how many packets the run records
 * @param warmUpPackets how many go before them
 */
public record StageRecording(Path directory, long packets, long warmUpPackets) {}
