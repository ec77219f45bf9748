// Prints what the kernel says of the loopback interface.
use std::fs::File;
use std::io::{self, Read};

const DIR: &str = "/sys/class/net/lo";
const ATTRIBUTES: [&str; 11] = [
    "mtu", "type", "addr_len", "address", "broadcast", "ifindex", "iflink", "dev_id", "dev_port",
    "link_mode", "netdev_group",
];

/// sysfs hands out at most a page, but in as many pieces as it likes.
fn attribute(name: &str) -> io::Result<String> {
    let mut file = File::open(format!("{DIR}/{name}"))?;
    let mut page = [0u8; 4096];
    let mut have = 0;
    loop {
        match file.read(&mut page[have..]) {
            Ok(0) => break,
            Ok(n) => have += n,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
    }
    let text = std::str::from_utf8(&page[..have])
        .map_err(|e| io::Error::new(io::ErrorKind::InvalidData, e))?;
    Ok(text.trim_end().to_string())
}

fn main() -> io::Result<()> {
    let mut known = 0;
    let mut zero = 0;
    for name in ATTRIBUTES {
        match attribute(name) {
            Ok(value) => {
                known += 1;
                if value == "0" || value == "0x0" {
                    zero += 1;
                }
                println!("{name:<14}{value}");
            }
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
    }
    println!("{known} attributes, {zero} of them zero");
    Ok(())
}
