/** Text of others, made fit to be logged and shown. */
@NullMarked
package io.leasehold.text;

import org.jspecify.annotations.NullMarked;
