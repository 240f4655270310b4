package org.lagbench.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.lagbench.control.HandshakeInput;

/** The inputs from which a fuzzer starts: the corpus, and files of the checkout. */
final class Seeds {
    /** The checkout, relative to this module. */
    private static final Path CHECKOUT = Path.of(System.getProperty("lagbench.home", "../.."));

    private Seeds() {}

    /** Returns the seeds of a target, the same in the same order each time. */
    static List<byte[]> of(Target target) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        switch (target) {
            case EXPERIMENT -> addFiles(seeds, CHECKOUT.resolve("configs"), ".yaml");
            case NETWORK -> {
                addFiles(seeds, CHECKOUT.resolve("configs/networks"), ".yaml");
                addFiles(
                        seeds,
                        CHECKOUT.resolve("experiment/src/main/resources/org/lagbench/experiment/networks"),
                        ".yaml");
            }
            case SITES -> addFiles(seeds, CHECKOUT.resolve("configs/sites"), ".yaml");
            case RUN -> {
                for (Path file : RunInput.FILES) {
                    seeds.add(RunInput.unchanged(file));
                }
            }
            case RECORD -> {
                for (Path file : RunInput.records()) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
            case HANDSHAKE -> seeds.addAll(HandshakeInput.seeds());
            case CHUNKS -> seeds.addAll(ChunkInput.frames());
            default -> {}
        }
        addFiles(seeds, Path.of(System.getProperty(RunInput.CORPUS, "corpus"), target.word()), "");
        return seeds;
    }

    private static void addFiles(List<byte[]> seeds, Path directory, String suffix) throws IOException {
        if (Files.isDirectory(directory)) {
            List<Path> files;
            try (Stream<Path> found = Files.list(directory)) {
                files = found.filter(Files::isRegularFile).sorted().toList();
            }
            for (Path file : files) {
                if (file.toString().endsWith(suffix)) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        }
    }

    /** Writes the seeds of the target {@code arguments[0]} to the directory {@code arguments[1]}. */
    public static void main(String[] arguments) throws IOException {
        int number = 0;
        for (byte[] seed : of(Target.named(arguments[0]))) {
            Files.write(Path.of(arguments[1], "seed-" + number++), seed);
        }
    }
}
