package org.marmoset.ledger;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.Bundle;
import android.widget.Button;
import android.widget.EditText;
import android.widget.LinearLayout;
import android.widget.ScrollView;

/** A form whose button stands at the bottom of its window. */
public final class AboutActivity extends Activity {
  @Override
  protected void onCreate(Bundle state) {
    super.onCreate(state);
    EditText field = new EditText(this);
    field.setText("typed");
    Button button = new Button(this);
    button.setText("ask");
    button.setOnClickListener(view -> new AlertDialog.Builder(this).setMessage("above").show());
    LinearLayout form = new LinearLayout(this);
    form.setOrientation(LinearLayout.VERTICAL);
    form.addView(field);
    form.addView(new ScrollView(this), new LinearLayout.LayoutParams(LinearLayout.LayoutParams.MATCH_PARENT, 0, 1));
    form.addView(button);
    setContentView(form);
  }
}
