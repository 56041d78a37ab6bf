/** Tags of the languages that this build makes besides English; `scripts/build/integration.mjs` defines it. */
declare const builtLanguages: readonly string[]
