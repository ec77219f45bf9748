// trace-processor.mjs DIRECTORY QUERY TRACE: has Perfetto's trace processor (WebAssembly) read TRACE, and prints
// the rows of the SQL in QUERY as its program `trace_processor_shell -q` does: comma-separated, texts in quotes.
// DIRECTORY has trace_processor.wasm, the worker around it (engine_bundle.node.js) and the UI's client (engine.mjs).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import vm from "node:vm";

// More in one piece than this is refused by the receiving end.
const PIECE = 32 << 20;
const [directory, query, trace] = process.argv.slice(2);

// A module that is a memory of 64 bits and nothing else: the question whether there is any. Only the program of
// 32 bits is here, and is taken where the answer is no.
const MEMORY_SECTION = 5;
const asksFor64Bits = (bytes) => bytes.byteLength < 32 && bytes[8] === MEMORY_SECTION;

// What a worker of a browser has.
class ReadsFiles {
  open(_method, url) {
    this.response = new Uint8Array(readFileSync(join(directory, url))).buffer;
  }
  send() {}
}
const { Module } = WebAssembly;
const only32Bits = class extends Module {
  constructor(bytes) {
    if (asksFor64Bits(bytes)) throw new WebAssembly.CompileError("no memory of 64 bits");
    super(bytes);
  }
};
const location = { href: pathToFileURL(`${directory}/`).href };
const worker = { self: globalThis, WorkerGlobalScope: Object, location, XMLHttpRequest: ReadsFiles };
for (const [name, value] of Object.entries(worker)) {
  Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}
WebAssembly.Module = only32Bits;
vm.runInThisContext(readFileSync(join(directory, "engine_bundle.node.js"), "utf8"));
await setImmediate(); // Its beginning is over with the promises that are fulfilled by now.

const { EngineBase } = await import(pathToFileURL(join(directory, "engine.mjs")));
const port = { postMessage: (bytes) => engine.onRpcResponseBytes(bytes) };
class Engine extends EngineBase {
  rpcSendRequestBytes(data) {
    port.onmessage({ data });
  }
}
const engine = new Engine();
globalThis.onmessage({ data: port });
// A field of answers that its client does not know yet is no fault of the trace.
console.warn = (...words) => console.error(...words);

const bytes = new Uint8Array(readFileSync(trace));
for (let at = 0; at < bytes.length; at += PIECE) await engine.parse(bytes.subarray(at, at + PIECE));
await engine.notifyEof();
const result = await engine.query(readFileSync(query, "utf8"));
const columns = result.columns();
console.log(columns.map((name) => `"${name}"`).join(","));
for (const row = result.iter({}); row.valid(); row.next()) {
  const cells = columns.map((name) => row.get(name));
  console.log(cells.map((cell) => (typeof cell === "string" ? `"${cell}"` : cell)).join(","));
}
