//! Finds a driver for each device on a bus.
use std::fs;
use std::io;

fn find_driver(drivers: &[String], vendor: u32) -> Option<&String> {
    drivers
        .iter()
        .find(|name| name.strip_prefix('v').and_then(|n| n.strip_suffix(".drv")) == Some(&vendor.to_string()))
}

fn main() -> io::Result<()> {
    let mut bound = 0;
    let mut last = String::new();
    let drivers = fs::read_dir("drivers")?
        .map(|e| Ok(e?.file_name().into_string().unwrap_or_default()))
        .collect::<io::Result<Vec<_>>>()?;
    for device in 0..64 {
        let vendor = 1000 + device * 7 % 64;
        if let Some(driver) = find_driver(&drivers, vendor) {
            last = driver.clone();
            bound += 1;
        }
    }
    println!("64 devices, {bound} with a driver, last {last}");
    Ok(())
}
