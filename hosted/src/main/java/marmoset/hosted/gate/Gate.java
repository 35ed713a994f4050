package marmoset.hosted.gate;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.util.Collection;
import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Lets one thread of the app run at a time, in an order that follows from two seeds.
 *
 * <p>The problem: an app's threads are real threads, so which of two tasks is first is up to the machine, and a crash
 * that needs one order comes in some replays and not in others. A device that promises the same run for the same seed
 * must choose the order itself.
 *
 * <p>The idea: there is one token. The app's threads, its main thread included, are the <em>members</em>; only the one
 * that holds the token runs, all others wait in this class. The token changes hands where a thread stops anyway (it
 * parks, waits for an object, sleeps, ends) and, so that races show, at some places where it could go on: when a pool
 * or a timer begins a task, when a looper dispatches a message, before calls into java.util.concurrent and before
 * synchronized blocks; within long computations these places thin out. All that can run then draw lots, and the lowest
 * is next. A lot is a hash of the seeds, of the action's name, of the member that stops and how often it has stopped
 * during the action, and of the member that draws: so the order of two threads does not depend on a third, nor on
 * earlier actions, which a shorter trace may leave out.
 *
 * <p>Example: two workers of a pool hold tasks 0 and 1, and task 2 is queued. Both workers draw; the second is lower,
 * runs task 1 and takes task 2. Both draw again, and the second is perhaps lower again: now task 2 has overtaken task 0.
 * That is one order; another seed gives another one, and each seed gives its own every time.
 *
 * <p>How calls get here: the JDK's classes are rewritten as they load (marmoset.hosted.JdkCalls), since all of
 * java.util.concurrent waits in LockSupport; the app's and the framework's classes call in place of Object.wait,
 * notify and Thread.yield (marmoset.hosted.CallRewriter). Time here is the device's virtual time: a member that waits
 * for a time goes on when the device's clock has come there. When nobody can run but somebody waits for a time, the
 * clock is moved. A main thread that waits for too long within one message has stopped responding, as on a phone.
 *
 * <p>Where it ends: monitors belong to the JVM. A member that holds one is not made to stop at a place where it could
 * go on; but if it waits for something else meanwhile, another member may block on the monitor with the token in its
 * hand. A watchdog sees that, and also a member that waits in a way that is not known here, or that computes for two
 * seconds: it is <em>let go</em>, that is it runs beside the one that gets the token, until it comes here again. If it
 * was the time that ran out, the order is up to the machine from there on, and the log says so.
 *
 * <p>This class is on the boot class path, since the JDK's classes call it; it uses nothing that was rewritten. All
 * methods may be called on any thread, and do nothing special on threads that are not the app's.
 */
public final class Gate {
  /** What the gate needs of the device. Called by whichever member was the last to stop, or by the watchdog. */
  public interface World {
    /** Virtual time; 0 when the device was started. */
    long nanoTime();

    long currentTimeMillis();

    /** Moves the clock to the next time that something waits for and calls {@link #clockMoved}; false: there is none. */
    boolean advance();

    /** The order of threads was left to chance, for this reason. */
    void leftToChance(String why);

    /** On the main thread. May move the clock. */
    void messageBegins();

    /**
     * The main thread has waited so long within one message that a phone would say that the app does not respond. Called
     * on the main thread; what it returns is thrown there.
     */
    Error notResponding();

    /** The calling thread of the app is about to look up a name or to connect. Throws what a phone would throw there. */
    void networkBegins();
  }

  private enum State {
    READY,
    RUNNING,
    PARKED,
    WAITING,
    SLEEPING,
    LET_GO
  }

  private static final class Lock {}

  private static final class Member {
    final Thread thread;

    /** Whether it is there in every process: the main thread, the framework's threads. */
    final boolean fixed;

    /** Of these its name, of all others their number in the order of their start. */
    final long key;

    State state = State.READY;
    boolean begun;
    boolean dying;

    /** Only the main thread's, while it lets all others run before it goes on. */
    boolean last;

    // What it waits for.
    Object awaited;
    long deadline = NEVER;
    boolean permit;
    boolean interrupted;

    /** It waits natively in awaited.wait(), not in this.wait(), and is woken by an interrupt. */
    boolean inMonitor;

