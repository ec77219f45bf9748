# writes programs that say their own line in the path of each call
import random, os
random.seed(7)
N=150
o=["import os, sys, threading","def here(k):","    f=sys._getframe(1)","    return '/none/%s:%d:%d' % (os.path.basename(f.f_code.co_filename), f.f_lineno, k)"]
# statement lines: os.stat raises -> os.path.exists
for i in range(N):
    kind=i%6
    if kind==0: o+=[f"def f{i}(d):","    for k in range(3):","        "+("\n        "*random.randint(0,2)).strip("\n ")+f"os.path.exists(here(k))",f"    if d: f{(i*7+3)%N}(d-1)"]
    elif kind==1: o+=[f"f{i}=lambda d: [os.path.exists(here(k)) for k in range(2)] and (f{(i*5+1)%N}(d-1) if d else 0)"]
    elif kind==2: o+=[f"def g{i}():","    for k in range(3):","        yield os.path.exists(here(k))",f"def f{i}(d):",f"    list(g{i}())",f"    d and f{(i*11+5)%N}(d-1)"]
    elif kind==3: o+=[f"class C{i}:","    @property","    def p(self):","        return os.access(here(1), os.R_OK)","    def m(self,d):","        self.p",f"        d and f{(i*3+7)%N}(d-1)",f"def f{i}(d): return C{i}().m(d)"]
    elif kind==4: o+=[f"def f{i}(d):","    try:","        os.open(here(2), os.O_RDONLY)","    except OSError:","        os.path.exists(here(3))",f"    d and f{(i*13+2)%N}(d-1)"]
    else: o+=[f"def f{i}(d):","    (os.path.exists(here(1)) or",f"     os.path.exists(","         here(2)) if 0 else os.path.exists(here(4)))",f"    d and f{(i*17+9)%N}(d-1)"]
o+=["def run(a,b):","    for i in range(a,b): globals()['f%d'%i](3)","ts=[threading.Thread(target=run,args=(i*30,i*30+30)) for i in range(4)]","[t.start() for t in ts]","[t.join() for t in ts]","run(0,%d)"%N]
# modules loaded, run and forgotten
o+=["import gc","src='''import os,sys\ndef here(k):\n    f=sys._getframe(1)\n    return \"/none/%s:%d:%d\" % (os.path.basename(f.f_code.co_filename), f.f_lineno, k)\n'''",
"for n in range(300):","    text=src+'\\n'*(n%7)+'def go():\\n    os.path.exists(here(1))\\ngo()\\n'","    ns={}","    exec(compile(text,'m%03d.py'%n,'exec'),ns)","    del ns","    gc.collect() if n%10==0 else None"]
o+=["pid=os.fork()","if pid==0:","    run(0,20); os._exit(0)","os.waitpid(pid,0)","for k in range(2000): os.path.exists(here(k))"]
open("g.py","w").write("\n".join(o)+"\n")
# node
o=["const fs=require('fs'),path=require('path');","function here(k){const l=new Error().stack.split('\\n')[2]; const m=/([^\\/(]+):(\\d+):\\d+\\)?$/.exec(l); return '/none/'+m[1]+':'+m[2]+':'+k}"]
for i in range(N):
    kind=i%5
    nxt=f"if(d) f{(i*7+3)%N}(d-1)"
    if kind==0: o+=[f"function f{i}(d){{ for(let k=0;k<3;k++)","  fs.existsSync(here(k));",f"  {nxt}; }}"]
    elif kind==1: o+=[f"const f{i}=(d)=>{{ [1,2].forEach(k=>","   fs.existsSync(here(k)));",f" {nxt} }};"]
    elif kind==2: o+=[f"function* g{i}(){{ for(let k=0;k<3;k++)","   yield fs.existsSync(here(k)); }",f"function f{i}(d){{ for(const x of g{i}()); {nxt} }}"]
    elif kind==3: o+=[f"class C{i} {{ get p(){{","   return fs.existsSync(here(1)); }","  m(d){ this.p;",f"    {nxt} }} }}",f"function f{i}(d){{ new C{i}().m(d) }}"]
    else: o+=[f"function f{i}(d){{ try {{","   fs.openSync(here(2)) } catch(e) {","   fs.existsSync(here(3)) }",f"  {nxt} }}"]
