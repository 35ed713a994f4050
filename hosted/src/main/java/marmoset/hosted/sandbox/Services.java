package marmoset.hosted.sandbox;

import android.app.ActivityThread;
import android.app.Application;
import android.app.Service;
import android.content.ComponentName;
import android.content.Context;
import android.content.Intent;
import android.content.ServiceConnection;
import android.content.pm.PackageManager;
import android.content.pm.ResolveInfo;
import android.content.pm.ServiceInfo;
import android.os.Build.VERSION;
import android.os.Handler;
import android.os.IBinder;
import android.os.Looper;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.robolectric.RuntimeEnvironment;
import org.robolectric.util.ReflectionHelpers;
import org.robolectric.versioning.AndroidVersions.P;

import static org.robolectric.util.ReflectionHelpers.ClassParameter.from;

/**
 * The app's started and bound services, in the app's process whatever process the manifest names. Requests may come from
 * any thread; they take effect in messages of the main looper, as on a phone. Services of other apps do not exist.
 */
public final class Services {
  /** One running service. */
  private static final class Running {
    final Service service;
    final ComponentName name;
    final Map<Intent.FilterComparison, IBinder> binders = new LinkedHashMap<>();
    final List<Binding> bindings = new ArrayList<>();
    boolean started;
    int lastStartId;

    Running(Service service, ComponentName name) {
      this.service = service;
      this.name = name;
    }
  }

  private record Binding(ServiceConnection connection, Intent intent, Executor executor) {}

  private static volatile Services current;

  private final Application application;
  private final Handler handler = new Handler(Looper.getMainLooper());
  private final Map<ComponentName, Running> running = new LinkedHashMap<>();

  Services(Application application) {
    this.application = application;
    current = this;
  }

  /** The services of the app's present process; null before there is one. */
  public static Services current() {
    return current;
  }

  static void forget() {
    current = null;
  }

  /** Context.startService: the component, or null where there is no such service. */
  public ComponentName start(Intent intent) {
    ServiceInfo info = resolve(intent);
    if (info == null) return null;
    Intent copy = new Intent(intent);
    handler.post(
        () -> {
          Running service = ensure(info);
          service.started = true;
          int startId = ++service.lastStartId;
          Wrapped.run(
              () -> "Unable to start service " + service.service + " with " + copy,
              () -> service.service.onStartCommand(copy, 0, startId));
        });
    return new ComponentName(info.packageName, info.name);
  }

  /** Context.stopService: whether it was running. */
  public boolean stop(Intent intent) {
    ServiceInfo info = resolve(intent);
    if (info == null) return false;
    ComponentName name = new ComponentName(info.packageName, info.name);
    boolean was = running.containsKey(name);
    handler.post(() -> stopStarted(running.get(name), -1));
    return was;
  }

  /** Service.stopSelf; {@code startId} -1 stops whatever was started since. */
  public void stopSelf(Service service, int startId) {
    handler.post(
        () -> {
          for (Running candidate : new ArrayList<>(running.values())) {
            if (candidate.service == service) stopStarted(candidate, startId);
          }
        });
  }

  private void stopStarted(Running service, int startId) {
    if (service == null || (startId >= 0 && startId != service.lastStartId)) return;
    service.started = false;
    destroyIfUnused(service);
  }

  /** Context.bindService: whether there is such a service. */
  public boolean bind(Intent intent, ServiceConnection connection, int flags, Executor executor) {
    ServiceInfo info = resolve(intent);
    if (info == null) return false;
    Intent copy = new Intent(intent);
    boolean create = (flags & Context.BIND_AUTO_CREATE) != 0;
    handler.post(() -> connect(info, new Binding(connection, copy, executor), create));
    return true;
  }

  private void connect(ServiceInfo info, Binding binding, boolean create) {
    ComponentName name = new ComponentName(info.packageName, info.name);
    if (!create && !running.containsKey(name)) return;
    Running service = ensure(info);
    service.bindings.add(binding);
    Intent.FilterComparison key = new Intent.FilterComparison(binding.intent);
    if (!service.binders.containsKey(key)) {
      Wrapped.run(
          () -> "Unable to bind to service " + service.service + " with " + binding.intent,
          () -> service.binders.put(key, service.service.onBind(binding.intent)));
    }
    IBinder binder = service.binders.get(key);
    deliver(
        binding,
        () -> {
          if (binder != null) binding.connection.onServiceConnected(name, binder);
          else if (VERSION.SDK_INT >= P.SDK_INT) binding.connection.onNullBinding(name);
        });
  }

  private void deliver(Binding binding, Runnable call) {
    if (binding.executor != null) binding.executor.execute(call);
    else handler.post(call);
  }

  /** Context.unbindService. Throws IllegalArgumentException, as Android does, for an unknown connection. */
  public void unbind(ServiceConnection connection) {
    handler.post(
        () -> {
          for (Running service : new ArrayList<>(running.values())) {
            for (Binding binding : new ArrayList<>(service.bindings)) {
              if (binding.connection == connection) unbind(service, binding);
            }
          }
        });
  }

  private void unbind(Running service, Binding binding) {
    service.bindings.remove(binding);
    Intent.FilterComparison key = new Intent.FilterComparison(binding.intent);
    boolean last = service.bindings.stream().noneMatch(other -> new Intent.FilterComparison(other.intent).equals(key));
    if (last) {
      service.binders.remove(key);
      service.service.onUnbind(binding.intent);
    }
    destroyIfUnused(service);
  }

  private void destroyIfUnused(Running service) {
    if (service.started || !service.bindings.isEmpty()) return;
    if (running.remove(service.name) != null) service.service.onDestroy();
  }

  private Running ensure(ServiceInfo info) {
    ComponentName name = new ComponentName(info.packageName, info.name);
    Running existing = running.get(name);
    if (existing != null) return existing;
    Service service;
    try {
      service = AppClasses.forName(info.name).asSubclass(Service.class).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new RuntimeException("Unable to instantiate service " + info.name + ": " + e, e);
    }
    ReflectionHelpers.callInstanceMethod(
        Service.class,
        service,
        "attach",
        from(Context.class, application.getBaseContext()),
        from(ActivityThread.class, (ActivityThread) RuntimeEnvironment.getActivityThread()),
        from(String.class, info.name),
        from(IBinder.class, new android.os.Binder()),
        from(Application.class, application),
        from(Object.class, null));
    Running made = new Running(service, name);
    running.put(name, made);
    Wrapped.run(() -> "Unable to create service " + info.name, service::onCreate);
    return made;
  }

  private ServiceInfo resolve(Intent intent) {
    PackageManager manager = application.getPackageManager();
    ComponentName component = intent.getComponent();
    if (component != null) {
      try {
        return component.getPackageName().equals(application.getPackageName())
            ? manager.getServiceInfo(component, 0)
            : null;
      } catch (PackageManager.NameNotFoundException e) {
        return null;
      }
    }
    ResolveInfo found = manager.resolveService(intent, 0);
    if (found == null || found.serviceInfo == null) return null;
    return found.serviceInfo.packageName.equals(application.getPackageName()) ? found.serviceInfo : null;
  }
}
