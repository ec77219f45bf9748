//! Doubts: what makes an effect no ground for a verdict, read off the record.

use crate::effect::{Effect, Question};
use fathom_model::{
    CacheEvidence, CacheState, Comparison, FoldedStack, Metric, Proof, Record, Setting, Transfer, Variant,
    WorksOn,
};
use fathom_stats::find_split;

/// A cold read of a file on a device that read less than this share of what it
/// delivered was not cold.
const COLD_SHARE: f64 = 0.5;
/// A warm operation that reads more than this from a device was not warm.
const WARM_BYTES: f64 = 512.0;
/// More samples than this share of a task that only comes back to its CPU say how busy
/// others were.
const SWITCHED_SHARE: f64 = 0.05;
/// Where a task comes back from a switch or an interrupt, in whose place others ran.
const COMING_BACK: [&str; 2] = ["finish_task_switch", "irqentry_exit_to_user_mode"];

/// What speaks against believing an effect; none for a sound one.
pub(crate) fn doubts(
    record: &Record,
    comparison: &Comparison,
    question: &Question<'_>,
    effect: &Effect,
) -> Vec<String> {
    let mut found = Vec::new();
    for variant in [Some(question.of), question.to].into_iter().flatten() {
        found.extend(cache_doubt(record, comparison, variant));
    }
    if question.metric.is_timed() {
        found.extend(guest_doubt(record, comparison, question));
        found.extend(control_doubt(comparison));
        found.extend(regime_doubt(question, effect));
    }
    if matches!(question.metric, Metric::Stacks(_)) {
        found.extend(switch_doubt(comparison, question.of));
    }
    found.dedup();
    found
}

/// Samples at the end of a switch are there because others had the CPU, and take
/// their share from everything else.
fn switch_doubt(comparison: &Comparison, variant: usize) -> Option<String> {
    let profile = comparison.explanations.get(variant)?.profile.as_ref()?.value()?;
    let comes_back = |stack: &&FoldedStack| {
        let innermost = stack.frames.rsplit(';').next().unwrap_or_default();
        COMING_BACK.iter().any(|name| innermost.starts_with(name))
    };
    let switched: u64 = profile.stacks.iter().filter(comes_back).map(|stack| stack.samples).sum();
    let share = switched as f64 / profile.samples.max(1) as f64;
    (share > SWITCHED_SHARE).then(|| {
        format!(
            "others ran on its CPU meanwhile: {:.0} % of the samples are of coming back from a switch or an interrupt",
            share * 100.0
        )
    })
}

/// What a device takes cannot be told in a guest, whose host may hold what is cold
/// here. Two variants beside each other meet the same host.
fn guest_doubt(record: &Record, comparison: &Comparison, question: &Question<'_>) -> Option<String> {
    let is_cold = comparison.cache.get(question.of).is_some_and(|cache| cache.state == CacheState::Cold);
    let host = record.environment.virtualization.value().filter(|name| *name != "none")?;
    (is_cold && question.to.is_none())
        .then(|| format!("a {host} guest: whether the device answered or its host's memory is not known"))
}

/// A placebo that shows an effect is a fault of the instrument.
fn control_doubt(comparison: &Comparison) -> Option<String> {
    let control = comparison.control.value().filter(|control| control.instrument_fault)?;
    Some(format!(
        "instrument fault: the same method beside itself differs, by {:+.2} %, at 99 %",
        (control.ratio.value - 1.0) * 100.0
    ))
}

/// A change of level on the way leaves a verdict only where both levels give it.
fn regime_doubt(question: &Question<'_>, effect: &Effect) -> Option<String> {
    let split = find_split(&effect.of_forks)?;
    let (before, after) = (question.region.contains(split.before), question.region.contains(split.after));
    (before != after).then(|| {
        format!(
            "the effect changed its level at fork {} of {}, from {:.4} to {:.4}, and the two say different things",
            split.index + 1,
            effect.of_forks.len(),
            split.before,
            split.after
        )
    })
}

/// A cache state that is not shown, or that what was read contradicts.
fn cache_doubt(record: &Record, comparison: &Comparison, variant: usize) -> Option<String> {
    let evidence = comparison.cache.get(variant)?;
    let variant = comparison.variants.get(variant)?;
    let cold = evidence.state == CacheState::Cold;
    match &evidence.proof {
        Proof::Unknown(reason) if cold => return Some(format!("nobody knows whether it was cold: {reason}")),
        Proof::Unknown(_) | Proof::NotApplicable(_) => return None,
        Proof::Proven => {}
    }
    let read = read_per_operation(evidence)?;
    let in_memory = record.places.get(variant.place).is_none_or(|facts| facts.in_memory);
    let delivered = delivered_bytes(variant);
    if cold && !in_memory && delivered > 0.0 && read < COLD_SHARE * delivered {
        return Some(format!(
            "it was to be cold, but {}: of {delivered:.0} bytes an operation {read:.0} came from a device",
            variant.method
        ));
    }
    let warm = evidence.state == CacheState::Warm && variant.operation.delivers_data();
    (warm && !variant.method.is_direct() && read > WARM_BYTES).then(|| {
        format!("it was to be warm, but {} read {read:.0} bytes an operation from a device", variant.method)
    })
}

