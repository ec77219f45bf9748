use std::fs::File;
use std::io::{self, Read};
use std::io::BufReader;

#[derive(Default, Clone, Copy)]
struct Vertex {
    x: u32,
    y: u32,
    z: u32,
}

fn word<R: Read>(r: &mut R) -> io::Result<u32> {
    let mut b = [0u8; 4];
    r.read_exact(&mut b)?;
    Ok(u32::from_le_bytes(b))
}

fn vertex<R: Read>(r: &mut R) -> io::Result<Vertex> {
    Ok(Vertex { x: word(r)?, y: word(r)?, z: word(r)? })
}

fn main() -> io::Result<()> {
    let mut f = BufReader::new(File::open("models/cube.mesh")?);
    let mut sum = 0u32;
    let mut mesh = Vec::with_capacity(500);
    for _ in 0..500 {
        let v = vertex(&mut f)?;
        sum = sum.wrapping_add(v.x ^ v.y.rotate_left(7) ^ v.z.rotate_left(13));
        mesh.push(v);
    }
    println!("{} vertices, {:08x}", mesh.len(), sum);
    Ok(())
}
