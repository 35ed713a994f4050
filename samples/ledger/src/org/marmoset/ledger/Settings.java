package org.marmoset.ledger;

import android.content.Context;
import android.content.SharedPreferences;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the settings screen changes. */
final class Settings {
    private static final String YOUR_NAME = "your_name";
    private static final String CURRENCY = "currency";
    private static final String SHOW_CENTS = "show_cents";
    private static final String PARALLEL = "parallel";

    private Settings() {}

    private static SharedPreferences preferences(Context context) {
        return context.getSharedPreferences("settings", Context.MODE_PRIVATE);
    }

    static String yourName(Context context) {
        return preferences(context).getString(YOUR_NAME, "");
    }

    static void setYourName(Context context, String name) {
        preferences(context).edit().putString(YOUR_NAME, name.trim()).apply();
    }

    /** Everybody who shares expenses: the user first, then the friends. */
    static List<String> people(Context context) {
        List<String> people = new ArrayList<>();
        String you = yourName(context);
        people.add(you.isEmpty() ? context.getString(R.string.me) : you);
        people.addAll(Arrays.asList(context.getResources().getStringArray(R.array.friends)));
        return people;
    }

    /** Index into R.array.currencies. */
    static int currencyIndex(Context context) {
        return preferences(context).getInt(CURRENCY, 0);
    }

    static String currency(Context context) {
        return context.getResources().getStringArray(R.array.currencies)[currencyIndex(context)];
    }

    static void setCurrencyIndex(Context context, int index) {
        preferences(context).edit().putInt(CURRENCY, index).apply();
    }

    static boolean showCents(Context context) {
        return preferences(context).getBoolean(SHOW_CENTS, true);
    }

    static void setShowCents(Context context, boolean show) {
        preferences(context).edit().putBoolean(SHOW_CENTS, show).apply();
    }

    static boolean parallel(Context context) {
        return preferences(context).getBoolean(PARALLEL, false);
    }

    static void setParallel(Context context, boolean parallel) {
        preferences(context).edit().putBoolean(PARALLEL, parallel).apply();
    }
}
