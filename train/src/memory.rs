//! How much memory this process takes, as far as the system tells (Linux does).

use std::path::Path;

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

/// The MiB that this process may still take: what the machine has left, its control groups allow, or
/// `ulimit -v` does, whichever is least. `None` where the system does not tell.
#[must_use]
pub fn available_mib() -> Option<f64> {
    let free = number_after("/proc/meminfo", "MemAvailable:").map(|kibibytes| kibibytes / 1024.0);
    let groups = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
    let within =
        groups.lines().filter_map(|group| within_group(Path::new("/sys/fs/cgroup"), group));
    [free, within_limit()].into_iter().flatten().chain(within).min_by(f64::total_cmp)
}

/// What a control group and those above it leave, their file cache counted as free. `group` is its
/// line in `/proc/self/cgroup`, `number:controllers:path`; `root` is where groups are mounted. A
/// container may see its own group as the root: folders that are not there are passed over.
fn within_group(root: &Path, group: &str) -> Option<f64> {
    let (controllers, path) = group.split_once(':')?.1.split_once(':')?;
    let path = path.trim_start_matches('/');
    let (root, most, taken, cache) = match controllers {
        "" => (root.to_owned(), "memory.max", "memory.current", "inactive_file"),
        list if list.split(',').any(|name| name == "memory") => (
            root.join("memory"),
            "memory.limit_in_bytes",
            "memory.usage_in_bytes",
            "total_inactive_file",
        ),
        _ => return None,
    };
    let left = |folder: &Path| {
        let most = number_after(folder.join(most), "")?;
        let taken = number_after(folder.join(taken), "")?;
        let cache = number_after(folder.join("memory.stat"), cache).unwrap_or(0.0);
        Some(((most - taken + cache) / MIB).max(0.0))
    };
    let folder = root.join(path);
    let groups = folder.ancestors().take_while(|group| group.starts_with(&root));
    groups.filter_map(left).min_by(f64::total_cmp)
}

/// What the limit of address space leaves.
fn within_limit() -> Option<f64> {
    let most = number_after("/proc/self/limits", "Max address space")?;
    Some((most / MIB - mib("VmSize:")).max(0.0))
}

const MIB: f64 = (1 << 20) as f64;

/// A line of kibibytes in the status of this process.
fn mib(line: &str) -> f64 {
    number_after("/proc/self/status", line).unwrap_or(0.0) / 1024.0
}

/// The number behind `label` in the first line of `file` that begins with it, if it is one.
fn number_after(file: impl AsRef<Path>, label: &str) -> Option<f64> {
    let text = std::fs::read_to_string(file).ok()?;
    let rest = text.lines().find_map(|line| line.strip_prefix(label))?;
    rest.split_whitespace().next()?.parse().ok()
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
        assert!(available_mib().is_some_and(|left| left > 1.0));
    }
    #[test]
    fn the_narrowest_control_group_decides() {
        let root = tempfile::tempdir().unwrap();
        let group = |path: &str, files: [(&str, &str); 3]| {
            let folder = root.path().join(path);
            std::fs::create_dir_all(&folder).unwrap();
            files.iter().for_each(|(name, text)| std::fs::write(folder.join(name), text).unwrap());
        };
        let second = |most, taken| {
            let cache = ("memory.stat", "anon 5\ninactive_file 1048576\n");
            [("memory.max", most), ("memory.current", taken), cache]
        };
        group("user", second("10485760\n", "3145728\n"));
        group("user/job", second("max\n", "1048576\n"));
        let within = |line| within_group(root.path(), line);
        assert_eq!(within("0::/user/job"), Some(8.0));
        // Of a container, which cannot see where it is.
        group("", second("5242880\n", "4194304\n"));
        assert_eq!(within("0::/elsewhere/deep"), Some(2.0));
        let first = [
            ("memory.limit_in_bytes", "4194304\n"),
            ("memory.usage_in_bytes", "1048576\n"),
            ("memory.stat", "inactive_file 7\ntotal_inactive_file 0\n"),
        ];
        group("memory/job", first);
        assert_eq!(within("4:cpu,memory:/job"), Some(3.0));
        assert_eq!([within("3:cpuset:/job"), within("nonsense")], [None, None]);
    }
}
