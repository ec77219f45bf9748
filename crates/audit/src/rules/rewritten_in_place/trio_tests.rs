//! Waste, mended form and look-alikes of R47.

use super::*;

pub(in crate::rules) const TRIO: crate::trio::Trio = {
    use crate::script::{CREATE, READ, Script, TRUNCATE};
    fn load(script: &mut Script, path: &str) {
        let file = script.open(path, READ);
        script.read(file, 4096, 100);
        script.close(file);
    }
    fn save(script: &mut Script, path: &str) {
        let file = script.open(path, TRUNCATE);
        script.write(file, 100);
        script.close(file);
    }
    crate::trio::Trio {
        rule: 47,
        waste: |script| {
            load(script, "/home/ann/.config/app.json");
            for number in 0..3 {
                let file = script.open("/home/ann/.config/app.json", TRUNCATE);
                script.write(file, 100 + number);
                script.close(file);
            }
            script.stat("/data/table", 500);
            save(script, "/data/table");
            script.rename("/data/table", "/data/table");
            // A shell: the descriptor is put at 1, closed, written by, and 1 is put back.
            load(script, "/data/routes");
            script.duplicate(1, 10);
            let file = script.open("/data/routes", TRUNCATE);
            script.duplicate(file, 1);
            script.close(file);
            script.write(1, 100);
            script.duplicate(10, 1);
            script.close(10);
        },
        count: 5,
        fixed: |script| {
            load(script, "/data/app.json");
            let file = script.open("/data/app.json.new", CREATE | open_flags::EXCLUSIVE);
            script.write(file, 100);
            script.sync(file);
            script.close(file);
            script.rename("/data/app.json.new", "/data/app.json");
        },
        look_alikes: &[
            ("made-here", |script| {
                let file = script.open("/data/out", CREATE | open_flags::EXCLUSIVE);
                script.write(file, 100);
                script.close(file);
                load(script, "/data/out");
                save(script, "/data/out");
            }),
            ("empty", |script| {
                let file = script.open("/data/out", READ);
                script.read(file, 4096, 0);
                script.close(file);
                save(script, "/data/out");
            }),
            ("log-or-lock", |script| {
                load(script, "/data/app.pid");
                save(script, "/data/app.pid");
            }),
            ("renamed", |script| {
                load(script, "/data/half");
                save(script, "/data/half");
                script.rename("/data/half", "/data/whole");
            }),
            // It is renamed while it is open.
            ("renamed", |script| {
                load(script, "/data/half");
                let file = script.open("/data/half", TRUNCATE);
                script.write(file, 100);
                script.rename("/data/half", "/data/whole");
                script.close(file);
            }),
            ("number", |script| {
                script.execute("/bin/sh");
                load(script, "/data/depth");
                let file = script.open("/data/depth", TRUNCATE);
                script.write(file, 3);
                script.close(file);
            }),
            // make asks for its targets' times, and its recipes make them anew; then they are compared.
            ("output", |script| {
                script.execute("/bin/sh");
                script.stat("/data/report", 500);
                for _ in 0..3 {
                    save(script, "/data/report");
                    load(script, "/data/report");
                }
            }),
            // make reads the rules that a compiler made, and runs it to make them again.
            ("output", |script| {
                load(script, "/data/main.d");
                script.stat("/data/main.html", 500);
                script.fork(200);
                script.act_as(200, 200);
                script.execute("/usr/lib/cc1");
                save(script, "/data/main.d");
                save(script, "/data/main.html");
                script.exit();
            }),
            ("scratch", |script| {
                load(script, "/data/target/list");
                save(script, "/data/target/list");
            }),
            ("named", |script| {
                script.start_with(&["cp", "/data/a", "/data/b"]);
                script.stat("/data/b", 500);
                save(script, "/data/b");
            }),
            ("copied", |script| {
                load(script, "/data/notes");
                let copy = script.open("/data/notes~", CREATE | open_flags::EXCLUSIVE);
                script.write(copy, 100);
                script.close(copy);
                save(script, "/data/notes");
            }),
            ("unwritten", |script| {
                load(script, "/data/marks");
                let file = script.open("/data/marks", TRUNCATE);
                script.close(file);
            }),
        ],
    }
};
