package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.Before;
import org.junit.Test;

/** The order of threads, with the JDK's own pools and timers, in JVMs with the agent. Needs {@code hosted/setup}. */
public class GateTest {
  private Path dir;

  @Before
  public void find() {
    dir = Path.of(System.getProperty("marmoset.test.dir", ""));
    assumeTrue("skipped: run hosted/setup " + dir + " first", Files.exists(dir.resolve("stamp")));
  }

  @Test
  public void aSeedGivesOneOrderOfAPoolsTasksInEveryJvm() throws Exception {
    List<String> orders = run("pool", seeds(1, 40));
    assertEquals("another JVM", orders, run("pool", seeds(1, 40)));
    for (String order : orders) assertEquals("each task once: " + order, 6, new HashSet<>(split(order)).size());
    // Two workers and six tasks: 32 orders are possible.
    assertTrue("different seeds, different orders: " + orders, new HashSet<>(orders).size() > 8);
    long overtaken = orders.stream().filter(order -> !order.endsWith("5")).count();
    assertTrue("the last task overtakes another one in " + overtaken + " of 40", overtaken >= 8 && overtaken <= 32);
  }

  @Test
  public void aSeedGivesOneInterleavingOfThreads() throws Exception {
    List<String> orders = run("steps", seeds(1, 40));
    assertEquals("another JVM, other seeds before", orders.get(39), run("steps", seeds(40, 40)).get(0));
    assertEquals(orders, run("steps", seeds(1, 40)));
    assertTrue("different seeds, different orders: " + orders, new HashSet<>(orders).size() > 30);
    for (String order : orders) assertEquals(order, 12, split(order).size());
  }

  @Test
  public void poolsAndTimersRunInVirtualTime() throws Exception {
    long start = System.nanoTime();
    String expected =
        "timer@70 rate@100 rate@90100 timer@100070 rate@180100 timer@200070 timeout@250000 rate@270100 once@300000"
            + " end@310000";
    for (String order : run("times", seeds(1, 5))) assertEquals(expected, order);
    assertTrue("minutes cost nothing", System.nanoTime() - start < TimeUnit.SECONDS.toNanos(100));
  }

  @Test
  public void queuesLatchesLocksMonitorsAndFuturesWork() throws Exception {
    List<String> orders = run("waits", seeds(1, 20));
    for (String order : orders) {
      List<String> events = split(order);
      assertEquals(order, List.of("joined-false", "async2"), events.subList(4, 6));
      events.remove("locked");
      assertEquals(order, List.of("took-0", "took-1", "took-2"), events.subList(0, 3));
    }
    assertEquals(orders, run("waits", seeds(1, 20)));
    assertTrue("the lock comes at different times", new HashSet<>(orders).size() > 1);
  }

  @Test
  public void anInterruptEndsEveryKindOfWait() throws Exception {
    assertEquals(List.of("sleep-false latch-false wait-false end@0"), run("interrupts", seeds(1, 1)));
  }

  @Test
  public void aThreadThatSpinsIsLetGoAndReported() throws Exception {
    assertEquals(List.of("chance seen"), run("spins", seeds(1, 1)));
  }

  @Test
  public void aMonitorThatASleepingThreadHoldsStopsNobodyForEver() throws Exception {
    for (String order : run("monitors", seeds(1, 5))) assertEquals("holder wanter order", order);
  }

  @Test
  public void aMainThreadThatWaitsForFiveSecondsIsReported() throws Exception {
    String expected = "blocked@5000 done@9999 blocked@15000 blocked@20000";
    for (String order : run("blocked", seeds(1, 3))) assertEquals(expected, order);
  }

  private static List<String> split(String line) {
    return new ArrayList<>(List.of(line.split(" ")));
  }

  private static List<String> seeds(int first, int last) {
    return IntStream.rangeClosed(first, last).mapToObj(String::valueOf).collect(Collectors.toList());
  }

  /** One line per seed. */
  private List<String> run(String scenario, List<String> seeds) throws IOException, InterruptedException {
    Path here = Path.of(GateProgram.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    List<String> command =
        new ArrayList<>(
            List.of(
                "java", "@" + dir.resolve("jvm-flags"), "-cp",
                here + File.pathSeparator + dir.resolve("marmoset-hosted.jar") + File.pathSeparator + dir + "/lib/*",
                GateProgram.class.getName(), scenario));
    command.addAll(seeds);
    Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines = new String(process.getInputStream().readAllBytes()).lines().collect(Collectors.toList());
    assertEquals(0, process.waitFor());
    assertEquals(seeds.size(), lines.size());
    return lines;
  }
}
