package org.marmoset.ledger;

import android.content.Context;
import android.content.SharedPreferences;

/** The form as the user left it. There is one at most, kept until it is continued or a newer one replaces it. */
final class Draft {
    /** The expense that was being edited; 0 for a new one. */
    long expenseId;
    String description;
    String amount;
    String date;
    int category;
    int payer;
    boolean shared;

    private static SharedPreferences preferences(Context context) {
        return context.getSharedPreferences("draft", Context.MODE_PRIVATE);
    }

    static boolean exists(Context context) {
        return preferences(context).contains("expense");
    }

    static void discard(Context context) {
        preferences(context).edit().clear().apply();
    }

    void keep(Context context) {
        preferences(context).edit()
                .putLong("expense", expenseId)
                .putString("description", description)
                .putString("amount", amount)
                .putString("date", date)
                .putInt("category", category)
                .putInt("payer", payer)
                .putBoolean("shared", shared)
                .apply();
    }

    /** The draft, which is then gone; null when there is none. */
    static Draft take(Context context) {
        if (!exists(context)) {
            return null;
        }
        SharedPreferences stored = preferences(context);
        Draft draft = new Draft();
        draft.expenseId = stored.getLong("expense", 0);
        draft.description = stored.getString("description", "");
        draft.amount = stored.getString("amount", "");
        draft.date = stored.getString("date", "");
        draft.category = stored.getInt("category", 0);
        draft.payer = stored.getInt("payer", 0);
        draft.shared = stored.getBoolean("shared", true);
        discard(context);
        return draft;
    }
}
