package fx;
public class First { public int twice(int a) { return Second.more(a) + 1; } }
