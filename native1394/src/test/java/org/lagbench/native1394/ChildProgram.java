package org.lagbench.native1394;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.lagbench.core.failure.LagbenchException;
import org.lagbench.packetio.transport.PacketSender;

/**
 * A program that the tests run in a separate process: {@code flood}, {@code hold} a channel until killed, or
 * {@code open} a sender at a speed.
 */
final class ChildProgram {
    private ChildProgram() {}

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "flood" -> {
                Path directory = Files.createTempDirectory("lagbench-test-");
                StreamRun run = StreamRun.flood(directory, 992, 500, Map.of("input-buffer", "4096"));
                Files.delete(directory.resolve("sender.npy"));
                Files.delete(directory.resolve("receiver.npy"));
                Files.delete(directory);
                System.out.println("received " + run.received().size());
            }
            case "hold" -> {
                try (PacketSender sender =
                        new Ieee1394Transport().openSender(StreamRun.run(992, Map.of("channel", arguments[1])))) {
                    sender.connect(Map.of());
                    System.out.println("holding " + sender.announce().get("channel"));
                    Thread.sleep(60_000);
                }
            }
            case "open" -> {
                Map<String, String> speed = Map.of("speed", arguments[1]);
                try (PacketSender sender = new Ieee1394Transport().openSender(StreamRun.run(24, speed))) {
                    System.out.println("opened " + sender.announce());
                } catch (LagbenchException e) {
                    System.out.println(e.sentence());
                    System.exit(e.exitCode().code());
                }
            }
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }
}
