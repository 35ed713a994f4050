package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import org.junit.Test;

/** The rule from both sides: no crash of the app is hidden, no fault of the host is blamed on the app. */
public class GapRuleTest {
  private boolean memoryIsFull;
  private final GapRule rule = new GapRule(name -> name.startsWith("com.example."), () -> memoryIsFull);

  @Test
  public void appThrowsItself() {
    assertApp(at(new ArithmeticException("/ by zero"), "com.example.Bill.split", "android.view.View.performClick"));
    assertApp(at(new NullPointerException(), "com.example.Main.onCreate", "org.robolectric.shadows.ShadowPausedLooper.idle"));
    assertApp(at(new UnsupportedOperationException(), "com.example.Main.onCreate"));
  }

  @Test
  public void appMisusesTheJdk() {
    assertApp(at(new IndexOutOfBoundsException(), "java.util.ArrayList.get", "com.example.Main.onClick"));
    assertApp(at(new NullPointerException(), "java.util.Objects.requireNonNull", "com.example.Main.onClick"));
    assertApp(
        at(
            new IllegalMonitorStateException(),
            "java.lang.Object.wait", "marmoset.hosted.gate.Gate.await", "marmoset.hosted.sandbox.AppRuntime.await",
            "com.example.Main.onClick"));
    assertGap(
        "marmoset.hosted.sandbox.ActivityStack.start",
        at(new NullPointerException(), "marmoset.hosted.sandbox.ActivityStack.start", "com.example.Main.onClick"));
  }

  @Test
  public void appMisusesTheFramework() {
    assertApp(at(new IllegalStateException(), "android.app.Dialog.show", "com.example.Main.onClick"));
    String why = "Cannot read field \"length\" because \"this.mObjects\" is null";
    assertApp(at(new NullPointerException(why), "android.widget.ArrayAdapter.getCount", "com.example.Main.onClick"));
    why = "Cannot invoke \"android.content.Intent.getAction()\" because \"<local1>\" is null";
    assertApp(at(new NullPointerException(why), "android.app.Activity.startActivity", "com.example.Main.onClick"));
  }

  @Test
  public void hostSaysWhatAPhoneWouldSay() {
    assertApp(at(new SecurityException("permission"), "org.robolectric.shadows.ShadowX.call", "com.example.Main.onClick"));
    assertApp(at(new IllegalArgumentException(), "org.robolectric.shadows.ShadowX.call", "com.example.Main.onClick"));
  }

  @Test
  public void hostFails() {
    assertGap(
        "org.robolectric.shadows.ShadowBitmap.copy",
        at(new NullPointerException(), "org.robolectric.shadows.ShadowBitmap.copy", "com.example.Main.draw"));
    assertGap(
        "org.robolectric.shadows.ShadowX.call",
        at(new UnsupportedOperationException(), "org.robolectric.shadows.ShadowX.call", "com.example.Main.draw"));
    assertGap(
        "org.robolectric.shadows.ShadowX.call",
        at(new IndexOutOfBoundsException(), "java.util.ArrayList.get", "org.robolectric.shadows.ShadowX.call"));
  }

  @Test
  public void aMissingServiceIsTheHosts() {
    String field = "Cannot invoke \"android.os.IPowerManager.wake()\" because \"this.mService\" is null";
    assertNotNull(rule.gap(at(new NullPointerException(field), "android.os.PowerManager.wake", "com.example.Main.a")));
    String answer =
        "Cannot invoke \"java.util.List.size()\" because the return value of "
            + "\"android.app.IActivityManager.getTasks(int)\" is null";
    assertNotNull(rule.gap(at(new NullPointerException(answer), "android.app.ActivityManager.get", "com.example.Main.a")));
  }

  @Test
  public void missingTelephonyIsTheHosts() {
    Exception error = new UnsupportedOperationException("Sms is not supported");
    assertNotNull(rule.gap(at(error, "android.telephony.SmsManager.getISmsServiceOrThrow", "com.example.Main.a")));
    assertApp(at(new UnsupportedOperationException(), "java.util.AbstractList.add", "com.example.Main.a"));
  }

  @Test
  public void aCastOfAHostClassIsTheHosts() {
    String host = "Cannot cast org.robolectric.shadows.ShadowA to org.robolectric.shadows.ShadowB";
    assertNotNull(rule.gap(at(new ClassCastException(host), "android.media.A.call", "com.example.Main.a")));
    String app = "class com.example.A cannot be cast to class com.example.B";
    assertApp(at(new ClassCastException(app), "com.example.Main.a"));
    String real = assertThrows(ClassCastException.class, () -> cast(new int[0])).getMessage();
    assertApp(at(new ClassCastException(real), "com.example.Main.a"));
    String loaders = " (A and B are in unnamed module of loader marmoset.hosted.AppClassLoader @76be03a1)";
    assertApp(at(new ClassCastException(app + loaders), "com.example.Main.a"));
    String twice = "class com.example.A cannot be cast to class com.example.A" + loaders;
    assertNotNull(rule.gap(at(new ClassCastException(twice), "com.example.Main.a")));
  }

