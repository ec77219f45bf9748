// Transposes a matrix of lantern positions that is held in a scratch file (larger machines have
// matrices larger than memory): blocks are exchanged in place.
use std::fs::{self, OpenOptions};
use std::io;
use std::os::unix::fs::FileExt;

const BLOCK: usize = 48; // numbers per side of a block: 48 * 48 * 4 = 9216 bytes
const SIDE: usize = 5; // blocks per side

struct Scratch {
    file: fs::File,
}

impl Scratch {
    const BYTES: usize = BLOCK * BLOCK * 4;

    /// The scratch file has no name from the start on: it is gone when the program is.
    fn new(path: &str) -> io::Result<Self> {
        let file = OpenOptions::new().read(true).write(true).create_new(true).open(path)?;
        fs::remove_file(path)?;
        Ok(Scratch { file })
    }

    fn at(row: usize, col: usize) -> u64 {
        ((row * SIDE + col) * Self::BYTES) as u64
    }

    fn load(&self, row: usize, col: usize) -> io::Result<Vec<u32>> {
        let mut raw = vec![0u8; Self::BYTES];
        self.file.read_exact_at(&mut raw, Self::at(row, col))?;
        Ok(raw.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
    }

    fn store(&self, row: usize, col: usize, block: &[u32]) -> io::Result<()> {
        let raw: Vec<u8> = block.iter().flat_map(|n| n.to_le_bytes()).collect();
        self.file.write_all_at(&raw, Self::at(row, col))
    }
}

fn transposed(block: &[u32]) -> Vec<u32> {
    (0..BLOCK * BLOCK).map(|i| block[(i % BLOCK) * BLOCK + i / BLOCK]).collect()
}

fn main() -> io::Result<()> {
    let scratch = Scratch::new("lanterns.scratch")?;
    for row in 0..SIDE {
        for col in 0..SIDE {
            let block: Vec<u32> = (0..BLOCK * BLOCK)
                .map(|i| ((row * BLOCK + i / BLOCK) * 1000 + col * BLOCK + i % BLOCK) as u32)
                .collect();
            scratch.store(row, col, &block)?;
        }
    }
    for row in 0..SIDE {
        for col in row..SIDE {
            let upper = transposed(&scratch.load(row, col)?);
            let lower = transposed(&scratch.load(col, row)?);
            scratch.store(col, row, &upper)?;
            if row != col {
                scratch.store(row, col, &lower)?;
            }
        }
    }
    let (first, last) = (scratch.load(0, SIDE - 1)?, scratch.load(SIDE - 1, 0)?);
    println!("corner {} {}", first[BLOCK - 1], last[BLOCK * (BLOCK - 1)]);
    println!("sum {}", first.iter().chain(&last).map(|&n| n as u64).sum::<u64>());
    Ok(())
}
