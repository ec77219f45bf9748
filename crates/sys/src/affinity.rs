//! Which CPUs the calling thread may run on.

use crate::SysError;
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// The CPUs that the calling thread may run on, in ascending order.
pub fn current_cpus() -> Result<Vec<u32>, SysError> {
    let set = sched_getaffinity(None).map_err(SysError::of("sched_getaffinity"))?;
    Ok((0..CpuSet::MAX_CPU)
        .filter(|&cpu| set.is_set(cpu))
        .filter_map(|cpu| u32::try_from(cpu).ok())
        .collect())
}

/// Restricts the calling thread, and what it starts from now on, to `cpus`.
/// `EINVAL` when none of them exists or may be used.
pub fn restrict_to(cpus: &[u32]) -> Result<(), SysError> {
    let mut set = CpuSet::new();
    for &cpu in cpus {
        if let Some(cpu) = usize::try_from(cpu).ok().filter(|&cpu| cpu < CpuSet::MAX_CPU) {
            set.set(cpu);
        }
    }
    sched_setaffinity(None, &set).map_err(SysError::of("sched_setaffinity"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::io::Errno;

    #[test]
    fn a_thread_can_be_pinned_and_sees_it() {
        std::thread::spawn(|| {
            let all = current_cpus().unwrap();
            let last = *all.last().unwrap();
            restrict_to(&[last]).unwrap();
            assert_eq!(current_cpus().unwrap(), [last]);
            assert_eq!(rustix::thread::sched_getcpu(), usize::try_from(last).unwrap());
        })
        .join()
        .unwrap();
    }

    #[test]
    fn no_cpu_at_all_is_refused() {
        assert_eq!(restrict_to(&[]).unwrap_err().errno(), Some(Errno::INVAL));
    }
}
