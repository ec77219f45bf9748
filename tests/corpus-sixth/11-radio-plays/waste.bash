#!/bin/bash
# Makes the playlist of a radio station from the programme.

endings=(flac ogg m4a mp3)
declare -A minutes_of count_of

find_tape() {
  local e
  for e in "${endings[@]}"; do
    if [[ -f tapes/$1.$e ]]; then
      tape=tapes/$1.$e
      return 0
    fi
  done
  return 1
}

mapfile -t programme < programme.txt
missing=0
{
  echo '#EXTM3U'
  for line in "${programme[@]}"; do
    play=${line% *} minutes=${line#* }
    if ! find_tape "$play"; then
      (( ++missing ))
      continue
    fi
    kind=${tape##*.}
    (( minutes_of[$kind] += minutes ))
    (( ++count_of[$kind] ))
    printf '#EXTINF:%d,%s\n%s\n' $(( minutes * 60 )) "$play" "$tape"
  done
} > evening.m3u

for kind in "${endings[@]}"; do
  echo "$kind: ${count_of[$kind]} plays, ${minutes_of[$kind]} min"
done
echo "missing $missing"
