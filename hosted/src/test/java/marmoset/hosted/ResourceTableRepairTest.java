package marmoset.hosted;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.Test;

public class ResourceTableRepairTest {
  private static final int TABLE_HEADER = 12;

  @Test
  public void widensAnOldHeader() throws ApkError {
    byte[] repaired = ResourceTableRepair.repair(table(284, 16));
    ByteBuffer out = ByteBuffer.wrap(repaired).order(ByteOrder.LITTLE_ENDIAN);
    assertEquals(TABLE_HEADER + 288 + 16, repaired.length);
    assertEquals(repaired.length, out.getInt(4));
    assertEquals(288, out.getShort(TABLE_HEADER + 2));
    assertEquals(288 + 16, out.getInt(TABLE_HEADER + 4));
    assertEquals("the type strings moved by 4", 288, out.getInt(TABLE_HEADER + 268));
    assertEquals("no key strings, no offset", 0, out.getInt(TABLE_HEADER + 276));
    assertEquals("what follows the header is kept", 0x5a, repaired[TABLE_HEADER + 288]);
  }

  @Test
  public void leavesANewHeaderAlone() throws ApkError {
    assertNull(ResourceTableRepair.repair(table(288, 16)));
  }

  @Test
  public void refusesATableCutShort() {
    byte[] whole = table(284, 16);
    for (int length : new int[] {0, 3, 11, 20, 200, whole.length - 1}) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThrows("length " + length, ApkError.class, () -> ResourceTableRepair.repair(cut));
    }
  }

  @Test
  public void refusesAChunkWithoutEnd() {
    byte[] bad = table(284, 16);
    ByteBuffer.wrap(bad).order(ByteOrder.LITTLE_ENDIAN).putInt(TABLE_HEADER + 4, 0);
    assertThrows(ApkError.class, () -> ResourceTableRepair.repair(bad));
  }

  /** A table with one package chunk: its header and some bytes of content. */
  private static byte[] table(int packageHeader, int content) {
    ByteBuffer out = ByteBuffer.allocate(TABLE_HEADER + packageHeader + content).order(ByteOrder.LITTLE_ENDIAN);
    out.putShort((short) 2).putShort((short) TABLE_HEADER).putInt(out.capacity()).putInt(1);
    out.putShort((short) 0x200).putShort((short) packageHeader).putInt(packageHeader + content);
    out.putInt(TABLE_HEADER + 268, packageHeader);
    out.put(TABLE_HEADER + packageHeader, (byte) 0x5a);
    return out.array();
  }
}
