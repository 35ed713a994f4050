package marmoset.hosted;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import marmoset.hosted.gate.Gate;

/**
 * Reads requests, has the device's main thread perform them, and writes answers, one line each. Also the watchdog: where
 * the main thread does not finish in time, or the app has taken all memory, this thread answers in its place, the app
 * counts as dead, and the device is to be replaced.
 */
final class RequestLoop {
  /** In the time of {@link StuckClock}. A phone calls an app stuck after 5 s, but is faster than this host at times. */
  private static final long STUCK_SECONDS = 10;

  private static final String STUCK = "the main thread has not come back for " + STUCK_SECONDS + " s";

  /** The first bring-up, and the first action, load some thousand classes. */
  private static final long FIRST_SECONDS = 40;

  /** In real time: beyond that the machine is too busy to tell. Below the time that the other side waits. */
  private static final long REAL_SECONDS = 100;

  private static final long LOOK_MILLIS = 200;

  private final BufferedReader in;
  private final PrintStream out;
  private final HostedDevice device;
  private final SynchronousQueue<FutureTask<Object>> tasks = new SynchronousQueue<>();
  private final Thread main;
  private final AppThreads threads;
  private final MemoryWatch memory;

  /** The app hung or took all memory: the main thread is lost. */
  private boolean mainLost;

  /** The main thread's; set by it. */
  private volatile StuckClock clock;

  /** Whether an action has been performed: the first one loads most of the framework. */
  private boolean warm;

  /** {@code main} is the device's main thread; it must be in {@link #runTasks}. */
  RequestLoop(BufferedReader in, PrintStream out, HostedDevice device, Thread main, MemoryWatch memory) {
    this.in = in;
    this.out = out;
    this.device = device;
    this.main = main;
    this.threads = new AppThreads(main, device::isApp);
    this.memory = memory;
  }

  /** The device's main thread stays in here. */
  void runTasks() {
    clock = StuckClock.ofThisThread();
    while (true) {
      try {
        FutureTask<Object> task = tasks.take();
        Gate.resume();
        task.run();
        Gate.pause();
      } catch (InterruptedException e) {
        // An app that interrupts its main thread does not stop the host.
        Thread.interrupted();
      }
    }
  }

