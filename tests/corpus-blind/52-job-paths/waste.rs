// Plans jobs with absolute paths for a batch system.
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Job {
    path: PathBuf,
    weight: u32,
}

fn absolute(path: &Path) -> io::Result<PathBuf> {
    if path.is_absolute() {
        Ok(path.to_path_buf())
    } else {
        Ok(env::current_dir()?.join(path))
    }
}

fn main() -> io::Result<()> {
    let list = fs::read_to_string("jobs/list")?;
    let mut nodes: BTreeMap<u32, Vec<Job>> = BTreeMap::new();
    for line in list.lines() {
        let (path, weight) = line.split_once(' ').expect("path and weight");
        let path = absolute(Path::new(path))?;
        let weight: u32 = weight.parse().expect("a number");
        nodes.entry(weight % 4).or_default().push(Job { path, weight });
    }
    for (node, jobs) in &nodes {
        let sum: u32 = jobs.iter().map(|j| j.weight).sum();
        let absolute = jobs.iter().filter(|j| j.path.is_absolute()).count();
        println!("node {node}: {} jobs, weight {sum}, absolute {absolute}", jobs.len());
    }
    Ok(())
}
