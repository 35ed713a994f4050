package org.marmoset.hostile;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.util.Log;
import android.widget.Button;
import android.widget.GridLayout;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.util.Map;

/** A button for each attack; above them what an earlier process has left behind, and what the last attack came to. */
public final class HostileActivity extends Activity {
    private static final int COLUMNS = 4;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        TextView survivors = new TextView(this);
        survivors.setText("survivors: " + Survivors.find(this));
        TextView result = new TextView(this);
        result.setText("result: none");
        GridLayout grid = new GridLayout(this);
        grid.setColumnCount(COLUMNS);
        for (Map.Entry<String, Attack> entry : Attacks.all(this).entrySet()) {
            Button button = new Button(this);
            button.setAllCaps(false);
            button.setText(entry.getKey());
            button.setOnClickListener(
                    view -> {
                        String outcome;
                        try {
                            outcome = entry.getValue().run();
                        } catch (Exception e) {
                            outcome = e.getClass().getName();
                        }
                        result.setText("result: " + outcome);
                    });
            grid.addView(button);
        }
        LinearLayout all = new LinearLayout(this);
        all.setOrientation(LinearLayout.VERTICAL);
        all.addView(survivors);
        all.addView(result);
        all.addView(grid);
        setContentView(all);
    }

    @Override
    protected void onNewIntent(Intent intent) {
        Log.i("background", "opened from " + intent.getStringExtra("from"));
    }
}
