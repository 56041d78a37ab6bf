import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const root = join(import.meta.dirname, '..', '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const page = read('docs/architecture.md')

/** The text between the first fence of this kind and its end, from where the page says `after`. */
function block(kind: string, after: string): string {
  const from = page.indexOf(after)
  const [, text] = new RegExp(`^\`\`\`${kind}\\n(.*?)^\`\`\`$`, 'ms').exec(page.slice(from)) ?? []
  if (from === -1 || text === undefined) throw new Error(`the page has no ${kind} after ${after}`)
  return text
}

const foldersOf = (path: string) =>
  readdirSync(join(root, path)).filter(name => statSync(join(root, path, name)).isDirectory())

const callee = {
  e164: '+12125550100',
  formatted: '+1 212 555 0100',
  extension: '',
  country: { name: 'United States', isoCode: 'US', emoji: '🇺🇸', dialCode: '+1' },
}

/** Every kind of event; the compiler names one that is missing. Each press of Call is a later attempt. */
function eventsFor(call: Call): readonly CallEvent[] {
  const attempt = call.state === 'idle' ? 1 : call.attempt
  const events: { readonly [Kind in CallEvent['kind']]: Extract<CallEvent, { readonly kind: Kind }> } = {
    dialled: { kind: 'dialled', attempt: attempt + 1, callee },
    connecting: { kind: 'connecting', attempt, attemptId: 'an attempt' },
    identified: { kind: 'identified', attempt, callId: 'a call' },
    priced: { kind: 'priced', attempt, rateMicroUsd: 20_000 },
    ringing: { kind: 'ringing', attempt },
    answered: { kind: 'answered', attempt, atMs: 1000 },
    muted: { kind: 'muted', attempt, muted: true },
    sound: { kind: 'sound', attempt, arriving: false },
    microphone: { kind: 'microphone', attempt, state: 'lost' },
    reconnecting: { kind: 'reconnecting', attempt, lost: 'media' },
    reconnected: { kind: 'reconnected', attempt },
    ended: { kind: 'ended', attempt, endReason: { kind: 'caller_hung_up' }, atMs: 61_000 },
  }
  return Object.values(events)
}

/** `ringing --> open: answered` for each change of state that `step` makes, from the state without a call on. */
function changesOfState(): { readonly changes: ReadonlySet<string>; readonly quiet: ReadonlySet<string> } {
  const changes = new Set<string>()
  const quiet = new Set(eventsFor(noCall).map(({ kind }) => kind))
  const seen = new Set<string>([noCall.state])
  const left: Call[] = [noCall]
  for (let call = left.pop(); call !== undefined; call = left.pop()) {
    for (const event of eventsFor(call)) {
      const next = step(call, event)
      if (next.state === call.state) continue
      changes.add(`${call.state} --> ${next.state}: ${event.kind}`)
      quiet.delete(event.kind)
      if (seen.has(next.state)) continue
      seen.add(next.state)
      left.push(next)
    }
  }
  return { changes, quiet }
}

test('the diagram of a call shows every change of state that the code makes, and no other', () => {
  const drawn = block('mermaid', '## The states of a call').trim().split('\n').slice(1)
  const [start, ...changes] = drawn.map(line => line.trim())
  expect(start).toBe(`[*] --> ${noCall.state}`)
  expect(new Set(changes)).toEqual(changesOfState().changes)
})

test('the events that change no state are those that the page names', () => {
  const [, listed = ''] = /^The events (.*?) change what is known/ms.exec(page) ?? []
  const names = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name)
  expect(new Set(names)).toEqual(changesOfState().quiet)
})

/** The names in a subgraph of the diagram of the server's parts. */
function drawnIn(subgraph: string): readonly string[] {
  const diagram = block('mermaid', '### The parts of the server')
  const [, inside = ''] = new RegExp(`subgraph ${subgraph}\\[.*?\\]\\n(.*?)^ *end$`, 'ms').exec(diagram) ?? []
  return inside.trim().split(/\s+/)
}

/** A list of folders in the rules of imports, such as `const features = 'accounts|contacts'`. */
function ruled(name: string): readonly string[] {
  const [, list = ''] =
    new RegExp(`^const ${name} =\\s*'([^']+)'`, 'm').exec(read('.dependency-cruiser.mjs')) ?? []
  return list.split('|')
}

test('the diagram of the server has its folders, as the rules of imports divide them', () => {
  expect(drawnIn('features')).toEqual(ruled('features'))
  expect(drawnIn('foundations')).toEqual(ruled('foundations'))
  const drawn = ['entry', 'features', 'foundations'].flatMap(drawnIn)
  expect(drawn.toSorted()).toEqual(foldersOf('server').toSorted())
})

test('the diagram names the files that put the server together', () => {
  const [, listed = ''] = /subgraph entry\["Entry: (.*?)"\]/.exec(page) ?? []
  const shared = new Set(['config', 'context'])
  const files = readdirSync(join(root, 'server'))
    .filter(name => name.endsWith('.ts'))
    .map(name => name.replace('.ts', ''))
    .filter(name => !shared.has(name))
  expect(listed.split(', ').toSorted()).toEqual(files.toSorted())
})

/** The folders of a tree, with the one line that each has: two spaces of indent for each level. */
function treeOf(folder: string): ReadonlyMap<string, string> {
  const [, ...lines] = block('', `\`\`\`\n${folder}/`).trimEnd().split('\n')
  const path = [folder]
  return new Map(
    lines.map(line => {
      const [, indent = '', name = '', about = ''] = /^( +)([\w-]+)\/ {2,}(.+)$/.exec(line) ?? []
      path.length = indent.length / 2
      path.push(name)
      return [path.join('/'), about] as const
    }),
  )
}

test.each([
  ['src', ['src', 'src/islands', 'src/shared', 'src/lib']],
  ['server', ['server', 'server/accounts', 'server/calls', 'server/payments']],
])('the tree of %s has a line for each folder', (folder, whole) => {
  const tree = treeOf(folder)
  for (const [path, about] of tree) {
    expect(existsSync(join(root, path)), path).toBe(true)
    expect(about.length, path).toBeGreaterThan(10)
  }
  const missing = whole
    .flatMap(part => foldersOf(part).map(name => `${part}/${name}`))
    .filter(path => !tree.has(path))
  expect(missing).toEqual([])
})
