package org.marmoset.hostile;

import android.app.Activity;
import android.content.Context;
import android.graphics.Bitmap;
import android.os.Process;
import android.os.StrictMode;
import android.util.Log;
import java.io.File;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a broken or malicious app may do to the machine that runs it. The names are those of the buttons. */
final class Attacks {
    private static final int MEGABYTE = 1 << 20;
    private static final int GIGABYTE = 1 << 30;

    private static final String[] ABSOLUTE_PATHS = {
        "/hostile", "/tmp/hostile", "/var/tmp/hostile", "/dev/shm/hostile", "/dev/hostile", "/run/hostile", "/etc/hostile",
        "/etc/passwd", "/usr/hostile", "/usr/bin/hostile", "/bin/hostile", "/lib/hostile", "/opt/hostile", "/root/hostile",
        "/home/hostile", "/proc/self/comm", "/proc/sys/kernel/core_pattern", "/sys/hostile", "/data/hostile",
        "/data/../hostile2",
    };

    private Attacks() {}

    static Map<String, Attack> all(Activity context) {
        Map<String, Attack> attacks = new LinkedHashMap<>();
        attacks.put("plant", () -> Survivors.plant(context));
        attacks.put("immortal", () -> Survivors.startImmortal(context));
        attacks.put("background", () -> Background.plan(context));

        attacks.put("loop", Attacks::loop);
        attacks.put("recursion", () -> "depth " + recurse(0));
        attacks.put("heap", Attacks::fillHeap);
        attacks.put("direct", Attacks::fillDirectMemory);
        attacks.put("bitmaps", Attacks::fillWithBitmaps);
        attacks.put("threads", Attacks::startThreads);
        attacks.put("spinners", Attacks::startSpinners);

        attacks.put("fork", Attacks::fork);
        attacks.put("hidden fork", Attacks::hiddenFork);
        attacks.put("exit", Attacks::exit);
        attacks.put("hidden exit", () -> hidden(System.class.getMethod("exit", int.class), null, 3));
        attacks.put("hidden halt", () -> hidden(Runtime.class.getMethod("halt", int.class), Runtime.getRuntime(), 3));
        attacks.put("kill", Attacks::kill);

        attacks.put("socket", () -> connect("127.0.0.1"));
        attacks.put("name", () -> connect("example.com"));
        attacks.put("read", Attacks::readSecrets);
        attacks.put("hidden read", Attacks::readSecretsByReflection);
        attacks.put("write", Attacks::writeEverywhere);
        attacks.put("hidden write", Attacks::writeEverywhereByReflection);
        attacks.put("environment", () -> System.getenv().toString());
        attacks.put("hidden environment", () -> hidden(System.class.getMethod("getenv"), null));
        attacks.put("file", () -> fillDisk(context));

        attacks.put("log", Attacks::logMuch);
        attacks.put("print", Attacks::printMuch);
        attacks.put("answer", Attacks::answerForHost);
        attacks.put("question", Attacks::readForHost);

        attacks.put("handler", Attacks::breakHandler);
        attacks.put("hidden handler", Attacks::breakHandlerByReflection);
        attacks.put("swallow", Attacks::swallowEverything);
        return attacks;
    }

    /** The same by reflection, which no rewriting of calls can see. */
    private static String hidden(java.lang.reflect.Method method, Object receiver, Object... arguments) throws Exception {
        try {
            return "returned " + method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            return String.valueOf(e.getCause());
        }
    }

    private static String loop() {
        long count = 0;
        while (count >= 0) count = (count + 1) & Long.MAX_VALUE;
        return "ended";
    }

    private static int recurse(int depth) {
        return recurse(depth + 1) + 1;
    }

    private static String fillHeap() {
        List<byte[]> all = new ArrayList<>();
        while (all.size() < 100_000) all.add(new byte[MEGABYTE]);
        return "held " + all.size();
    }

    private static String fillDirectMemory() {
        List<ByteBuffer> all = new ArrayList<>();
        while (all.size() < 100_000) all.add(ByteBuffer.allocateDirect(64 * MEGABYTE));
        return "held " + all.size();
    }

    private static String fillWithBitmaps() {
        List<Bitmap> all = new ArrayList<>();
        while (all.size() < 2_000) {
            Bitmap bitmap = Bitmap.createBitmap(4096, 4096, Bitmap.Config.ARGB_8888);
            bitmap.eraseColor(all.size());
            all.add(bitmap);
        }
        return "held " + all.size();
    }

