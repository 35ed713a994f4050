package fx;
public class Second { static int more(int a) { return a < 0 ? 0 : 2 * a; } }
