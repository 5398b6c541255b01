package io.leasehold.raft;

import io.leasehold.time.Ticker;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads Linux' {@code CLOCK_BOOTTIME}, which counts suspends, by the foreign function interface of
 * Java 22 and later. That interface is looked up by reflection, so that one class file serves Java
 * 17 as well; the calls themselves go through a constant method handle and allocate nothing after a
 * thread's first.
 */
final class BootTimeTicker implements Ticker {

  private static final Logger LOG = LoggerFactory.getLogger(BootTimeTicker.class);
  private static final int CLOCK_BOOTTIME = 7;
  private static final int FIRST_JAVA_WITH_FOREIGN_FUNCTIONS = 22;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  /** {@code int clock_gettime(int clock, Object timespec)}; null where it cannot be had. */
  @SuppressWarnings("NullAway") // read only after open() has seen it
  private static final MethodHandle CLOCK_GETTIME = find().orElse(null);

  private static final ThreadLocal<Timespec> TIMESPEC = ThreadLocal.withInitial(Timespec::new);

  private BootTimeTicker() {}

  /** Returns a ticker if this Java and this system have the clock. */
  static Optional<Ticker> open() {
    if (CLOCK_GETTIME == null) {
      return Optional.empty();
    }
    BootTimeTicker ticker = new BootTimeTicker();
    try {
      ticker.nanos();
      return Optional.of(ticker);
    } catch (IllegalStateException e) {
      LOG.info("The boot time clock cannot be read; using the monotonic one", e);
      return Optional.empty();
    }
  }

  @Override
  public long nanos() {
    Timespec timespec = TIMESPEC.get();
    int failed;
    try {
      failed = (int) CLOCK_GETTIME.invokeExact(CLOCK_BOOTTIME, timespec.segment);
    } catch (Throwable e) {
      throw new IllegalStateException("clock_gettime failed", e);
    }
    if (failed != 0) {
      throw new IllegalStateException("clock_gettime refused CLOCK_BOOTTIME");
    }
    return timespec.memory.getLong(0) * NANOS_PER_SECOND + timespec.memory.getLong(8);
  }

  private static Optional<MethodHandle> find() {
    if (Runtime.version().feature() < FIRST_JAVA_WITH_FOREIGN_FUNCTIONS
        || !System.getProperty("os.name", "").startsWith("Linux")
        || !System.getProperty("sun.arch.data.model", "64").equals("64")) {
      return Optional.empty();
    }
    try {
      return Optional.of(link());
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.info("The boot time clock cannot be linked; using the monotonic one", e);
      return Optional.empty();
    }
  }

  private static MethodHandle link() throws ReflectiveOperationException {
    Class<?> linkerType = Class.forName("java.lang.foreign.Linker");
    Class<?> lookupType = Class.forName("java.lang.foreign.SymbolLookup");
    Class<?> segmentType = Class.forName("java.lang.foreign.MemorySegment");
    Class<?> layoutType = Class.forName("java.lang.foreign.MemoryLayout");
    Class<?> valuesType = Class.forName("java.lang.foreign.ValueLayout");
    Class<?> descriptorType = Class.forName("java.lang.foreign.FunctionDescriptor");
    Class<?> optionType = Class.forName("java.lang.foreign.Linker$Option");

    Object linker = linkerType.getMethod("nativeLinker").invoke(null);
    Object lookup = linkerType.getMethod("defaultLookup").invoke(linker);
    Optional<?> symbol =
        (Optional<?>) lookupType.getMethod("find", String.class).invoke(lookup, "clock_gettime");
    Object javaInt = valuesType.getField("JAVA_INT").get(null);
    Object address = valuesType.getField("ADDRESS").get(null);
    Object arguments = Array.newInstance(layoutType, 2);
    Array.set(arguments, 0, javaInt);
    Array.set(arguments, 1, address);
    Object descriptor =
        descriptorType
            .getMethod("of", layoutType, arguments.getClass())
            .invoke(null, javaInt, arguments);
    Object options = Array.newInstance(optionType, 1);
    Array.set(options, 0, optionType.getMethod("critical", boolean.class).invoke(null, false));
    MethodHandle handle =
        (MethodHandle)
            linkerType
                .getMethod("downcallHandle", segmentType, descriptorType, options.getClass())
                .invoke(linker, symbol.orElseThrow(), descriptor, options);
    return handle.asType(MethodType.methodType(int.class, int.class, Object.class));
  }

  /** One thread's memory for the answer. */
  private static final class Timespec {
    final ByteBuffer memory = ByteBuffer.allocateDirect(16).order(ByteOrder.nativeOrder());
    final Object segment;

    Timespec() {
      try {
        segment =
            MethodHandles.publicLookup()
                .findStatic(
                    Class.forName("java.lang.foreign.MemorySegment"),
                    "ofBuffer",
                    MethodType.methodType(
                        Class.forName("java.lang.foreign.MemorySegment"), java.nio.Buffer.class))
                .invoke(memory);
      } catch (Throwable e) {
        throw new IllegalStateException("no memory for clock_gettime", e);
      }
    }
  }
}
