// Writes the object files of a build into out/obj.
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

struct Layout {
    root: PathBuf,
}

impl Layout {
    fn new(root: &str) -> io::Result<Layout> {
        fs::create_dir_all(Path::new(root).join("obj"))?;
        Ok(Layout { root: PathBuf::from(root) })
    }

    fn object(&self, unit: &str) -> io::Result<PathBuf> {
        let dir = self.root.join("obj");
        Ok(dir.join(Path::new(unit).with_extension("o")))
    }
}

fn compile(unit: &str) -> Vec<u8> {
    unit.bytes().rev().flat_map(|b| [b, b ^ 0x55]).collect()
}

fn main() -> io::Result<()> {
    let layout = Layout::new("out")?;
    let (mut units, mut bytes) = (0, 0);
    for n in 0..120 {
        let unit = format!("unit{n}.src");
        let code = compile(&unit);
        bytes += code.len();
        fs::write(layout.object(&unit)?, code)?;
        units += 1;
    }
    println!("{units} units, {bytes} bytes of code");
    Ok(())
}
