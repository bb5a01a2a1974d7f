package load;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.DataAmount;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * {@code java load.Load KIND TIMES WAYS FRESH}: gives the flight recorder something to write, TIMES times over all
 * threads. Each time a thread walks down the generated classes Room*, along one of WAYS known ways or, in FRESH of 100
 * cases, one never walked before (whose stack is a new constant), and at its end does what KIND says. Ways and spans
 * come from a seed; the JDK's own events do not, so two recordings never are quite the same.
 */
final class Load {
  static final int THREADS = 8, SHALLOW = 20, DEEP = 70, TIMES_PER_SPAN = 2, SPANS_PER_ROOT = 8;
  static final String[] OPERATIONS = {"servlet.request", "db.query", "cache.get", "json.render", "grpc.server"};
  static final String[] STATES = {"RUNNABLE", "SLEEPING", "PARKED", "CONTENDED"};
  static final Class<?>[] TYPES = {byte[].class, String.class, Object[].class, StringBuilder.class, long[].class};
  static final Object[] LOCKS = {new Object(), new Object()};
  static volatile Object sink;

  // The events of Datadog's profiler with their usual fields.
  static class InSpan extends Event {
    long spanId, localRootSpanId;
  }

  @Name("datadog.ExecutionSample")
  static final class Cpu extends InSpan {
    String state;
    long weight;
    @Name("_dd.trace.operation") String operation;
  }

  @Name("datadog.MethodSample")
  static final class Wall extends InSpan {
    String state;
    long weight;
    @Name("_dd.trace.operation") String operation;
  }

  @Name("datadog.ObjectSample")
  static final class Alloc extends InSpan {
    Class<?> objectClass;
    @DataAmount long size;
    float weight;
  }

  @Name("datadog.HeapLiveObject")
  static final class Live extends InSpan {
    Class<?> objectClass;
    long age;
    @DataAmount long size;
    float weight;
  }

  @Name("datadog.Endpoint")
  @StackTrace(false)
  static final class Endpoint extends Event {
    String endpoint, operation;
    long localRootSpanId;
  }

  static final class Walk implements Runnable {
    final SplittableRandom random;
    final String kind;
    final int times, fresh;
    final long[] ways;
    long span, root;
    String operation;

    Walk(int thread, String kind, int times, long[] ways, int fresh) {
      random = new SplittableRandom(thread);
      this.kind = kind;
      this.times = times;
      this.ways = ways;
      this.fresh = fresh;
    }

    @Override
    public void run() {
      for (int i = 0; i < times; i++) {
        if (i % TIMES_PER_SPAN == 0) span = random.nextInt(6) == 0 ? 0 : random.nextLong();
        if (i % (TIMES_PER_SPAN * SPANS_PER_ROOT) == 0) {
          root = random.nextLong();
          operation = OPERATIONS[random.nextInt(OPERATIONS.length)];
          Endpoint e = new Endpoint();
          e.endpoint = "GET /orders/" + random.nextInt(50);
          e.operation = operation;
          e.localRootSpanId = root;
          e.commit();
        }
        // Squared, so that some ways are hot and most are rare.
        double u = random.nextDouble();
        long way = random.nextInt(100) < fresh ? random.nextLong() : ways[(int) (u * u * ways.length)];
        Room0.door0(this, SHALLOW + (int) (way >>> 33) % (DEEP - SHALLOW), way);
      }
    }

    /** Called at the end of a way. */
    void arrive() {
      switch (kind) {
        case "samples" -> sample();
        case "allocations" -> sink = new byte[(1 + random.nextInt(8)) << 10];
        default -> {
          if (random.nextBoolean()) sample();
          else everyday();
        }
      }
    }

    /** What the JDK has events for, and a reader that wants samples has to skip. */
    void everyday() {
      switch (random.nextInt(8)) {
        case 0, 1 -> LockSupport.parkNanos(1);
        case 2 -> {
          Object lock = LOCKS[random.nextInt(LOCKS.length)];
          synchronized (lock) {
            sink = lock.hashCode();
          }
        }
        case 3 -> sink = new byte[random.nextInt(1 << 14)];
        default -> sink = new IllegalStateException("order " + random.nextInt(100));
      }
    }

    void sample() {
      int kind = random.nextInt(20);
      if (kind < 8) {
        Cpu e = in(new Cpu());
        e.state = STATES[0];
        e.weight = 1;
        e.operation = operation;
        e.commit();
      } else if (kind < 15) {
        Wall e = in(new Wall());
        e.state = STATES[random.nextInt(STATES.length)];
        e.weight = 1 + random.nextInt(8);
        e.operation = operation;
        e.commit();
      } else if (kind < 19) {
        Alloc e = in(new Alloc());
        e.objectClass = TYPES[random.nextInt(TYPES.length)];
        e.size = 16 + random.nextInt(1 << 12);
        e.weight = 1 + random.nextInt(1000) / 8f;
        e.commit();
      } else {
        Live e = in(new Live());
        e.objectClass = TYPES[random.nextInt(TYPES.length)];
        e.age = random.nextInt(9);
        e.size = 16 + random.nextInt(1 << 12);
        e.weight = 1;
        e.commit();
      }
    }

    <E extends InSpan> E in(E event) {
      event.spanId = span;
      event.localRootSpanId = span == 0 ? 0 : root;
      return event;
    }
  }

  public static void main(String[] args) throws Exception {
    int times = Integer.parseInt(args[1]);
    long[] ways = new SplittableRandom(4_711).longs(Integer.parseInt(args[2])).toArray();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < THREADS; t++)
      threads.add(new Thread(new Walk(t, args[0], times / THREADS, ways, Integer.parseInt(args[3])), "worker-" + t));
    for (Thread thread : threads) thread.start();
    for (Thread thread : threads) thread.join();
  }
}
