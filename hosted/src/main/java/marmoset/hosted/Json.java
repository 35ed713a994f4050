package marmoset.hosted;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A small JSON reader and writer. Objects are {@code Map<String, Object>} in the order of their keys, arrays are
 * {@code List<Object>}, numbers are {@code Long} where they are whole and {@code Double} otherwise.
 */
public final class Json {
  private static final int MAX_DEPTH = 64;

  private final String text;
  private int at;
  private int depth;

  private Json(String text) {
    this.text = text;
  }

  /** Reads one value; throws IllegalArgumentException, which names the offset, where the text is not JSON. */
  public static Object read(String text) {
    Json reader = new Json(text);
    Object value = reader.value();
    reader.space();
    if (reader.at != text.length()) throw reader.error("text after the value");
    return value;
  }

  /** Writes one value on one line. Throws IllegalArgumentException for a type that JSON does not have. */
  public static String write(Object value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(Object value, StringBuilder out) {
    if (value == null || value instanceof Boolean || value instanceof Integer || value instanceof Long) {
      out.append(value);
    } else if (value instanceof Double || value instanceof Float) {
      double number = ((Number) value).doubleValue();
      if (Double.isNaN(number) || Double.isInfinite(number)) out.append("null");
      else out.append(number);
    } else if (value instanceof CharSequence) {
      writeString(value.toString(), out);
    } else if (value instanceof Map<?, ?> map) {
      out.append('{');
      boolean first = true;
      for (Map.Entry<?, ?> entry : map.entrySet()) {
        if (!first) out.append(',');
        first = false;
        writeString((String) entry.getKey(), out);
        out.append(':');
        write(entry.getValue(), out);
      }
      out.append('}');
    } else if (value instanceof Iterable<?> list) {
      out.append('[');
      boolean first = true;
      for (Object item : list) {
        if (!first) out.append(',');
        first = false;
        write(item, out);
      }
      out.append(']');
    } else if (value instanceof int[] numbers) {
      out.append('[');
      for (int i = 0; i < numbers.length; i++) out.append(i > 0 ? "," : "").append(numbers[i]);
      out.append(']');
    } else {
      throw new IllegalArgumentException("JSON has no " + value.getClass().getName());
    }
  }

  private static void writeString(String string, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < string.length(); i++) {
      char c = string.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          // A lone surrogate has no UTF-8 form, so it is escaped as well.
          if (c < 0x20 || c == 0x7f || (Character.isSurrogate(c) && !isPair(string, i))) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }

  private static boolean isPair(String string, int at) {
    if (Character.isHighSurrogate(string.charAt(at))) {
      return at + 1 < string.length() && Character.isLowSurrogate(string.charAt(at + 1));
    }
    return at > 0 && Character.isHighSurrogate(string.charAt(at - 1));
  }

  private Object value() {
    space();
    if (at >= text.length()) throw error("a value is missing");
    char c = text.charAt(at);
    if (c == '{') return object();
    if (c == '[') return array();
    if (c == '"') return string();
    if (c == 't') return word("true", Boolean.TRUE);
    if (c == 'f') return word("false", Boolean.FALSE);
    if (c == 'n') return word("null", null);
    return number();
  }

  private Map<String, Object> object() {
    enter();
    Map<String, Object> map = new LinkedHashMap<>();
    space();
    while (!take('}')) {
      if (!map.isEmpty()) expect(',');
      space();
      String key = string();
      space();
      expect(':');
      map.put(key, value());
      space();
    }
    depth--;
    return map;
  }

  private List<Object> array() {
    enter();
    List<Object> list = new ArrayList<>();
    space();
    while (!take(']')) {
      if (!list.isEmpty()) expect(',');
      list.add(value());
      space();
    }
    depth--;
    return list;
  }

  private void enter() {
    at++;
    if (++depth > MAX_DEPTH) throw error("nested too deeply");
  }

  private String string() {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (true) {
      if (at >= text.length()) throw error("the string does not end");
      char c = text.charAt(at++);
      if (c == '"') return out.toString();
      if (c < 0x20) throw error("a control character in a string");
      if (c != '\\') {
        out.append(c);
        continue;
      }
      if (at >= text.length()) throw error("the string does not end");
      char escaped = text.charAt(at++);
      switch (escaped) {
        case '"', '\\', '/' -> out.append(escaped);
        case 'b' -> out.append('\b');
        case 'f' -> out.append('\f');
        case 'n' -> out.append('\n');
        case 'r' -> out.append('\r');
        case 't' -> out.append('\t');
        case 'u' -> {
          if (at + 4 > text.length()) throw error("the string does not end");
          try {
            out.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
          } catch (NumberFormatException e) {
            throw error("a bad \\u escape");
          }
          at += 4;
        }
        default -> throw error("a bad escape");
      }
    }
  }

  private Object number() {
    int start = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) at++;
    String number = text.substring(start, at);
    try {
      if (number.matches("-?[0-9]+")) return Long.parseLong(number);
      return Double.parseDouble(number);
    } catch (NumberFormatException e) {
      throw error("not a value");
    }
  }

  private Object word(String word, Object value) {
    if (!text.startsWith(word, at)) throw error("not a value");
    at += word.length();
    return value;
  }

  private void space() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) at++;
  }

  private boolean take(char c) {
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!take(c)) throw error("'" + c + "' is missing");
  }

  private IllegalArgumentException error(String what) {
    return new IllegalArgumentException("offset " + at + ": " + what);
  }
}
