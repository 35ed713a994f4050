package org.marmoset.ledger;

import android.app.Activity;
import android.os.Bundle;
import android.util.Log;
import android.webkit.WebResourceError;
import android.webkit.WebResourceRequest;
import android.webkit.WebView;
import android.webkit.WebViewClient;

/** A browser that opens three pages one after the other, and says what it hears of them. */
public final class AboutActivity extends Activity {
  private static final String HELP =
      "<html><head><title>Help</title><style>b {}</style></head><body>Press <b>Save</b>.<script>x()</script></body>";

  private int pages;

  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    WebView web = new WebView(this);
    web.setWebViewClient(
        new WebViewClient() {
          @Override
          public void onReceivedError(WebView view, WebResourceRequest request, WebResourceError error) {
            Log.i("web", "error " + error.getErrorCode() + " " + request.getUrl());
          }

          @Override
          public void onPageFinished(WebView view, String url) {
            Log.i("web", "finished " + url + " back " + view.canGoBack());
            pages++;
            if (pages == 1) view.loadUrl("https://example.com/");
            if (pages == 2) view.loadDataWithBaseURL("file:///help", HELP, "text/html", "UTF-8", null);
          }
        });
    setContentView(web);
    web.loadData("100%25 %3Ci%3Eyours%3C/i%3E", "text/html", null);
  }
}
