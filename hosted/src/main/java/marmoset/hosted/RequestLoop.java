package marmoset.hosted;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
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
 * Reads requests, has the device's main thread perform them, and writes answers, one line each. Also the watchdog: a
 * request that the main thread does not finish in time is answered by this thread, and the app counts as stuck.
 */
final class RequestLoop {
  /** A phone calls an app stuck after 5 s; the rest is for the host, which may share its processor. */
  private static final long STUCK_SECONDS = 10;

  /** The first bring-up loads some thousand classes. */
  private static final long OPEN_SECONDS = 120;

  private static final int MAX_ROUNDS = 6;

  private final BufferedReader in;
  private final PrintStream out;
  private final HostedDevice device;
  private final SynchronousQueue<FutureTask<Object>> tasks = new SynchronousQueue<>();
  private final Thread main;
  private FutureTask<Object> stuck;

  /** Whether an action has been performed: the first one loads most of the framework. */
  private boolean warm;

  /** {@code main} is the device's main thread; it must be in {@link #runTasks}. */
  RequestLoop(BufferedReader in, PrintStream out, HostedDevice device, Thread main) {
    this.in = in;
    this.out = out;
    this.device = device;
    this.main = main;
  }

  /** The device's main thread stays in here. */
  void runTasks() {
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
      case "open" -> onMain(() -> device.open(request), OPEN_SECONDS, false);
      case "reset" -> onMain(
          () -> {
            device.reset(number(request, "seed"), number(request, "schedule_seed"));
            return Map.of();
          },
          STUCK_SECONDS, false);
      case "perform" -> {
        if (!(request.get("action") instanceof Map<?, ?> action)) {
          throw new RequestError(RequestError.BAD_REQUEST, "perform: action is missing");
        }
        long at = request.get("at_ms") instanceof Number number ? number.longValue() : 0;
        yield onMain(() -> device.perform((Map<String, Object>) action, at), STUCK_SECONDS, true);
      }
      case "observe" -> ordered("screen", onMain(device::observe, STUCK_SECONDS, false));
      case "screenshot" -> {
        byte[] png = (byte[]) onMain(device::screenshot, STUCK_SECONDS, false);
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

  private Object onMain(Callable<Object> work, long seconds, boolean action) {
    if (stuck != null && !stuck.isDone()) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "the app's main thread is stuck: replace the device");
    }
    stuck = null;
    FutureTask<Object> task = new FutureTask<>(work);
    try {
      if (!tasks.offer(task, seconds, TimeUnit.SECONDS)) {
        throw new RequestError(RequestError.INFRASTRUCTURE, "the device's main thread is gone: replace the device");
      }
      Object result = await(task, action && !warm ? OPEN_SECONDS : seconds);
      warm |= action;
      return result;
    } catch (TimeoutException e) {
      stuck = task;
      List<Map<String, Object>> events = device.onStuck(Stacks.all(main));
      if (action) return ordered("happened", events, "now_ms", 0);
      throw new RequestError(RequestError.INFRASTRUCTURE, "the app's main thread is stuck\n" + Stacks.all(main));
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof RequestError error) throw error;
      String code = cause instanceof VirtualMachineError ? RequestError.INFRASTRUCTURE : RequestError.HOST_GAP;
      throw new RequestError(code, String.valueOf(cause), cause);
    } catch (InterruptedException e) {
      throw new RequestError(RequestError.INFRASTRUCTURE, "interrupted", e);
    }
  }

  /**
   * Waits for the task. Where the machine is busy with other things, the main thread is slow without being stuck: it
   * gets more time as long as it runs and has used less than half of what it was given.
   */
  private Object await(FutureTask<Object> task, long seconds)
      throws InterruptedException, ExecutionException, TimeoutException {
    long cpuAtStart = cpuNanos();
    for (int round = 1; ; round++) {
      try {
        return task.get(seconds, TimeUnit.SECONDS);
      } catch (TimeoutException e) {
        boolean starved =
            main.getState() == Thread.State.RUNNABLE && cpuNanos() - cpuAtStart < seconds * 500_000_000L;
        if (!starved || round == MAX_ROUNDS) throw e;
      }
    }
  }

  private long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getThreadCpuTime(main.getId());
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
