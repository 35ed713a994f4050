package org.marmoset.ledger;

import android.app.Activity;
import android.app.AlertDialog;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.view.View;
import android.view.ViewGroup;
import android.widget.Button;
import android.widget.ProgressBar;
import android.widget.TextView;
import android.widget.Toast;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** How much was spent, by category, person or month. */
public final class SummaryActivity extends Activity {
    private enum Group { CATEGORY, PERSON, MONTH }

    private final ExecutorService worker = Executors.newSingleThreadExecutor();
    private final Handler main = new Handler(Looper.getMainLooper());

    private List<Expense> expenses;
    private List<String> people;
    private String[] categories;
    private Group group = Group.CATEGORY;
    private AlertDialog dialog;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.summary);
        expenses = ExpenseStore.get(this).all();
        people = Settings.people(this);
        categories = getResources().getStringArray(R.array.categories);
        findViewById(R.id.group).setOnClickListener(view -> chooseGroup());
        findViewById(R.id.export).setOnClickListener(view -> export());
        showSums();
    }

    @Override
    protected void onDestroy() {
        worker.shutdown();
        if (dialog != null) {
            dialog.dismiss();
        }
        super.onDestroy();
    }

    private void chooseGroup() {
        int[] choice = {-1};
        dialog = new AlertDialog.Builder(this)
                .setTitle(R.string.group_by)
                .setSingleChoiceItems(R.array.groups, choice[0], (d, which) -> choice[0] = which)
                .setPositiveButton(R.string.ok, (d, which) -> groupBy(choice[0]))
                .setNegativeButton(R.string.cancel, null)
                .show();
    }

    private void groupBy(int position) {
        group = Group.values()[position];
        showSums();
    }

    private void showSums() {
        String name = getResources().getStringArray(R.array.groups)[group.ordinal()];
        ((Button) findViewById(R.id.group)).setText(getString(R.string.grouped_by, name));
        Map<String, Long> sums = new TreeMap<>();
        long total = 0;
        for (Expense expense : expenses) {
            String key = key(expense);
            Long before = sums.get(key);
            sums.put(key, (before == null ? 0 : before) + expense.cents);
            total += expense.cents;
        }
        ViewGroup rows = findViewById(R.id.sums);
        rows.removeAllViews();
        for (Map.Entry<String, Long> sum : sums.entrySet()) {
            View row = getLayoutInflater().inflate(R.layout.sum, rows, false);
            ((TextView) row.findViewById(R.id.sum_name)).setText(sum.getKey());
            ((TextView) row.findViewById(R.id.sum_amount))
                    .setText(Money.format(this, sum.getValue()));
            ((ProgressBar) row.findViewById(R.id.sum_share))
                    .setProgress((int) (100 * sum.getValue() / total));
            rows.addView(row);
        }
    }

    private String key(Expense expense) {
        switch (group) {
            case PERSON:
                return people.get(expense.payer);
            case MONTH:
                return expense.date.substring(0, "yyyy-MM".length());
            default:
                return categories[expense.category];
        }
    }

    private void export() {
        File file = new File(getCacheDir(), "ledger.csv");
        worker.execute(() -> {
            String message;
            try {
                write(file);
                message = getString(R.string.exported, expenses.size());
            } catch (IOException e) {
                message = getString(R.string.export_failed);
            }
            String shown = message;
            main.post(() -> Toast.makeText(
                    getApplicationContext(), shown, Toast.LENGTH_SHORT).show());
        });
    }

    private void write(File file) throws IOException {
        try (Writer out = new OutputStreamWriter(
                new FileOutputStream(file), StandardCharsets.UTF_8)) {
            for (Expense expense : expenses) {
                out.write(expense.date + "," + Money.plain(expense.cents)
                        + ",\"" + expense.description.replace("\"", "\"\"") + "\"\n");
            }
        }
    }
}
