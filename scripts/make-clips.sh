#!/bin/sh
# Makes the spoken clips of the exchange. Nothing runs this: the clips are committed. Run it by hand after changing
# a sentence, then run the tests (they check the sizes and that every clip is there).
#
# Needs espeak-ng (1.51 was used) and sox (14.4.2). Each clip becomes raw G.711 mu-law at 8 kHz, one octet a sample,
# no header: what a telephone line carries, so the exchange sends it as it is.
#
# A language is a folder of the clips. Its sentences.txt names the voice, then each clip with its words, spelt so that
# the voice says them right. The digits need no words.
#
#   sh scripts/make-clips.sh [<language> ...]
set -eu

cd "$(dirname "$0")/../server/telephony/exchange/clips"
wave="$(mktemp --suffix=.wav)"
trap 'rm -f "$wave"' EXIT

# say <name> <text>
# Trims the silence around the words, keeps what a telephone lets through (250 to 3400 Hz), evens out the loudness so
# that quiet syllables carry over a small loudspeaker, brings the peaks to -6 dB of full scale and leaves 60 ms of
# rest at the end.
say() {
  espeak-ng -v "$voice" -p 45 -s 160 -w "$wave" "$2"
  sox -D "$wave" -t raw -e u-law -b 8 -r 8000 -c 1 "$language/$1.ulaw" \
    silence 1 0.01 0.1% reverse silence 1 0.01 0.1% reverse \
    gain -6 highpass 250 lowpass 3400 rate 8000 \
    compand 0.01,0.2 6:-40,-22,-20,-12,-6,-6 0 -12 norm -6 pad 0 0.06
}

[ $# -gt 0 ] || set -- *
for language; do
  while read -r name text; do
    if [ "$name" = voice ]; then voice="$text"; else say "$name" "$text"; fi
  done < "$language/sentences.txt"
  for digit in 0 1 2 3 4 5 6 7 8 9; do say "$digit" "$digit"; done
done

ls -l ./*
