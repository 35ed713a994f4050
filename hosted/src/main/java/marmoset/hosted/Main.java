package marmoset.hosted;

import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.robolectric.internal.AndroidSandbox;

/**
 * {@code Main [--sdk N]}: the hosted device. Speaks docs/formats/hosted_protocol.md on standard input and
 * output and ends when its input ends.
 */
public final class Main {
  private Main() {}

  public static void main(String[] args) throws Exception {
    int sdk = 34;
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--sdk") && i + 1 < args.length) {
        sdk = Integer.parseInt(args[++i]);
      } else {
        System.err.println("usage: Main [--sdk N]");
        System.exit(2);
      }
    }
    PrintStream out =
        new PrintStream(new FileOutputStream(takeAway(FileDescriptor.out, 2)), false, StandardCharsets.UTF_8);
    FileInputStream nothing = new FileInputStream("/dev/null");
    FileDescriptor requests = takeAway(FileDescriptor.in, number(nothing.getFD()));
    BufferedReader in =
        new BufferedReader(new InputStreamReader(new FileInputStream(requests), StandardCharsets.UTF_8));
    PrintStream hostLog = System.err;
    try {
      startDevice(sdk, in, out).serve(sdk);
      Runtime.getRuntime().halt(0);
    } catch (Throwable e) {
      e.printStackTrace(hostLog);
      Runtime.getRuntime().halt(1);
    }
  }

  /**
   * Makes {@code standard}, which the app can reach, another descriptor, and returns one that it cannot reach: it would
   * read our requests and write our answers.
   */
  private static FileDescriptor takeAway(FileDescriptor standard, int instead) throws ReflectiveOperationException {
    Constructor<FileDescriptor> constructor = FileDescriptor.class.getDeclaredConstructor(int.class);
    constructor.setAccessible(true);
    FileDescriptor ours = constructor.newInstance(number(standard));
    numberField().setInt(standard, instead);
    return ours;
  }

  private static int number(FileDescriptor descriptor) throws ReflectiveOperationException {
    return numberField().getInt(descriptor);
  }

  private static Field numberField() throws NoSuchFieldException {
    Field field = FileDescriptor.class.getDeclaredField("fd");
    field.setAccessible(true);
    return field;
  }

  /** Builds the sandbox; its main thread is in {@link RequestLoop#runTasks} afterwards. */
  private static RequestLoop startDevice(int sdk, BufferedReader in, PrintStream out) throws Exception {
    AndroidSandbox sandbox = SandboxFactory.build(sdk);
    MemoryWatch memory = new MemoryWatch();
    CompletableFuture<RequestLoop> loop = new CompletableFuture<>();
    Thread starter =
        new Thread(
            () ->
                sandbox.runOnMainThread(
                    () -> {
                      try {
                        HostedDevice device = newDevice(sandbox, memory::isFull);
                        loop.complete(new RequestLoop(in, out, device, Thread.currentThread(), memory));
                      } catch (Throwable e) {
                        loop.completeExceptionally(e);
                        return;
                      }
                      loop.join().runTasks();
                    }),
            "device");
    starter.setDaemon(true);
    starter.start();
    return loop.get();
  }

  private static HostedDevice newDevice(AndroidSandbox sandbox, BooleanSupplier memoryIsFull)
      throws ReflectiveOperationException {
    Class<?> type = sandbox.bootstrappedClass(marmoset.hosted.sandbox.Device.class);
    Constructor<?> constructor = type.getConstructor(AndroidSandbox.class, BooleanSupplier.class);
    return (HostedDevice) constructor.newInstance(sandbox, memoryIsFull);
  }
}
