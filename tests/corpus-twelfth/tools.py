"""What the command lines of tools.toml work on, made in the working directory: `tools.py a` or `tools.py b`, the inputs
of one author's lines. Those of `b` are made as their author made them (mktools.py); those of `a`, of which no maker was
kept, are made anew to the byte (the words, the commits and the patch too, but for the times in the patch)."""
import json, os, random, shutil, sqlite3, subprocess, sys

H = os.getcwd()


def w(p, s, mode=None):
    p = os.path.join(H, p); os.makedirs(os.path.dirname(p), exist_ok=True)
    with open(p, "w") as f: f.write(s)
    if mode: os.chmod(p, mode)


def inputs_of_a():
    words = "alpha beta gamma delta queue store cache index parse token buffer retry lease shard".split()
    rng = random.Random(1)
    text = lambda lines: "".join(" ".join(rng.choice(words) for _ in range(9)) + "\n" for _ in range(lines))
    for i in range(40): w(f"docs/ch{i // 10}/p{i:02d}.txt", text(60))
    for i in range(20): w(f"deb/root/usr/share/demo/d{i}.txt", text(10))
    w("deb/root/DEBIAN/control", "Package: demo\nVersion: 1.0\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: demo\n")
    shutil.copytree("docs", "docs2")
    for i in range(10, 20):
        lines = open(f"docs2/ch1/p{i}.txt").read().split("\n")
        w(f"docs2/ch1/p{i}.txt", "\n".join(line.replace("lease", "grant", 1) for line in lines))
    w("docs.patch", subprocess.run(["diff", "-ru", "docs", "docs2"], capture_output=True, text=True).stdout)
    w("events.json", json.dumps([{"id": i, "tenant": f"t{i % 7}", "bytes": i * 37 % 1000} for i in range(3000)]))
    w("sales.csv", "day,shop,amount\n" + "".join(f"2026-01-{1 + i % 28:02d},shop{i % 9},{i * 31 % 700}\n" for i in range(4000)))
    rows = "".join(f"INSERT INTO o VALUES({i},'s{i % 9}',{i * 7 % 100});\n" for i in range(2000))
    w("orders.sql", f"CREATE TABLE o(id INTEGER PRIMARY KEY, shop TEXT, amount INT);\nBEGIN;\n{rows}COMMIT;\n")
    db = sqlite3.connect("orders.db"); db.executescript(open("orders.sql").read()); db.close()
    n = 12
    w("csrc/all.h", "#ifndef ALL_H\n#define ALL_H\n" + "".join(f"int f{i}(int x);\nint f{i}_bias(void);\n" for i in range(n)) + "#endif\n")
    for i in range(n):
        w(f"csrc/mod{i}.c", f'#include <stdio.h>\n#include "all.h"\nint f{i}(int x)\n{{\n    return x * {i + 1} + f{(i + 1) % n}_bias();\n}}\nint f{i}_bias(void)\n{{\n    return {i};\n}}\n')
    calls = " + ".join(f"f{i}({i})" for i in range(n))
    w("csrc/main.c", f'#include <stdio.h>\n#include "all.h"\nint main(void)\n{{\n    printf("%d\\n", {calls});\n    return 0;\n}}\n')
    objects = " ".join(["main.o"] + [f"mod{i}.o" for i in range(n)])
    w("csrc/Makefile", f"OBJS = {objects}\nprog: $(OBJS)\n\t$(CC) -o $@ $(OBJS)\n%.o: %.c all.h\n\t$(CC) -g -O1 -c -o $@ $<\nclean:\n\trm -f $(OBJS) prog\n")
    w("csrc/CMakeLists.txt", "cmake_minimum_required(VERSION 3.10)\nproject(prog C)\nfile(GLOB S *.c)\nadd_executable(prog ${S})\n")
    for copy in ("csrc-cmake", "csrc-dbg"): shutil.copytree("csrc", copy)
    w("ac/configure.ac", "AC_INIT([demo],[1.0])\nAC_PROG_CC\nAC_CHECK_HEADERS([stdint.h fcntl.h])\nAC_CHECK_FUNCS([mmap])\nAC_OUTPUT\n")
    w("js/package.json", '{"name":"sum","version":"1.0.0","main":"sum.js","files":["sum.js"],"license":"MIT"}\n')
    w("js/sum.js", "exports.sum = (a, b) => a + b;\n")
    w("js/sum.test.js", "const t = require('node:test'); const assert = require('node:assert'); const { sum } = require('./sum');\nt('sum', () => assert.strictEqual(sum(1, 2), 3));\n")
    for i in range(15): w(f"py/pkg/m{i}.py", f"import os, json\ndef f{i}(x):\n    return json.dumps([x, {i}])\n")
    for i in range(6): w(f"py/test_m{i}.py", "import pytest\n@pytest.mark.parametrize('x', range(10))\ndef test_x(x):\n    assert x + 1 > x\n")
    for i in range(6): w(f"java/src/app/C{i}.java", f"package app;\npublic class C{i} {{ public int v(int x) {{ return x + {i}; }} }}\n")
    w("java/src/app/Main.java", "package app;\npublic class Main { public static void main(String[] a) { System.out.println(new C0().v(1) + new C5().v(2)); } }\n")
    w("po/de.po", 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n' + "".join(f'msgid "word {i}"\nmsgstr "Wort {i}"\n\n' for i in range(500)))
    for i in range(8): w(f"rb/lib/m{i}.rb", f"# Module number {i}.\nmodule M{i}\n  # Adds.\n  def self.add(x)\n    x + {i}\n  end\nend\n")
    w("rb/page.erb", "<% 300.times do |i| %>\n<li><%= i %></li>\n<% end %>\n")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", **{f"GIT_{a}_{b}": v for a in ("AUTHOR", "COMMITTER") for b, v in (("NAME", "a"), ("EMAIL", "a@example.org"), ("DATE", "1795857678 +0000"))}}
    g = lambda *a: subprocess.run(["git", *a], cwd=H + "/repo", env=env, check=True, capture_output=True)
    os.makedirs("repo")
    g("init", "-q", "-b", "master")
    for c in range(1, 9):
        for i in range(1, 7):
            w(f"repo/d{i}/n.txt", "".join(f"{k}\n" for k in range(1, c + 1)))
            w(f"repo/f{i}.txt", "".join(f"rev {k} file {i}\n" for k in range(1, c + 1)))
        g("add", "-A"); g("commit", "-q", "-m", f"change {c}")


def inputs_of_b():
    # C project: cproj
    funcs = []
    for i in range(24):
        w(f"cproj/src/mod{i:02d}.c", f'#include "mod{i:02d}.h"\n#include "common.h"\n#include <stdio.h>\n\n/* TODO: check range */\nint mod{i:02d}_run(int x)\n{{\n    printf("{i}: %d\\n", x);\n    return SQUARE(x) + {i};\n}}\n')
        w(f"cproj/include/mod{i:02d}.h", f"#ifndef MOD{i:02d}_H\n#define MOD{i:02d}_H\nint mod{i:02d}_run(int x);\n#endif\n")
    w("cproj/include/common.h", "#ifndef COMMON_H\n#define COMMON_H\n#define SQUARE(x) ((x) * (x))\n#endif\n")
    w("cproj/src/main.c", "".join(f'#include "mod{i:02d}.h"\n' for i in range(24)) + "int main(void)\n{\n    int s = 0;\n" + "".join(f"    s += mod{i:02d}_run({i});\n" for i in range(24)) + "    return s == 0;\n}\n")
    w("cproj/Makefile", "OBJS := $(patsubst src/%.c,obj/%.o,$(wildcard src/*.c))\nall: prog\nprog: $(OBJS)\n\t@cat $(OBJS) > $@\nobj/%.o: src/%.c $(wildcard include/*.h)\n\t@mkdir -p obj\n\t@cp $< $@\nclean:\n\trm -rf obj prog\n.PHONY: all clean\n")
    w("cmk/CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(demo C)\nadd_executable(demo main.c)\n")
    w("cmk/main.c", "int main(void) { return 0; }\n")
    # documents, text
    for d in range(6):
        for i in range(20):
            w(f"docs/ch{d}/sec{i:02d}.md", f"# Section {d}.{i}\n\nSome *text* about topic {i * d % 7} and needle{i}.\n\n- one\n- two\n" * 3)
    # trees a and b
    for side in "ab":
        for i in range(60):
            w(f"trees/{side}/d{i % 5}/f{i:02d}.txt", f"line one {i}\nline two\n" + ("changed\n" if side == "b" and i % 9 == 0 else "") + "line three\n" * 4)
    p = subprocess.run(["diff", "-ru", "a", "b"], cwd=H + "/trees", capture_output=True, text=True, env={**os.environ, "TZ": "UTC"}).stdout
    w("trees/change.patch", p)
    # csv, json
    w("data/people.csv", "id,name,town,age\n" + "".join(f"{i},Name {i},Town{i % 23},{18 + i % 60}\n" for i in range(2000)))
    w("data/events.json", json.dumps([{"id": i, "kind": ["open", "close", "save"][i % 3], "ms": i * 37 % 500} for i in range(3000)]))
    w("data/stats.sql", ".mode csv\n.import people.csv people\nCREATE INDEX t ON people(town);\nSELECT town, count(*), round(avg(age),1) FROM people GROUP BY town ORDER BY town LIMIT 5;\n")
    # perl distribution
    w("perl/lib/Acme/Sum.pm", "package Acme::Sum;\nuse strict;\nuse warnings;\n\n=head1 NAME\n\nAcme::Sum - adds\n\n=head1 SYNOPSIS\n\n  Acme::Sum::sum(1, 2);\n\n=cut\n\nsub sum { my $s = 0; $s += $_ for @_; return $s }\n1;\n")
    for i in range(5):
        w(f"perl/t/{i:02d}-sum.t", f"use strict;\nuse warnings;\nuse Test::More tests => 3;\nuse_ok('Acme::Sum');\nis(Acme::Sum::sum(1, {i}), {1 + i}, 'sum');\nis(Acme::Sum::sum(), 0, 'empty');\n")
    # python
    for i in range(12):
        w(f"py/pkg/m{i:02d}.py", f'"""Module {i}."""\nimport os\n\n\ndef f{i}(x):\n    """Adds {i}."""\n    return x + {i}\n')
        w(f"py/tests/test_m{i:02d}.py", f"from pkg.m{i:02d} import f{i}\n\n\ndef test_f():\n    assert f{i}(1) == {1 + i}\n")
    w("py/pkg/__init__.py", ""); w("py/conftest.py", "")
    # ruby
    w("rb/Rakefile", "task default: %w[build]\nSRC = FileList['in/*.txt']\nfile_targets = SRC.pathmap('out/%n.up')\ndirectory 'out'\nrule(%r{^out/.*\\.up$} => [->(f) { f.pathmap('in/%n.txt') }, 'out']) { |t| File.write(t.name, File.read(t.source).upcase) }\ntask build: file_targets\n")
    for i in range(40): w(f"rb/in/n{i:02d}.txt", f"note {i}\n" * 5)
    for i in range(10): w(f"rb/lib/k{i}.rb", f"# Class number {i}.\nclass K{i}\n  # Adds {i}.\n  def add(x)\n    x + {i}\n  end\nend\n")
    w("rb/page.erb", "<% 20.times do |i| %><p><%= i * i %></p>\n<% end %>")
    # jekyll
    w("blog/_config.yml", "title: Blog\ndisable_disk_cache: true\n")
    w("blog/_layouts/post.html", "<html><body><h1>{{ page.title }}</h1>{{ content }}</body></html>\n")
    w("blog/index.md", "---\nlayout: post\ntitle: Home\n---\n{% for p in site.posts %}- {{ p.title }}\n{% endfor %}\n")
    for i in range(25): w(f"blog/_posts/2024-01-{1 + i:02d}-post-{i}.md", f"---\nlayout: post\ntitle: Post {i}\n---\nText *{i}*.\n")
    # node package
    w("npm/package.json", json.dumps({"name": "demo", "version": "1.0.0", "dependencies": {f"dep{i}": "^1.0.0" for i in range(15)}}))
    for i in range(15):
        w(f"npm/node_modules/dep{i}/package.json", json.dumps({"name": f"dep{i}", "version": f"1.{i}.0", "main": "index.js"}))
        w(f"npm/node_modules/dep{i}/index.js", f"module.exports = {i};\n")
    for i in range(10): w(f"npm/test/t{i}.test.js", f"const t = require('node:test'); const a = require('node:assert');\nt('dep{i}', () => a.strictEqual(require('dep{i}'), {i}));\n")
    # java, rust, go, php
    for i in range(12): w(f"java/src/demo/C{i:02d}.java", f"package demo;\n\n/** Class {i}. */\npublic class C{i:02d} {{\n    public int f(int x) {{ return x + {i}; }}\n}}\n")
    w("rs/Cargo.toml", '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'); w("rs/src/lib.rs", "".join(f"/// Adds {i}.\npub fn f{i}(x: i32) -> i32 {{ x + {i} }}\n" for i in range(30)))
    for i in range(20): w(f"go/p{i:02d}/p.go", f"package p{i:02d}\n\n// F adds.\nfunc F(x int) int {{\n return x + {i}\n}}\n")
    w("go/go.mod", "module example.org/demo\n\ngo 1.21\n")
    for i in range(20): w(f"php/src/C{i:02d}.php", f"<?php\nclass C{i:02d} {{\n    public function f(int $x): int {{ return $x + {i}; }}\n}}\n")
    # gettext
    w("po/app.pot", 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n' + "".join(f'#: src/a.c:{i}\nmsgid "Message {i}"\nmsgstr ""\n\n' for i in range(300)))
    w("po/de.po", 'msgid ""\nmsgstr ""\n"Language: de\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n' + "".join(f'msgid "Message {i}"\nmsgstr "Nachricht {i}"\n\n' for i in range(0, 260)))
    # man pages
    for i in range(30): w(f"man/man1/tool{i:02d}.1", f".TH TOOL{i:02d} 1 2024-01-01\n.SH NAME\ntool{i:02d} \\- does thing number {i}\n.SH DESCRIPTION\nText about {i}.\n")
    # deb
    for n in ("alpha", "beta", "gamma"):
        w(f"deb/{n}/DEBIAN/control", f"Package: {n}\nVersion: 1.0\nArchitecture: all\nMaintainer: Nobody <n@example.org>\nDescription: demo {n}\n")
        for i in range(15): w(f"deb/{n}/usr/share/{n}/file{i:02d}", f"{n} {i}\n" * 20)
    w("tf/main.tf", "".join(f'variable "v{i}" {{\n type = string\n  default    = "x{i}"\n}}\n\n' for i in range(40)))
    w("m4/doc.m4", "".join(f"define(`part{i}', `include(`parts/p{i}.txt')')part{i}\n" for i in range(40)))
    for i in range(40): w(f"m4/parts/p{i}.txt", f"Part {i} of the document.\n" * 3)
    w("vim/edit.vim", "set hidden\nsilent argdo exe '%s/line/LINE/ge' | exe 'w! '.expand('%').'.out'\nqa!\n")
    for i in range(25): w(f"vim/f{i:02d}.txt", "a line\nanother line\n" * 10)
    w("zsh/stats.zsh", "typeset -A n\nfor f in ../docs/**/*.md(.); do\n  while IFS= read -r l; do (( n[${f:h:t}]++ )); done < $f\ndone\nfor k in ${(ok)n}; do print $k $n[$k]; done\n")
    w("fish/count.fish", "for f in ../docs/ch*/*.md\n    set -l n (string match -r 'needle\\d+' < $f | count)\n    echo (basename $f) $n\nend | sort | uniq -c | tail -3\n")
    w("tclt/all.tcl", "package require tcltest\nnamespace import tcltest::*\nfor {set i 0} {$i < 40} {incr i} { test sum-$i {sum} -body \"expr {$i + 1}\" -result [expr {$i + 1}] }\ncleanupTests\n")
    w("groff/paper.ms", ".TL\nA paper\n.AU\nSomebody\n" + "".join(f".NH\nSection {i}\n.PP\nSome text for section {i}.\n" * 1 for i in range(30)))
    if not os.path.isdir(H + "/repo/.git"):
        os.makedirs(H + "/repo", exist_ok=True)
        env = {**os.environ, "GIT_CONFIG_GLOBAL": "/dev/null", **{f"GIT_{a}_{b}": v for a in ("AUTHOR", "COMMITTER") for b, v in (("NAME", "A"), ("EMAIL", "a@example.org"), ("DATE", "2024-01-01T00:00:00Z"))}}
        g = lambda *a: subprocess.run(["git", *a], cwd=H + "/repo", env=env, check=True, capture_output=True)
        g("init", "-q", "-b", "main")
        for c in range(30):
            for i in range(3): w(f"repo/src/d{(c + i) % 6}/f{(c * 3 + i) % 40:02d}.txt", f"commit {c}\n" * (5 + c % 4))
            g("add", "-A"); g("commit", "-q", "-m", f"change {c}")


{"a": inputs_of_a, "b": inputs_of_b}[sys.argv[1]]()
