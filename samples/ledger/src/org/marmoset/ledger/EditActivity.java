package org.marmoset.ledger;

import android.app.Activity;
import android.os.Bundle;
import android.widget.ArrayAdapter;
import android.widget.CheckBox;
import android.widget.EditText;
import android.widget.Spinner;
import android.widget.TextView;
import java.text.ParsePosition;
import java.text.SimpleDateFormat;
import java.util.Date;
import java.util.Locale;

/** The form for a new expense, for an existing one, or for the draft of either. */
public final class EditActivity extends Activity {
    static final String EXPENSE = "expense";
    static final String RESUME_DRAFT = "resume_draft";

    private final SimpleDateFormat dateFormat = new SimpleDateFormat("yyyy-MM-dd", Locale.ROOT);

    private ExpenseStore store;
    private EditText description;
    private EditText amount;
    private EditText date;
    private Spinner category;
    private Spinner payer;
    private CheckBox shared;

    /** The expense in the form; 0 for a new one. */
    private long id;
    private boolean saved;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.edit);
        store = ExpenseStore.get(this);
        dateFormat.setLenient(false);
        description = findViewById(R.id.description);
        amount = findViewById(R.id.amount);
        date = findViewById(R.id.date);
        category = findViewById(R.id.category);
        payer = findViewById(R.id.payer);
        shared = findViewById(R.id.shared);
        ArrayAdapter<String> people = new ArrayAdapter<>(
                this, android.R.layout.simple_spinner_item, Settings.people(this));
        people.setDropDownViewResource(android.R.layout.simple_spinner_dropdown_item);
        payer.setAdapter(people);

        findViewById(R.id.plus_one).setOnClickListener(view -> add(1_00));
        findViewById(R.id.plus_ten).setOnClickListener(view -> add(10_00));
        findViewById(R.id.save).setOnClickListener(view -> save());

        if (state != null) {
            id = state.getLong(EXPENSE);
            setTitle(state.getCharSequence("title"));
        } else if (getIntent().getBooleanExtra(RESUME_DRAFT, false)) {
            resumeDraft();
        } else {
            open(getIntent().getLongExtra(EXPENSE, 0));
        }
    }

    @Override
    protected void onSaveInstanceState(Bundle state) {
        super.onSaveInstanceState(state);
        state.putLong(EXPENSE, id);
        state.putCharSequence("title", getTitle());
    }

    @Override
    protected void onPause() {
        super.onPause();
        if (isFinishing() && !saved) {
            keepDraft();
        }
    }

    private void open(long expenseId) {
        id = expenseId;
        if (id == 0) {
            date.setText(dateFormat.format(new Date()));
            return;
        }
        Expense expense = store.find(id);
        setTitle(getString(R.string.edit_title, expense.description));
        description.setText(expense.description);
        amount.setText(Money.plain(expense.cents));
        date.setText(expense.date);
        category.setSelection(expense.category);
        payer.setSelection(expense.payer);
        shared.setChecked(expense.shared);
    }

    private void resumeDraft() {
        Draft draft = Draft.take(this);
        if (draft == null) {
            open(0);
            return;
        }
        open(draft.expenseId);
        description.setText(draft.description);
        amount.setText(draft.amount);
        date.setText(draft.date);
        category.setSelection(draft.category);
        payer.setSelection(draft.payer);
        shared.setChecked(draft.shared);
    }

    private void keepDraft() {
        Draft draft = new Draft();
        draft.expenseId = id;
        draft.description = description.getText().toString();
        draft.amount = amount.getText().toString();
        draft.date = date.getText().toString();
        draft.category = category.getSelectedItemPosition();
        draft.payer = payer.getSelectedItemPosition();
        draft.shared = shared.isChecked();
        draft.keep(this);
    }

    private void add(long cents) {
        long before = Math.max(0, Money.parse(amount.getText().toString()));
        amount.setText(Money.plain(Math.min(before + cents, Money.MAX_CENTS)));
    }

    private void save() {
        long cents = Money.parse(amount.getText().toString());
        if (cents <= 0) {
            complain(R.string.bad_amount);
            return;
        }
        String day = date.getText().toString();
        if (!isDate(day)) {
            complain(R.string.bad_date);
            return;
        }
        Expense expense = id == 0 ? new Expense() : store.find(id);
        expense.description = description.getText().toString().trim();
        if (expense.description.isEmpty()) {
            expense.description = category.getSelectedItem().toString();
        }
        expense.cents = cents;
        expense.date = day;
        expense.category = category.getSelectedItemPosition();
        expense.payer = payer.getSelectedItemPosition();
        expense.shared = shared.isChecked();
        store.save(expense);
        saved = true;
        finish();
    }

    /** Exactly a day as we store it, so that 2024-5-1 does not sort after 2024-10-1. */
    private boolean isDate(String text) {
        ParsePosition end = new ParsePosition(0);
        Date day = dateFormat.parse(text, end);
        return day != null && end.getIndex() == text.length()
                && dateFormat.format(day).equals(text);
    }

    private void complain(int message) {
        ((TextView) findViewById(R.id.error)).setText(message);
    }
}
