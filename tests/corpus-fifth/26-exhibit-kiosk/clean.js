// Fills the disk of a museum kiosk with the clips that its exhibition needs.
'use strict';
const fs = require('fs');
const path = require('path');

const exhibition = {
  title: 'Tides and Tools',
  rooms: [
    { name: 'harbour', clips: [1, 2, 3, 5, 8] },
    { name: 'rope walk', clips: [4, 6, 7, 13] },
    { name: 'light', clips: [9, 10, 11, 12, 14, 15, 16] },
  ],
};

async function install(source, target) {
  await fs.promises.copyFile(source, target);
}

async function fillRoom(room, index) {
  const dir = path.join('kiosk', `room${index + 1}`);
  fs.mkdirSync(dir, { recursive: true });
  let bytes = 0;
  for (const clip of room.clips) {
    const file = `clip${String(clip).padStart(2, '0')}.bin`;
    await install(path.join('master', file), path.join(dir, file));
    bytes += fs.statSync(path.join(dir, file)).size;
  }
  return bytes;
}

async function main() {
  console.log(exhibition.title);
  for (const [i, room] of exhibition.rooms.entries()) {
    const bytes = await fillRoom(room, i);
    console.log(`${room.name}: ${room.clips.length} clips, ${bytes} bytes`);
  }
}

main().catch((err) => {
  console.error(err);
  process.exitCode = 1;
});
