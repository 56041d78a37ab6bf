import * as z from 'zod/mini'
import type { ErrorBody } from '#lib/api/errors.ts'
import { texts } from './form-texts.ts'

/** The schema's error message for a value; null when it is valid. */
export function faultOf(schema: z.ZodMiniType, value: string): string | null {
  const result = z.safeParse(schema, value)
  return result.success ? null : (result.error.issues[0]?.message ?? texts.unusable)
}

export function textOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

/** Focuses the first invalid input, after the next render. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** The server's error message for a field; null when there is none. */
export function faultAbout(field: string, body: ErrorBody | null): string | null {
  return body?.errors?.find(fault => fault.field === field)?.message ?? null
}