  private static String cast(Object object) {
    return (String) object;
  }

  @Test
  public void theInnermostCauseDecides() {
    Throwable cause = at(new NullPointerException(), "com.example.Main.onCreate");
    assertApp(at(new RuntimeException(cause), "org.robolectric.shadows.ShadowX.call"));
    Throwable hostCause = at(new NullPointerException(), "org.robolectric.shadows.ShadowX.call");
    assertNotNull(rule.gap(at(new RuntimeException(hostCause), "com.example.Main.onCreate")));
  }

  @Test
  public void linkageErrors() {
    StackTraceElement app = frame("com.example.Main.onCreate");
    assertApp(with(new NoClassDefFoundError("com/example/Missing"), app));
    assertApp(with(new NoClassDefFoundError("org/other/Missing"), app));
    assertNotNull(rule.gap(with(new NoClassDefFoundError("javax/microedition/khronos/opengles/GL10"), app)));
    assertNotNull(rule.gap(with(new NoSuchMethodError("'int java.util.LinkedHashMap.eldest()'"), app)));
    assertApp(with(new NoSuchMethodError("'void com.example.Helper.gone()'"), app));
    assertNotNull(rule.gap(with(new VerifyError("Bad type on operand stack"), app)));
    assertNotNull(rule.gap(with(new UnsatisfiedLinkError("nDraw"), frame("android.graphics.Canvas.nDraw"))));
    assertApp(with(new UnsatisfiedLinkError("no foo in java.library.path"), app));
  }

  @Test
  public void whatTheDevicesAndroidDoesNotHaveYetIsMissedByTheApp() {
    StackTraceElement app = frame("com.example.Main.onCreate");
    StackTraceElement host = frame("org.robolectric.shadows.ShadowX.call");
    Error missing = new NoClassDefFoundError("android/app/NotificationChannel");
    missing.initCause(at(new ClassNotFoundException("android.app.NotificationChannel"), "marmoset.hosted.AppClassLoader.loadClass"));
    assertApp(with(missing, app));
    assertNotNull(rule.gap(with(new NoClassDefFoundError("android/app/NotificationChannel"), host)));
    assertNotNull(rule.gap(with(new NoClassDefFoundError("Could not initialize class android.app.Thing"), app)));

    assertApp(with(new NoSuchMethodError("'int android.content.Context.getColor(int)'"), app));
    assertApp(with(new NoSuchMethodError("'void android.app.Activity.a(java.lang.String, android.os.Bundle)'"), app));
    assertApp(with(new NoSuchFieldError("SOC_MODEL"), app));
    assertNotNull(rule.gap(with(new NoSuchMethodError("'int android.content.Context.getColor(int)'"), host)));
    assertNotNull(rule.gap(with(new NoSuchMethodError("'java.util.List java.util.List.of(android.os.Bundle)'"), app)));

    assertApp(
        at(
            new ClassNotFoundException("com.example.Gone"),
            "marmoset.hosted.AppClassLoader.loadClass", "java.lang.Class.forName", "com.example.Main.onCreate"));
  }

  @Test
  public void anEndlessRecursionOfTheAppIsTheApps() {
    assertApp(at(new StackOverflowError(), "java.util.ArrayList.add", "com.example.Main.again", "com.example.Main.again"));
    assertNotNull(rule.gap(at(new StackOverflowError(), "org.robolectric.shadows.ShadowX.call")));
  }

  @Test
  public void memoryThatTheAppHoldsIsMissingForItsOwnFault() {
    String[] host = {"java.util.Arrays.copyOf", "marmoset.hosted.sandbox.ScreenReader.read"};
    assertApp(at(new OutOfMemoryError(), "java.util.Arrays.copyOf", "com.example.Main.draw"));
    assertGap("marmoset.hosted.sandbox.ScreenReader.read", at(new OutOfMemoryError(), host));
    memoryIsFull = true;
    assertApp(at(new OutOfMemoryError(), host));
    assertNotNull(rule.gap(at(new StackOverflowError(), host)));
  }

  private void assertApp(Throwable error) {
    assertNull(rule.gap(error));
  }

  private void assertGap(String where, Throwable error) {
    assertEquals(where, rule.gap(error));
  }

  private static Throwable at(Throwable error, String... methods) {
    StackTraceElement[] frames = new StackTraceElement[methods.length];
    for (int i = 0; i < methods.length; i++) frames[i] = frame(methods[i]);
    return with(error, frames);
  }

  private static Throwable with(Throwable error, StackTraceElement... frames) {
    error.setStackTrace(frames);
    return error;
  }

  private static StackTraceElement frame(String method) {
    int dot = method.lastIndexOf('.');
    return new StackTraceElement(method.substring(0, dot), method.substring(dot + 1), "File.java", 7);
  }
}