  /** Returns at the end of the input or after {@code quit}. */
  void serve(int sdk) throws IOException {
    write(Map.of("ready", ordered("protocol", 1, "sdk", sdk)));
    loadReports();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      Map<String, Object> answer = new LinkedHashMap<>();
      boolean quit = false;
      try {
        Map<String, Object> request = object(line);
        answer.put("id", request.get("id"));
        quit = "quit".equals(request.get("do"));
        answer.put("ok", quit ? Map.of() : handle(request));
      } catch (RequestError e) {
        answer.put("error", error(e));
      }
      write(answer);
      if (quit) return;
    }
  }

  /**
   * The classes of a report on full memory: later there may be no room for them, or the suspended main thread may hold the
   * lock of a jar that they are in.
   */
  private void loadReports() {
    AppThreads.holdsLockOfHost(main);
    new Dead(List.of(Map.of("stack", Stacks.outOfMemory(main))));
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> object(String line) {
    try {
      if (Json.read(line) instanceof Map<?, ?> map) return (Map<String, Object>) map;
    } catch (IllegalArgumentException e) {
      throw new RequestError(RequestError.BAD_REQUEST, "not JSON: " + e.getMessage());
    }
    throw new RequestError(RequestError.BAD_REQUEST, "not an object");
  }

  @SuppressWarnings("unchecked")
  private Object handle(Map<String, Object> request) {
    String verb = String.valueOf(request.get("do"));
    return switch (verb) {
      case "open" -> onMain(() -> device.open(request), FIRST_SECONDS);
      case "reset" -> onMain(
          () -> {
            if (memory.isSpent()) throw new RequestError(RequestError.INFRASTRUCTURE, "the app has used up the memory");
            device.reset(number(request, "seed"), number(request, "schedule_seed"));
            return Map.of();
          },
          STUCK_SECONDS);
      case "perform" -> {
        if (!(request.get("action") instanceof Map<?, ?> action)) {
          throw new RequestError(RequestError.BAD_REQUEST, "perform: action is missing");
        }
        long at = request.get("at_ms") instanceof Number number ? number.longValue() : 0;
        yield perform((Map<String, Object>) action, at);
      }
      case "observe" -> observe();
      case "screenshot" -> {
        byte[] png = (byte[]) onMain(device::screenshot, STUCK_SECONDS);
        yield ordered("png", Base64.getEncoder().encodeToString(png));
      }
      case "coverage" -> ordered("hits", device.newHits());
      default -> throw new RequestError(RequestError.BAD_REQUEST, "no such request: " + verb);
    };
  }

  private static long number(Map<String, Object> request, String key) {
    try {
      return Long.parseUnsignedLong(String.valueOf(request.getOrDefault(key, "0")));
    } catch (NumberFormatException e) {
      throw new RequestError(RequestError.BAD_REQUEST, "reset: " + key + " is not a number of 64 bits");
    }
  }

  /** The app ended itself in a way that only the watchdog sees. */
  private static final class Dead extends Exception {
    private static final long serialVersionUID = 1;
    private final transient List<Map<String, Object>> events;

    Dead(List<Map<String, Object>> events) {
      this.events = events;
    }
  }

  private Object perform(Map<String, Object> action, long at) {
    try {
      Object result = onMainAlive(() -> device.perform(action, at), warm ? STUCK_SECONDS : FIRST_SECONDS);
      warm = true;
      return result;
    } catch (Dead e) {
      return ordered("happened", e.events, "now_ms", 0);
    }
  }

  /** The app's own code runs while its screen is read, and may not come back. A dead app shows nothing. */
  private Object observe() {
    if (mainLost) return device.observeDead();
    try {
      return onMainAlive(device::observe, STUCK_SECONDS);
    } catch (Dead e) {
      Map<String, Object> answer = new LinkedHashMap<>(device.observeDead());
      answer.put("happened", e.events);
      return answer;
    }
  }

  private Object onMain(Callable<Object> work, long seconds) {
    try {
      return onMainAlive(work, seconds);
    } catch (Dead e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, String.valueOf(e.events));
    }
  }

  private Object onMainAlive(Callable<Object> work, long seconds) throws Dead {
    if (mainLost) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "the main thread is lost: replace the device");
    }
    if (memory.isFull()) throw outOfMemory();
    FutureTask<Object> task = new FutureTask<>(work);
    try {
      if (!tasks.offer(task, REAL_SECONDS, TimeUnit.SECONDS)) {
        throw new RequestError(RequestError.INFRASTRUCTURE, "the device's main thread is gone: replace the device");
      }
      return await(task, seconds);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RequestError error) throw error;
      if (cause instanceof OutOfMemoryError && memory.isFull()) throw outOfMemory();
      String code = cause instanceof VirtualMachineError ? RequestError.INFRASTRUCTURE : RequestError.HOST_GAP;
      throw new RequestError(code, String.valueOf(cause), cause);
    } catch (OutOfMemoryError e) {
      if (memory.isFull()) throw outOfMemory();
      throw new RequestError(RequestError.INFRASTRUCTURE, String.valueOf(e), e);
    } catch (InterruptedException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "interrupted", e);
    }
  }

  private Object await(FutureTask<Object> task, long seconds) throws InterruptedException, ExecutionException, Dead {
    long end = System.nanoTime() + REAL_SECONDS * 1_000_000_000L;
    clock.start();
    while (true) {
      try {
        return task.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (memory.isFull()) {
          Thread eater = holdThreads();
          if (eater != null) {
            Dead dead = outOfMemory(eater);
            if (!dead.events.isEmpty()) throw dead;
          }
          // The app was refused memory meanwhile, and has come to its own end or is on the way there: the main thread says so.
          mainLost = false;
          threads.letGo();
        }
        boolean over = clock.passed() > seconds * 1_000_000_000L;
        if (!over && System.nanoTime() < end) continue;
        mainLost = true;
        if (over) throw new Dead(device.onDeath("anr", "main", Stacks.all(main, STUCK)));
        throw new RequestError(
            RequestError.INFRASTRUCTURE, "the machine is too busy: no answer in " + REAL_SECONDS + " s");
      }
    }
  }

  private Dead outOfMemory() {
    return outOfMemory(holdThreads());
  }

  private Dead outOfMemory(Thread eater) {
    String name = eater == null || eater == main ? "main" : eater.getName();
    return new Dead(device.onDeath("java", name, Stacks.outOfMemory(eater)));
  }

  private Thread holdThreads() {
    mainLost = true;
    threads.hold();
    memory.giveReserve();
    threads.freeLocks();
    return threads.inApp();
  }

  private static Map<String, Object> error(RequestError e) {
    Map<String, Object> error = ordered("code", e.code(), "message", e.getMessage());
    if (e.getCause() != null) error.put("stack", StackText.full(e.getCause()));
    return error;
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    return map;
  }

  private void write(Map<String, Object> line) {
    out.print(Json.write(line) + "\n");
    out.flush();
  }
}
