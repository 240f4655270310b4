/** The parts of an experiment: transports, codecs, settings, emulated networks, goals. Values; no files. */
@NullMarked
package org.lagbench.core.model;

import org.jspecify.annotations.NullMarked;
