package org.marmoset.ledger;

import android.app.TabActivity;
import android.content.Intent;
import android.os.Bundle;
import android.view.View;
import android.widget.TabHost;
import android.widget.TextView;

/** Two tabs: an activity of the app, and a text whose format a phone reads and the JDK refuses. */
public final class AboutActivity extends TabActivity {
  @Override
  protected void onCreate(Bundle saved) {
    super.onCreate(saved);
    TabHost host = getTabHost();
    Intent embedded = new Intent().setClassName(this, "org.marmoset.ledger.SummaryActivity");
    host.addTab(host.newTabSpec("first").setIndicator("first").setContent(embedded));
    host.addTab(
        host.newTabSpec("second")
            .setIndicator("second")
            .setContent(
                new TabHost.TabContentFactory() {
                  @Override
                  public View createTabContent(String tag) {
                    TextView text = new TextView(AboutActivity.this);
                    text.setText(String.format("made for %0$s", tag));
                    return text;
                  }
                }));
  }
}
