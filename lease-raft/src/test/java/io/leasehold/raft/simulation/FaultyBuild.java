package io.leasehold.raft.simulation;

import io.leasehold.raft.simulation.PlantedFault.Patch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * This build once more, in memory, with a fault planted into its sources: loads all of the
 * project's classes anew, the changed ones from what it has compiled. What is on disk stays as it
 * is.
 */
final class FaultyBuild extends ClassLoader {

  private static final String PROJECT = "io.leasehold.";

  private final Map<String, byte[]> changed;

  private FaultyBuild(Map<String, byte[]> changed) {
    super(FaultyBuild.class.getClassLoader());
    this.changed = changed;
  }

  /** Compiles; throws if a line to be written otherwise is not there any more. */
  static FaultyBuild with(PlantedFault fault) {
    Map<Path, String> sources = new LinkedHashMap<>();
    for (Patch patch : fault.patches()) {
      sources.compute(
          patch.source(), (path, text) -> patched(text == null ? read(path) : text, patch, fault));
    }
    return new FaultyBuild(compile(sources));
  }

  private static String read(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String patched(String text, Patch patch, PlantedFault fault) {
    int at = text.indexOf(patch.is());
    if (at < 0 || text.indexOf(patch.is(), at + 1) >= 0) {
      throw new IllegalStateException(
          "%s cannot be planted: %s does not have these lines, or has them twice; find where they went:%n%s"
              .formatted(fault, patch.source(), patch.is()));
    }
    return text.replace(patch.is(), patch.becomes());
  }

  private static Map<String, byte[]> compile(Map<Path, String> sources) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    Outputs outputs = new Outputs(compiler.getStandardFileManager(null, null, null));
    List<SourceText> texts = new ArrayList<>();
    sources.forEach((path, text) -> texts.add(new SourceText(path, text)));
    List<String> options =
        List.of("-proc:none", "-nowarn", "-classpath", System.getProperty("java.class.path"));
    StringWriter complaints = new StringWriter();
    if (!compiler.getTask(complaints, outputs, null, options, null, texts).call()) {
      throw new IllegalStateException(complaints.toString());
    }
    Map<String, byte[]> classes = new HashMap<>();
    outputs.written.forEach((name, bytes) -> classes.put(name, bytes.toByteArray()));
    return classes;
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PROJECT)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    byte[] bytes = changed.getOrDefault(name, new byte[0]);
    if (bytes.length == 0) {
      bytes = asBuilt(name);
    }
    return defineClass(name, bytes, 0, bytes.length);
  }

  private byte[] asBuilt(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }

  /**
   * A run of the simulation.
   *
   * @param steps how many things happened in it
   * @param finding empty when nothing was found
   */
  record Run(long steps, Optional<Finding> finding) {}

  /**
   * What was found.
   *
   * @param rule which one was broken
   * @param message what the violation says
   */
  record Finding(Violation.Rule rule, String message) {}

  /** Runs a seed of the simulation. */
  Run run(long seed) {
    // Its classes are that build's own, so nothing of them can be cast to what they are here.
    try {
      Object result =
          loadClass(Simulation.class.getName()).getMethod("run", long.class).invoke(null, seed);
      return new Run((long) call(result, "steps"), Optional.empty());
    } catch (InvocationTargetException e) {
      return broken(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Run broken(@Nullable Throwable thrown) {
    if (thrown == null || !thrown.getClass().getName().equals(Violation.class.getName())) {
      throw new IllegalStateException("the simulation itself failed", thrown);
    }
    try {
      Violation.Rule rule = Violation.Rule.valueOf(call(thrown, "rule").toString());
      Finding finding = new Finding(rule, String.valueOf(thrown.getMessage()));
      return new Run((long) call(thrown, "steps"), Optional.of(finding));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object call(Object on, String method) throws ReflectiveOperationException {
    return on.getClass().getMethod(method).invoke(on);
  }

  private static final class SourceText extends SimpleJavaFileObject {
    private final String text;

    SourceText(Path path, String text) {
      super(URI.create("memory:///" + path.getFileName()), Kind.SOURCE);
      this.text = text;
    }

    @Override
    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
      return text;
    }
  }

  private static final class Outputs extends ForwardingJavaFileManager<JavaFileManager> {
    final Map<String, ByteArrayOutputStream> written = new HashMap<>();

    Outputs(JavaFileManager files) {
      super(files);
    }

    @Override
    public JavaFileObject getJavaFileForOutput(
        Location location, String className, JavaFileObject.Kind kind, FileObject sibling) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      written.put(className, bytes);
      return new SimpleJavaFileObject(
          URI.create("memory:///" + className.replace('.', '/') + ".class"), kind) {
        @Override
        public OutputStream openOutputStream() {
          return bytes;
        }
      };
    }
  }
}
