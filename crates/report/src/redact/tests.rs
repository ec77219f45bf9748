use super::*;
use crate::audit::tests::sample;
use serde_json::json;

fn redactor() -> Redactor {
    Redactor::new(Identity {
        homes: vec!["/home/alice".to_owned(), "/root".to_owned()],
        users: vec!["alice".to_owned(), "root".to_owned()],
        hosts: vec!["box-17.corp.example".to_owned(), "box-17".to_owned()],
    })
}

fn text(text: &str) -> String {
    redactor().text(text)
}

fn command(words: &[&str]) -> Vec<String> {
    let mut words: Vec<_> = words.iter().map(|&word| word.to_owned()).collect();
    redactor().words(&mut words);
    words
}

#[test]
fn home_is_a_tilde_wherever_a_path_begins() {
    assert_eq!(text("open(/home/alice/a.txt)"), "open(~/a.txt)");
    assert_eq!(text("PATH=/home/alice/bin:/root/bin:/bin"), "PATH=~/bin:~/bin:/bin");
    assert_eq!(text("cc -I/home/alice/include, in /home/alice."), "cc -I~/include, in ~.");
    assert_eq!(text("file:///home/alice/x"), "file://~/x");
}

#[test]
fn what_only_looks_like_home_stays() {
    for path in ["/mnt/root/x", "/rootfs/x", "a/root/x", "/root-of-all", "/usr/src/root/x"] {
        assert_eq!(text(path), path);
    }
}

#[test]
fn homes_of_others_are_told_apart() {
    let mut redactor = redactor();
    assert_eq!(
        redactor.text("/home/bob/a /home/carol/b /home/bob/c"),
        "/home/USER1/a /home/USER2/b /home/USER1/c"
    );
    assert_eq!(redactor.text("/home/carol"), "/home/USER2");
    assert_eq!(redactor.text("/home/linuxbrew/bin /home/USER2"), "/home/linuxbrew/bin /home/USER2");
}

#[test]
fn users_are_replaced_in_absolute_paths_and_addresses() {
    assert_eq!(text("/var/spool/alice/1 /tmp/pip-alice-x"), "/var/spool/USER/1 /tmp/pip-USER-x");
    assert_eq!(text("ssh alice@db1"), "ssh USER@db1");
    assert_eq!(
        text("alice in wonderland, src/alice.rs, /srv/malice"),
        "alice in wonderland, src/alice.rs, /srv/malice"
    );
}

#[test]
fn what_is_left_of_a_name_in_a_cut_path_goes_too() {
    assert_eq!(text("open(\"…me/alice/a/b\", \"…ice/a/b\")"), "open(\"…/a/b\", \"…/a/b\")");
    assert_eq!(text("…17/x …rv/alice/x …slice/x …"), "…/x …rv/USER/x …slice/x …");
}

#[test]
fn hosts_are_replaced_whole() {
    assert_eq!(text("/var/log/box-17.corp.example/x.box-17.pid"), "/var/log/HOST/x.HOST.pid");
    assert_eq!(text("mailbox-17"), "mailbox-17");
}

#[test]
fn names_of_nobody_stay() {
    let hosts = ["localhost", "linux", "vm", ""].map(str::to_owned).to_vec();
    let identity =
        Identity { homes: vec!["/".to_owned(), String::new()], users: vec!["root".to_owned()], hosts };
    let said = "/root/a on linux in a vm: localhost";
    assert_eq!(Redactor::new(identity).text(said), said);
}

#[test]
fn what_lies_below_the_kept_directory_keeps_its_names() {
    let mut redactor = redactor().keeping_names_below("/home/alice/proj");
    let said = "/home/alice/proj/src/alice/box-17.c and /home/alice/b and /tmp/alice";
    assert_eq!(redactor.text(said), "~/proj/src/alice/box-17.c and ~/b and /tmp/USER");
}

#[test]
fn options_and_variables_show_secrets() {
    for (shown, expected) in [
        ("--password=hunter2", "--password=REDACTED-1"),
        ("mysql --password hunter2 -h db", "mysql --password REDACTED-1 -h db"),
        ("API_TOKEN=abc run", "API_TOKEN=REDACTED-1 run"),
        ("-Dauth.token=q", "-Dauth.token=REDACTED-1"),
        ("PGPASSWORD='x y' psql", "PGPASSWORD='REDACTED-1' psql"),
        ("{\"password\": \"correct horse\"}", "{\"password\": \"REDACTED-1\"}"),
        ("{\"secret\": \"s3cr3tvalue\"}", "{\"secret\": \"REDACTED-1\"}"),
        ("-H 'Authorization: Bearer abc.def-1'", "-H 'Authorization: Bearer REDACTED-1'"),
        ("Bearer abcdef", "Bearer REDACTED-1"),
        ("https://me:pw@host/x", "https://me:REDACTED-1@host/x"),
        ("curl -u me:pw http://x", "curl -u me:REDACTED-1 http://x"),
        ("X-Api-Key: 0123456789abcdef", "X-Api-Key: REDACTED-1"),
    ] {
        assert_eq!(text(shown), expected);
    }
    assert_eq!(command(&["db", "--password", "x", "y"]), ["db", "--password", "REDACTED-1", "y"]);
    assert_eq!(command(&["db", "--password", "hunter2", "/tmp/hunter2"])[3], "/tmp/REDACTED-1");
    assert_eq!(command(&["db", "--secret-key", "--verbose"]), ["db", "--secret-key", "--verbose"]);
}

