//! How much memory this process takes, as far as the system tells (Linux does).

/// MiB in memory now; 0 where the system does not tell.
#[must_use]
pub fn resident_mib() -> f64 {
    mib("VmRSS:")
}

/// The most MiB that were in memory at a time since the process began; 0 where the system does not tell.
#[must_use]
pub fn peak_mib() -> f64 {
    mib("VmHWM:")
}

/// A line of kibibytes in the status of this process.
fn mib(line: &str) -> f64 {
    let kibibytes = |status: String| -> Option<f64> {
        let text = status.lines().find_map(|text| text.strip_prefix(line))?;
        text.split_whitespace().next()?.parse().ok()
    };
    let status = std::fs::read_to_string("/proc/self/status").ok();
    status.and_then(kibibytes).unwrap_or(0.0) / 1024.0
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;

    #[test]
    fn the_peak_is_at_least_what_is_held() {
        let before = peak_mib();
        assert!(before >= 1.0);
        let held = vec![1_u8; 64 << 20];
        assert!(resident_mib() > 64.0 && peak_mib() >= resident_mib() - 1.0);
        drop(std::hint::black_box(held));
        assert!(peak_mib() >= 64.0);
    }
}
