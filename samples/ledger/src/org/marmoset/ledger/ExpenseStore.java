package org.marmoset.ledger;

import android.content.ContentValues;
import android.content.Context;
import android.database.Cursor;
import android.database.DatabaseUtils;
import android.database.sqlite.SQLiteDatabase;
import android.database.sqlite.SQLiteOpenHelper;
import java.util.ArrayList;
import java.util.List;

/** The expenses, in a database. Used from the main thread only. */
final class ExpenseStore extends SQLiteOpenHelper {
    private static final String TABLE = "expense";
    private static final String BY_ID = "_id = ?";

    private static ExpenseStore instance;

    private final Context context;

    static ExpenseStore get(Context context) {
        if (instance == null) {
            instance = new ExpenseStore(context.getApplicationContext());
        }
        return instance;
    }

    private ExpenseStore(Context context) {
        super(context, "ledger.db", null, 1);
        this.context = context;
    }

    @Override
    public void onCreate(SQLiteDatabase db) {
        db.execSQL("CREATE TABLE expense (_id INTEGER PRIMARY KEY AUTOINCREMENT,"
                + " description TEXT NOT NULL, cents INTEGER NOT NULL, date TEXT NOT NULL,"
                + " category INTEGER NOT NULL, payer INTEGER NOT NULL,"
                + " shared INTEGER NOT NULL, settled INTEGER NOT NULL)");
        addFirstExpenses(db);
    }

    @Override
    public void onUpgrade(SQLiteDatabase db, int oldVersion, int newVersion) {
        throw new IllegalStateException("there is only one version of the database");
    }

    /** A ledger that opens empty explains nothing: start with a weekend trip. */
    private void addFirstExpenses(SQLiteDatabase db) {
        String[] descriptions = context.getResources().getStringArray(R.array.first_expenses);
        long[] cents = {8940, 5325, 6000, 11250, 1200, 2700};
        int[] categories = {1, 0, 3, 0, 2, 3};
        for (int i = 0; i < descriptions.length; i++) {
            Expense expense = new Expense();
            expense.description = descriptions[i];
            expense.cents = cents[i];
            expense.date = "2024-05-" + (30 - i);
            expense.category = categories[i];
            expense.payer = i % 3;
            db.insertOrThrow(TABLE, null, values(expense));
        }
    }

    List<Expense> all() {
        List<Expense> expenses = new ArrayList<>();
        try (Cursor cursor = getReadableDatabase().query(
                TABLE, null, null, null, null, null, "date DESC, _id DESC")) {
            while (cursor.moveToNext()) {
                expenses.add(read(cursor));
            }
        }
        return expenses;
    }

    boolean exists(long id) {
        return DatabaseUtils.queryNumEntries(getReadableDatabase(), TABLE, BY_ID, args(id)) > 0;
    }

    Expense find(long id) {
        try (Cursor cursor = getReadableDatabase().query(
                TABLE, null, BY_ID, args(id), null, null, null)) {
            cursor.moveToFirst();
            return read(cursor);
        }
    }

    /** Adds an expense without id, else overwrites the one with that id. */
    void save(Expense expense) {
        if (expense.id == 0) {
            expense.id = getWritableDatabase().insertOrThrow(TABLE, null, values(expense));
        } else {
            getWritableDatabase().update(TABLE, values(expense), BY_ID, args(expense.id));
        }
    }

    void delete(long id) {
        getWritableDatabase().delete(TABLE, BY_ID, args(id));
    }

    private static String[] args(long id) {
        return new String[] {String.valueOf(id)};
    }

    private static ContentValues values(Expense expense) {
        ContentValues values = new ContentValues();
        values.put("description", expense.description);
        values.put("cents", expense.cents);
        values.put("date", expense.date);
        values.put("category", expense.category);
        values.put("payer", expense.payer);
        values.put("shared", expense.shared ? 1 : 0);
        values.put("settled", expense.settled ? 1 : 0);
        return values;
    }

    private static Expense read(Cursor cursor) {
        Expense expense = new Expense();
        expense.id = cursor.getLong(0);
        expense.description = cursor.getString(1);
        expense.cents = cursor.getLong(2);
        expense.date = cursor.getString(3);
        expense.category = cursor.getInt(4);
        expense.payer = cursor.getInt(5);
        expense.shared = cursor.getInt(6) != 0;
        expense.settled = cursor.getInt(7) != 0;
        return expense;
    }
}
