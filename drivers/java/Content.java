// What `create` writes into each file: the array, and the same outside the heap.

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

record Content(byte[] array, ByteBuffer direct) {
    private static final byte[] PATTERN = "fathom pattern.\n".getBytes(StandardCharsets.US_ASCII);

    static Content of(int length) {
        byte[] array = pattern(length);
        return new Content(array, ByteBuffer.allocateDirect(length).put(array).flip());
    }

    boolean isEmpty() {
        return array.length == 0;
    }

    static byte[] pattern(int length) {
        byte[] array = new byte[length];
        for (int i = 0; i < length; i++) {
            array[i] = PATTERN[i % PATTERN.length];
        }
        return array;
    }
}
