package org.lagbench.core.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.StrictJson;
import tools.jackson.databind.JsonNode;

/**
 * What a side of a run recorded about itself, as entries of {@link RunRecord.Side#metadata}: one of these records. Each
 * component of a record is an entry with its name; one that is null has none. So what a recorder writes and what is
 * read is one declaration.
 */
public sealed interface SideFacts
        permits ArrivalFacts,
                BusFacts,
                CallFacts,
                CauseFacts,
                CompilationFacts,
                ConnectionFacts,
                DecidedObservation,
                DepartureFacts,
                DropFacts,
                KeptFiles,
                PathMtuFacts,
                QueueDropFacts,
                QuotaFacts,
                ReceiverFacts,
                RetransmissionFacts,
                SenderFacts {
    /**
     * Checks the entries of a side's metadata that the records have.
     *
     * @param path of the metadata, for the message
     * @throws IllegalArgumentException with the entry and its value, if one cannot be of its record
     */
    static void check(Map<String, Object> entries, String path) {
        JsonNode tree = StrictJson.tree(entries);
        for (Class<?> type : SideFacts.class.getPermittedSubclasses()) {
            StrictJson.check(tree, type.asSubclass(Record.class), path);
        }
    }

    /** Returns the entries of records. */
    static Map<String, Object> entries(Collection<? extends SideFacts> metadata) {
        Map<String, Object> entries = new TreeMap<>();
        for (SideFacts record : metadata) {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                Object value = value(component, record);
                if (value != null) {
                    entries.put(component.getName(), value);
                }
            }
        }
        return entries;
    }

    /** Adds the entries of this record. */
    default void putInto(Map<String, Object> entries) {
        entries.putAll(entries(List.of(this)));
    }

    private static @Nullable Object value(RecordComponent component, SideFacts record) {
        try {
            return component.getAccessor().invoke(record);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException(component + " cannot be read", e);
        }
    }

    /**
     * Returns the record of some entries.
     *
     * @return null if an entry that the record must have is missing, or one has another type
     */
    static <T extends Record & SideFacts> @Nullable T read(Map<String, Object> entries, Class<T> type) {
        Map<String, Object> own = new TreeMap<>();
        for (RecordComponent component : type.getRecordComponents()) {
            Object value = entries.get(component.getName());
            if (value != null) {
                own.put(component.getName(), value);
            }
        }
        try {
            return own.isEmpty() ? null : StrictJson.convert(StrictJson.tree(own), type);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
