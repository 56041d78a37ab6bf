import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadOptional } from './load-optional.ts'

let dataset: { optional?: string }

beforeEach(() => {
  dataset = {}
  vi.stubGlobal('document', { documentElement: { dataset } })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

test('marks the page while a chunk with a substitute loads, also when it is missing', async () => {
  const first = Promise.withResolvers<string>()
  const second = Promise.withResolvers<string>()
  const loads = [loadOptional(() => first.promise), loadOptional(() => second.promise)]
  const missing = expect(loads[0]).rejects.toThrow('Failed to fetch')
  expect(dataset).toHaveProperty('optional')
  first.reject(new TypeError('Failed to fetch dynamically imported module'))
  await missing
  expect(dataset).toHaveProperty('optional')
  second.resolve('sheet')
  expect(await loads[1]).toBe('sheet')
  expect(dataset).not.toHaveProperty('optional')
})
