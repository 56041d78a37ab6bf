#!/bin/sh
# Restarts servers one after the other, each only when the one before takes work again, so that nginx always has one:
#
#   deploy/systemd/rolling-restart.sh 4321 4322
#
# Where nginx runs on this machine it is told first, so that it sends nothing more to a server that is about to stop:
# the server is marked `down` in FARLINE_NGINX (/etc/nginx/conf.d/farline.conf unless said), until it is back.
#
# Stops at the first that does not come back within FARLINE_WAIT seconds (900 unless said: one migration may try for two
# minutes, and a release can bring several); the others then still run the old release.
set -eu
[ $# -gt 0 ] || { echo "Name the servers by their ports: $0 4321 4322" >&2; exit 2; }
wait=${FARLINE_WAIT:-900}
nginx=${FARLINE_NGINX:-/etc/nginx/conf.d/farline.conf}

# $1: what is added to the server's parameters, ` down` or nothing.
mark() {
  grep -Eq "^[^#]*server 127\.0\.0\.1:$port[ ;]" "$nginx" 2>/dev/null || return 0
  sed -Ei "/^ *#/! { s/(server 127\.0\.0\.1:$port( [^;]*)?) down;/\1;/g; s/(server 127\.0\.0\.1:$port( [^;]*)?);/\1$1;/g }" "$nginx"
  systemctl reload nginx
}

for port in "$@"; do
  mark ' down'
  systemctl restart "farline@$port"
  waited=0
  until curl --fail --silent --output /dev/null --max-time 2 "http://127.0.0.1:$port/readyz"; do
    waited=$((waited + 1))
    if [ "$waited" -ge "$wait" ]; then
      echo "farline@$port does not come back within $wait s: journalctl -u farline@$port. nginx leaves it alone until it is restarted by this." >&2
      exit 1
    fi
    sleep 1
  done
  mark ''
  echo "farline@$port is ready"
done
