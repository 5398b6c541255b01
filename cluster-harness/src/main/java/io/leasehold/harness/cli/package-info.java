/** The commands of the command line. */
@NullMarked
package io.leasehold.harness.cli;

import org.jspecify.annotations.NullMarked;