    volatile boolean granted;

    /** How often it has stopped in this action, and at how many places it could have. */
    long stops;

    int steps;

    /** Let go when its time had run out, so nobody waits for it until it has come back. */
    boolean endless;

    // Only the main thread's: the virtual time at which its present message began, and whether that was too long ago.
    long since;
    boolean overdue;

    Member(Thread thread, boolean fixed, long key) {
      this.thread = thread;
      this.fixed = fixed;
      this.key = key;
    }
  }

  private static final long NEVER = Long.MAX_VALUE;

  /** A member may use so much processor time, or so much real time, before it is let go. */
  private static final long CPU_NANOS = 2_000_000_000L;

  private static final long REAL_NANOS = 4_000_000_000L;

  private static final long LOOK_MILLIS = 4;

  /** So many places in one action where every member that could go on draws anew; then fewer and fewer. */
  private static final int EVERY_STEP = 8;

  /** So many threads of an app at once are a fault of the app; a phone refuses it some thousands. */
  private static final int MAX_MEMBERS = 1000;

  /** Guards all that follows. */
  private static final Lock LOCK = new Lock();

  private static final Map<Thread, Member> MEMBERS = new IdentityHashMap<>();

  private static Member main;
  private static World world;
  private static long responseNanos;
  private static boolean paused = true;

  private static long ordinal;

  private static long scheduleKey;
  private static long actionKey;

  /** The main thread waits in real time, which is no reason to let it go. */
  private static volatile boolean idling;

  /** An interrupt is to reach the JVM. */
  private static boolean interrupting;

  /** Holds the token. Read without the lock: only a member's own thread finds itself here. */
  private static volatile Member current;

  /** How often the token has changed hands. */
  private static volatile long turns;

  /** Somebody else could run. */
  private static volatile boolean crowded;

  private Gate() {}

  // ---- The device's side -------------------------------------------------------------------------------------------

  /**
   * Makes the calling thread the main thread. From then on all threads that members start are members. Within one message
   * the main thread may wait for less than {@code newResponseNanos} of virtual time.
   */
  public static void enroll(World newWorld, long newResponseNanos) {
    synchronized (LOCK) {
      world = newWorld;
      responseNanos = newResponseNanos;
      main = new Member(Thread.currentThread(), true, 0);
      main.begun = true;
      main.state = State.RUNNING;
      MEMBERS.put(main.thread, main);
    }
    Thread watchdog = new Thread(null, Gate::watch, "gate watchdog", 0, false);
    watchdog.setDaemon(true);
    watchdog.start();
  }

  /** The main thread begins a request: it has the token. */
  public static void resume() {
    synchronized (LOCK) {
      if (main == null) return;
      paused = false;
      take(main);
    }
  }

  /** The main thread has done a request: nobody has the token until the next one. */
  public static void pause() {
    synchronized (LOCK) {
      if (main == null) return;
      paused = true;
      current = null;
    }
  }

  /** A new process of the app, with its own order of threads. */
  public static void reset(long seed, long scheduleSeed) {
    synchronized (LOCK) {
      scheduleKey = mix(seed ^ mix(scheduleSeed + 1));
      ordinal = 0;
      main.permit = false;
      main.interrupted = false;
      main.overdue = false;
      seedThreadLocalRandom(main);
    }
    setAction(0);
  }

  /** The next action begins; its order of threads depends on this name of it, not on the actions before it. */
  public static void action(long name) {
    main.since = world.nanoTime();
    setAction(name);
  }

  private static void setAction(long name) {
    synchronized (LOCK) {
      actionKey = mix(scheduleKey + mix(name));
      for (Member m : MEMBERS.values()) {
        m.stops = 0;
        m.steps = 0;
      }
    }
  }

  /**
   * Lets all others run until each of them waits for something or for a later time. Main thread. Returns whether
   * anybody ran.
   */
  public static boolean runOthers() {
    boolean ran = false;
    long end = System.nanoTime() + CPU_NANOS;
    while (true) {
      while (crowded) {
        ran = true;
        Member m = mine();
        synchronized (LOCK) {
          m.last = true;
          m.state = State.READY;
        }
        leave(m, null);
        m.last = false;
        restoreInterrupt(m);
      }
      if (!isBusyBeside()) return ran;
      ran = true;
      if (System.nanoTime() > end) {
        excuseBusy();
        return true;
      }
      idleMillis(1);
    }
  }