o+=["const all=["+",".join(f"f{i}" for i in range(N))+"];","for(const f of all) f(3);","for(let k=0;k<3000;k++) fs.existsSync(here(k));","for(const f of all) f(2);"]
open("g.js","w").write("\n".join(o)+"\n")
# php
o=["<?php","function here($k){$b=debug_backtrace(); return '/none/'.basename($b[0]['file']).':'.$b[0]['line'].':'.$k;}"]
for i in range(N):
    nxt=f"if($d) f{(i*7+3)%N}($d-1);"
    kind=i%4
    if kind==0: o+=[f"function f{i}($d){{ for($k=0;$k<3;$k++)","  file_exists(here($k));",f" {nxt} }}"]
    elif kind==1: o+=[f"function f{i}($d){{ array_map(function($k){{","   return file_exists(here($k)); },[1,2]);",f" {nxt} }}"]
    elif kind==2: o+=[f"function g{i}(){{ for($k=0;$k<3;$k++)","   yield file_exists(here($k)); }",f"function f{i}($d){{ foreach(g{i}() as $x); {nxt} }}"]
    else: o+=[f"class C{i} {{ function m($d){{","  @fopen(here(4),'r');",f"  {nxt} }} }}",f"function f{i}($d){{ (new C{i})->m($d); }}"]
o+=[f"for($i=0;$i<{N};$i++) ('f'.$i)(3);","for($k=0;$k<2000;$k++) file_exists(here($k));"]
open("g.php","w").write("\n".join(o)+"\n")
# ruby
o=["def here(k) l=caller_locations(1,1)[0]; \"/none/#{File.basename(l.path)}:#{l.lineno}:#{k}\" end"]
for i in range(N):
    nxt=f"f{(i*7+3)%N}(d-1) if d>0"
    kind=i%4
    if kind==0: o+=[f"def f{i}(d)","  3.times { |k|","    File.exist?(here(k)) }",f"  {nxt}","end"]
    elif kind==1: o+=[f"def f{i}(d)","  l=->(k){","    File.exist?(here(k)) }","  l.(1); l.(2)",f"  {nxt}","end"]
    elif kind==2: o+=[f"def f{i}(d)","  begin","    File.open(here(1))","  rescue SystemCallError","    File.stat(here(2)) rescue 0","  end",f"  {nxt}","end"]
    else: o+=[f"class C{i}","  def m(d)","    File.readable?(here(1))","    Kernel.send(:load_it, d) rescue 0","  end","end",f"def f{i}(d)",f"  C{i}.new.m(d)",f"  {nxt}","end"]
o+=[f"{N}.times {{ |i| send(\"f#{{i}}\", 3) }}","2000.times { |k| File.exist?(here(k)) }","t=4.times.map{|j| Thread.new{ 30.times{|i| send(\"f#{j*30+i}\",2)}}}","t.each(&:join)"]
open("g.rb","w").write("\n".join(o)+"\n")
# java
o=["import java.io.File;","public class G {"," static String here(int k){StackTraceElement e=new Throwable().getStackTrace()[1]; return \"/none/\"+e.getFileName()+\":\"+e.getLineNumber()+\":\"+k;}"," static boolean x(String p){return new File(p).exists();}"]
for i in range(N):
    nxt=f"if(d>0) f{(i*7+3)%N}(d-1);"
    kind=i%3
    if kind==0: o+=[f" static void f{i}(int d){{ for(int k=0;k<3;k++)","   new File(here(k)).exists();",f"  {nxt} }}"]
    elif kind==1: o+=[f" static void f{i}(int d){{ java.util.stream.IntStream.range(0,2).forEach(k->","   new File(here(k)).exists());",f"  {nxt} }}"]
    else: o+=[f" static class C{i} {{ void m(int d){{","   try { new java.io.FileInputStream(here(1)); } catch(java.io.IOException e) {","     new File(here(2)).exists(); }",f"   {nxt} }} }}",f" static void f{i}(int d){{ new C{i}().m(d); }}"]
o+=[" public static void main(String[] a) throws Exception {"]+[f"  f{i}(3);" for i in range(N)]+["  for(int k=0;k<3000;k++)","    new File(here(k)).exists();","  Thread[] t=new Thread[4]; for(int j=0;j<4;j++){ t[j]=new Thread(()->{ for(int k=0;k<50;k++)","     new File(here(k)).exists(); }); t[j].start(); } for(Thread q:t) q.join();"," }","}"]
open("G.java","w").write("\n".join(o)+"\n")