fn read_per_operation(evidence: &CacheEvidence) -> Option<f64> {
    let bytes = *evidence.device_read_bytes.value()? as f64;
    (evidence.device_read_operations > 0).then(|| bytes / evidence.device_read_operations as f64)
}

/// Bytes of files that an operation brings at least, where that can be said: one
/// operation alone, of one file, read whole.
fn delivered_bytes(variant: &Variant) -> f64 {
    let many = variant.parameters.settings.number(Setting::Operations) > 1;
    let facts = variant.operation.facts();
    let reads_whole = (facts.works_on, facts.transfers) == (WorksOn::Files, Transfer::File)
        && variant.operation.delivers_data();
    if reads_whole && !many { variant.parameters.data.size_bytes as f64 } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use crate::{Verdict, judge};
    use fathom_model::{
        CacheState, Check, Claim, Conditions, Explanation, FoldedStack, Form, Metric, Profile, Reading,
        Region, Subject,
    };
    use fathom_testkit::{cold_evidence, duel};

    fn of_method(name: &str) -> Conditions {
        Conditions { method: name.parse().ok(), ..Conditions::default() }
    }

    fn claim(metric: Metric, form: Form, to: Option<Conditions>) -> Claim {
        let subject = Subject::Variants { metric, form, of: of_method("go:os.Open"), to };
        Claim {
            name: "a-claim".into(),
            sentence: "os.Open is slow".into(),
            source: "a test".into(),
            reported: None,
            checks: vec![Check { subject, region: Region::at_least(0.5), usual_margin: false }],
            fair: None,
            untestable: None,
        }
    }

    #[test]
    fn stacks_of_a_task_that_others_drove_off_its_cpu_decide_nothing() {
        let mut record = duel(&[2.4; 12]);
        let claim = claim(Metric::Stacks("md5.block".into()), Form::Value, None);
        for (switched, verdict) in [(40, Verdict::Supported), (400, Verdict::Inconclusive)] {
            let stack = |frames: &str, samples| FoldedStack { frames: frames.into(), samples };
            let profile = Profile {
                frequency_hz: 1999,
                samples: 2000,
                lost: 0,
                stacks: vec![
                    stack("main.batch;crypto/md5.block", 2000 - switched),
                    stack("main.batch;asm_exc_[k];finish_task_switch.isra.0_[k]", switched),
                ],
                notes: vec![],
            };
            let explanation =
                Explanation { profile: Some(Reading::Value(profile)), ..Explanation::default() };
            record.experiments[0].comparisons[0].explanations = vec![explanation; 2];
            let judged = judge(&[("duel", &claim)], &[&record], 0.05).claims.remove(0);
            assert_eq!(judged.verdict, verdict, "{judged:?}");
            assert_eq!(judged.because.contains("20 % of the samples"), switched == 400, "{}", judged.because);
        }
    }

    #[test]
    fn whose_time_a_cold_one_is_nobody_knows_in_a_guest() {
        let mut record = duel(&[2.4, 2.39, 2.41, 2.4, 2.38, 2.42, 2.4, 2.41, 2.39, 2.4, 2.4, 2.41]);
        let comparison = &mut record.experiments[0].comparisons[0];
        for variant in &mut comparison.variants {
            variant.cache = CacheState::Cold;
        }
        comparison.cache = vec![cold_evidence(1, 40, 40 * 4096); 2];
        let alone = claim(Metric::Time, Form::Value, None);
        let beside = claim(Metric::Time, Form::Ratio, Some(of_method("native:open")));
        let family = [("duel", &alone), ("duel", &beside)];
        record.environment.virtualization = Reading::Value("kvm".into());
        let judged = judge(&family, &[&record], 0.05).claims;
        assert_eq!(judged[0].verdict, Verdict::Inconclusive);
        assert!(judged[0].because.contains("or its host's memory"), "{}", judged[0].because);
        assert_eq!(judged[1].verdict, Verdict::Supported, "both meet the same host");
        record.environment.virtualization = Reading::Value("none".into());
        assert_eq!(judge(&family, &[&record], 0.05).claims[0].verdict, Verdict::Supported);
    }
}