  /** Waits in real time for the end of a thread whose process is dead. Main thread. */
  public static boolean dies(Thread thread, long millis) {
    long start = System.nanoTime();
    while (thread.isAlive()) {
      long passed = System.nanoTime() - start;
      if (passed > millis * 1_000_000) return false;
      if (passed < 500_000) {
        Thread.yield();
      } else {
        idleMillis(1);
      }
    }
    return true;
  }

  /** The main thread keeps the token while it waits in real time. */
  private static void idleMillis(long millis) {
    idling = true;
    nap(millis);
    idling = false;
  }

  /** The earliest virtual time that a member waits for; Long.MAX_VALUE where nobody does. */
  public static long nextDeadline() {
    synchronized (LOCK) {
      long next = NEVER;
      for (Member m : MEMBERS.values()) next = Math.min(next, m.deadline);
      return next;
    }
  }

  /** The virtual clock has moved: those whose time has come can run. */
  public static void clockMoved() {
    synchronized (LOCK) {
      long now = world.nanoTime();
      if (main.state == State.RUNNING || main.last) {
        main.since = now;
      } else if (now - main.since >= responseNanos && main.state != State.READY && main.state != State.LET_GO) {
        main.overdue = true;
        ready(main);
      }
      if (MEMBERS.size() < 2 && main.deadline == NEVER) return;
      for (Member m : MEMBERS.values()) {
        if (m.deadline <= now) ready(m);
      }
      kick();
    }
  }

  /** These threads' process is dead: each of them ends where it stands. The main thread must have the token. */
  public static void end(Collection<Thread> threads) {
    synchronized (LOCK) {
      for (Thread thread : threads) {
        Member m = MEMBERS.get(thread);
        if (m == null) continue;
        m.dying = true;
        m.state = State.LET_GO;
        m.deadline = NEVER;
        m.endless = true;
        wake(m);
      }
      count();
    }
  }

  // ---- What the JDK's classes call ---------------------------------------------------------------------------------

  /** Thread.start is about to start this thread. */
  public static void start(Thread thread) {
    if (main == null || thread.getState() != Thread.State.NEW) return;
    synchronized (LOCK) {
      Member starter = MEMBERS.get(Thread.currentThread());
      if (starter == null || (starter == main && paused)) return;
      // A pool would replace each worker that dies by another one.
      if (starter.dying) throw new ThreadDeath();
      ThreadGroup group = thread.getThreadGroup();
      if (group == null || !main.thread.getThreadGroup().parentOf(group)) return;
      if (MEMBERS.size() > MAX_MEMBERS) {
        throw new OutOfMemoryError("pthread_create (1040KB stack) failed: Try again");
      }
      boolean fixed = isFramework(thread);
      Member m = new Member(thread, fixed, fixed ? thread.getName().hashCode() : ++ordinal);
      MEMBERS.put(thread, m);
      ready(m);
      kick();
    }
  }

  /** The framework keeps these in static fields, so they serve one process of the app after the other. */
  public static boolean isFramework(Thread thread) {
    return switch (thread.getName()) {
      case "queued-work-looper", "android.bg", "android.io", "android.fg", "magnifier pixel copy result handler" -> true;
      default -> false;
    };
  }

  /** A thread's run method begins. */
  public static void begin() {
    Member m;
    synchronized (LOCK) {
      m = MEMBERS.get(Thread.currentThread());
      if (m == null || m.begun) return;
      m.begun = true;
      seedThreadLocalRandom(m);
    }
    awaitGrant(m, null);
  }

  /** A thread is about to be gone. */
  public static void end() {
    Member m;
    synchronized (LOCK) {
      m = MEMBERS.remove(Thread.currentThread());
      if (m == null) return;
      for (Member other : MEMBERS.values()) {
        if (other.state == State.WAITING && other.awaited == m.thread) ready(other);
      }
      count();
      if (current != m) {
        kick();
        return;
      }
    }
    choose(m);
  }

