package org.marmoset.ledger;

import android.content.Context;
import java.util.Locale;
import java.util.regex.Pattern;

/** Amounts are whole cents; text comes in and goes out here only. */
final class Money {
    static final long MAX_CENTS = 999_999_999;

    private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,7}([.,][0-9]{1,2})?");

    private Money() {}

    /** Cents, or -1 when the text is not an amount. */
    static long parse(String text) {
        if (!AMOUNT.matcher(text).matches()) {
            return -1;
        }
        String[] parts = text.split("[.,]");
        long cents = Long.parseLong(parts[0]) * 100;
        if (parts.length == 2) {
            int fraction = Integer.parseInt(parts[1]);
            cents += parts[1].length() == 1 ? fraction * 10 : fraction;
        }
        return cents;
    }

    /** As typed into a form: 12.50. */
    static String plain(long cents) {
        return String.format(Locale.ROOT, "%d.%02d", cents / 100, cents % 100);
    }

    /** As shown: currency, thousands, and cents if the settings want them. */
    static String format(Context context, long cents) {
        String digits = Settings.showCents(context) ? "%s %,.2f" : "%s %,.0f";
        return String.format(digits, Settings.currency(context), cents / 100.0);
    }
}
