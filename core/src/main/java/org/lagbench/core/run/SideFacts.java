package org.lagbench.core.run;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.file.StrictJson;

/**
 * The records of what a side of a run recorded about itself, as entries of {@link RunRecord.Side#metadata}. Each
 * component of a record is an entry with its name; one that is null has none. So what a recorder writes and what is
 * read is one declaration.
 */
public final class SideFacts {
    private SideFacts() {}

    /**
     * Checks the entries of a side's metadata that a record has.
     *
     * @param path of the metadata, for the message
     * @throws IllegalArgumentException with the entry and its value, if one cannot be of the record
     */
    public static void check(Map<String, Object> entries, Class<? extends Record> type, String path) {
        StrictJson.check(StrictJson.tree(entries), type, path);
    }

    /** Returns the entries of records. */
    public static Map<String, Object> entries(Collection<? extends Record> metadata) {
        Map<String, Object> entries = new TreeMap<>();
        for (Record record : metadata) {
            for (RecordComponent component : record.getClass().getRecordComponents()) {
                Object value = value(component, record);
                if (value != null) {
                    entries.put(component.getName(), value);
                }
            }
        }
        return entries;
    }

    private static @Nullable Object value(RecordComponent component, Record record) {
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
    public static <T extends Record> @Nullable T read(Map<String, Object> entries, Class<T> type) {
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
