use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

struct Lease<'a> {
    flat: &'a str,
    tenant: &'a str,
    rent: u32,
}

fn parse(line: &str) -> Option<Lease<'_>> {
    let mut f = line.split(' ');
    Some(Lease {
        flat: f.next()?,
        tenant: f.next()?,
        rent: f.next()?.parse().ok()?,
    })
}

fn keep(dir: &Path, lease: &Lease) -> io::Result<()> {
    let mut file = File::create_new(dir.join(format!("{}.contract", lease.flat)))?;
    let text = format!(
        "The flat {} is let to {}\nfor {} a month.\n",
        lease.flat, lease.tenant, lease.rent
    );
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

fn main() -> io::Result<()> {
    let dir = Path::new("contracts");
    let list = fs::read_to_string("tenants.txt")?;
    let mut kept = 0;
    let mut rents = 0;
    for lease in list.lines().filter_map(parse) {
        keep(dir, &lease)?;
        kept += 1;
        rents += lease.rent;
    }
    println!("{kept} contracts safely kept");
    println!("{rents} in rents a month");
    Ok(())
}
