'use strict';
const fs = require('fs');
const path = require('path');

// Captions: the place of the album where its sidecar names one.
class Albums {
  constructor(root) {
    this.root = root;
    this.meta = {};
  }

  sidecar(album) {
    if (this.meta[album]) return this.meta[album];
    try {
      this.meta[album] = JSON.parse(fs.readFileSync(path.join(this.root, album, 'album.json'), 'utf8'));
    } catch (e) {
      if (e.code !== 'ENOENT') throw e;
      this.meta[album] = null;
    }
    return this.meta[album];
  }

  caption(photo) {
    const [album, name] = photo.split('/');
    const meta = this.sidecar(album);
    return meta ? `${name} (${meta.place})` : name;
  }
}

const albums = new Albums('albums');
const captions = fs.readFileSync('photos.lst', 'utf8').trim().split('\n').map((p) => albums.caption(p));
console.log(captions.length, 'captions,', captions.filter((c) => c.includes('(')).length, 'with a place');
console.log(captions[2], captions[3]);
