/**
 * The core's values as bytes: on the wire, in the log, in the table. Bytes are never trusted: what
 * is not exactly a value of this version is refused with a sentence that says why, for a replica
 * that guesses diverges from the others.
 */
@NullMarked
package io.leasehold.store.codec;

import org.jspecify.annotations.NullMarked;
