#!/bin/sh
# Restarts servers one after the other, each only when the one before takes work again, so that nginx always has one:
#
#   deploy/systemd/rolling-restart.sh 4321 4322
#
# Stops at the first that does not come back within two minutes; the others then still run the old release.
set -eu
[ $# -gt 0 ] || { echo "Name the servers by their ports: $0 4321 4322" >&2; exit 2; }
for port in "$@"; do
  systemctl restart "farline@$port"
  waited=0
  until curl --fail --silent --output /dev/null --max-time 2 "http://127.0.0.1:$port/readyz"; do
    waited=$((waited + 1))
    if [ "$waited" -ge 120 ]; then
      echo "farline@$port does not come back: journalctl -u farline@$port" >&2
      exit 1
    fi
    sleep 1
  done
  echo "farline@$port is ready"
done
