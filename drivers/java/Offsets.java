// Where read-block reads and write-block writes: the protocol's offsets, a function of the operation's
// number alone.

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
