import io.jafar.parser.api.ParsingContext;
import io.jafar.parser.api.UntypedJafarParser;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;
import jdk.jfr.consumer.RecordingFile;
import one.convert.Arguments;
import one.convert.JfrToOtlp;
import one.jfr.JfrReader;
import one.jfr.StackTrace;
import one.jfr.event.Event;
import one.jfr.event.EventCollector;

/**
 * One peer on one recording; bench/peers/readers.mjs starts it.
 *
 * <pre>
 * Peers warm PEER FILE       a line with a number of seconds asks for passes of that length; the answer is JSON
 * Peers once PEER FILE OUT   one pass from file to file, then what the process took
 * </pre>
 */
final class Peers {
  /** Goes over the recording once and says how many samples, or events, it handled. */
  interface Pass {
    long run(OutputStream out) throws Exception;
  }

  /** {@code inMemory}: from bytes read beforehand, where the peer can do that. The others read the mapped file. */
  static Pass pass(String peer, Path file, boolean inMemory) throws IOException {
    switch (peer) {
      case "async-profiler": case "async-profiler --alloc":
        String[] options = peer.endsWith("--alloc") ? new String[] {"--alloc"} : new String[0];
        byte[] bytes = inMemory ? Files.readAllBytes(file) : null;
        return out -> {
          try (JfrReader jfr = inMemory ? new JfrReader(ByteBuffer.wrap(bytes)) : new JfrReader(file.toString())) {
            Otlp otlp = new Otlp(jfr, new Arguments(options));
            otlp.convert();
            otlp.dump(out);
            return otlp.samples;
          }
        };
      case "jafar":
        return out -> {
          LongAdder events = new LongAdder();
          try (UntypedJafarParser parser = UntypedJafarParser.open(file, ParsingContext.create())) {
            parser.handle((type, value, control) -> events.increment());
            parser.run();
          }
          return events.sum();
        };
      case "JDK":
        return out -> {
          long events = 0;
          try (RecordingFile recording = new RecordingFile(file)) {
            for (; recording.hasMoreEvents(); events++) recording.readEvent();
          }
          return events;
        };
      default:
        throw new IllegalArgumentException(peer);
    }
  }

  /** async-profiler's converter with two additions: it counts, and a sample without a stack does not end it. */
  static final class Otlp extends JfrToOtlp {
    static final StackTrace NO_STACK = new StackTrace(new long[0], new byte[0], new int[0]);
    // No initializer: the superclass's constructor calls createCollector before one would run.
    long samples;

    Otlp(JfrReader jfr, Arguments options) {
      super(jfr, options);
    }

    @Override
    protected void convertChunk() {
      if (jfr.stackTraces.get(0) == null) jfr.stackTraces.put(0, NO_STACK);
      super.convertChunk();
    }

    @Override
    protected EventCollector createCollector(Arguments options) {
      EventCollector theirs = super.createCollector(options);
      return new EventCollector() {
        @Override public void collect(Event event) {
          samples++;
          theirs.collect(event);
        }

        @Override public void beforeChunk() {
          theirs.beforeChunk();
        }

        @Override public void afterChunk() {
          theirs.afterChunk();
        }

        @Override public boolean finish() {
          return theirs.finish();
        }

        @Override public void forEach(Visitor visitor) {
          theirs.forEach(visitor);
        }
      };
    }
  }

  static void answer(String json, Object... values) {
    System.out.println(String.format(Locale.ROOT, json, values));
  }

  static void warm(Pass pass) throws Exception {
    BufferedReader questions = new BufferedReader(new InputStreamReader(System.in));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (String line; (line = questions.readLine()) != null; ) {
      double cpu = cpuMs();
      long end = System.nanoTime() + (long) (Double.parseDouble(line) * 1e9);
      List<Double> ms = new ArrayList<>();
      long handled;
      do {
        out.reset();
        long start = System.nanoTime();
        handled = pass.run(out);
        ms.add((System.nanoTime() - start) / 1e6);
      } while (System.nanoTime() < end);
      answer("{\"samples\": %d, \"ms\": %s, \"cpuMs\": %.1f}", handled, ms, (cpuMs() - cpu) / ms.size());
    }
  }

  static void once(Pass pass, Path to) throws Exception {
    long handled;
    try (OutputStream out = Files.newOutputStream(to)) {
      handled = pass.run(out);
    }
    answer("{\"samples\": %d, \"cpuMs\": %.1f, \"peakMiB\": %s}", handled, cpuMs(), peakMiB());
  }

  /** Of all threads of this process since it began. */
  static double cpuMs() {
    var system = (com.sun.management.OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    return system.getProcessCpuTime() / 1e6;
  }

  /** The kernel's own mark of this process; null where there is no /proc. */
  static Double peakMiB() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) return null;
    for (String line : Files.readAllLines(status))
      if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("\\D", "")) / 1024.0;
    return null;
  }

  public static void main(String[] args) throws Exception {
    boolean warm = args[0].equals("warm");
    Pass pass = pass(args[1], Path.of(args[2]), warm);
    if (warm) warm(pass);
    else once(pass, Path.of(args[3]));
  }
}
