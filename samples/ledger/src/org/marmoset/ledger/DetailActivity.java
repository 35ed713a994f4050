package org.marmoset.ledger;

import android.app.Activity;
import android.app.AlertDialog;
import android.content.Intent;
import android.os.Bundle;
import android.widget.CheckBox;
import android.widget.TextView;
import android.widget.Toast;

/** One expense in full. */
public final class DetailActivity extends Activity {
    static final String EXPENSE = "expense";

    private ExpenseStore store;
    private Expense expense;
    private AlertDialog dialog;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.detail);
        store = ExpenseStore.get(this);
        findViewById(R.id.settled).setOnClickListener(view -> saveSettled());
        findViewById(R.id.edit).setOnClickListener(view ->
                startActivity(new Intent(this, EditActivity.class)
                        .putExtra(EditActivity.EXPENSE, expense.id)));
        findViewById(R.id.delete).setOnClickListener(view -> askToDelete());
    }

    @Override
    protected void onResume() {
        super.onResume();
        long id = getIntent().getLongExtra(EXPENSE, 0);
        // Two quick taps open this screen twice, and the upper one may have deleted the expense.
        if (!store.exists(id)) {
            finish();
            return;
        }
        expense = store.find(id);
        text(R.id.detail_description, expense.description);
        text(R.id.detail_amount, Money.format(this, expense.cents));
        text(R.id.detail_date, getString(R.string.row_details, expense.date,
                getResources().getStringArray(R.array.categories)[expense.category]));
        text(R.id.detail_payer, getString(
                R.string.paid_by, Settings.people(this).get(expense.payer)));
        text(R.id.detail_shared, getString(
                expense.shared ? R.string.shared_by_all : R.string.not_shared));
        ((CheckBox) findViewById(R.id.settled)).setChecked(expense.settled);
    }

    @Override
    protected void onDestroy() {
        if (dialog != null) {
            dialog.dismiss();
        }
        super.onDestroy();
    }

    private void text(int id, String text) {
        ((TextView) findViewById(id)).setText(text);
    }

    private void saveSettled() {
        expense.settled = ((CheckBox) findViewById(R.id.settled)).isChecked();
        store.save(expense);
    }

    private void askToDelete() {
        dialog = new AlertDialog.Builder(this)
                .setMessage(getString(R.string.delete_question, expense.description))
                .setPositiveButton(R.string.delete, (d, which) -> delete())
                .setNegativeButton(R.string.cancel, null)
                .show();
    }

    private void delete() {
        store.delete(expense.id);
        Toast.makeText(this, R.string.deleted, Toast.LENGTH_SHORT).show();
        finish();
    }
}
