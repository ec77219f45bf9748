// After the moth inspection: the tags of all garments are taken off, the repairs listed.
use std::fs;
use std::io;
use std::io::ErrorKind;
use std::path::Path;

struct Garment {
    number: u32,
    torn: bool,
    holes: u32,
}

fn parse(line: &str) -> Option<Garment> {
    let mut fields = line.split_whitespace();
    Some(Garment {
        number: fields.next()?.parse().ok()?,
        torn: fields.next()? == "torn",
        holes: fields.next()?.parse().ok()?,
    })
}

/// Takes the tag off; says whether there was one.
fn untag(tag: &Path) -> io::Result<bool> {
    match fs::remove_file(tag) {
        Ok(()) => Ok(true),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(false),
        Err(e) => Err(e),
    }
}

fn main() -> io::Result<()> {
    let text = fs::read_to_string("wardrobe.txt")?;
    let garments: Vec<Garment> = text.lines().filter_map(parse).collect();

    let mut untagged = 0;
    for g in &garments {
        if untag(&Path::new("tags").join(format!("garment-{}.tag", g.number)))? {
            untagged += 1;
        }
    }

    let repairs: String = garments
        .iter()
        .filter(|g| g.torn || g.holes > 8)
        .map(|g| format!("garment {} with {} holes\n", g.number, g.holes))
        .collect();
    fs::write("repairs.txt", &repairs)?;

    println!("{} garments, {} tags taken off", garments.len(), untagged);
    println!("{} repairs", repairs.lines().count());
    Ok(())
}
