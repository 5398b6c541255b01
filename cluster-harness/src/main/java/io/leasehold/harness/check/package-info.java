/**
 * The judge of recorded histories. {@link io.leasehold.harness.check.HistoryChecker} runs one small
 * class per promise over the {@link io.leasehold.harness.check.History} of a run; {@link
 * io.leasehold.harness.check.Rule} names the promises.
 */
@NullMarked
package io.leasehold.harness.check;

import org.jspecify.annotations.NullMarked;
