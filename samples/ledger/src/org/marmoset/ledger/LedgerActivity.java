package org.marmoset.ledger;

import android.app.Activity;
import android.content.Intent;
import android.os.Bundle;
import android.view.ContextMenu;
import android.view.ContextMenu.ContextMenuInfo;
import android.view.Menu;
import android.view.MenuItem;
import android.view.View;
import android.view.ViewGroup;
import android.widget.AdapterView.AdapterContextMenuInfo;
import android.widget.ArrayAdapter;
import android.widget.ListView;
import android.widget.TextView;
import java.util.List;

/** The first screen: all expenses, newest first. */
public final class LedgerActivity extends Activity {
    private ExpenseStore store;
    private Rows rows;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.ledger);
        store = ExpenseStore.get(this);
        rows = new Rows();
        ListView list = findViewById(R.id.expenses);
        list.setAdapter(rows);
        list.setEmptyView(findViewById(R.id.no_expenses));
        list.setOnItemClickListener((parent, row, position, id) ->
                startActivity(new Intent(this, DetailActivity.class)
                        .putExtra(DetailActivity.EXPENSE, id)));
        registerForContextMenu(list);
        findViewById(R.id.add).setOnClickListener(view -> open(EditActivity.class));
        findViewById(R.id.resume_draft).setOnClickListener(view ->
                startActivity(new Intent(this, EditActivity.class)
                        .putExtra(EditActivity.RESUME_DRAFT, true)));
    }

    @Override
    protected void onResume() {
        super.onResume();
        showExpenses();
        findViewById(R.id.resume_draft).setVisibility(
                Draft.exists(this) ? View.VISIBLE : View.GONE);
    }

    private void showExpenses() {
        List<Expense> expenses = store.all();
        rows.clear();
        rows.addAll(expenses);
        long total = 0;
        for (Expense expense : expenses) {
            total += expense.cents;
        }
        TextView totalView = findViewById(R.id.total);
        totalView.setText(getString(R.string.total, Money.format(this, total)));
    }

    private void open(Class<? extends Activity> screen) {
        startActivity(new Intent(this, screen));
    }

    @Override
    public boolean onCreateOptionsMenu(Menu menu) {
        getMenuInflater().inflate(R.menu.ledger, menu);
        return true;
    }

    @Override
    public boolean onOptionsItemSelected(MenuItem item) {
        int id = item.getItemId();
        if (id == R.id.menu_summary) {
            open(SummaryActivity.class);
        } else if (id == R.id.menu_balances) {
            open(BalancesActivity.class);
        } else if (id == R.id.menu_settings) {
            open(SettingsActivity.class);
        } else if (id == R.id.menu_about) {
            open(AboutActivity.class);
        } else {
            return super.onOptionsItemSelected(item);
        }
        return true;
    }

    @Override
    public void onCreateContextMenu(ContextMenu menu, View view, ContextMenuInfo info) {
        getMenuInflater().inflate(R.menu.expense, menu);
    }

    @Override
    public boolean onContextItemSelected(MenuItem item) {
        AdapterContextMenuInfo info = (AdapterContextMenuInfo) item.getMenuInfo();
        Expense expense = store.find(info.id);
        if (item.getItemId() == R.id.context_duplicate) {
            expense.id = 0;
        } else {
            expense.settled = true;
        }
        store.save(expense);
        showExpenses();
        return true;
    }

    private final class Rows extends ArrayAdapter<Expense> {
        private final String[] categories = getResources().getStringArray(R.array.categories);

        Rows() {
            super(LedgerActivity.this, R.layout.row);
        }

        @Override
        public long getItemId(int position) {
            return getItem(position).id;
        }

        @Override
        public View getView(int position, View recycled, ViewGroup parent) {
            View row = recycled != null
                    ? recycled : getLayoutInflater().inflate(R.layout.row, parent, false);
            Expense expense = getItem(position);
            text(row, R.id.row_description, expense.description);
            text(row, R.id.row_details, getString(
                    R.string.row_details, expense.date, categories[expense.category]));
            text(row, R.id.row_amount, Money.format(LedgerActivity.this, expense.cents));
            row.setAlpha(expense.settled ? 0.5f : 1);
            return row;
        }

        private void text(View row, int id, String text) {
            ((TextView) row.findViewById(id)).setText(text);
        }
    }
}
