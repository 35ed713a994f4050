package marmoset.hosted.sandbox.shadows;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.net.Uri;
import android.os.Build.VERSION;
import android.os.Handler;
import android.os.Looper;
import android.text.Html;
import android.text.Spanned;
import android.text.StaticLayout;
import android.text.TextPaint;
import android.util.Base64;
import android.view.View;
import android.webkit.WebChromeClient;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebView;
import android.webkit.WebViewClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.robolectric.annotation.Implementation;
import org.robolectric.annotation.Implements;
import org.robolectric.annotation.RealObject;
import org.robolectric.shadows.ShadowWebView;
import org.robolectric.versioning.AndroidVersions.N;

/**
 * A browser without an engine: it knows its page's address and, where the app gave it or it lies in the app's assets, its
 * text. Pages of the network are not found, as on a phone without any. Its clients hear of each page what they hear on a
 * phone, so that an app that waits for one goes on.
 */
@Implements(WebView.class)
public class HostShadowWebView extends ShadowWebView {
  private static final String ASSETS = "file:///android_asset/";
  private static final int MAX_TEXT = 2000;
  private static final Pattern CODE = Pattern.compile("(?is)<(script|style|head)\\b.*?</\\1\\s*>|<!--.*?-->");
  private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>(.*?)</title");
  private static final String NOT_FOUND = "net::ERR_NAME_NOT_RESOLVED";

  @RealObject private WebView view;

  private String address = "";
  private String text = "";

  /** Where the page is from; empty where there is none. */
  public String address() {
    return address;
  }

  /** What can be read on it, without its pictures and programs. */
  public String text() {
    return text;
  }

  // WebView leaves to its engine what a view does by itself.

  /** An engine would tell how large the page is; without one the view takes what it is offered. */
  @Implementation
  protected void onMeasure(int widthSpec, int heightSpec) {
    view.new PrivateAccess()
        .setMeasuredDimension(View.MeasureSpec.getSize(widthSpec), View.MeasureSpec.getSize(heightSpec));
  }

  @Implementation
  protected boolean setFrame(int left, int top, int right, int bottom) {
    return view.new PrivateAccess().super_setFrame(left, top, right, bottom);
  }

  @Implementation
  protected void onDraw(Canvas canvas) {
    TextPaint paint = new TextPaint(Paint.ANTI_ALIAS_FLAG);
    paint.setTextSize(16 * view.getResources().getDisplayMetrics().scaledDensity);
    canvas.drawColor(Color.WHITE);
    StaticLayout.Builder.obtain(text, 0, text.length(), paint, view.getWidth()).build().draw(canvas);
  }

  @Implementation
  @Override
  protected void loadUrl(String url, Map<String, String> headers) {
    super.loadUrl(url, headers);
    if (url != null && !url.startsWith("javascript:")) go(url, asset(url));
  }

  @Implementation
  @Override
  protected void loadData(String data, String type, String encoding) {
    super.loadData(data, type, encoding);
    String source = String.valueOf(data);
    if ("base64".equalsIgnoreCase(encoding)) {
      source = new String(Base64.decode(source, Base64.DEFAULT), StandardCharsets.UTF_8);
    }
    go("data:" + type, Uri.decode(source));
  }

  @Implementation
  @Override
  protected void loadDataWithBaseURL(String base, String data, String type, String encoding, String history) {
    super.loadDataWithBaseURL(base, data, type, encoding, history);
    go(base == null ? "about:blank" : base, String.valueOf(data));
  }

  @Implementation
  @Override
  protected void goBack() {
    super.goBack();
    show(String.valueOf(getUrl()), asset(getUrl()));
  }

  @Implementation
  @Override
  protected void goForward() {
    super.goForward();
    show(String.valueOf(getUrl()), asset(getUrl()));
  }

  /** {@code source} is null where the page cannot be had. */
  private void go(String url, String source) {
    show(url, source);
    new Handler(Looper.getMainLooper()).post(() -> arrived(url, source));
  }

  private void show(String url, String source) {
    address = url;
    view.setWillNotDraw(false);
    view.invalidate();
    if (source == null) {
      text = "Webpage not available\n" + url + "\n" + NOT_FOUND;
      return;
    }
    text = fromHtml(CODE.matcher(source).replaceAll("")).toString().trim();
    if (text.length() > MAX_TEXT) text = text.substring(0, MAX_TEXT);
  }

  private void arrived(String url, String source) {
    WebViewClient client = getWebViewClient();
    WebChromeClient chrome = getWebChromeClient();
    if (client != null) client.onPageStarted(view, url, null);
    if (client != null && source == null) client.onReceivedError(view, new Request(url), new NotFound());
    pushEntryToHistory(url);
    if (chrome != null) {
      Matcher title = TITLE.matcher(String.valueOf(source));
      chrome.onReceivedTitle(view, title.find() ? title.group(1).trim() : url);
      chrome.onProgressChanged(view, 100);
    }
    if (client != null) client.onPageFinished(view, url);
  }

  /** The source of a page in the app's assets; an empty one for about:blank. */
  private String asset(String url) {
    if (url == null || url.startsWith("about:")) return "";
    if (!url.startsWith(ASSETS)) return null;
    Context context = view.getContext();
    try (InputStream in = context.getAssets().open(Uri.parse(url).getPath().substring("/android_asset/".length()))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return null;
    }
  }

  private static final class NotFound extends WebResourceError {
    /** What Robolectric's copy of the framework asks of each of its classes; only shadows use it. */
    public Object $$robo$getData() {
      return null;
    }

    @Override
    public int getErrorCode() {
      return WebViewClient.ERROR_HOST_LOOKUP;
    }

    @Override
    public CharSequence getDescription() {
      return NOT_FOUND;
    }
  }

  private record Request(String url) implements WebResourceRequest {
    @Override
    public Uri getUrl() {
      return Uri.parse(url);
    }

    @Override
    public boolean isForMainFrame() {
      return true;
    }

    @Override
    public boolean isRedirect() {
      return false;
    }

    @Override
    public boolean hasGesture() {
      return false;
    }

    @Override
    public String getMethod() {
      return "GET";
    }

    @Override
    public Map<String, String> getRequestHeaders() {
      return Map.of();
    }
  }

  private static Spanned fromHtml(String source) {
    return VERSION.SDK_INT < N.SDK_INT ? Html.fromHtml(source) : Html.fromHtml(source, Html.FROM_HTML_MODE_COMPACT);
  }
}
