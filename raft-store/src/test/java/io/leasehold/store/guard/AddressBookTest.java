package io.leasehold.store.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.store.Member;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is expected where. */
final class AddressBookTest {

  private final List<Member> group = new ArrayList<>();
  private final AddressBook book = new AddressBook(() -> group);

  @Test
  void aMemberIsExpectedAtItsAddressHoweverThatIsWritten() {
    book.add(Member.parse("n1=Host.example:7101"));
    book.add(Member.parse("n2=[2001:db8::1]:7101"));

    assertThat(book.at("host.EXAMPLE", 7_101)).containsExactly("n1");
    assertThat(book.at("[2001:db8::1]", 7_101)).containsExactly("n2");
    assertThat(book.at("2001:db8::1", 7_101)).containsExactly("n2");
  }

  @Test
  void nobodyIsExpectedElsewhere() {
    book.add(Member.parse("n1=10.0.0.1:7101"));

    assertThat(book.at("10.0.0.1", 7_102)).isEmpty();
    assertThat(book.at("10.0.0.2", 7_101)).isEmpty();
  }

  @Test
  void aMemberThatMovesIsExpectedAtBothAndWhoIsNewInTheGroupAtOnce() {
    book.add(Member.parse("n1=10.0.0.1:7101"));
    group.add(Member.parse("n1=10.0.0.9:7101"));
    group.add(Member.parse("n4=10.0.0.1:7101"));

    assertThat(book.at("10.0.0.9", 7_101)).containsExactly("n1");
    assertThat(book.at("10.0.0.1", 7_101)).containsExactlyInAnyOrder("n1", "n4");
  }
}