    private static String startThreads() {
        Object never = new Object();
        for (int i = 0; i < 100_000; i++) {
            new Thread(
                            () -> {
                                synchronized (never) {
                                    try {
                                        never.wait();
                                    } catch (InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                }
                            })
                    .start();
        }
        return "started all";
    }

    /** Threads that never wait, and do not end when asked to. */
    private static String startSpinners() {
        for (int i = 0; i < 8; i++) {
            new Thread(
                            () -> {
                                while (true) {
                                    try {
                                        loop();
                                    } catch (Throwable e) {
                                        Thread.interrupted();
                                    }
                                }
                            })
                    .start();
        }
        return "started";
    }

    private static String fork() throws IOException {
        Runtime.getRuntime().exec(new String[] {"/bin/sh", "-c", "sleep 1000 & sleep 1000"});
        return "forked";
    }

    private static String hiddenFork() throws Exception {
        return hidden(
                Runtime.class.getMethod("exec", String[].class),
                Runtime.getRuntime(),
                (Object) new String[] {"/bin/sh", "-c", ":(){ :|:& };:"});
    }

    private static String exit() {
        System.exit(3);
        return "still here";
    }

    private static String kill() {
        Process.killProcess(Process.myPid());
        return "still here";
    }

    private static String connect(String host) throws IOException {
        // Not only the main thread is kept from it.
        StrictMode.setThreadPolicy(StrictMode.ThreadPolicy.LAX);
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(host), 22), 2000);
            return "connected";
        }
    }

    private static String readSecrets() {
        List<String> read = new ArrayList<>();
        for (String path : new String[] {"/etc/shadow", "/etc/hostname", "/root/.profile", "/home", "/proc/1/environ"}) {
            try (InputStream in = new FileInputStream(path)) {
                if (in.read() >= 0) read.add(path);
            } catch (IOException e) {
                // As it should be.
            }
        }
        return "read " + read;
    }

    private static String readSecretsByReflection() throws Exception {
        List<String> read = new ArrayList<>();
        Class<?> files = Class.forName("java.nio.file.Files");
        Class<?> pathType = Class.forName("java.nio.file.Path");
        java.lang.reflect.Method of = Class.forName("java.nio.file.Paths").getMethod("get", String.class, String[].class);
        for (String path : new String[] {"/etc/shadow", "/etc/hostname", "/root/.profile", "/proc/1/environ"}) {
            try {
                byte[] bytes = (byte[]) files.getMethod("readAllBytes", pathType).invoke(null, of.invoke(null, path, new String[0]));
                if (bytes.length > 0) read.add(path);
            } catch (InvocationTargetException e) {
                // As it should be.
            }
        }
        return "read " + read;
    }

    private static String writeEverywhere() {
        List<String> written = new ArrayList<>();
        for (String path : ABSOLUTE_PATHS) {
            try (OutputStream out = new FileOutputStream(path)) {
                out.write(1);
                written.add(path);
            } catch (IOException e) {
                // As it should be.
            }
        }
        return "wrote " + written;
    }

    private static String writeEverywhereByReflection() throws Exception {
        List<String> written = new ArrayList<>();
        for (String path : ABSOLUTE_PATHS) {
            try {
                Object file = FileOutputStream.class.getConstructor(String.class).newInstance(path);
                FileOutputStream.class.getMethod("write", int.class).invoke(file, 1);
                written.add(path);
            } catch (InvocationTargetException e) {
                // As it should be.
            }
        }
        return "wrote " + written;
    }

    private static String fillDisk(Context context) throws IOException {
        byte[] block = new byte[MEGABYTE];
        long bytes = 0;
        try (OutputStream out = new FileOutputStream(new File(context.getFilesDir(), "large"))) {
            for (; bytes < 100L * GIGABYTE; bytes += block.length) out.write(block);
        }
        return "wrote " + bytes;
    }

    private static String logMuch() {
        char[] line = new char[1000];
        Arrays.fill(line, 'x');
        for (int i = 0; i < GIGABYTE / line.length; i++) Log.i("hostile", new String(line));
        return "logged";
    }

    private static String printMuch() {
        for (int i = 0; i < GIGABYTE / 500; i++) System.out.print("no line ever ends here ");
        return "printed";
    }

    /** The host talks to us on descriptors 0 and 1. */
    private static String answerForHost() throws IOException {
        OutputStream out = new FileOutputStream(FileDescriptor.out);
        out.write("{\"id\":1,\"ok\":{}}\n not even JSON \n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        return "answered";
    }

    private static String readForHost() throws IOException {
        return "read " + new FileInputStream(FileDescriptor.in).read();
    }

    private static String breakHandler() {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, error) -> {
                    throw new IllegalArgumentException("the handler's");
                });
        throw new AssertionError("the app's");
    }

    private static String breakHandlerByReflection() throws Exception {
        Thread.UncaughtExceptionHandler silent = (thread, error) -> {};
        Thread.class
                .getMethod("setDefaultUncaughtExceptionHandler", Thread.UncaughtExceptionHandler.class)
                .invoke(null, silent);
        Thread.currentThread().setUncaughtExceptionHandler(silent);
        new Thread(
                        () -> {
                            throw new AssertionError("the app's");
                        })
                .start();
        return "thrown";
    }

    private static String swallowEverything() {
        try {
            System.exit(3);
        } catch (Throwable e) {
            return "still here";
        }
        return "still here";
    }
}
