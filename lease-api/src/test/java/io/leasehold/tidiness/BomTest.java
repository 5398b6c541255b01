package io.leasehold.tidiness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/** The bill of materials has no parent, so it says again what the other poms say. */
final class BomTest {

  private static final Path ROOT = Path.of(System.getProperty("basedir", "."), "..");
  private static final String BOM = "lease-api/bom";

  @Test
  void hasTheVersionOfTheBuild() throws Exception {
    assertThat(texts(BOM, "/project/version")).isEqualTo(texts("", "/project/version"));
  }

  @Test
  void namesTheModulesThatArePublished() throws Exception {
    List<String> published = new ArrayList<>();
    for (String module : texts("", "/project/modules/module")) {
      if (!module.equals(BOM) && texts(module, "//properties/maven.deploy.skip").isEmpty()) {
        published.add(module);
      }
    }

    assertThat(new HashSet<>(texts(BOM, "//dependency/artifactId")))
        .containsExactlyInAnyOrderElementsOf(published);
  }

  private static List<String> texts(String module, String path) throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(ROOT.resolve(module).resolve("pom.xml").toFile());
    NodeList found =
        (NodeList)
            XPathFactory.newInstance().newXPath().evaluate(path, pom, XPathConstants.NODESET);
    return IntStream.range(0, found.getLength())
        .mapToObj(i -> found.item(i).getTextContent())
        .toList();
  }
}
