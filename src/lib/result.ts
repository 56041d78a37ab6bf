/** Result of an operation with expected failures. Bugs throw instead. */
export type Result<Value, Code extends string> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly code: Code }

export function success<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value }
}

export function failure<Code extends string>(code: Code): { readonly ok: false; readonly code: Code } {
  return { ok: false, code }
}
