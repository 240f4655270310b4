import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.lagbench.core.model.Codec;
import org.lagbench.core.model.Codecs;

/**
 * Encodes each chunk with the codec that a schedule names for its contents. The first encoded byte is the number of
 * that codec. The class is an agent only because an agent's jar is on the class path.
 */
public final class OracleCodec implements Codec {
    private static final int ID = 127;

    /** The number of the codec none. */
    private static final int RAW = 0;

    private static volatile String file = "";

    /**
     * Receives the schedule's file; null in a receiver, which needs none. A line has the CRC-32 of a chunk and the name
     * of its codec.
     */
    public static void premain(String argument) {
        file = argument == null ? "" : argument;
    }

    @Override
    public String name() {
        return "oracle";
    }

    @Override
    public int id() {
        return ID;
    }

    @Override
    public int maximumBytes(int bytes) {
        return 1
                + Codecs.load().all().stream()
                        .filter(codec -> codec.id() != ID)
                        .mapToInt(codec -> codec.maximumBytes(bytes))
                        .max()
                        .orElseThrow();
    }

    @Override
    public Encoder openEncoder(int level) {
        Codecs codecs = Codecs.load();
        Map<String, Chosen> known = new HashMap<>();
        Map<Long, Chosen> schedule = new HashMap<>();
        for (String[] line : readSchedule()) {
            Chosen chosen = known.computeIfAbsent(
                    line[1], name -> codecs.choice(name).map(Chosen::of).orElseThrow());
            schedule.put(Long.parseLong(line[0]), chosen);
        }
        CRC32 checksum = new CRC32();
        return (from, to) -> {
            int position = from.position();
            checksum.reset();
            checksum.update(from);
            from.position(position);
            Chosen chosen = schedule.get(checksum.getValue());
            if (chosen.id == RAW) {
                return from.remaining() + 1; // not shorter than the chunk, so it is sent raw
            }
            to.put((byte) chosen.id);
            return 1 + chosen.encoder.encode(from, to);
        };
    }

    private static List<String[]> readSchedule() {
        try (Stream<String> lines = Files.lines(Path.of(file))) {
            return lines.map(line -> line.split(" ")).collect(Collectors.toList());
        } catch (IOException e) {
            throw new UncheckedIOException("the oracle's schedule cannot be read", e);
        }
    }

    private record Chosen(int id, Encoder encoder) {
        static Chosen of(Codec.Choice choice) {
            return new Chosen(choice.codec().id(), choice.codec().openEncoder(choice.level()));
        }
    }

    @Override
    public Decoder openDecoder() {
        Decoder[] decoders = new Decoder[ID];
        Codecs.load().all().stream()
                .filter(codec -> codec.id() != ID)
                .forEach(codec -> decoders[codec.id()] = codec.openDecoder());
        return (from, to) -> decoders[from.get()].decode(from, to);
    }
}
