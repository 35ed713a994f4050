package org.marmoset.ledger;

/** One line of the ledger. */
final class Expense {
    /** Row in the database; 0 for an expense that was never saved. */
    long id;
    String description = "";
    long cents;
    /** Year-month-day, as in 2024-05-31: sorts as text and reads alike in every language. */
    String date = "";
    /** Index into R.array.categories. */
    int category;
    /** Index into {@link Settings#people}. */
    int payer;
    boolean shared = true;
    boolean settled;
}
