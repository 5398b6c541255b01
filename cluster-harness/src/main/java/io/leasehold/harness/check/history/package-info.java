/**
 * What happened in a run, as it is written down: one JSON object a line, a header first. {@link
 * io.leasehold.harness.check.history.HistoryEvent} is the format.
 */
@NullMarked
package io.leasehold.harness.check.history;

import org.jspecify.annotations.NullMarked;
