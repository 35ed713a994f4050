package org.marmoset.planner;

import android.Manifest;
import android.content.Context;
import android.content.Intent;
import android.os.Bundle;
import android.widget.EditText;
import android.widget.TextView;
import androidx.activity.OnBackPressedCallback;
import androidx.activity.result.ActivityResultLauncher;
import androidx.activity.result.contract.ActivityResultContracts;
import androidx.appcompat.app.AppCompatActivity;
import com.google.android.material.dialog.MaterialAlertDialogBuilder;

/** One task: Save gives its new title back, BACK asks first if something has changed. */
public final class TaskActivity extends AppCompatActivity {
    private static final String ID = "id";
    private static final String TITLE = "title";

    private EditText title;
    private String before;

    static Intent intent(Context context, Task task) {
        return new Intent(context, TaskActivity.class).putExtra(ID, task.id).putExtra(TITLE, task.title);
    }

    static long id(Intent data) {
        return data.getLongExtra(ID, 0);
    }

    static String title(Intent data) {
        return data.getStringExtra(TITLE);
    }

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.task);
        title = findViewById(R.id.title);
        before = String.valueOf(title(getIntent()));
        if (state == null) title.setText(before);
        TextView assign = findViewById(R.id.assign);
        ActivityResultLauncher<Void> pick =
                registerForActivityResult(
                        new ActivityResultContracts.PickContact(),
                        contact -> assign.setText(contact == null ? "Nobody" : contact.getLastPathSegment()));
        ActivityResultLauncher<String> ask =
                registerForActivityResult(
                        new ActivityResultContracts.RequestPermission(),
                        granted -> {
                            if (granted) {
                                pick.launch(null);
                            } else {
                                assign.setText("Not allowed");
                            }
                        });
        assign.setOnClickListener(button -> ask.launch(Manifest.permission.READ_CONTACTS));
        findViewById(R.id.save).setOnClickListener(button -> save());
        getOnBackPressedDispatcher()
                .addCallback(
                        this,
                        new OnBackPressedCallback(true) {
                            @Override
                            public void handleOnBackPressed() {
                                leave();
                            }
                        });
    }

    private void save() {
        setResult(RESULT_OK, new Intent(getIntent()).putExtra(TITLE, title.getText().toString()));
        finish();
    }

    private void leave() {
        if (title.getText().toString().equals(before)) {
            finish();
            return;
        }
        new MaterialAlertDialogBuilder(this)
                .setMessage("Discard the changes?")
                .setPositiveButton("Discard", (dialog, which) -> finish())
                .setNegativeButton("Keep editing", null)
                .show();
    }
}
