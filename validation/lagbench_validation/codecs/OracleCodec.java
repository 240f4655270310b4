import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32;
import org.lagbench.core.codec.Codec;
import org.lagbench.core.codec.CodecChoice;
import org.lagbench.core.codec.Codecs;

/**
 * Encodes each chunk with the codec that a schedule names for its contents. The first encoded byte is the number of
 * that codec. The class is an agent only because an agent's jar is on the class path.
 */
public final class OracleCodec implements Codec {
    private static final int ID = 127;
    private static final List<CodecChoice> CHOICES = new ArrayList<>();
    private static final Map<Long, Integer> SCHEDULE = new HashMap<>();

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
        return 1 + Codecs.load().all().stream()
                .filter(codec -> codec.id() != ID)
                .mapToInt(codec -> codec.maximumBytes(bytes))
                .max()
                .orElseThrow();
    }

    @Override
    public Encoder openEncoder(int level) {
        read();
        Encoder[] encoders = CHOICES.stream()
                .map(choice -> choice.codec().openEncoder(choice.level()))
                .toArray(Encoder[]::new);
        CRC32 checksum = new CRC32();
        return (from, to) -> {
            int position = from.position();
            checksum.reset();
            checksum.update(from);
            from.position(position);
            int choice = SCHEDULE.get(checksum.getValue());
            int id = CHOICES.get(choice).codec().id();
            if (id == 0) {
                return from.remaining() + 1; // not shorter than the chunk, so it is sent raw
            }
            to.put((byte) id);
            return 1 + encoders[choice].encode(from, to);
        };
    }

    private static void read() {
        Codecs codecs = Codecs.load();
        Map<String, Integer> known = new HashMap<>();
        try {
            for (String line : Files.readAllLines(Path.of(file))) {
                String[] words = line.split(" ");
                SCHEDULE.put(Long.parseLong(words[0]), known.computeIfAbsent(words[1], name -> {
                    CHOICES.add(codecs.choice(name).orElseThrow());
                    return CHOICES.size() - 1;
                }));
            }
        } catch (IOException e) {
            throw new IllegalStateException("the oracle's schedule cannot be read", e);
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
