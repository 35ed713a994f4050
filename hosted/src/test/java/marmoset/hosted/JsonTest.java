package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.Test;

public class JsonTest {
  @Test
  public void readsWhatItWrites() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text", "tab\t quote\" back\\ line\n nul\0 é 😀");
    value.put("numbers", List.of(0L, -7L, Long.MAX_VALUE, 1.5));
    value.put("nothing", null);
    value.put("flags", List.of(true, false));
    value.put("nested", Map.of("empty", List.of()));
    assertEquals(value, Json.read(Json.write(value)));
  }

  @Test
  public void writesOneLine() {
    assertEquals("{\"a\":[1,2],\"b\":\"x\\ny\"}", Json.write(ordered("a", new int[] {1, 2}, "b", "x\ny")));
  }

  @Test
  public void escapesLoneSurrogates() {
    assertEquals("\"\\ud83d\"", Json.write("\ud83d"));
    assertEquals("\ud83d", Json.read("\"\\ud83d\""));
  }

  @Test
  public void readsSpacesAndEscapes() {
    assertEquals(ordered("a", "A/"), Json.read(" { \"a\" : \"\\u0041\\/\" } "));
    assertEquals(-12.5e3, Json.read("-12.5e3"));
  }

  @Test
  public void namesTheOffsetOfAnError() {
    for (String bad : List.of("", "{", "[1,", "[1 2]", "{\"a\"}", "\"x", "tru", "1 2", "{\"a\":1,}", "\"\\u00g0\"", "-")) {
      IllegalArgumentException error = assertThrows(bad, IllegalArgumentException.class, () -> Json.read(bad));
      assertEquals(bad, 0, error.getMessage().indexOf("offset "));
    }
  }

  @Test
  public void refusesDeepNesting() {
    assertThrows(IllegalArgumentException.class, () -> Json.read("[".repeat(10_000)));
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    return map;
  }
}
