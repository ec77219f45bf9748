use std::fs::{self, File};
use std::io::{self, Read, Write};

struct Menu {
    dishes: Vec<(String, u32)>,
}

impl Menu {
    fn parse(text: &str) -> Menu {
        let dishes = text
            .lines()
            .filter_map(|l| l.rsplit_once(' '))
            .filter_map(|(d, p)| Some((d.to_string(), p.parse().ok()?)))
            .collect();
        Menu { dishes }
    }

    fn raise(&mut self, percent: u32) -> u32 {
        let mut raised = 0;
        for (_, pence) in &mut self.dishes {
            let more = *pence * percent / 100;
            if more > 0 {
                *pence += more;
                raised += 1;
            }
        }
        raised
    }

    fn text(&self) -> String {
        self.dishes.iter().map(|(d, p)| format!("{d} {p}\n")).collect()
    }
}

fn reprice(path: &str, percent: u32) -> io::Result<u32> {
    let mut current = File::open(path)?;
    let mut text = String::new();
    current.read_to_string(&mut text)?;
    let mut menu = Menu::parse(&text);
    let raised = menu.raise(percent);
    let next = format!("{path}.next");
    let mut out = File::create(&next)?;
    out.write_all(menu.text().as_bytes())?;
    out.sync_all()?;
    fs::rename(&next, path)?;
    Ok(raised)
}

fn main() -> io::Result<()> {
    let mut menus = 0;
    let mut raised = 0;
    for room in fs::read_to_string("rooms.txt")?.lines() {
        let (name, percent) = room.split_once(' ').unwrap_or((room, "0"));
        raised += reprice(&format!("menus/{name}.txt"), percent.parse().unwrap_or(0))?;
        menus += 1;
    }
    File::open("menus")?.sync_all()?;
    println!("{menus} menus, {raised} dishes dearer");
    Ok(())
}
