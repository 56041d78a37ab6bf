/** The result of a check. `problem`: the server, or a part of it, cannot work. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem'
  readonly about: string
  /** A sentence, never with a secret. */
  readonly says: string
  readonly mend?: string
}

export interface Findings {
  ok(says: string): Finding
  warning(says: string, mend: string): Finding
  problem(says: string, mend: string): Finding
}

export function findingsAbout(about: string): Findings {
  return {
    ok: says => ({ state: 'ok', about, says }),
    warning: (says, mend) => ({ state: 'warning', about, says, mend }),
    problem: (says, mend) => ({ state: 'problem', about, says, mend }),
  }
}

export const checkTimeoutMs = 5000

/** A check of one subject. `examine` turns errors and timeouts into problems. */
export interface Check {
  readonly about: string
  /** Overrides `checkTimeoutMs`. */
  readonly limitMs?: number
  run(find: Findings): Promise<readonly Finding[]>
}

export async function examine(
  { about, run, limitMs: own = checkTimeoutMs }: Check,
  limitMs = own,
): Promise<readonly Finding[]> {
  const find = findingsAbout(about)
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<readonly Finding[]>(resolve => {
    timer = setTimeout(() => {
      const seconds = limitMs / 1000
      resolve([
        find.problem(
          `No answer within ${seconds} seconds.`,
          'Check the address and the network in between: a firewall, a proxy, a name that resolves elsewhere.',
        ),
      ])
    }, limitMs)
  })
  try {
    return await Promise.race([run(find), tooLong])
  } catch (error) {
    // Name and code only: an error's message may hold a password.
    const { name, code } = error as Error & { code?: unknown }
    const what = typeof code === 'string' ? `${name}, ${code}` : name
    return [
      find.problem(`It could not be checked (${what}).`, 'Run this again, and report it if it persists.'),
    ]
  } finally {
    clearTimeout(timer)
  }
}

/** The code of a network error, also inside the one that `fetch` throws. */
export function networkCodeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: string; cause?: { code?: unknown } }
  if (typeof cause?.code === 'string') return cause.code
  return typeof code === 'string' ? code : (name ?? 'unknown')
}
