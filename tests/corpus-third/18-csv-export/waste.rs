use std::fs::File;
use std::io::{self, Write};

struct Order {
    id: u32,
    customer: String,
    cents: u64,
}

fn orders() -> impl Iterator<Item = Order> {
    (1..=300).map(|id| Order {
        id,
        customer: format!("customer-{}", id * 7 % 41),
        cents: (id as u64 * 1999) % 50_000,
    })
}

fn main() -> io::Result<()> {
    let mut out = File::create("out/orders.csv")?;
    let mut total = 0;
    for o in orders() {
        writeln!(out, "{},{},{}.{:02}", o.id, o.customer, o.cents / 100, o.cents % 100)?;
        total += o.cents;
    }
    println!("exported, total {}", total);
    Ok(())
}
