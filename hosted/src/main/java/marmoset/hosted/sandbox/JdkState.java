package marmoset.hosted.sandbox;

import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.HttpURLConnection;
import java.net.ProxySelector;
import java.net.ResponseCache;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URL;
import java.net.URLConnection;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/**
 * What an app can change in the JDK itself, which on a phone is gone with the app's process and here is not. Remembered
 * when the device starts, put back after each process of the app. Main thread.
 */
final class JdkState {
  private static final List<Field> STATICS =
      List.of(
          Fields.of(Authenticator.class, "theAuthenticator"),
          Fields.of(CookieHandler.class, "cookieHandler"),
          Fields.of(HttpURLConnection.class, "followRedirects"),
          Fields.of(HttpsURLConnection.class, "defaultHostnameVerifier"),
          Fields.of(HttpsURLConnection.class, "defaultSSLSocketFactory"),
          Fields.of(ProxySelector.class, "theProxySelector"),
          Fields.of(ResponseCache.class, "theResponseCache"),
          Fields.of(SSLContext.class, "defaultContext"),
          Fields.of(ServerSocket.class, "factory"),
          Fields.of(Socket.class, "factory"),
          Fields.of(URL.class, "factory"),
          Fields.of(URLConnection.class, "defaultUseCaches"),
          Fields.of(URLConnection.class, "factory"));

  /** Protocols by the handlers of {@link URL}'s factory. */
  private static final Map<?, ?> URL_HANDLERS = (Map<?, ?>) Fields.get(Fields.of(URL.class, "handlers"), null);

  private final Map<Field, Object> statics = new LinkedHashMap<>();
  private final List<Provider> providers = List.of(Security.getProviders());
  private final Thread main = Thread.currentThread();
  private final String mainName = main.getName();
  private final int mainPriority = main.getPriority();

  JdkState() {
    for (Field field : STATICS) statics.put(field, Fields.get(field, null));
  }

  void restore() {
    for (Map.Entry<Field, Object> entry : statics.entrySet()) Fields.set(entry.getKey(), null, entry.getValue());
    URL_HANDLERS.clear();
    if (!List.of(Security.getProviders()).equals(providers)) {
      for (Provider provider : Security.getProviders()) Security.removeProvider(provider.getName());
      for (Provider provider : providers) Security.addProvider(provider);
    }
    main.setName(mainName);
    main.setPriority(mainPriority);
    main.setUncaughtExceptionHandler(null);
    System.setIn(InputStream.nullInputStream());
    DeviceLog.captureStandardStreams();
    restoreLoggers();
  }

  private static void restoreLoggers() {
    LogManager manager = LogManager.getLogManager();
    List<String> names = new ArrayList<>(Collections.list(manager.getLoggerNames()));
    names.remove("");
    for (String name : names) {
      Logger logger = manager.getLogger(name);
      if (logger != null && logger.getLevel() != null) logger.setLevel(null);
    }
  }
}