  /** For what only the host may do, before there is an app. */
  public static boolean isEnrolled() {
    return main != null;
  }

  /** A name is looked up, or a connection begins; what a thread may do there is its own matter. */
  public static void network() {
    if (isEnrolled()) world.networkBegins();
  }

  /** LockSupport.park. False: the JVM shall park the thread. */
  public static boolean park() {
    Member m = mine();
    if (m == null) return false;
    parkUntil(m, NEVER);
    return true;
  }

  public static boolean parkNanos(long nanos) {
    Member m = mine();
    if (m == null) return false;
    if (nanos > 0) parkUntil(m, after(nanos));
    return true;
  }

  public static boolean parkUntil(long epochMillis) {
    Member m = mine();
    if (m == null) return false;
    long millis = epochMillis - world.currentTimeMillis();
    if (millis > 0) parkUntil(m, after(nanos(millis)));
    return true;
  }

  private static void parkUntil(Member m, long deadline) {
    if (m.thread.isInterrupted()) return;
    synchronized (LOCK) {
      if (m.permit) {
        m.permit = false;
        return;
      }
      m.state = State.PARKED;
      m.deadline = deadline;
    }
    leave(m, null);
    restoreInterrupt(m);
  }

  /** LockSupport.unpark. False: the JVM shall unpark the thread. */
  public static boolean unpark(Thread thread) {
    if (main == null || thread == null) return false;
    synchronized (LOCK) {
      Member m = MEMBERS.get(thread);
      if (m == null || m.dying || (m == main && paused)) return false;
      if (m.state == State.PARKED) {
        ready(m);
        kick();
      } else {
        m.permit = true;
      }
      return true;
    }
  }

  /** Thread.interrupt. False: the JVM shall interrupt the thread. */
  public static boolean interrupt(Thread thread) {
    if (main == null || thread == Thread.currentThread()) return false;
    synchronized (LOCK) {
      Member m = MEMBERS.get(thread);
      if (interrupting || m == null || m.dying || (m == main && paused)) return false;
      if (m.state == State.RUNNING || m.state == State.LET_GO) return false;
      m.interrupted = true;
      if (m.state != State.READY) {
        ready(m);
        kick();
      }
      return true;
    }
  }

  /** In place of System.nanoTime in classes of java.util.concurrent, which compute how long to wait. */
  public static long nanoTime() {
    return isMember() ? world.nanoTime() : System.nanoTime();
  }

  public static long currentTimeMillis() {
    return isMember() ? world.currentTimeMillis() : System.currentTimeMillis();
  }

  // ---- What the app's and the framework's classes call, too --------------------------------------------------------

  public static void await(Object monitor) throws InterruptedException {
    await(monitor, 0);
  }

  public static void await(Object monitor, long millis, int nanos) throws InterruptedException {
    await(monitor, nanos > 0 && millis < Long.MAX_VALUE ? millis + 1 : millis);
  }

  /** Object.wait. */
  public static void await(Object monitor, long millis) throws InterruptedException {
    Member m = mine();
    if (m == null || millis < 0 || !Thread.holdsLock(monitor)) {
      monitor.wait(millis);
      return;
    }
    if (Thread.interrupted()) throw new InterruptedException();
    synchronized (LOCK) {
      // Its Java code has ended, so the JVM will say that it is dead in a moment: Thread.join looks again.
      if (monitor instanceof Thread thread && !MEMBERS.containsKey(thread) && thread.isAlive()) millis = -1;
      if (millis >= 0) {
        m.state = State.WAITING;
        m.awaited = monitor;
        m.deadline = millis == 0 ? NEVER : after(nanos(millis));
        m.inMonitor = true;
      }
    }
    if (millis < 0) {
      monitor.wait(1);
      return;
    }
    leave(m, monitor);
    if (m.interrupted) {
      m.interrupted = false;
      throw new InterruptedException();
    }
  }

  /** Object.notify. */
  public static void notify(Object monitor) {
    if (!Thread.holdsLock(monitor) || !notifyMembers(monitor, false)) monitor.notify();
  }

  /** Object.notifyAll. */
  public static void notifyAll(Object monitor) {
    if (!Thread.holdsLock(monitor) || !notifyMembers(monitor, true)) monitor.notifyAll();
  }

