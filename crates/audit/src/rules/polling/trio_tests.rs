//! R33's waste, what it looks like without, and what looks like it and is none.

use fathom_events::FileAction;

pub(in crate::rules) const TRIO: crate::trio::Trio = crate::trio::Trio {
    rule: 33,
    waste: |script| {
        for _ in 0..30 {
            script.stat("/data/state", 100);
            script.sleep_ms(100);
        }
        // Until it is there.
        for _ in 0..8 {
            script.stat_fails("/data/ready");
            script.sleep_ms(20);
        }
        script.access("/data/ready");
        // It writes twice to what it watches, and reads it.
        for beat in 0..12 {
            script.stat("/data/log", 100 + beat / 5);
            let file = script.open("/data/log", crate::script::READ);
            script.close(file);
            script.sleep_ms(10 + beat % 3);
        }
        // A script that sleeps.
        script.act_as(300, 300);
        script.execute("/bin/sh");
        for beat in 0..8 {
            script.stat_fails("/data/done");
            script.act_as(400 + beat, 400 + beat);
            script.execute("/bin/sleep");
            script.act_as(300, 300);
            script.fork(400 + beat);
            script.act_as(400 + beat, 400 + beat);
            script.exit();
            script.act_as(300, 300);
            script.sleep_ms(50);
        }
        // However fast it asks: another program brings what it waits for.
        script.act_as(500, 500);
        for _ in 0..20 {
            script.stat_fails("/data/move");
        }
        script.stat("/data/move", 10);
        for _ in 0..20 {
            script.stat("/data/settings", 10);
        }
        script.stat("/data/settings", 20);
        // A script that waits without a command.
        script.act_as(600, 600);
        script.execute("/bin/bash");
        for _ in 0..12 {
            script.stat_fails("/data/kettle");
            script.is_terminal(0);
        }
        script.stat("/data/kettle", 20);
    },
    // Of the log two rows of five looks and five openings, and a look with news behind each.
    count: 30 + 9 + 2 * 11 + 8 + 21 + 21 + 13,
    fixed: |script| script.stat("/data/state", 100),
    look_alikes: &[
        ("news", |script| {
            for size in 0..30 {
                script.stat("/data/state", size);
                script.sleep_ms(100);
            }
        }),
        ("irregular", |script| {
            for beat in 0..30 {
                script.stat("/data/state", 100);
                script.sleep_ms(100 + beat % 7 * 300);
            }
        }),
        ("busy", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                (0..20).for_each(|file| script.stat(&format!("/data/{file}"), 10));
                script.sleep_ms(100);
                (0..20).for_each(|file| script.stat(&format!("/data/{file}.o"), 10));
            }
        }),
        // As slow as it looks, it works, or waits for a CPU: a busy machine makes a beat of what has one length.
        ("awake", |script| {
            for number in 0..30 {
                script.stat("/data/state", 100);
                script.wait_ms(if number < 4 { 60 } else { 50 });
                script.sleep_ms(if number < 4 { 40 } else { 5 });
            }
        }),
        // Each time it comes to one more file, on a machine that is slow.
        ("busy", |script| {
            for number in 0..30 {
                script.stat_fails("/data/.ignore");
                let file = script.open(&format!("/data/{number}"), crate::script::READ);
                script.close(file);
                script.sleep_ms(100);
            }
        }),
        ("", |script| {
            for _ in 0..8 {
                let target = script.target("/usr/bin/git");
                script.works("access", FileAction::Access { target, mode: 1 });
                let limit = script.open("/sys/fs/cgroup/memory.max", crate::script::READ);
                script.close(limit);
                script.sleep_ms(50);
            }
        }),
        ("busy", |script| {
            script.execute("/bin/sh");
            for _ in 0..8 {
                script.stat("/data/settings", 100);
                script.sleep_ms(50);
            }
        }),
        ("", |script| {
            for _ in 0..4 {
                script.stat("/data/state", 100);
                script.sleep_ms(100);
            }
        }),
        // Files are replaced at a beat, and their directory is synced.
        ("", |script| {
            for _ in 0..10 {
                let directory = script.open("/data", crate::script::READ);
                script.sync(directory);
                script.close(directory);
                script.sleep_ms(20);
            }
        }),
        ("fast", |script| {
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.sleep_ms(1);
            }
        }),
        // A machine on which every call takes long.
        ("fast", |script| {
            for number in 0..10 {
                let file = script.open(&format!("/data/{number}"), crate::script::READ);
                script.sleep_ms(10);
                script.close(file);
                script.sleep_ms(10);
            }
            for _ in 0..30 {
                script.stat("/data/state", 100);
                script.sleep_ms(20);
            }
        }),
        // It changes itself what it looks at next, on a machine that is slow.
        ("own-hand", |script| {
            for _ in 0..12 {
                let file = script.open("/data/table", 1);
                script.write(file, 1);
                script.close(file);
                script.stat("/data/table", 10);
                script.sleep_ms(20);
            }
        }),
        // What it found missing it makes.
        ("own-hand", |script| {
            (0..20).for_each(|_| script.stat_fails("/data/cache"));
            let file = script.open("/data/cache", crate::script::CREATE);
            script.close(file);
            script.stat("/data/cache", 0);
            (0..20).for_each(|_| script.stat_as("/data", fathom_events::FileKind::Directory, 10));
            script.rename("/data/cache", "/data/old");
            script.stat_as("/data", fathom_events::FileKind::Directory, 20);
        }),
        ("own-hand", |script| {
            let log = script.open("/data/log", crate::script::WRITE);
            (0..20).for_each(|_| script.stat("/data/log", 0));
            script.write(log, 10);
            script.stat("/data/log", 10);
        }),
        // It runs something for each, and one of those ends it; or works itself.
        ("busy", |script| {
            for child in 0..20 {
                script.stat_fails("/data/stop");
                script.fork(300 + child);
            }
            script.stat("/data/stop", 0);
            for _ in 0..20 {
                script.stat_fails("/data/end");
                (0..5).for_each(|_| script.is_terminal(1));
            }
            script.stat("/data/end", 0);
        }),
        // Every fourth time another program had the CPU.
        ("fast", |script| {
            for turn in 0..30 {
                script.stat("/data/state", 100);
                script.sleep_ms(if turn % 4 == 0 { 10 } else { 1 });
            }
        }),
    ],
};
