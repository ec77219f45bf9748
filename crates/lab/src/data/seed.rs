//! Seeds of what is drawn.

use fathom_model::splitmix64;

/// A seed for a run that was given none.
pub fn draw_seed() -> u64 {
    let mut bytes = [0; 8];
    // Without the kernel's generator (a very early boot) the time does.
    let drawn = rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::NONBLOCK);
    if drawn.is_ok_and(|count| count == bytes.len()) {
        return u64::from_le_bytes(bytes);
    }
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    splitmix64(now.as_secs() ^ u64::from(now.subsec_nanos()).rotate_left(32))
}
