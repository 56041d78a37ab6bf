import { isE164, isMethod, isUrl } from './parameters.ts'

interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  readonly text: string
}

export type Instruction =
  | { readonly kind: 'hang_up' }
  | { readonly kind: 'reject'; readonly reason: 'rejected' | 'busy' }
  /** Answers the call and waits this long for a key. */
  | { readonly kind: 'gather'; readonly seconds: number }
  | DialInstruction

export interface DialInstruction {
  readonly kind: 'dial'
  readonly number: string
  readonly callerId: string | undefined
  readonly timeLimitSeconds: number
  readonly action: string | undefined
  readonly statusCallback: string | undefined
  readonly events: ReadonlySet<string>
}

/** A document that Twilio would reject. */
export class TwimlError extends Error {
  override readonly name = 'TwimlError'
}

type Checks = Readonly<Record<string, (value: string) => boolean>>

const flag = (value: string) => value === 'true' || value === 'false'
const positive = (value: string) => /^[1-9]\d*$/.test(value)
const events = ['initiated', 'ringing', 'answered', 'completed']
/** `<Dial>` without its own limit: four hours. */
const defaultTimeLimitSeconds = 14_400

/** The attributes documented in Twilio's TwiML reference, with their valid values. */
const documented: Readonly<Record<string, Checks>> = {
  Response: {},
  Hangup: {},
  Reject: { reason: value => value === 'rejected' || value === 'busy' },
  Gather: {
    action: isUrl,
    input: value => value === 'dtmf',
    method: isMethod,
    numDigits: positive,
    timeout: positive,
  },
  Dial: {
    action: isUrl,
    answerOnBridge: flag,
    callerId: isE164,
    hangupOnStar: flag,
    method: isMethod,
    referMethod: isMethod,
    referUrl: isUrl,
    ringTone: value => /^[a-z]{2}(-old|-tyo)?$|^automatic$/.test(value),
    sequential: flag,
    timeLimit: positive,
    timeout: value => positive(value) && Number(value) <= 600,
  },
  Number: {
    method: isMethod,
    sendDigits: value => /^[\dwW*#]+$/.test(value),
    statusCallback: isUrl,
    statusCallbackEvent: value => value.split(' ').every(event => events.includes(event)),
    statusCallbackMethod: isMethod,
    url: isUrl,
  },
}

/** The first instruction of a document; an empty one hangs up. @throws TwimlError */
export function readTwiml(text: string): Instruction {
  const root = parse(text)
  if (root.name !== 'Response') throw new TwimlError('the root is no Response')
  check(root)
  const [verb] = root.children
  if (verb === undefined || verb.name === 'Hangup') return { kind: 'hang_up' }
  if (verb.name === 'Reject')
    return { kind: 'reject', reason: verb.attributes['reason'] === 'busy' ? 'busy' : 'rejected' }
  if (verb.name === 'Gather') return { kind: 'gather', seconds: Number(verb.attributes['timeout'] ?? 5) }
  if (verb.name !== 'Dial') throw new TwimlError(`nobody acts on ${verb.name} here`)
  const [noun, other] = verb.children
  if (noun?.name !== 'Number' || other !== undefined) throw new TwimlError('Dial wants one Number here')
  if (!isE164(noun.text)) throw new TwimlError('the number dialled is not in E.164')
  return {
    kind: 'dial',
    number: noun.text,
    callerId: verb.attributes['callerId'],
    timeLimitSeconds: Number(verb.attributes['timeLimit'] ?? defaultTimeLimitSeconds),
    action: verb.attributes['action'],
    statusCallback: noun.attributes['statusCallback'],
    events: new Set((noun.attributes['statusCallbackEvent'] ?? 'completed').split(' ')),
  }
}

function check({ name, attributes, children }: Element): void {
  const known = documented[name]
  if (known === undefined) throw new TwimlError(`there is no ${name}`)
  for (const [attribute, value] of Object.entries(attributes)) {
    if (known[attribute]?.(value) !== true)
      throw new TwimlError(`${name} cannot have ${attribute}="${value}"`)
  }
  for (const child of children) check(child)
}

/** Parses the subset of XML that TwiML uses: elements, attributes in double quotes, text. */
function parse(text: string): Element {
  const body = text.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>/, '')
  let at = 0
  const fail = (): never => {
    throw new TwimlError('the document is not well-formed')
  }
  const take = (pattern: RegExp) => {
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = at
    const found = sticky.exec(body)
    if (found !== null) at = sticky.lastIndex
    return found
  }
  const element = (): Element => {
    const [, name = ''] = take(/<([A-Z][A-Za-z]*)/) ?? fail()
    const attributes: Record<string, string> = {}
    for (
      let found = take(/\s+([A-Za-z]+)="([^"<]*)"/);
      found !== null;
      found = take(/\s+([A-Za-z]+)="([^"<]*)"/)
    ) {
      attributes[found[1] ?? ''] = plain(found[2] ?? '')
    }
    if (take(/\s*\/>/) !== null) return { name, attributes, children: [], text: '' }
    take(/\s*>/) ?? fail()
    const children: Element[] = []
    let inner = ''
    for (;;) {
      inner += plain(take(/[^<]*/)?.[0] ?? '')
      if (take(new RegExp(`</${name}>`)) !== null) return { name, attributes, children, text: inner.trim() }
      children.push(element())
    }
  }
  const root = element()
  if (body.slice(at).trim() !== '') fail()
  return root
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replace(/&(\w+);/g, (whole, name: string) => entities[name] ?? whole)
}
