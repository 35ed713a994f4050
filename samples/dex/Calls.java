package fx;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.IntBinaryOperator;
import java.util.function.Supplier;

public class Calls {
  static int add(int a, int b) { return a + b; }
  int count;
  int more(int a, int b) { return a + b + count; }
  public Supplier<String> text(String name, int n) { return () -> "hello " + name + n + count; }
  public IntBinaryOperator sum() { return Calls::add; }
  public IntBinaryOperator bound() { return this::more; }
  public String join(String a, int b) { return a + ":" + b; }
  public Object handle() throws Throwable {
    MethodHandle handle = MethodHandles.lookup().findStatic(Calls.class, "add", MethodType.methodType(int.class, int.class, int.class));
    return (int) handle.invokeExact(1, 2);
  }
}
