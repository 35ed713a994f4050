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
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.logging.Handler;
import java.util.logging.Level;
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
          Fields.of(URLConnection.class, "defaultAllowUserInteraction"),
          Fields.of(URLConnection.class, "defaultUseCaches"),
          Fields.of(URLConnection.class, "factory"),
          Fields.of(URLConnection.class, "fileNameMap"));

  /** Protocols by the handlers of {@link URL}'s factory. */
  private static final Map<?, ?> URL_HANDLERS = (Map<?, ?>) Fields.get(Fields.of(URL.class, "handlers"), null);

  private static final Properties SECURITY = (Properties) Fields.get(Fields.of(Security.class, "props"), null);
  private static final Logger ROOT = Logger.getLogger("");

  private final Map<Field, Object> statics = new LinkedHashMap<>();
  private final Properties security = (Properties) SECURITY.clone();
  private final List<Provider> providers = List.of(Security.getProviders());
  private final List<Handler> handlers = List.of(ROOT.getHandlers());
  private final Level level = ROOT.getLevel();
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
    if (!SECURITY.equals(security)) {
      SECURITY.clear();
      SECURITY.putAll(security);
    }
    main.setName(mainName);
    main.setPriority(mainPriority);
    main.setUncaughtExceptionHandler(null);
    System.setIn(InputStream.nullInputStream());
    DeviceLog.captureStandardStreams();
    restoreLoggers();
  }

  private void restoreLoggers() {
    LogManager manager = LogManager.getLogManager();
    for (String name : Collections.list(manager.getLoggerNames())) {
      Logger logger = manager.getLogger(name);
      if (logger == null || logger == ROOT) continue;
      if (logger.getLevel() != null) logger.setLevel(null);
      for (Handler handler : logger.getHandlers()) logger.removeHandler(handler);
    }
    ROOT.setLevel(level);
    if (List.of(ROOT.getHandlers()).equals(handlers)) return;
    for (Handler handler : ROOT.getHandlers()) ROOT.removeHandler(handler);
    for (Handler handler : handlers) ROOT.addHandler(handler);
  }
}
