/** What the interfaces share: engines, packets, the framing of streams, and the loading of libraries. */
@NullMarked
package org.lagbench.interfaces.message;

import org.jspecify.annotations.NullMarked;
