use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

struct Users {
    map: BTreeMap<String, u32>,
}

impl Users {
    fn load(p: &Path) -> io::Result<Users> {
        let mut map = BTreeMap::new();
        for line in BufReader::new(File::open(p)?).lines() {
            let line = line?;
            if let Some((name, id)) = line.split_once('\t') {
                map.insert(name.to_string(), id.parse().unwrap_or(0));
            }
        }
        Ok(Users { map })
    }

    fn save(&self, p: &Path) -> io::Result<()> {
        let tmp = p.with_file_name(".users.new");
        let text: String = self.map.iter().map(|(n, i)| format!("{n}\t{i}\n")).collect();
        let mut f = File::create(&tmp)?;
        f.write_all(text.as_bytes())?;
        f.sync_all()?;
        fs::rename(&tmp, p)?;
        File::open(p.parent().unwrap())?.sync_all()
    }
}

fn main() -> io::Result<()> {
    let p = Path::new("db/users.tsv");
    for n in 0..3 {
        let mut u = Users::load(p)?;
        u.map.insert(format!("new{n}"), 2000 + n);
        u.save(p)?;
    }
    println!("{} users", Users::load(p)?.map.len());
    Ok(())
}
