package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import org.junit.Test;

public class StackTextTest {
  @Test
  public void showsWhatAPhoneShows() {
    Throwable error = new ArithmeticException("/ by zero");
    error.setStackTrace(
        new StackTraceElement[] {
          frame("com.example.Bill", "split", "Bill.java", 101),
          frame("com.example.Bill$1", "onClick", "Bill.java", 60),
          frame("android.view.View", "$$robo$$android_view_View$performClick", "View.java", 7448),
          frame("android.view.View", "performClick", "View.java", -1),
          frame("java.lang.invoke.LambdaForm$MH", "invoke", "LambdaForm$MH", 0),
          frame("org.robolectric.internal.bytecode.InvokeDynamicSupport", "call", "X.java", 3),
          frame("android.os.Handler", "$$robo$$android_os_Handler$dispatchMessage", "Handler.java", 99),
          frame("org.robolectric.shadows.ShadowPausedLooper", "idle", "ShadowPausedLooper.java", 5),
          frame("marmoset.hosted.RequestLoop", "runTasks", "RequestLoop.java", 47),
          frame("java.util.concurrent.ThreadPoolExecutor", "runWorker", "ThreadPoolExecutor.java", 1),
          frame("java.lang.Thread", "run", "Thread.java", 840),
        });
    assertEquals(
        "java.lang.ArithmeticException: / by zero\n"
            + "\tat com.example.Bill.split(Bill.java:101)\n"
            + "\tat com.example.Bill$1.onClick(Bill.java:60)\n"
            + "\tat android.view.View.performClick(View.java:7448)\n"
            + "\tat android.os.Handler.dispatchMessage(Handler.java:99)",
        StackText.of(error));
  }

  @Test
  public void aProbeIsNoPartOfTheApp() {
    Throwable error = new StackOverflowError();
    error.setStackTrace(
        new StackTraceElement[] {
          frame("marmoset.Probe", "hit", null, -1), frame("com.example.Tree", "depth", "Tree.java", 7)
        });
    assertEquals("java.lang.StackOverflowError\n\tat com.example.Tree.depth(Tree.java:7)", StackText.of(error));
  }

  @Test
  public void keepsTheBottomOfABackgroundThread() {
    Throwable error = new IllegalStateException();
    error.setStackTrace(
        new StackTraceElement[] {
          frame("com.example.Job", "run", "Job.java", 5), frame("java.lang.Thread", "run", "Thread.java", 840)
        });
    assertTrue(StackText.of(error).endsWith("\n\tat java.lang.Thread.run(Thread.java:840)"));
  }

  @Test
  public void chainsCausesAndFoldsTheirCommonTail() {
    StackTraceElement bottom = frame("android.app.Activity", "performCreate", "Activity.java", 1);
    Throwable cause = new NullPointerException("x");
    cause.setStackTrace(new StackTraceElement[] {frame("com.example.A", "a", "A.java", 2), bottom});
    Throwable error = new RuntimeException("Unable to start", cause);
    error.setStackTrace(new StackTraceElement[] {frame("com.example.B", "b", "B.java", 3), bottom});
    assertEquals(
        "java.lang.RuntimeException: Unable to start\n\tat com.example.B.b(B.java:3)\n"
            + "\tat android.app.Activity.performCreate(Activity.java:1)\n"
            + "Caused by: java.lang.NullPointerException: x\n\tat com.example.A.a(A.java:2)\n\t... 1 more",
        StackText.of(error));
  }

  @Test
  public void namesConstructors() {
    StackTraceElement[] raw = {
      frame("android.view.View", "$$robo$$android_view_View$__constructor__", "View.java", 5500),
      frame("android.widget.ListView$Inner", "$$robo$$android_widget_ListView$Inner$scroll", "ListView.java", 1)
    };
    assertEquals("<init>", StackText.clean(raw).get(0).getMethodName());
    assertEquals("scroll", StackText.clean(raw).get(1).getMethodName());
  }

  @Test
  public void aFailedCastIsTheSameInEveryRun() {
    ClassCastException error = assertThrows(ClassCastException.class, () -> cast(new StringBuilder()));
    assertTrue(error.getMessage(), error.getMessage().contains("module"));
    String expected = "java.lang.ClassCastException: java.lang.StringBuilder cannot be cast to java.lang.Integer";
    assertEquals(expected, firstLine(StackText.of(error)));
    assertTrue(firstLine(StackText.of(new RuntimeException("Unable: " + error))).endsWith(": Unable: " + expected));
  }

  private static Integer cast(Object object) {
    return (Integer) object;
  }

  private static String firstLine(String text) {
    return text.substring(0, text.indexOf('\n'));
  }

  @Test
  public void survivesAHostileException() {
    Throwable hostile =
        new RuntimeException() {
          @Override
          public String toString() {
            throw new IllegalStateException();
          }

          @Override
          public synchronized Throwable getCause() {
            return this;
          }
        };
    assertTrue(StackText.of(hostile).startsWith(hostile.getClass().getName()));
  }

  private static StackTraceElement frame(String type, String method, String file, int line) {
    return new StackTraceElement(type, method, file, line);
  }
}
