import { beforeEach, expect, test, vi } from 'vitest'
import { blockStorage, freshBrowser } from '#support/fake-browser.ts'
import { consumeFromTab, localStore, tabStore } from './storage.ts'

beforeEach(() => {
  freshBrowser()
})

test('keeps what is written in the storage of the browser', () => {
  localStore.write('a', '1')
  expect(localStorage.getItem('a')).toBe('1')
  expect(localStore.read('a')).toBe('1')
  localStore.remove('a')
  expect(localStore.read('a')).toBeNull()
})

test('with storage blocked remembers it for as long as the page lives', () => {
  blockStorage()
  localStore.write('b', '1')
  expect(localStore.read('b')).toBe('1')
  localStore.remove('b')
  expect(localStore.read('b')).toBeNull()
})

test('with storage full the newest value wins over the one that is stored, and gives way once it fits', () => {
  localStore.write('c', 'old')
  const full = vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  localStore.write('c', 'new')
  expect(localStore.read('c')).toBe('new')
  full.mockRestore()
  localStore.write('c', 'newer')
  localStorage.setItem('c', 'from another tab')
  expect(localStore.read('c')).toBe('from another tab')
})

test('what one page hands to the next is used once', () => {
  tabStore.write('d', '1')
  expect(consumeFromTab('d')).toBe('1')
  expect(consumeFromTab('d')).toBeNull()
})
