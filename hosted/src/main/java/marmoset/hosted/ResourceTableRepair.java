package marmoset.hosted;

import java.io.ByteArrayOutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Old build tools wrote package headers of 284 bytes, before {@code typeIdOffset} existed; Robolectric reads past their
 * end and rejects the table. The repair widens such headers to 288 bytes. Stateless; any thread.
 */
final class ResourceTableRepair {
  private static final int TABLE_PACKAGE = 0x200;
  private static final int OLD_HEADER = 284;
  private static final int NEW_HEADER = 288;
  private static final int STRING_OFFSETS_AT = 268;

  private ResourceTableRepair() {}

  /** The repaired table, or null where nothing was wrong with it. Throws ApkError for a table cut short. */
  static byte[] repair(byte[] table) throws ApkError {
    try {
      ByteBuffer in = ByteBuffer.wrap(table).order(ByteOrder.LITTLE_ENDIAN);
      int headerSize = in.getShort(2) & 0xffff;
      int size = in.getInt(4);
      if (size > table.length || headerSize > size) throw cutShort();
      ByteArrayOutputStream out = new ByteArrayOutputStream(table.length + 16);
      out.write(table, 0, headerSize);
      boolean changed = false;
      for (int at = headerSize; at < size; ) {
        int type = in.getShort(at) & 0xffff;
        int header = in.getShort(at + 2) & 0xffff;
        int length = in.getInt(at + 4);
        if (length < 8 || header > length || length > size - at) throw cutShort();
        if (type == TABLE_PACKAGE && header == OLD_HEADER) {
          out.writeBytes(widen(in, at, length));
          changed = true;
        } else {
          out.write(table, at, length);
        }
        at += length;
      }
      if (!changed) return null;
      byte[] repaired = out.toByteArray();
      ByteBuffer.wrap(repaired).order(ByteOrder.LITTLE_ENDIAN).putInt(4, repaired.length);
      return repaired;
    } catch (BufferUnderflowException | IndexOutOfBoundsException e) {
      throw cutShort();
    }
  }

  private static byte[] widen(ByteBuffer in, int at, int length) {
    int added = NEW_HEADER - OLD_HEADER;
    ByteBuffer out = ByteBuffer.allocate(length + added).order(ByteOrder.LITTLE_ENDIAN);
    out.put(in.array(), at, OLD_HEADER).putInt(0).put(in.array(), at + OLD_HEADER, length - OLD_HEADER);
    out.putShort(2, (short) NEW_HEADER).putInt(4, length + added);
    // The offsets of the type and key string pools count from the start of the chunk.
    for (int field : new int[] {STRING_OFFSETS_AT, STRING_OFFSETS_AT + 8}) {
      int offset = out.getInt(field);
      if (offset != 0) out.putInt(field, offset + added);
    }
    return out.array();
  }

  private static ApkError cutShort() {
    return new ApkError("its resource table (resources.arsc) is cut short", "build or download the APK again");
  }
}
