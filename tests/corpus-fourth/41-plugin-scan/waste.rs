//! Finds a driver for each device on a bus.
use std::fs;
use std::io;

fn find_driver(vendor: u32) -> io::Result<Option<String>> {
    for entry in fs::read_dir("drivers")? {
        let name = entry?.file_name().into_string().unwrap_or_default();
        if name.strip_prefix('v').and_then(|n| n.strip_suffix(".drv")) == Some(&vendor.to_string()) {
            return Ok(Some(name));
        }
    }
    Ok(None)
}

fn main() -> io::Result<()> {
    let mut bound = 0;
    let mut last = String::new();
    for device in 0..64 {
        let vendor = 1000 + device * 7 % 64;
        if let Some(driver) = find_driver(vendor)? {
            last = driver;
            bound += 1;
        }
    }
    println!("64 devices, {bound} with a driver, last {last}");
    Ok(())
}
