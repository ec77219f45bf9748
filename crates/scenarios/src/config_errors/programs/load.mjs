// Loads `config`: JSON WAY. Says in JSON which layer named the error.
import { createReadStream, readFileSync } from "node:fs";

async function read(way) {
  if (way === "whole") return readFileSync("config", "utf8");
  let text = "";
  for await (const piece of createReadStream("config", { encoding: "utf8", highWaterMark: 64 })) text += piece;
  return text;
}

const say = (layer, text, entries) => console.log(JSON.stringify({ layer, text, bytes: null, entries }));

let text;
try {
  text = await read(process.argv.at(-1));
} catch (error) {
  say(error.syscall ?? "decode", `${error.code}: ${error.message}`, 0);
}
if (text !== undefined) {
  try {
    const loaded = JSON.parse(text);
    say("nobody", JSON.stringify(loaded).slice(0, 60), Object.keys(loaded).length);
  } catch (error) {
    say("parse", error.message.split("\n")[0].replaceAll("\uFEFF", "U+FEFF"), 0);
  }
}
