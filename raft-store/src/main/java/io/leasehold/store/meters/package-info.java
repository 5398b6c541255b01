/** What Ratis measures, told to Micrometer. */
@org.jspecify.annotations.NullMarked
package io.leasehold.store.meters;
