//! Files the referrals that came in overnight, and confirms each to its sender.
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

struct Referral<'a> {
    patient: &'a str,
    ward: &'a str,
    day: u32,
}

fn parse(line: &str) -> Option<Referral<'_>> {
    let mut fields = line.split(';');
    Some(Referral {
        patient: fields.next()?,
        ward: fields.next()?,
        day: fields.next()?.parse().ok()?,
    })
}

struct Cabinet {
    dir: PathBuf,
}

impl Cabinet {
    fn store(&self, referral: &Referral) -> io::Result<()> {
        let temporary = self.dir.join(format!(".{}.part", referral.patient));
        let mut file = File::create(&temporary)?;
        writeln!(
            file,
            "{} to {}, wished for day {}",
            referral.patient, referral.ward, referral.day
        )?;
        file.sync_all()?;
        fs::rename(&temporary, self.dir.join(format!("{}.txt", referral.patient)))?;
        File::open(&self.dir)?.sync_all()
    }
}

fn main() -> io::Result<()> {
    let cabinet = Cabinet {
        dir: Path::new("referrals").to_path_buf(),
    };
    let mut filed = 0;
    let mut soonest = u32::MAX;
    for line in fs::read_to_string("inbox.csv")?.lines() {
        let Some(referral) = parse(line) else {
            println!("not understood: {line}");
            continue;
        };
        cabinet.store(&referral)?;
        println!("confirmed: {} is on file", referral.patient);
        soonest = soonest.min(referral.day);
        filed += 1;
    }
    println!("{filed} referrals, the soonest on day {soonest}");
    Ok(())
}
