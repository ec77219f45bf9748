// Works in four steps, and keeps what each of them said in memory.
let words = 0;
for (let step = 0; step < 4; step++) {
  const said = `step ${step} said this. `.repeat(50);
  words += said.split(' ').length - 1;
}
console.log(`${words} words`);
