package org.marmoset.ledger;

import android.app.Activity;
import android.os.Bundle;
import android.view.View;
import android.widget.AdapterView;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.Spinner;

/** Every change holds at once; the name, when the screen is left. */
public final class SettingsActivity extends Activity {
    private EditText yourName;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.settings);
        yourName = findViewById(R.id.your_name);
        yourName.setText(Settings.yourName(this));

        Spinner currency = findViewById(R.id.currency);
        currency.setSelection(Settings.currencyIndex(this));
        currency.setOnItemSelectedListener(new AdapterView.OnItemSelectedListener() {
            @Override
            public void onItemSelected(AdapterView<?> parent, View row, int position, long id) {
                Settings.setCurrencyIndex(SettingsActivity.this, position);
            }

            @Override
            public void onNothingSelected(AdapterView<?> parent) {}
        });

        CheckBox showCents = findViewById(R.id.show_cents);
        showCents.setChecked(Settings.showCents(this));
        showCents.setOnCheckedChangeListener((box, on) -> Settings.setShowCents(this, on));

        CheckBox parallel = findViewById(R.id.parallel);
        parallel.setChecked(Settings.parallel(this));
        parallel.setOnCheckedChangeListener((box, on) -> Settings.setParallel(this, on));
    }

    @Override
    protected void onPause() {
        super.onPause();
        Settings.setYourName(this, yourName.getText().toString());
    }
}
