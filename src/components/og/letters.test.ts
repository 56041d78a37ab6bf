import { expect, test } from 'vitest'
import { measure, outline, wrap } from './letters.ts'

const style = { size: 20 }

test('letters of both fonts have outlines; others lose their accents, or are left out', () => {
  expect(measure('Côte d’Ivoire', style)).toBeGreaterThan(measure('Cte d’Ivoire', style))
  expect(outline('č', style)).toBe(outline('c', style))
  expect(outline('a🙂b', style)).toBe(outline('ab', style))
  expect(outline('a', style)).toMatch(/^M[\d. -]+/)
})

test('a title is broken into as few lines as can be, of about the same length', () => {
  const title = 'Call home for less than a stamp'
  const half = measure(title, style) * 0.65
  const lines = wrap(title, style, half)
  expect(lines.join(' ')).toBe(title)
  expect(lines).toHaveLength(2)
  const widths = lines.map(line => measure(line, style))
  expect(Math.max(...widths)).toBeLessThanOrEqual(half)
  expect(Math.min(...widths) / Math.max(...widths)).toBeGreaterThan(0.6)
})

test('a word wider than the column keeps its own line', () => {
  expect(wrap('a Llanfairpwllgwyngyll b', style, 40)).toEqual(['a', 'Llanfairpwllgwyngyll', 'b'])
})
