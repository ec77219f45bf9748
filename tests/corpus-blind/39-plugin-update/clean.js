// Updates the plugins of an editor to the version on offer.
const fs = require('fs');
const path = require('path');

function download(name, version, target) {
  const fd = fs.openSync(target, 'w');
  fs.writeSync(fd, `module.exports = {name: '${name}', version: ${version}}\n`);
  fs.fsyncSync(fd);
  fs.closeSync(fd);
}

function update(name, version) {
  const installed = path.join('plugins', `${name}.js`);
  const fresh = `${installed}.download`;
  download(name, version, fresh);
  fs.renameSync(fresh, installed);
}

function main() {
  const names = ['spell', 'theme', 'git'];
  names.forEach((name, i) => update(name, 2 + i));
  const dir = fs.openSync('plugins', 'r');
  fs.fsyncSync(dir);
  fs.closeSync(dir);
  const versions = names.map((name) => require(path.resolve('plugins', `${name}.js`)).version);
  console.log(`plugins ${names.join(' ')}, versions ${versions.join(' ')}`);
}

main();
