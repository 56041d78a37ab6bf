import twilio from 'twilio'

export interface Callback {
  /** The configured URL, which is part of what is signed. */
  readonly url: string
  readonly parameters: Readonly<Record<string, string>>
}

/**
 * How callbacks are delivered. `deliver`: at once, in order. `hold`: when a test releases them, in the order it
 * chooses. `drop`: never. `twice`: each one twice.
 */
export type DeliveryMode = 'deliver' | 'hold' | 'drop' | 'twice'

export interface Delivered extends Callback {
  /** HTTP status; 0 when there was no answer. */
  readonly status: number
  readonly body: string
}

export interface Webhooks {
  mode: DeliveryMode
  /** The next request reaches the server, but its answer is lost. */
  losesNextAnswer: boolean
  /** Held callbacks, oldest first. Tests may remove, duplicate and reorder them. */
  readonly held: Callback[]
  readonly delivered: readonly Delivered[]
  /** Sends a request and waits for the answer, whatever the mode: Twilio cannot continue without it. */
  ask(callback: Callback): Promise<Delivered>
  deliverCallback(callback: Callback): void
  /** Resolves when all sent callbacks have been answered. */
  settled(): Promise<void>
  /** Delivers held callbacks in their current order. */
  release(): Promise<void>
}

/** Twilio's timeout for an answer, in milliseconds. */
const waitMs = 15_000

export interface WebhookTools {
  readonly authToken: string
  readonly deliverTo: (url: string) => string
}

/** Sends webhook requests, signed for the configured URL by the function of Twilio's own package. */
export function createWebhooks({ authToken, deliverTo }: WebhookTools): Webhooks {
  const delivered: Delivered[] = []
  const held: Callback[] = []
  let line = Promise.resolve()

  async function ask(callback: Callback): Promise<Delivered> {
    const { url, parameters } = callback
    const signature = twilio.getExpectedTwilioSignature(authToken, url, parameters)
    const answer = await fetch(deliverTo(url), {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
        'x-twilio-signature': signature,
        'user-agent': 'TwilioProxy/1.1',
      },
      body: new URLSearchParams(parameters).toString(),
      signal: AbortSignal.timeout(waitMs),
    })
      .then(async reply => ({ status: reply.status, body: await reply.text() }))
      .catch(() => ({ status: 0, body: '' }))
    const lost = webhooks.losesNextAnswer
    webhooks.losesNextAnswer = false
    delivered.push({ ...callback, ...answer })
    return { ...callback, ...(lost ? { status: 0, body: '' } : answer) }
  }

  const webhooks: Webhooks = {
    mode: 'deliver',
    losesNextAnswer: false,
    held,
    delivered,
    ask,
    deliverCallback(callback) {
      if (webhooks.mode === 'drop') return
      if (webhooks.mode === 'hold') return void held.push(callback)
      const times = webhooks.mode === 'twice' ? 2 : 1
      for (let time = 0; time < times; time++) {
        line = line.then(async () => void (await ask(callback)))
      }
    },
    settled: async () => {
      for (let seen: Promise<void> | undefined; seen !== line; ) {
        seen = line
        await seen
      }
    },
    async release() {
      for (const callback of held.splice(0)) await ask(callback)
    },
  }
  return webhooks
}