  private static boolean notifyMembers(Object monitor, boolean all) {
    if (main == null) return false;
    synchronized (LOCK) {
      boolean found = false;
      while (true) {
        Member first = null;
        for (Member m : MEMBERS.values()) {
          if (m.state == State.WAITING && m.awaited == monitor && (first == null || m.key < first.key)) first = m;
        }
        if (first == null) break;
        ready(first);
        found = true;
        if (!all) break;
      }
      if (found) kick();
      return found;
    }
  }

  /** Thread.sleep. False: the caller is none of the app's threads. */
  public static boolean sleep(long millis) throws InterruptedException {
    Member m = mine();
    if (m == null) return false;
    if (Thread.interrupted()) throw new InterruptedException();
    synchronized (LOCK) {
      m.state = State.SLEEPING;
      m.deadline = after(nanos(millis));
    }
    leave(m, null);
    if (m.interrupted) {
      m.interrupted = false;
      throw new InterruptedException();
    }
    return true;
  }

  /** A place where another thread may be put first: before something that threads share. */
  public static void step() {
    if (crowded) turn(false);
  }

  /** Another such place: a task or a message begins. */
  public static void task() {
    if (crowded) turn(true);
    Member m = current;
    if (m == null || m != main || m.thread != Thread.currentThread()) return;
    world.messageBegins();
    m.since = world.nanoTime();
  }

  private static void turn(boolean always) {
    Member m = current;
    if (m == null || m.thread != Thread.currentThread() || m.state != State.RUNNING) return;
    if (!always && !isDue(++m.steps)) return;
    Member next;
    synchronized (LOCK) {
      m.state = State.READY;
      next = best(m);
      m.state = State.RUNNING;
    }
    if (next == m || !mayLeave(m.thread)) return;
    handOver(m, next);
  }

  private static void handOver(Member m, Member next) {
    synchronized (LOCK) {
      m.state = State.READY;
      take(next);
    }
    awaitGrant(m, null);
    restoreInterrupt(m);
  }

  /** Thread.yield: the caller expects others to run now. */
  public static void yield() {
    if (!crowded) return;
    Member m = current;
    if (m == null || m.thread != Thread.currentThread() || m.state != State.RUNNING) return;
    Member next;
    synchronized (LOCK) {
      next = best(m);
    }
    if (next != null && !next.last) handOver(m, next);
  }

  /** 1 to 8, then every second one, from 17 every fourth one, and so on. */
  private static boolean isDue(int step) {
    return step <= EVERY_STEP || step % (Integer.highestOneBit(step - 1) / (EVERY_STEP / 2)) == 0;
  }

