package org.lagbench.packetio.linux;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/**
 * The kernel's names of the reasons for which it drops packets. Their numbers differ between kernels, so the names come
 * from the running kernel's types (BTF: Documentation/bpf/btf.rst).
 */
public final class DropReasons {
    private static final Path OF_KERNEL = Path.of("/sys/kernel/btf/vmlinux");
    private static final String TYPE = "skb_drop_reason";
    private static final String PREFIX = "SKB_DROP_REASON_";
    private static final int MAGIC = 0xeb9f;

    /** Offsets in the header. */
    private static final int HEADER_BYTES = 4;

    private static final int TYPES = 8;
    private static final int TYPES_BYTES = 12;
    private static final int STRINGS = 16;

    /** The bytes that follow a type of each kind, without those of its members. */
    private static final int[] BYTES = {0, 4, 0, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 4, 0, 0};

    /** The bytes of each member of a type of each kind. */
    private static final int[] MEMBER_BYTES = {0, 0, 0, 0, 12, 12, 8, 0, 0, 0, 0, 0, 0, 8, 0, 12, 0, 0, 0, 12};

    private static final int ENUM = 6;
    private static final int TYPE_BYTES = 12;
    private static final int KIND = 24;
    private static final int KIND_MASK = 0x1f;

    private DropReasons() {}

    /** Returns the names by their numbers, such as SOCKET_RCVBUFF; none if the kernel has no such file. */
    public static Map<Long, String> ofKernel() {
        try {
            return of(ByteBuffer.wrap(Files.readAllBytes(OF_KERNEL)).order(ByteOrder.nativeOrder()));
        } catch (IOException | BufferUnderflowException | IndexOutOfBoundsException e) {
            return Map.of();
        }
    }

    /** Returns the names in BTF. */
    static Map<Long, String> of(ByteBuffer btf) {
        if (Short.toUnsignedInt(btf.getShort(0)) != MAGIC) {
            return Map.of();
        }
        int first = btf.getInt(HEADER_BYTES) + btf.getInt(TYPES);
        int end = first + btf.getInt(TYPES_BYTES);
        int strings = btf.getInt(HEADER_BYTES) + btf.getInt(STRINGS);
        for (int at = first; at < end; ) {
            int info = btf.getInt(at + Integer.BYTES);
            int kind = info >> KIND & KIND_MASK;
            int members = info & 0xffff;
            if (kind == ENUM && string(btf, strings + btf.getInt(at)).equals(TYPE)) {
                return names(btf, at + TYPE_BYTES, members, strings);
            }
            at += TYPE_BYTES + BYTES[kind] + members * MEMBER_BYTES[kind];
        }
        return Map.of();
    }

    private static Map<Long, String> names(ByteBuffer btf, int first, int members, int strings) {
        Map<Long, String> names = new TreeMap<>();
        for (int at = first; at < first + members * MEMBER_BYTES[ENUM]; at += MEMBER_BYTES[ENUM]) {
            String name = string(btf, strings + btf.getInt(at));
            if (name.startsWith(PREFIX)) {
                names.put((long) btf.getInt(at + Integer.BYTES), name.substring(PREFIX.length()));
            }
        }
        return names;
    }

    private static String string(ByteBuffer btf, int at) {
        int end = at;
        while (btf.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - at];
        btf.get(at, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
