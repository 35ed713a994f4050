package org.marmoset.ledger;

import android.app.Activity;
import android.os.Bundle;

/** What this app is. */
public final class AboutActivity extends Activity {
    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.about);
        findViewById(R.id.close).setOnClickListener(view -> finish());
    }
}
