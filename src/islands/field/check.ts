import * as z from 'zod/mini'
import type { ErrorBody } from '#lib/api/errors.ts'

/** What is wrong with a value, in the schema's own words; null when nothing is. */
export function faultOf(schema: z.ZodMiniType, value: string): string | null {
  const result = z.safeParse(schema, value)
  return result.success ? null : (result.error.issues[0]?.message ?? 'This value cannot be used.')
}

/** The value of a text input of a form. */
export function textOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

/** Moves the focus to the first input that is marked as wrong, once the marks are on the page. */
export function focusFirstFault(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid=true]')?.focus())
}

/** What the server says is wrong with a field; null when it says nothing about it. */
export function faultAbout(field: string, body: ErrorBody | null): string | null {
  return body?.errors?.find(fault => fault.field === field)?.message ?? null
}
