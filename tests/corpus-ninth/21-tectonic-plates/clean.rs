use std::fs::{self, File};
use std::io;
use std::os::unix::fs::FileExt;

const NODE: u64 = 16;

#[derive(Clone, Copy)]
struct Node {
    east: f64,
    north: f64,
    plate: i32,
    depth: i32,
}

struct Mesh {
    file: File,
    count: u64,
}

impl Mesh {
    fn open(path: &str) -> io::Result<Mesh> {
        let file = File::open(path)?;
        let count = file.metadata()?.len() / NODE;
        Ok(Mesh { file, count })
    }

    fn node(&mut self, number: u64) -> io::Result<Node> {
        if number >= self.count {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "no such node"));
        }
        let mut raw = [0u8; NODE as usize];
        self.file.read_exact_at(&mut raw, number * NODE)?;
        let field = |i: usize| i32::from_le_bytes(raw[i * 4..i * 4 + 4].try_into().unwrap());
        Ok(Node {
            east: f64::from(field(0)) / 1000.0,
            north: f64::from(field(1)) / 1000.0,
            plate: field(2),
            depth: field(3),
        })
    }
}

fn length(nodes: &[Node]) -> f64 {
    nodes.windows(2).map(|w| (w[1].east - w[0].east).hypot(w[1].north - w[0].north)).sum()
}

fn main() -> io::Result<()> {
    let mut mesh = Mesh::open("nodes.bin")?;
    let mut deepest = (0, 0);
    let mut total = 0.0;
    let mut borders = 0;
    let faults = fs::read_to_string("faults.txt")?;
    for (number, line) in faults.lines().enumerate() {
        let mut nodes = Vec::new();
        for word in line.split_whitespace() {
            nodes.push(mesh.node(word.parse().unwrap_or(0))?);
        }
        let depth = nodes.iter().map(|n| n.depth).max().unwrap_or(0);
        if depth > deepest.1 {
            deepest = (number, depth);
        }
        borders += nodes.windows(2).filter(|w| w[0].plate != w[1].plate).count();
        total += length(&nodes);
    }
    println!("{} faults in a mesh of {} nodes", faults.lines().count(), mesh.count);
    println!("{total:.1} degrees, {borders} plate borders crossed");
    println!("deepest: fault {} at {} km", deepest.0, deepest.1);
    Ok(())
}
