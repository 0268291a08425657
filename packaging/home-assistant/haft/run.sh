#!/usr/bin/env bash
# Starts the conversation agent with the options of the add-on.
set -euo pipefail
options=/data/options.json
export XDG_STATE_HOME=/data XDG_CACHE_HOME=/data/cache XDG_CONFIG_HOME=/data/config

arguments=(serve --wyoming 0.0.0.0:10400 --no-announce --model "$(jq --raw-output .model "$options")")
home="$(jq --raw-output '.home // ""' "$options")"
if [ -n "$home" ]; then
    arguments+=(--home "$home")
fi
while IFS= read -r argument; do
    arguments+=("$argument")
done < <(jq --raw-output '.arguments[]?' "$options")
exec haft "${arguments[@]}"
