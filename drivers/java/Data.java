// What batches are given: the memory that is read into, the bytes that are written, and the offsets.

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** The memory that methods with a caller's buffer read into: always the same, or new for each operation. Java cannot place an array at the start of a page, and fills with zeros, and so touches, all memory that it allocates. */
final class Buffers {
    private static final int PAGE = 4096;

    private final int length;
    private final byte[] array;
    private final ByteBuffer heap;
    private final ByteBuffer direct;

    Buffers(int length, boolean fresh) {
        this.length = length;
        array = fresh ? null : new byte[length];
        heap = fresh ? null : ByteBuffer.wrap(array);
        direct = fresh ? null : pageAligned(length);
    }

    int length() {
        return length;
    }

    byte[] array() {
        return array == null ? new byte[length] : array;
    }

    /** A buffer over an array. */
    ByteBuffer heap() {
        return heap == null ? ByteBuffer.allocate(length) : heap.clear();
    }

    /** A buffer outside the heap, which the kernel can write to. */
    ByteBuffer direct() {
        return direct == null ? ByteBuffer.allocateDirect(length) : direct.clear();
    }

    /** The same, at the start of a page in any case. */
    ByteBuffer aligned() {
        return direct == null ? pageAligned(length) : direct.clear();
    }

    static ByteBuffer pageAligned(int length) {
        int pages = (length + PAGE - 1) / PAGE * PAGE;
        return ByteBuffer.allocateDirect(pages + PAGE).alignedSlice(PAGE).slice(0, length);
    }
}

/** What `create` writes into each file: the array, and the same outside the heap. */
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

/** The bytes that `write-block` writes: one block after the other. */
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

/** Where read-block reads and write-block writes: the protocol's offsets, a function of the operation's number alone. */
final class Offsets {
    private Offsets() {}

    /** How many blocks of the asked kind a file has to choose from. */
    static long places(Plan plan) {
        if (plan.size < plan.block) {
            return 0;
        }
        if (plan.unaligned) {
            return plan.sequential ? (plan.size - 1) / plan.block : plan.size - plan.block + 1;
        }
        return plan.size / plan.block;
    }

    /** Where operation number k starts reading. */
    static long offset(Plan plan, long k) {
        long number = plan.sequential ? k : splitmix64(plan.seed + k);
        long place = Long.remainderUnsigned(number, places(plan));
        if (plan.unaligned) {
            return plan.sequential ? place * plan.block + 1 : place;
        }
        return place * plan.block;
    }

    /** The protocol's generator. */
    static long splitmix64(long x) {
        long z = x + 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