  /** A member that holds a monitor or initializes a class would make others block on that, with the token. */
  private static boolean mayLeave(Thread thread) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    ThreadInfo info = threads.getThreadInfo(new long[] {thread.getId()}, true, false)[0];
    if (info == null || info.getLockedMonitors().length > 0) return false;
    for (StackTraceElement frame : info.getStackTrace()) {
      if (frame.getMethodName().equals("<clinit>")) return false;
    }
    return true;
  }

  // ---- The token ---------------------------------------------------------------------------------------------------

  private static boolean isMember() {
    Member m = current;
    Thread thread = Thread.currentThread();
    if (m != null && m.thread == thread) return true;
    if (main == null) return false;
    synchronized (LOCK) {
      m = MEMBERS.get(thread);
      return m != null && !(m == main && paused);
    }
  }

  /**
   * The calling thread's membership; null where there is none. A member that was let go waits for the token first.
   * Throws ThreadDeath in a thread whose process is dead.
   */
  private static Member mine() {
    Member m = current;
    Thread thread = Thread.currentThread();
    if (m != null && m.thread == thread) return m;
    if (main == null) return null;
    synchronized (LOCK) {
      m = MEMBERS.get(thread);
      if (m == null || (m == main && paused)) return null;
      if (m.dying) throw new ThreadDeath();
      m.endless = false;
      m.begun = true;
      ready(m);
      kick();
      if (current == m) return m;
    }
    awaitGrant(m, null);
    restoreInterrupt(m);
    return m;
  }

  /** Gives the token to the next member and returns when the caller has it again. Its new state is set already. */
  private static void leave(Member m, Object monitor) {
    if (choose(m) == m) {
      m.inMonitor = false;
    } else {
      awaitGrant(m, monitor);
    }
    if (m.overdue) {
      m.overdue = false;
      throw world.notResponding();
    }
  }

  private static void awaitGrant(Member m, Object monitor) {
    if (monitor == null) {
      synchronized (m) {
        while (!m.granted) {
          try {
            m.wait();
          } catch (InterruptedException e) {
            m.interrupted = true;
          }
        }
        m.granted = false;
      }
    } else {
      // Only the JVM can give the monitor back, so the thread must wait for it; an interrupt wakes it without its help.
      while (true) {
        try {
          monitor.wait();
        } catch (InterruptedException e) {
          if (m.granted) break;
          m.interrupted = true;
        }
      }
      m.granted = false;
      m.inMonitor = false;
    }
    if (m.dying) throw new ThreadDeath();
  }

  /** Gives the token to the member that is next, moving the clock where nobody can run. Null: nobody ever will. */
  private static Member choose(Member stopped) {
    while (true) {
      synchronized (LOCK) {
        Member next = best(stopped);
        if (next != null) {
          take(next);
          return next;
        }
      }
      if (world.advance()) continue;
      synchronized (LOCK) {
        if (best(stopped) != null) continue;
        current = null;
        return null;
      }
    }
  }

  /** All that can run draw lots; the lowest, or null. REQUIRES: LOCK. */
  private static Member best(Member stopped) {
    long draw = mix(mix(actionKey + name(stopped)) + ++stopped.stops);
    Member best = null;
    long lowest = 0;
    for (Member m : MEMBERS.values()) {
      if (m.state != State.READY) continue;
      long lot = m.last ? NEVER : mix(draw + name(m)) >>> 2;
      if (best != null && (lot > lowest || (lot == lowest && m.key > best.key))) continue;
      best = m;
      lowest = lot;
    }
    return best;
  }

  /** By its place among the living: threads of earlier steps, which a shorter trace does not have, do not count. */
  private static long name(Member m) {
    if (m.fixed) return m.key;
    long place = 1;
    for (Member other : MEMBERS.values()) {
      if (!other.fixed && other.key < m.key) place++;
    }
    return place;
  }

  /** REQUIRES: LOCK. */
  private static void take(Member m) {
    current = m;
    m.state = State.RUNNING;
    turns++;
    count();
    if (m.thread != Thread.currentThread()) wake(m);
  }

  /** REQUIRES: LOCK. */
  private static void wake(Member m) {
    if (m.inMonitor) {
      m.granted = true;
      interruptNatively(m.thread);
    } else {
      synchronized (m) {
        m.granted = true;
        m.notifyAll();
      }
    }
  }

  /** It can run from now on. REQUIRES: LOCK. */
  private static void ready(Member m) {
    m.state = State.READY;
    m.awaited = null;
    m.deadline = NEVER;
    count();
  }

  /** If nobody has the token although a request is being served, somebody gets it. REQUIRES: LOCK. */
  private static void kick() {
    if (current != null || paused) return;
    Member next = best(main);
    if (next != null) take(next);
  }

  /** REQUIRES: LOCK. */
  private static void count() {
    boolean any = false;
    for (Member m : MEMBERS.values()) any |= m.state == State.READY;
    crowded = any;
  }

  /** The mixing function of splitmix64. */
  private static long mix(long x) {
    x += 0x9e3779b97f4a7c15L;
    x = (x ^ (x >>> 30)) * 0xbf58476d1ce4e5b9L;
    x = (x ^ (x >>> 27)) * 0x94d049bb133111ebL;
    return x ^ (x >>> 31);
  }

  private static long after(long nanos) {
    long now = world.nanoTime();
    return nanos > NEVER - 1 - now ? NEVER - 1 : now + nanos;
  }

  private static long nanos(long millis) {
    return millis > Long.MAX_VALUE / 1_000_000 ? Long.MAX_VALUE : millis * 1_000_000;
  }

  /** An interrupt that came while the member waited here is passed on. */
  private static void restoreInterrupt(Member m) {
    if (!m.interrupted) return;
    m.interrupted = false;
    synchronized (LOCK) {
      interruptNatively(m.thread);
    }
  }

  /** REQUIRES: LOCK. */
  private static void interruptNatively(Thread thread) {
    interrupting = true;
    thread.interrupt();
    interrupting = false;
  }

  // ---- Random numbers ----------------------------------------------------------------------------------------------

  private static final Field RANDOM_SEED = field("threadLocalRandomSeed");
  private static final Field RANDOM_PROBE = field("threadLocalRandomProbe");

  private static Field field(String name) {
    try {
      Field field = Thread.class.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException(e);
    }
  }

  /** ThreadLocalRandom keeps its state in the thread; ForkJoinPool chooses its queues by it. */
  private static void seedThreadLocalRandom(Member m) {
    try {
      long seed = mix(scheduleKey ^ mix(m.key));
      RANDOM_SEED.setLong(m.thread, seed);
      RANDOM_PROBE.setInt(m.thread, (int) mix(seed) | 1);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---- The watchdog ------------------------------------------------------------------------------------------------

  private static void watch() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Member seen = null;
    long seenTurns = -1;
    Thread.State seenState = null;
    long since = 0;
    long cpuSince = 0;
    while (true) {
      nap(LOOK_MILLIS);
      Member m = current;
      if (m == null || paused || idling || MEMBERS.size() < 2) {
        seen = null;
        continue;
      }
      Thread.State state = m.thread.getState();
      if (m != seen || turns != seenTurns) {
        seen = m;
        seenTurns = turns;
        since = System.nanoTime();
        cpuSince = threads.getThreadCpuTime(m.thread.getId());
      } else if (state == Thread.State.RUNNABLE) {
        long real = System.nanoTime() - since;
        long cpu = threads.getThreadCpuTime(m.thread.getId()) - cpuSince;
        if (m != main && (real > REAL_NANOS || cpu > CPU_NANOS)) {
          world.leftToChance("thread " + m.thread.getName() + " ran for " + real / 1_000_000 + " ms without a pause");
          letGo(m, seenTurns, null, true);
        }
      } else if (state == seenState && (state == Thread.State.BLOCKED || !m.granted)) {
        ThreadInfo info = threads.getThreadInfo(m.thread.getId());
        if (info != null && waitsOutside(state, info)) letGo(m, seenTurns, info, false);
      }
      seenState = state;
    }
  }

  /** Whether it waits for another member without the gate, and not for a lock of this class or of a host's thread. */
  private static boolean waitsOutside(Thread.State state, ThreadInfo info) {
    if (state != Thread.State.BLOCKED) return true;
    if (String.valueOf(info.getLockName()).startsWith(Gate.class.getName())) return false;
    synchronized (LOCK) {
      for (Member m : MEMBERS.values()) {
        if (m.thread.getId() == info.getLockOwnerId()) return m.state != State.RUNNING;
      }
      return false;
    }
  }

  private static void letGo(Member m, long seenTurns, ThreadInfo info, boolean endless) {
    synchronized (LOCK) {
      if (current != m || turns != seenTurns || idling) return;
      m.state = State.LET_GO;
      m.endless = endless;
      current = null;
      count();
      // Who holds the monitor is first: the sooner it gives it back, the shorter two of them run at once.
      for (Member owner : MEMBERS.values()) {
        boolean holds = info != null && info.getLockOwnerId() == owner.thread.getId();
        if (holds && owner.state == State.READY) {
          take(owner);
          return;
        }
      }
    }
    choose(m);
  }

  /** Whether a member that was let go is still at work. */
  private static boolean isBusyBeside() {
    synchronized (LOCK) {
      for (Member m : MEMBERS.values()) {
        if (m.state == State.LET_GO && !m.endless && m.thread.getState() == Thread.State.RUNNABLE) return true;
      }
      return false;
    }
  }

  private static void excuseBusy() {
    synchronized (LOCK) {
      for (Member m : MEMBERS.values()) {
        if (m.state == State.LET_GO) m.endless = true;
      }
    }
  }

  private static void nap(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      // Only the main thread can be interrupted here, by the app, and only while its process ends.
    }
  }
}
