import { expect } from 'playwright/test'

/** A page in a browser that speaks W3C WebDriver alone. Elements are named by XPath, and waited for. */
export interface DrivenPage {
  readonly browserVersion: string
  goto(url: string): Promise<void>
  /** Waits until it is shown. */
  see(xpath: string): Promise<void>
  click(xpath: string): Promise<void>
  /** Replaces what the field holds, by keys. */
  fill(xpath: string, value: string): Promise<void>
  /** The name that assistive software reads. */
  nameOf(xpath: string): Promise<string>
  evaluate<Arguments extends readonly unknown[], Result>(
    task: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<Awaited<Result>>
  /** @param width @param height of the viewport, in CSS pixels */
  resize(width: number, height: number): Promise<void>
  /** Of what is in view, as a PNG. */
  screenshot(): Promise<Buffer>
  close(): Promise<void>
}

/** The key of an element's id in answers (W3C WebDriver, 12.1). */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
/** Control down, A, Control up. WebKit knows no key that lifts all others. */
const selectAll = '\uE009a\uE009'

/** @param body undefined: asks with GET @throws Error with the driver's code and message */
async function ask<Value = void>(url: string, body?: object, method = body === undefined ? 'GET' : 'POST') {
  const response = await fetch(url, { method, ...(body && { body: JSON.stringify(body) }) })
  const { value } = (await response.json()) as { value: Value & { error?: string; message?: string } }
  if (!response.ok) throw new Error(`${value.error}: ${value.message}`)
  return value as Value
}

/** @param driverUrl where the driver listens @param capabilities of the browser, in addition to ours */
export async function openDrivenPage(driverUrl: string, capabilities: object): Promise<DrivenPage> {
  const timeouts = { pageLoad: 60_000, script: 30_000 }
  const opened = await ask<{ sessionId: string; capabilities: { browserVersion: string } }>(
    `${driverUrl}/session`,
    { capabilities: { alwaysMatch: { timeouts, ...capabilities } } },
  )
  const session = `${driverUrl}/session/${opened.sessionId}`

  /** The first that is shown. */
  async function find(xpath: string): Promise<string> {
    const all = await ask<Record<string, string>[]>(`${session}/elements`, { using: 'xpath', value: xpath })
    for (const { [elementKey]: id } of all) {
      const element = `${session}/element/${id}`
      if (await ask<boolean>(`${element}/displayed`)) return element
    }
    throw new Error(`none of ${all.length} is shown`)
  }

  /** What moves, is covered, or is drawn anew meanwhile, cannot be used yet. */
  async function use<Value>(xpath: string, act: (element: string) => Value): Promise<Awaited<Value>> {
    let value: Awaited<Value> | undefined
    await expect(async () => {
      value = await act(await find(xpath))
    }, xpath).toPass({ timeout: 15_000 })
    return value as Awaited<Value>
  }

  async function evaluate<Arguments extends readonly unknown[], Result>(
    task: (...args: Arguments) => Result,
    ...args: Arguments
  ): Promise<Awaited<Result>> {
    return ask<Awaited<Result>>(`${session}/execute/sync`, { script: `return (${task})(...arguments)`, args })
  }

  return {
    browserVersion: opened.capabilities.browserVersion,
    goto: url => ask(`${session}/url`, { url }),
    see: xpath => use(xpath, () => undefined),
    click: xpath => use(xpath, element => ask(`${element}/click`, {})),
    fill: (xpath, value) => use(xpath, element => ask(`${element}/value`, { text: selectAll + value })),
    nameOf: xpath => use(xpath, element => ask<string>(`${element}/computedlabel`)),
    evaluate,
    async resize(width, height) {
      const frame = await evaluate(() => window.outerHeight - window.innerHeight)
      await ask(`${session}/window/rect`, { width, height: height + frame })
      await expect
        .poll(() => evaluate(() => [window.innerWidth, window.innerHeight]))
        .toEqual([width, height])
    },
    screenshot: async () => Buffer.from(await ask<string>(`${session}/screenshot`), 'base64'),
    close: () => ask(session, undefined, 'DELETE'),
  }
}
