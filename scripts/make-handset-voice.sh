#!/bin/sh
# Makes the recorded voice of /dev/handset. Nothing runs this: the file is committed. Run it by hand after
# changing a sentence.
#
# Needs espeak-ng (1.51 was used) and sox (14.4.2). The words are ours, the voice is a machine's. The page
# plays it again and again, so it ends with a rest.
#
#   sh scripts/make-handset-voice.sh
set -eu

wave="$(mktemp --suffix=.wav)"
trap 'rm -f "$wave"' EXIT

espeak-ng -v en-gb -p 40 -s 150 -w "$wave" \
  'Hello? Yes, I can hear you well. I am only a recording, so I shall say this again.'
sox -D "$wave" -b 16 -r 8000 -c 1 "$(dirname "$0")/../public/sounds/handset-voice.wav" \
  silence 1 0.01 0.1% reverse silence 1 0.01 0.1% reverse \
  highpass 200 lowpass 3400 gain -6 rate 8000 norm -6 pad 0.2 1
