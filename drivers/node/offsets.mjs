// Where read-block reads: the protocol's offsets, a function of the operation's
// number alone. Computed before the clock starts, since 64-bit numbers are slow here.

/** How many blocks of the asked kind a file has to choose from. */
export function places({ size, block, sequential, unaligned }) {
  if (size < block) {
    return 0;
  }
  if (!unaligned) {
    return Math.floor(size / block);
  }
  return sequential ? Math.floor((size - 1) / block) : size - block + 1;
}

/** Where operations number first to first + offsets.length - 1 start reading. */
export function fillOffsets(offsets, first, plan) {
  const { block, seed, sequential, unaligned } = plan;
  const choices = places(plan);
  const wide = BigInt(choices);
  const scale = unaligned && !sequential ? 1 : block;
  const shift = unaligned && sequential ? 1 : 0;
  for (let i = 0; i < offsets.length; i++) {
    const place = sequential ? (first + i) % choices : Number(splitmix64(seed + BigInt(first + i)) % wide);
    offsets[i] = place * scale + shift;
  }
}

/** The protocol's generator. */
export function splitmix64(x) {
  let z = BigInt.asUintN(64, x + 0x9e3779b97f4a7c15n);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}
