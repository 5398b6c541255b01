package io.leasehold.harness.cli;

import io.leasehold.harness.DurationNotation;
import io.leasehold.harness.HostPort;
import io.leasehold.harness.MemberList;
import io.leasehold.store.Member;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How options are read; a bad value is told in one line. */
final class CommandText {

  private CommandText() {}

  /** The members of a cluster, as one option value. */
  record Members(List<Member> list) {}

  /** Teaches a command line the types of this project. */
  static void register(CommandLine commandLine) {
    commandLine.registerConverter(Duration.class, telling(DurationNotation::parse));
    commandLine.registerConverter(HostPort.class, telling(HostPort::parse));
    commandLine.registerConverter(Members.class, telling(t -> new Members(MemberList.parse(t))));
  }

  private static <T> ITypeConverter<T> telling(ITypeConverter<T> converter) {
    return text -> {
      try {
        return converter.convert(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }
}
