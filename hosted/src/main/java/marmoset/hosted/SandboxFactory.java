package marmoset.hosted;

import java.util.List;
import java.util.Properties;
import org.robolectric.android.AndroidSdkShadowMatcher;
import org.robolectric.annotation.ResourcesMode;
import org.robolectric.annotation.SQLiteMode;
import org.robolectric.interceptors.AndroidInterceptors;
import org.robolectric.internal.AndroidSandbox;
import org.robolectric.internal.SandboxManager;
import org.robolectric.internal.bytecode.ClassHandler;
import org.robolectric.internal.bytecode.InstrumentationConfiguration;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.Interceptors;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.ShadowMap;
import org.robolectric.internal.bytecode.ShadowProviders;
import org.robolectric.internal.bytecode.ShadowWrangler;
import org.robolectric.pluginapi.Sdk;
import org.robolectric.pluginapi.SdkProvider;
import org.robolectric.sandbox.ShadowMatcher;
import org.robolectric.util.inject.Injector;

/**
 * Builds a Robolectric sandbox outside a JUnit run, with our shadows and our clock. Robolectric's own builder for this is
 * in a module that is not published, and it has no hook for shadows.
 */
final class SandboxFactory {
  /** Makes what decides which shadow answers a call. */
  interface HandlerMaker {
    ClassHandler make(ShadowMap shadows, ShadowMatcher matcher, Interceptors interceptors);
  }

  private SandboxFactory() {}

  /** Throws RequestError(infrastructure) where the framework of this SDK level is not installed. */
  static AndroidSandbox build(int sdkLevel) {
    return build(sdkLevel, ShadowWrangler::new);
  }

  static AndroidSandbox build(int sdkLevel, HandlerMaker handlers) {
    Injector injector =
        new Injector.Builder()
            .bind(Properties.class, System.getProperties())
            .bind(
                AndroidSandbox.TestEnvironmentSpec.class,
                new AndroidSandbox.TestEnvironmentSpec(marmoset.hosted.sandbox.HostEnvironment.class))
            .build();
    Sdk sdk = findSdk(injector.getInstance(SdkProvider.class), sdkLevel);
    List<Interceptor> all = new java.util.ArrayList<>(AndroidInterceptors.all());
    all.removeIf(interceptor -> interceptor instanceof AndroidInterceptors.SystemTimeInterceptor);
    all.add(new marmoset.hosted.sandbox.ClockInterceptor());
    Interceptors interceptors = new Interceptors(all);
    AndroidSandbox sandbox =
        injector
            .getInstance(SandboxManager.SandboxBuilder.class)
            .build(configuration(interceptors), sdk, sdk, ResourcesMode.Mode.BINARY, SQLiteMode.Mode.NATIVE);
    ShadowMap.Builder shadows = injector.getInstance(ShadowProviders.class).getBaseShadowMap().newBuilder();
    shadows.addShadowClasses(HostShadows.of(sdkLevel).toArray(new Class<?>[0]));
    ShadowMap shadowMap = shadows.build();
    sandbox.replaceShadowMap(shadowMap);
    ClassHandler handler = handlers.make(shadowMap, new AndroidSdkShadowMatcher(sdkLevel), interceptors);
    sandbox.configure(handler, interceptors);
    return sandbox;
  }

  private static Sdk findSdk(SdkProvider provider, int level) {
    for (Sdk sdk : provider.getSdks()) {
      if (sdk.getApiLevel() == level && sdk.isSupported()) return sdk;
    }
    throw new RequestError(RequestError.INFRASTRUCTURE, "SDK " + level + " is not supported: choose 23 to 35");
  }

  /** The same packages that Robolectric's test runner acquires and instruments. */
  private static InstrumentationConfiguration configuration(Interceptors interceptors) {
    InstrumentationConfiguration.Builder builder = new InstrumentationConfiguration.Builder();
    for (MethodRef method : interceptors.getAllMethodRefs()) builder.addInterceptedMethod(method);
    builder.doNotAcquireClass("org.robolectric.shadow.api.ShadowPicker");
    for (String name :
        List.of(
            "org.bouncycastle.",
            "org.conscrypt.",
            "org.objectweb.asm",
            "org.robolectric.manifest.",
            "org.robolectric.res.",
            "org.w3c.",
            "org.xml.")) {
      builder.doNotAcquirePackage(name);
    }
    builder
        .addClassNameTranslation("java.net.ExtendedResponseCache", "org.robolectric.fakes.RoboExtendedResponseCache")
        .addClassNameTranslation("java.net.ResponseSource", "org.robolectric.fakes.RoboResponseSource")
        .addClassNameTranslation("java.nio.charset.Charsets", "java.nio.charset.StandardCharsets")
        .addClassNameTranslation("java.lang.UnsafeByteSequence", "java.lang.Object")
        .addClassNameTranslation("java.util.jar.StrictJarFile", "java.lang.Object")
        .addClassNameTranslation("sun.misc.Cleaner", "java.lang.ref.Cleaner$Cleanable");
    for (String name : List.of("android.support.", "android.arch", "android.R")) builder.doNotInstrumentPackage(name);
    builder.doNotInstrumentClass("android.app.RecoverableSecurityException");
    for (String name :
        List.of(
            "dalvik.",
            "libcore.",
            "android.",
            "com.android.internal.",
            "org.apache.http.",
            "org.ccil.cowan.tagsoup.",
            "org.kxml2.")) {
      builder.addInstrumentedPackage(name);
    }
    return builder.build();
  }
}
