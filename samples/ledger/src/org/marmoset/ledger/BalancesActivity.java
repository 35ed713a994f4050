package org.marmoset.ledger;

import android.app.Activity;
import android.os.Bundle;
import android.os.Handler;
import android.os.Looper;
import android.widget.TextView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Who gets back how much. */
public final class BalancesActivity extends Activity {
    private final Handler main = new Handler(Looper.getMainLooper());

    private ExecutorService workers;
    private List<String> people;
    private List<Expense> expenses;

    @Override
    protected void onCreate(Bundle state) {
        super.onCreate(state);
        setContentView(R.layout.balances);
        people = Settings.people(this);
        expenses = ExpenseStore.get(this).all();
        workers = Executors.newFixedThreadPool(Settings.parallel(this) ? 2 : 1);
        findViewById(R.id.calculate).setOnClickListener(view -> calculate());
    }

    @Override
    protected void onDestroy() {
        workers.shutdown();
        super.onDestroy();
    }

    private void calculate() {
        ((TextView) findViewById(R.id.balances)).setText(R.string.calculating);
        Map<Integer, Long> balances = new ConcurrentHashMap<>();
        for (int i = 0; i < people.size(); i++) {
            int person = i;
            workers.execute(() -> {
                balances.put(person, balanceOf(person));
                // The last person: all are known now.
                if (person == people.size() - 1) {
                    Map<Integer, Long> result = new HashMap<>(balances);
                    main.post(() -> show(result));
                }
            });
        }
    }

    /** What the person paid for others, less what others paid for the person. */
    private long balanceOf(int person) {
        long balance = 0;
        for (Expense expense : expenses) {
            if (expense.settled || !expense.shared) {
                continue;
            }
            long share = expense.cents / people.size();
            // The payer bears the cents that cannot be divided.
            balance += person == expense.payer ? share * (people.size() - 1) : -share;
        }
        return balance;
    }

    private void show(Map<Integer, Long> balances) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < people.size(); i++) {
            long cents = balances.get(i);
            int line = cents > 0 ? R.string.gets_back
                    : cents < 0 ? R.string.owes : R.string.is_even;
            text.append(getString(line, people.get(i), Money.format(this, Math.abs(cents))))
                    .append('\n');
        }
        ((TextView) findViewById(R.id.balances)).setText(text);
    }
}
