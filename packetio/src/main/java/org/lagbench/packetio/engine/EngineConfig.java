package org.lagbench.packetio.engine;

import java.nio.file.Path;
import org.lagbench.packetio.transport.TransportRun;

/**
 * What a program of its own must know to move the packets of a run.
 *
 * @param transport the transport's name
 * @param run what its transport must know
 * @param packets how many are recorded
 * @param warmUpPackets how many go before them at the most
 * @param captureFile the capture, made by whoever conducts the program
 */
public record EngineConfig(String transport, TransportRun run, long packets, long warmUpPackets, Path captureFile) {}
