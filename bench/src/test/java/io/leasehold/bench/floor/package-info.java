@NullMarked
package io.leasehold.bench.floor;

import org.jspecify.annotations.NullMarked;
