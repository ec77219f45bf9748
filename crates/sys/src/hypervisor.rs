//! Whether a hypervisor runs this machine, as the CPU itself tells.

/// The hypervisor's signature (`KVMKVMKVM`), `None` on bare metal.
/// Only x86 has the question; elsewhere use [`is_known`].
#[cfg(target_arch = "x86_64")]
pub fn signature() -> Option<String> {
    use std::arch::x86_64::__cpuid;
    const PRESENT: u32 = 1 << 31;
    if __cpuid(1).ecx & PRESENT == 0 {
        return None;
    }
    let leaf = __cpuid(0x4000_0000);
    let bytes: Vec<u8> = [leaf.ebx, leaf.ecx, leaf.edx].iter().flat_map(|word| word.to_le_bytes()).collect();
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_matches(|c: char| c == '\0' || c.is_whitespace()).to_owned())
}

/// The hypervisor's signature: this architecture has no such question.
#[cfg(not(target_arch = "x86_64"))]
pub fn signature() -> Option<String> {
    None
}

/// True where [`signature`] answers the question.
pub fn is_known() -> bool {
    cfg!(target_arch = "x86_64")
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_flag_in_cpuinfo() {
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap();
        let flagged = info.lines().any(|l| l.starts_with("flags") && l.split(' ').any(|f| f == "hypervisor"));
        assert_eq!(signature().is_some(), flagged);
    }
}
