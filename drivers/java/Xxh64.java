// XXH64 with seed 0, as its specification words it.

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;

final class Xxh64 extends MessageDigest {
    private static final long PRIME1 = 0x9E3779B185EBCA87L;
    private static final long PRIME2 = 0xC2B2AE3D27D4EB4FL;
    private static final long PRIME3 = 0x165667B19E3779F9L;
    private static final long PRIME4 = 0x85EBCA77C2B2AE63L;
    private static final long PRIME5 = 0x27D4EB2F165667C5L;
    private static final int STRIPE = 32;

    private long lane1;
    private long lane2;
    private long lane3;
    private long lane4;
    private long length;
    /** What does not fill a stripe yet. */
    private final ByteBuffer rest = ByteBuffer.allocate(STRIPE).order(ByteOrder.LITTLE_ENDIAN);

    Xxh64() {
        super("XXH64");
        engineReset();
    }

    @Override
    protected void engineReset() {
        lane1 = PRIME1 + PRIME2;
        lane2 = PRIME2;
        lane3 = 0;
        lane4 = -PRIME1;
        length = 0;
        rest.clear();
    }

    @Override
    protected void engineUpdate(byte input) {
        engineUpdate(new byte[] {input}, 0, 1);
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int count) {
        engineUpdate(ByteBuffer.wrap(input, offset, count));
    }

    @Override
    protected void engineUpdate(ByteBuffer input) {
        length += input.remaining();
        if (rest.position() > 0) {
            int wanted = Math.min(rest.remaining(), input.remaining());
            rest.put(rest.position(), input, input.position(), wanted).position(rest.position() + wanted);
            input.position(input.position() + wanted);
            if (rest.hasRemaining()) {
                return;
            }
            takeStripes(rest.flip());
            rest.clear();
        }
        ByteOrder order = input.order();
        takeStripes(input.order(ByteOrder.LITTLE_ENDIAN));
        input.order(order);
        rest.put(input);
    }

    @Override
    protected byte[] engineDigest() {
        rest.flip();
        long hash = (length < STRIPE ? PRIME5 : mergedLanes()) + length;
        while (rest.remaining() >= Long.BYTES) {
            hash = Long.rotateLeft(hash ^ round(0, rest.getLong()), 27) * PRIME1 + PRIME4;
        }
        if (rest.remaining() >= Integer.BYTES) {
            hash = Long.rotateLeft(hash ^ Integer.toUnsignedLong(rest.getInt()) * PRIME1, 23) * PRIME2 + PRIME3;
        }
        while (rest.hasRemaining()) {
            hash = Long.rotateLeft(hash ^ Byte.toUnsignedLong(rest.get()) * PRIME5, 11) * PRIME1;
        }
        hash = (hash ^ hash >>> 33) * PRIME2;
        hash = (hash ^ hash >>> 29) * PRIME3;
        hash ^= hash >>> 32;
        engineReset();
        return ByteBuffer.allocate(Long.BYTES).putLong(hash).array();
    }

    private void takeStripes(ByteBuffer data) {
        int at = data.position();
        int last = data.limit() - STRIPE;
        // In variables of its own, which the compiler keeps in registers.
        long first = lane1;
        long second = lane2;
        long third = lane3;
        long fourth = lane4;
        for (; at <= last; at += STRIPE) {
            first = round(first, data.getLong(at));
            second = round(second, data.getLong(at + 8));
            third = round(third, data.getLong(at + 16));
            fourth = round(fourth, data.getLong(at + 24));
        }
        lane1 = first;
        lane2 = second;
        lane3 = third;
        lane4 = fourth;
        data.position(at);
    }

    private long mergedLanes() {
        long hash = Long.rotateLeft(lane1, 1) + Long.rotateLeft(lane2, 7) + Long.rotateLeft(lane3, 12)
                + Long.rotateLeft(lane4, 18);
        for (long lane : new long[] {lane1, lane2, lane3, lane4}) {
            hash = (hash ^ round(0, lane)) * PRIME1 + PRIME4;
        }
        return hash;
    }

    private static long round(long lane, long input) {
        return Long.rotateLeft(lane + input * PRIME2, 31) * PRIME1;
    }
}
