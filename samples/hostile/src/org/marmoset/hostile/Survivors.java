package org.marmoset.hostile;

import android.content.BroadcastReceiver;
import android.content.ClipData;
import android.content.ClipboardManager;
import android.content.Context;
import android.content.Intent;
import android.content.IntentFilter;
import android.database.sqlite.SQLiteDatabase;
import android.os.Handler;
import android.os.Looper;
import android.os.StrictMode;
import android.provider.Settings;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.CookieHandler;
import java.net.CookieManager;
import java.net.ProxySelector;
import java.net.URL;
import java.net.URLConnection;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;
import java.util.logging.ConsoleHandler;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.logging.MemoryHandler;

/** Ways for a process to leave something behind that the next one finds, although the app's data were cleared. */
final class Survivors {
    private static final String NAME = "survivor";

    private static boolean planted;

    private Survivors() {}

    static String plant(Context context) throws IOException {
        planted = true;
        write(new File(context.getFilesDir(), NAME));
        write(new File(context.getCacheDir(), NAME));
        write(new File(context.getExternalFilesDir(null), NAME));
        context.getSharedPreferences(NAME, 0).edit().putBoolean(NAME, true).commit();
        try (SQLiteDatabase database = context.openOrCreateDatabase(NAME, 0, null)) {
            database.execSQL("CREATE TABLE t (x)");
        }
        System.setProperty(NAME, NAME);
        Locale.setDefault(Locale.JAPAN);
        TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
        Logger.getLogger(NAME).setLevel(Level.FINEST);
        Logger.getLogger("").setLevel(Level.FINEST);
        Logger.getLogger("").addHandler(new MemoryHandler(new ConsoleHandler(), 1, Level.OFF));
        Security.addProvider(new Provider(NAME, 1.0, NAME) {});
        Security.setProperty("networkaddress.cache.ttl", "7");
        Security.setProperty(NAME, NAME);
        URLConnection.setFileNameMap(file -> NAME);
        URLConnection.setDefaultAllowUserInteraction(true);
        CookieHandler.setDefault(new CookieManager());
        ProxySelector.setDefault(null);
        System.setOut(new PrintStream(new Unwritable()));
        Thread.currentThread().setName(NAME);
        Thread.currentThread().setPriority(Thread.MIN_PRIORITY);
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> {});
        StrictMode.setThreadPolicy(new StrictMode.ThreadPolicy.Builder().detectDiskReads().build());
        StrictMode.setVmPolicy(new StrictMode.VmPolicy.Builder().detectActivityLeaks().build());
        Settings.System.putString(context.getContentResolver(), NAME, NAME);
        clipboard(context).setPrimaryClip(ClipData.newPlainText(NAME, NAME));
        context.registerReceiver(
                new BroadcastReceiver() {
                    @Override
                    public void onReceive(Context receiving, Intent intent) {
                        System.setProperty(NAME, NAME);
                    }
                },
                new IntentFilter(NAME));
        new Handler(Looper.getMainLooper()).postDelayed(() -> System.setProperty(NAME, NAME), 60_000);
        startThread("stubborn", () -> writeAgainAndAgain(new File(context.getFilesDir(), "thread")));
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {}));
        return "planted";
    }

    /** What is there of all that. */
    static List<String> find(Context context) {
        List<String> found = new ArrayList<>();
        context.sendBroadcast(new Intent(NAME));
        if (planted) found.add("static");
        if (new File(context.getFilesDir(), NAME).exists()) found.add("file");
        if (new File(context.getFilesDir(), "thread").exists()) found.add("thread");
        if (new File(context.getCacheDir(), NAME).exists()) found.add("cache");
        if (new File(context.getExternalFilesDir(null), NAME).exists()) found.add("storage");
        if (!context.getSharedPreferences(NAME, 0).getAll().isEmpty()) found.add("preferences");
        if (context.databaseList().length > 0) found.add("database");
        if (System.getProperty(NAME) != null) found.add("property");
        if (Locale.getDefault().equals(Locale.JAPAN)) found.add("locale");
        if (TimeZone.getDefault().getID().equals("Asia/Tokyo")) found.add("time zone");
        if (Logger.getLogger(NAME).getLevel() != null) found.add("logger");
        Logger root = Logger.getLogger("");
        if (root.getLevel() == Level.FINEST) found.add("root logger");
        for (java.util.logging.Handler handler : root.getHandlers()) {
            if (handler instanceof MemoryHandler) found.add("log handler");
        }
        if ("7".equals(Security.getProperty("networkaddress.cache.ttl"))) found.add("changed security property");
        if (Security.getProperty(NAME) != null) found.add("security property");
        if (NAME.equals(URLConnection.guessContentTypeFromName("a.png"))) found.add("file name map");
        if (URLConnection.getDefaultAllowUserInteraction()) found.add("interaction");
        if (Security.getProvider(NAME) != null) found.add("provider");
        if (CookieHandler.getDefault() != null) found.add("cookies");
        if (ProxySelector.getDefault() == null) found.add("proxy");
        try {
            // Works once in a process.
            URL.setURLStreamHandlerFactory(protocol -> null);
        } catch (Error e) {
            found.add("URL factory");
        }
        System.out.println("Hello.");
        if (System.out.checkError()) found.add("stream");
        if (Thread.currentThread().getName().equals(NAME)) found.add("thread name");
        if (Thread.currentThread().getPriority() == Thread.MIN_PRIORITY) found.add("priority");
        Thread.UncaughtExceptionHandler handler = Thread.getDefaultUncaughtExceptionHandler();
        if (handler != null && handler.getClass().getName().contains("Survivors")) found.add("handler");
        // What the system sets for an app of this target.
        StrictMode.ThreadPolicy mainThread = new StrictMode.ThreadPolicy.Builder().detectNetwork().penaltyDeathOnNetwork().build();
        StrictMode.VmPolicy allThreads =
                new StrictMode.VmPolicy.Builder().detectFileUriExposure().penaltyDeathOnFileUriExposure().build();
        if (!StrictMode.getThreadPolicy().toString().equals(mainThread.toString())) found.add("policy");
        if (!StrictMode.getVmPolicy().toString().equals(allThreads.toString())) found.add("process policy");
        if (Settings.System.getString(context.getContentResolver(), NAME) != null) found.add("setting");
        if (clipboard(context).hasPrimaryClip()) found.add("clipboard");
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            String name = thread.getName();
            if (name.equals("stubborn") || name.equals("immortal")) found.add(name);
        }
        return found;
    }

    private static ClipboardManager clipboard(Context context) {
        return (ClipboardManager) context.getSystemService(Context.CLIPBOARD_SERVICE);
    }

    /** Starts a thread that goes on through all that it is told, even through its own death. */
    static String startImmortal(Context context) {
        startThread(
                "immortal",
                () -> {
                    while (true) {
                        try {
                            writeAgainAndAgain(new File(context.getFilesDir(), "thread"));
                        } catch (Throwable e) {
                            Thread.interrupted();
                        }
                    }
                });
        return "started";
    }

    private static void startThread(String name, Runnable body) {
        new Thread(body, name).start();
    }

    /** Does not end when it is interrupted. */
    private static void writeAgainAndAgain(File file) {
        while (true) {
            try {
                Thread.sleep(500);
                write(file);
            } catch (InterruptedException | IOException e) {
                Thread.interrupted();
            }
        }
    }

    private static void write(File file) throws IOException {
        try (OutputStream out = new FileOutputStream(file)) {
            out.write(1);
        }
    }

    private static final class Unwritable extends OutputStream {
        @Override
        public void write(int b) throws IOException {
            throw new IOException("unwritable");
        }
    }
}
