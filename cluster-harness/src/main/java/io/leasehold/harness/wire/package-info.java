/**
 * What goes over a harness node's HTTP interface, as records: the component names are the fields of
 * the JSON. Both the node and its callers use them.
 */
@NullMarked
package io.leasehold.harness.wire;

import org.jspecify.annotations.NullMarked;
