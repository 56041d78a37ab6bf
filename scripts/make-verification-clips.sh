#!/bin/sh
# Makes the spoken clips of the call that verifies a caller ID. Nothing runs this: the clips are committed.
# Run it by hand after changing a sentence, then run the tests (they check the sizes and that every clip is
# there).
#
# Needs ffmpeg (5.1 was used) built with libflite. As in make-clips.sh each clip becomes raw G.711 mu-law at
# 8 kHz with its peaks at -6 dB of full scale.
#
#   sh scripts/make-verification-clips.sh
set -eu

clips="$(dirname "$0")/../server/telephony/exchange/clips"
wave="$(mktemp --suffix=.wav)"
trap 'rm -f "$wave"' EXIT

trim='silenceremove=start_periods=1:start_threshold=-50dB'

# say <name> <text>
say() {
  ffmpeg -hide_banner -loglevel error -y -f lavfi -i "flite=text='$2':voice=rms" \
    -af "$trim,areverse,$trim,areverse,highpass=f=250,lowpass=f=3400,acompressor=threshold=-20dB:ratio=3,aresample=8000" \
    -ac 1 "$wave"
  peak="$(ffmpeg -hide_banner -i "$wave" -af volumedetect -f null - 2>&1 | sed -n 's/.*max_volume: \(.*\) dB/\1/p')"
  gain="$(awk "BEGIN { print -6 - ($peak) }")"
  ffmpeg -hide_banner -loglevel error -y -i "$wave" -af "volume=${gain}dB,apad=pad_dur=0.06" \
    -ar 8000 -ac 1 -f mulaw "$clips/$1.ulaw"
}

say code 'This is Farline. Key in the six digits on your screen.'
say wrong 'That is not the code.'
say verified 'Your number is verified. Goodbye.'

ls -l "$clips"
