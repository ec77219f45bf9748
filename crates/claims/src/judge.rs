//! From claims and records to verdicts.

use crate::instance::Instance;
use crate::site::{absence, is_chance, sites};
use crate::verdict::Verdict;
use fathom_model::{Check, Claim, Record};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of a judgement's form.
pub const VERDICTS_VERSION: u32 = 1;

/// The verdicts on a family of claims.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// The form of this file.
    pub schema_version: u32,
    /// All verdicts hold together with this probability.
    pub confidence: f64,
    /// Instances that are a matter of chance, among which the error is shared.
    pub shared_among: u64,
    /// The claims.
    pub claims: Vec<JudgedClaim>,
}

/// A claim and its verdict.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedClaim {
    /// The experiment it belongs to.
    pub experiment: String,
    /// The claim's name.
    pub name: String,
    /// The statement.
    pub sentence: String,
    /// Who says it.
    pub source: String,
    /// What was reported.
    pub reported: Option<String>,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in one phrase.
    pub because: String,
    /// The statement as it was published.
    pub checks: Vec<JudgedCheck>,
    /// The same between things that differ in nothing else.
    pub fair: Option<JudgedFair>,
}

/// The fair comparison.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedFair {
    /// What the published comparison confounds.
    pub because: String,
    /// What the fair one says.
    pub verdict: Verdict,
    /// Its checks.
    pub checks: Vec<JudgedCheck>,
}

/// A check and everywhere it was made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgedCheck {
    /// The check.
    pub check: Check,
    /// What its instances say together.
    pub verdict: Verdict,
    /// Where it was made.
    pub instances: Vec<Instance>,
    /// Why it was made nowhere.
    pub untestable: Option<String>,
}

/// Judges claims, each with the name of its experiment, by these records. The error
/// `alpha` is that of any wrong verdict among them all.
pub fn judge(claims: &[(&str, &Claim)], records: &[&Record], alpha: f64) -> Judgement {
    let chances = claims.iter().flat_map(|(experiment, claim)| {
        let checks = all_checks(claim).filter(|check| is_chance(check));
        checks.map(|check| sites(check, experiment, records).len() as u64)
    });
    let shared_among = chances.sum::<u64>();
    let share = alpha / shared_among.max(1) as f64;
    let judged = claims.iter().map(|(experiment, claim)| judge_claim(experiment, claim, records, share));
    Judgement {
        schema_version: VERDICTS_VERSION,
        confidence: 1.0 - alpha,
        shared_among,
        claims: judged.collect(),
    }
}

fn all_checks(claim: &Claim) -> impl Iterator<Item = &Check> {
    claim.checks.iter().chain(claim.fair.iter().flat_map(|fair| &fair.checks))
}

fn judge_claim(experiment: &str, claim: &Claim, records: &[&Record], alpha: f64) -> JudgedClaim {
    let judged = |checks: &[Check]| -> Vec<JudgedCheck> {
        checks.iter().map(|check| judge_check(check, experiment, records, alpha)).collect()
    };
    let checks = judged(&claim.checks);
    let published = Verdict::all(checks.iter().map(|check| check.verdict));
    let fair = claim.fair.as_ref().map(|fair| {
        let checks = judged(&fair.checks);
        let verdict = Verdict::all(checks.iter().map(|check| check.verdict));
        JudgedFair { because: fair.because.clone(), verdict, checks }
    });
    let verdict = fair.as_ref().map_or(published, |fair| published.with_fair(fair.verdict));
    JudgedClaim {
        experiment: experiment.to_owned(),
        name: claim.name.clone(),
        sentence: claim.sentence.clone(),
        source: claim.source.clone(),
        reported: claim.reported.clone(),
        because: because(claim, verdict, published, &checks, fair.as_ref()),
        verdict,
        checks,
        fair,
    }
}

fn judge_check(check: &Check, experiment: &str, records: &[&Record], alpha: f64) -> JudgedCheck {
    let instances: Vec<Instance> =
        sites(check, experiment, records).iter().map(|site| site.judge(check, alpha)).collect();
    let verdict = Verdict::everywhere(instances.iter().map(|instance| instance.verdict));
    let untestable = (verdict == Verdict::Untestable).then(|| {
        let reasons = instances.iter().flat_map(|instance| &instance.doubts);
        reasons.map(String::to_owned).next().unwrap_or_else(|| absence(check, experiment, records))
    });
    JudgedCheck { check: check.clone(), verdict, instances, untestable }
}

/// The verdict's reason in one phrase.
fn because(
    claim: &Claim,
    verdict: Verdict,
    published: Verdict,
    checks: &[JudgedCheck],
    fair: Option<&JudgedFair>,
) -> String {
    if let Some(reason) = &claim.untestable {
        return reason.clone();
    }
    let says = |verdict: Verdict| match verdict {
        Verdict::Supported => "holds",
        Verdict::Refuted => "does not hold",
        _ => "stays open",
    };
    let own = match (verdict, fair) {
        (Verdict::Confounded, Some(fair)) => {
            return format!(
                "as published it {}, compared fairly it {}: {}",
                says(published),
                says(fair.verdict),
                fair.because
            );
        }
        (Verdict::Inconclusive, Some(fair)) if published != Verdict::Inconclusive => {
            let open = reason_of(verdict, &fair.checks);
            return format!("as published it {}, compared fairly it stays open: {open}", says(published));
        }
        _ => checks,
    };
    reason_of(verdict, own)
}

fn reason_of(verdict: Verdict, checks: &[JudgedCheck]) -> String {
    let instances = || checks.iter().flat_map(|check| &check.instances);
    let places = |verdict: Verdict| {
        let mut places: Vec<&str> = Vec::new();
        for instance in instances().filter(|instance| instance.verdict == verdict) {
            if !places.contains(&instance.place.as_str()) {
                places.push(&instance.place);
            }
        }
        places.join(", ")
    };
    let count = |verdict: Verdict| instances().filter(|instance| instance.verdict == verdict).count();
    match verdict {
        Verdict::Supported => format!("it holds in {}", places(Verdict::Supported)),
        Verdict::Refuted if count(Verdict::Supported) > 0 => {
            let (against, of) = (count(Verdict::Refuted), instances().count());
            format!("it does not hold in {against} of {of} cases ({})", places(Verdict::Refuted))
        }
        Verdict::Refuted => format!("it does not hold in {}", places(Verdict::Refuted)),
        Verdict::Inconclusive => {
            let open = instances().filter(|instance| instance.verdict == Verdict::Inconclusive);
            let untried = || checks.iter().find_map(|check| check.untestable.clone());
            open.flat_map(|instance| &instance.doubts).next().cloned().or_else(untried).unwrap_or_default()
        }
        Verdict::Untestable => checks.iter().find_map(|check| check.untestable.clone()).unwrap_or_default(),
        Verdict::Confounded => String::new(),
    }
}
