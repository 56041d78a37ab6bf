#!/bin/sh
# Makes the spoken clips of the demo line. Nothing runs this: the clips are committed. Run it by hand
# after changing a sentence, then run the tests (they check the sizes and that every clip is there).
#
# Needs espeak-ng (1.51 was used) and sox (14.4.2). Each clip becomes raw G.711 mu-law at 8 kHz, one
# octet a sample, no header: what a telephone line carries, so the exchange sends it as it is.
#
#   sh scripts/make-clips.sh
set -eu

clips="$(dirname "$0")/../server/telephony/exchange/clips"
wave="$(mktemp --suffix=.wav)"
trap 'rm -f "$wave"' EXIT
mkdir -p "$clips"

# say <name> <words per minute> <text>
# Trims the silence around the words, keeps what a telephone lets through (250 to 3400 Hz), evens out
# the loudness so that quiet syllables carry over a small loudspeaker, brings the peaks to -6 dB of
# full scale and leaves 60 ms of rest at the end.
say() {
  espeak-ng -v en-gb -p 45 -s "$2" -w "$wave" "$3"
  sox -D "$wave" -t raw -e u-law -b 8 -r 8000 -c 1 "$clips/$1.ulaw" \
    silence 1 0.01 0.1% reverse silence 1 0.01 0.1% reverse \
    highpass 250 lowpass 3400 gain -6 rate 8000 \
    compand 0.01,0.2 6:-40,-22,-20,-12,-6,-6 0 -12 norm -6 pad 0 0.06
}

say greeting 165 'Welcome to the Farline demo line.'
say menu 170 'Press 1 to hear your digits. Press 2 to hear yourself. Press 3 for a test tone. Star brings you back here. Pound hangs up.'
say goodbye 160 'Goodbye.'
say star 160 'star'
say pound 160 'pound'

digit=0
for word in zero one two three four five six seven eight nine; do
  say "$digit" 160 "$word"
  digit=$((digit + 1))
done

ls -l "$clips"
