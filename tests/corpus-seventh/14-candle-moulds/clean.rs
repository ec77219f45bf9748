use std::collections::HashMap;
use std::fs;
use std::io;

type Moulds = HashMap<String, u64>;

fn moulds() -> io::Result<Moulds> {
    let mut table = HashMap::new();
    for line in fs::read_to_string("moulds.tsv")?.lines() {
        if let Some((name, grams)) = line.split_once('\t') {
            table.insert(name.to_string(), grams.parse().unwrap_or(0));
        }
    }
    Ok(table)
}

fn wax_for(table: &Moulds, kind: &str, pieces: u64) -> io::Result<u64> {
    let grams = table.get(kind).copied().unwrap_or(0);
    Ok(grams * pieces + grams * pieces / 20)
}

fn main() -> io::Result<()> {
    let orders = fs::read_to_string("orders.txt")?;
    let table = moulds()?;
    let mut total = 0;
    let mut largest = (0, String::new());
    for (number, line) in orders.lines().enumerate() {
        let mut words = line.split(' ');
        let kind = words.next().unwrap_or("");
        let pieces: u64 = words.next().and_then(|w| w.parse().ok()).unwrap_or(0);
        let wax = wax_for(&table, kind, pieces)?;
        total += wax;
        if wax > largest.0 {
            largest = (wax, format!("order {} ({})", number + 1, kind));
        }
    }
    println!("{} g of wax for {} orders", total, orders.lines().count());
    println!("largest: {} with {} g", largest.1, largest.0);
    Ok(())
}
