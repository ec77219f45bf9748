// The bytes that `write-block` writes: one block after the other.

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

final class Pool {
    static final int BYTES = 1 << 20;

    private final int block;
    private final int blocks;
    private int next;
    private final byte[] array;
    /** The same outside the heap. */
    private final ByteBuffer direct;

    Pool(Plan plan) {
        block = plan.block;
        blocks = BYTES / block;
        array = plan.pattern ? Content.pattern(BYTES) : random(plan.seed);
        direct = Buffers.pageAligned(BYTES).put(array);
    }

    /** Makes operation number k the next one. */
    void seek(long k) {
        next = (int) (k % blocks);
    }

    /** Where the bytes of the next operation start. */
    int next() {
        int start = next * block;
        next = next + 1 == blocks ? 0 : next + 1;
        return start;
    }

    byte[] array() {
        return array;
    }

    /** One block. */
    ByteBuffer direct(int start) {
        return direct.limit(start + block).position(start);
    }

    private static byte[] random(long seed) {
        ByteBuffer words = ByteBuffer.allocate(BYTES).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; words.hasRemaining(); i++) {
            words.putLong(Offsets.splitmix64(seed + i));
        }
        return words.array();
    }
}
