#!/bin/sh
# Restarts servers one after the other, each only when the one before takes work again, so that nginx always has one:
#
#   deploy/systemd/rolling-restart.sh 4321 4322
#
# nginx needs to be told nothing: it asks the next server when one takes no connection. A reload would close connections of
# browsers just as they are used again.
#
# Stops at the first that does not come back within FARLINE_WAIT seconds (900 unless said: one migration may try for two
# minutes, and a release can bring several); the others then still run the old release.
set -eu
[ $# -gt 0 ] || { echo "Name the servers by their ports: $0 4321 4322" >&2; exit 2; }
wait=${FARLINE_WAIT:-900}

for port in "$@"; do
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
  echo "farline@$port is ready"
done
