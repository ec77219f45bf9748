// The memory that methods with a caller's buffer read into: always the same, or
// new for each operation. Java cannot place an array at the start of a page, and
// fills with zeros, and so touches, all memory that it allocates.

import java.nio.ByteBuffer;

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
