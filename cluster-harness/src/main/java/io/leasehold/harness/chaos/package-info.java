/**
 * Runs a workload on real processes while doing harm to them, records it, and has the record
 * judged. {@link io.leasehold.harness.chaos.FaultPlan} decides from a seed, {@link
 * io.leasehold.harness.chaos.FaultRunner} does harm, {@link
 * io.leasehold.harness.check.HistoryChecker} judges.
 */
@NullMarked
package io.leasehold.harness.chaos;

import org.jspecify.annotations.NullMarked;