#[test]
fn tokens_are_known_by_their_form() {
    let long = "a1B2".repeat(20);
    for token in [
        "AKIAIOSFODNN7EXAMPLE".to_owned(),
        format!("ghp_{}", &long[..36]),
        format!("github_pat_{}", &long[..40]),
        format!("glpat-{}", &long[..20]),
        format!("xoxb-{}", &long[..12]),
        format!("sk_live_{}", &long[..24]),
        format!("AIza{}", &long[..35]),
        format!("sk-ant-{}", &long[..40]),
        format!("npm_{}", &long[..36]),
        format!("eyJ{0}.eyJ{0}.{0}", &long[..20]),
    ] {
        let said = format!("open(/tmp/{token}) of {token}");
        assert_eq!(text(&said), "open(/tmp/REDACTED-1) of REDACTED-1", "{token}");
    }
}

#[test]
fn ordinary_paths_hashes_and_sentences_stay() {
    let hash = "3f786850e387550fdab836ed7e6dc881de23001b";
    for said in [
        format!(".git/objects/3f/{}", &hash[2..]),
        format!("/usr/lib/debug/.build-id/3f/{}.debug", &hash[2..]),
        format!("/nix/store/{}-openssl-3.0.13/lib/libssl.so.3", &"0c5mflfqijqxgdlq2rx5rwwsr8m4kmp9"),
        format!("sha256:{hash}{}", &hash[..24]),
        "/usr/lib/python3/site-packages/sklearn/tokenizer.json".to_owned(),
        "--token=/run/secrets/token --password-file /etc/pw".to_owned(),
        "token: unexpected end, secret: none".to_owned(),
        "max_tokens=100 --keys 5 monkey=1 --tokenizer fast".to_owned(),
        "openat(AT_FDCWD, \"/etc/passwd\") and /etc/shadow, /usr/share/bearer/x".to_owned(),
        "https://example.com/a:b@c http://[::1]:80/".to_owned(),
        "/proc/sys/kernel/random/uuid 550e8400-e29b-41d4-a716-446655440000".to_owned(),
        "basic operations of authorization".to_owned(),
        "PASSWORD=$PW --token <TOKEN>".to_owned(),
    ] {
        assert_eq!(text(&said), said);
    }
}

#[test]
fn a_document_is_of_its_type_afterwards_and_says_what_was_replaced() {
    let mut audit = sample();
    assert_eq!(redactor().redact(&audit).unwrap(), (audit.clone(), None));
    audit.findings[0].title = "/home/alice/x is read by box-17 with hunter2".to_owned();
    let command = audit.command.get_or_insert_default();
    command.words =
        ["serve", "--password", "hunter2", "--token", "t0ken-of-mine"].map(str::to_owned).to_vec();
    let (redacted, said) = redactor().redact(&audit).unwrap();
    assert_eq!(redacted.findings[0].title, "~/x is read by HOST with REDACTED-1");
    assert_eq!(
        redacted.command.unwrap().words,
        ["serve", "--password", "REDACTED-1", "--token", "REDACTED-2"]
    );
    assert_eq!(
        said.unwrap(),
        "the home directory (~), the host's name (HOST), 2 words that look like secrets (REDACTED-1 to REDACTED-2)"
    );
}

#[test]
fn the_same_secret_is_the_same_placeholder_in_several_documents() {
    let mut redactor = redactor();
    let mut of = |value: Value| redactor.redact(&value).unwrap().0;
    assert_eq!(of(json!({"API_TOKEN": "one"})), json!({"API_TOKEN": "REDACTED-1"}));
    assert_eq!(
        of(json!(["--token", "two", "--token", "one"])),
        json!(["--token", "REDACTED-2", "--token", "REDACTED-1"])
    );
}

#[test]
fn a_redacted_document_is_not_redacted_again() {
    let value = json!(["--token", "abc", "/home/alice/x", "/home/bob/y", "API_TOKEN=q"]);
    let (once, said) = redactor().redact(&value).unwrap();
    assert!(said.is_some());
    assert_eq!(redactor().redact(&once).unwrap(), (once, None));
}

#[test]
fn words_of_fathoms_own_stay_whatever_the_machine_is_called() {
    let hosts = vec!["warm".to_owned(), "native".to_owned()];
    let mut redactor = Redactor::new(Identity { hosts, ..Identity::default() });
    let value = json!({"state": "warm", "method": "native:open", "command": ["ping", "warm"]});
    let (redacted, _) = redactor.redact(&value).unwrap();
    assert_eq!(redacted, json!({"state": "warm", "method": "native:open", "command": ["ping", "HOST"]}));
}

#[test]
fn paths_in_any_home_directory_are_alike() {
    assert_eq!(without_home("/home/alice/.cache/x"), "~/.cache/x");
    assert_eq!(without_home("/root/.cache/x"), "~/.cache/x");
    assert_eq!(without_home("/home/USER1"), "~");
    assert_eq!(without_home("/rootfs/x"), "/rootfs/x");
    assert_eq!(without_home("/srv/home/alice"), "/srv/home/alice");
}
