package org.lagbench.cli;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lagbench.core.model.Registry;

/** The registry of subcommands, in the order of the help. Immutable. It makes no instance of a subcommand. */
final class Subcommands extends Registry<Subcommands.Entry> {
    /** More than the positions in a section. */
    private static final int SECTION = 1_000;

    /**
     * A subcommand.
     *
     * @param type its class, whose name is that of the subcommand with "Command" at the end
     */
    record Entry(Class<? extends Subcommand> type) implements Registry.Named {
        @Override
        public String name() {
            return type.getSimpleName().replaceFirst("Command$", "").toLowerCase(Locale.ROOT);
        }

        HelpSection section() {
            return listed().in();
        }

        @Override
        public int order() {
            return List.of(HelpSection.values()).indexOf(section()) * SECTION + listed().order();
        }

        private Listed listed() {
            return Objects.requireNonNull(type.getAnnotation(Listed.class), () -> type + " is not @Listed");
        }
    }

    Subcommands(List<Entry> entries) {
        super("command", entries);
    }

    /** Returns all subcommands on the class path. */
    static Subcommands load() {
        return new Subcommands(search().toList());
    }

    /** Returns one subcommand; empty if there is none. Searches no further, so that a command starts soon. */
    static Optional<Entry> search(String name) {
        return search().filter(entry -> entry.name().equals(name)).findFirst();
    }

    /** Returns the section of a subcommand, or of picocli's {@code help}; null for another word. */
    @Nullable
    HelpSection sectionOf(String word) {
        return word.equals("help")
                ? HelpSection.SHELL
                : find(word).map(Entry::section).orElse(null);
    }

    private static Stream<Entry> search() {
        return ServiceLoader.load(Subcommand.class).stream().map(provider -> new Entry(provider.type()));
    }
}
