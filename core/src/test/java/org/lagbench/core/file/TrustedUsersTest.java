package org.lagbench.core.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.lagbench.core.file.TrustedUsers.Owner;

class TrustedUsersTest {
    private static final Owner SERVICE = new Owner(61_000, 61_000, 0555);
    private static final Owner ROOT = new Owner(0, 0, 0555);

    /**
     * systemd 254 and newer: an ACL of root's file has the user of the service, and its mask is in the group's bits.
     */
    @Test
    void acceptsCredentialOfSystemd() {
        assertThat(new Owner(0, 0, 0100440).isReadableByOthers(SERVICE)).isFalse();
        assertThat(new Owner(61_000, 61_000, 0100400).isReadableByOthers(SERVICE))
                .isFalse();
    }

    @Test
    void refusesFilesThatOthersRead() {
        assertThat(new Owner(0, 0, 0100444).isReadableByOthers(SERVICE)).isTrue();
        assertThat(new Owner(0, 0, 0100460).isReadableByOthers(SERVICE)).isTrue();
        assertThat(new Owner(0, 50, 0100440).isReadableByOthers(SERVICE)).isTrue();
        assertThat(new Owner(61_000, 61_000, 0100440).isReadableByOthers(SERVICE))
                .isTrue();
        assertThat(new Owner(0, 0, 0100440).isReadableByOthers(ROOT)).isTrue();
    }

    @Test
    void distinguishesDirectoriesThatOthersWrite() {
        assertThat(new Owner(0, 0, 041777).isWritableByOthers(SERVICE))
                .as("/tmp")
                .isFalse();
        assertThat(new Owner(0, 0, 040777).isWritableByOthers(SERVICE)).isTrue();
        assertThat(new Owner(61_000, 50, 040775).isWritableByOthers(SERVICE)).isTrue();
        assertThat(new Owner(61_000, 61_000, 040775).isWritableByOthers(SERVICE))
                .as("of the user's own group")
                .isFalse();
    }
}
