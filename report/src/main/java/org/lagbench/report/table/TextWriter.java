package org.lagbench.report.table;

/** Writes tables in aligned columns for a terminal. */
public final class TextWriter {
    private TextWriter() {}

    /** Writes the warnings, the tables that have rows, then the notes. */
    public static void write(Document document, StringBuilder out) {
        for (String warning : document.warnings()) {
            writeNote("! " + warning, out);
        }
        out.append(document.warnings().isEmpty() ? "" : "\n");
        for (Table table : document.tables()) {
            if (!table.rows().isEmpty()) {
                writeNote(table.title(), out);
                out.append('\n');
                TextLayout.write(table, out);
                for (String mark : document.marks()) {
                    writeNote(mark, out);
                }
                out.append('\n');
            }
        }
        for (String note : document.notes()) {
            writeNote(note, out);
        }
    }

    private static void writeNote(String note, StringBuilder out) {
        StringBuilder line = new StringBuilder();
        for (String word : note.split(" ", -1)) {
            if (!line.isEmpty() && line.length() + 1 + word.length() > TextLayout.WIDTH) {
                out.append(line).append('\n');
                line = new StringBuilder(" ");
            }
            line.append(line.isEmpty() ? "" : " ").append(word);
        }
        out.append(line).append('\n');
    }
}
