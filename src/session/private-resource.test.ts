import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, storageEvent, tokenFor } from '#support/fake-browser.ts'
import type { Answer } from './private-resource.ts'

let browser: ReturnType<typeof freshBrowser>

beforeEach(() => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60, 'anna'))
})

/** As another tab does it: by what it stores. */
function signInElsewhere(user: string): void {
  localStorage.setItem('token', tokenFor(60, user))
  browser.window.dispatchEvent(storageEvent('token'))
}

const failure = { ok: false, message: 'No answer.' } as const

/** A resource whose loads wait for `answers`, the first load for the first of them. */
async function create() {
  const { createPrivateResource } = await import('./private-resource.ts')
  const { start } = await import('./session.ts')
  await start()
  const answers: ((answer: Answer<string> | null) => void)[] = []
  const resource = createPrivateResource<string>(
    () => new Promise(resolve => answers.push(answer => resolve(answer))),
  )
  const load = async (answer: Answer<string> | null) => {
    const loading = resource.load()
    answers.at(-1)?.(answer)
    await loading
  }
  return { ...resource, answers, loadWith: load }
}

const ready = (value: string) => ({ state: 'ready', value })

test('shows a failure, and on a retry that it loads', async () => {
  const { $state, load, loadWith, answers } = await create()
  expect($state.get()).toEqual({ state: 'loading' })
  await loadWith(failure)
  expect($state.get()).toEqual({ state: 'failed', message: 'No answer.' })
  const retry = load()
  expect($state.get()).toEqual({ state: 'loading' })
  answers.at(-1)?.({ ok: true, value: 'a' })
  await retry
  expect($state.get()).toEqual(ready('a'))
})

test('keeps a ready value until the next answer, and after a failure', async () => {
  const { $state, load, loadWith, answers } = await create()
  await loadWith({ ok: true, value: 'a' })
  const refresh = load()
  expect($state.get()).toEqual(ready('a'))
  answers.at(-1)?.(failure)
  await refresh
  expect($state.get()).toEqual(ready('a'))
  await loadWith({ ok: true, value: 'b' })
  expect($state.get()).toEqual(ready('b'))
})

test('ignores the answer to a load that another one has followed', async () => {
  const { $state, load, answers } = await create()
  const loads = [load(), load()]
  answers[1]?.({ ok: true, value: 'new' })
  answers[0]?.({ ok: true, value: 'old' })
  await Promise.all(loads)
  expect($state.get()).toEqual(ready('new'))
})

test('ignores the answer to a load from before a change', async () => {
  const { $state, load, loadWith, answers, set, update, begin } = await create()
  await loadWith({ ok: true, value: 'a' })
  const changes = [() => set('b'), () => update(value => `${value}c`), () => void begin()]
  for (const change of changes) {
    const loading = load()
    change()
    answers.at(-1)?.({ ok: true, value: 'old' })
    await loading
  }
  expect($state.get()).toEqual(ready('bc'))
})

test('an update while nothing is ready loads instead', async () => {
  const { $state, update, answers } = await create()
  update(value => `${value}b`)
  answers[0]?.({ ok: true, value: 'a' })
  await vi.waitFor(() => expect($state.get()).toEqual(ready('a')))
})

test('what was begun is current until a load, a change, or another user follows', async () => {
  const { begin, load, set, reset } = await create()
  for (const follow of [() => void load(), () => set('b'), reset, () => signInElsewhere('bob'), begin]) {
    const isCurrent = begin()
    expect(isCurrent()).toBe(true)
    follow()
    expect(isCurrent()).toBe(false)
  }
})

test('another user sees nothing of the one before, also not what was on its way', async () => {
  const { $state, load, loadWith, answers } = await create()
  await loadWith({ ok: true, value: 'of Anna' })
  const loading = load()
  signInElsewhere('bob')
  expect($state.get()).toEqual({ state: 'loading' })
  answers.at(-1)?.({ ok: true, value: 'of Anna' })
  await loading
  expect($state.get()).toEqual({ state: 'loading' })
})

test('a renewed session of the same user keeps the value', async () => {
  const { $state, loadWith } = await create()
  await loadWith({ ok: true, value: 'a' })
  signInElsewhere('anna')
  expect($state.get()).toEqual(ready('a'))
})

test('an answer of null shows nothing', async () => {
  const { $state, loadWith } = await create()
  await loadWith(null)
  expect($state.get()).toEqual({ state: 'loading' })
})
