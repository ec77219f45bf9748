//! Where read-block reads: the protocol's offsets, a function of the
//! operation's number alone.

const Plan = @import("arguments.zig").Plan;

/// The protocol's generator.
pub fn splitmix64(x: u64) u64 {
    var z = x +% 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) *% 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) *% 0x94D049BB133111EB;
    return z ^ z >> 31;
}

/// How many blocks of the asked kind a file has to choose from.
pub fn places(plan: *const Plan) u64 {
    if (plan.size < plan.block) return 0;
    if (plan.alignment == .aligned) return plan.size / plan.block;
    return switch (plan.access) {
        .random => plan.size - plan.block + 1,
        .sequential => (plan.size - 1) / plan.block,
    };
}

/// Where operation number k starts reading.
pub fn offset(plan: *const Plan, k: u64) u64 {
    const number = switch (plan.access) {
        .random => splitmix64(plan.seed +% k),
        .sequential => k,
    };
    const place = number % places(plan);
    if (plan.alignment == .aligned) return place * plan.block;
    return switch (plan.access) {
        .random => place,
        .sequential => place * plan.block + 1,
    };
}
