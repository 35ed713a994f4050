package marmoset.hosted.sandbox;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.robolectric.internal.bytecode.Interceptor;
import org.robolectric.internal.bytecode.MethodRef;
import org.robolectric.internal.bytecode.MethodSignature;
import org.robolectric.util.Function;
import org.robolectric.util.ReflectionHelpers;

/**
 * Gives the framework's own calls of System.currentTimeMillis and nanoTime the same clock as the app's. Robolectric's
 * interceptor would give it the uptime, that is a date in 1970. Robolectric makes one instance inside the sandbox.
 */
public final class ClockInterceptor extends Interceptor {
  public ClockInterceptor() {
    super(new MethodRef(System.class, "nanoTime"), new MethodRef(System.class, "currentTimeMillis"));
  }

  @Override
  public Function<Object, Object> handle(MethodSignature signature) {
    return (type, value, parameters) ->
        ReflectionHelpers.callStaticMethod(
            ReflectionHelpers.loadClass(((Class<?>) type).getClassLoader(), AppRuntime.class.getName()),
            signature.methodName);
  }

  @Override
  public MethodHandle getMethodHandle(String name, MethodType type) throws NoSuchMethodException, IllegalAccessException {
    return MethodHandles.lookup().findStatic(AppRuntime.class, name, MethodType.methodType(long.class));
  }
}
