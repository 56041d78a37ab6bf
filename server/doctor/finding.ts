/** What a check found. `problem`: something keeps the server, or a part of what it promises, from working. */
export interface Finding {
  readonly state: 'ok' | 'warning' | 'problem'
  /** What was looked at, such as `Database`. */
  readonly about: string
  /** A sentence. Never a secret. */
  readonly says: string
  /** What to do about it. */
  readonly mend?: string
}

/** Says what it finds about one thing. */
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

/** How long anything asked may take, in milliseconds. */
export const patienceMs = 5000

/** Looks at one thing. What it throws, and what takes longer than `patienceMs`, is found to be a problem by `examine`. */
export interface Check {
  readonly about: string
  run(find: Findings): Promise<readonly Finding[]>
}

/** Makes one check, in no more time than it may take. */
export async function examine({ about, run }: Check, limitMs = patienceMs): Promise<readonly Finding[]> {
  const find = findingsAbout(about)
  let timer: NodeJS.Timeout | undefined
  const tooLong = new Promise<readonly Finding[]>(resolve => {
    timer = setTimeout(() => {
      const seconds = limitMs / 1000
      resolve([
        find.problem(
          `No answer within ${seconds} seconds.`,
          'Check the address, and what stands between: a firewall, a proxy, a name that leads elsewhere.',
        ),
      ])
    }, limitMs)
  })
  try {
    return await Promise.race([run(find), tooLong])
  } catch (error) {
    // By its name and code: an error's words may hold a password.
    const { name, code } = error as Error & { code?: unknown }
    const what = typeof code === 'string' ? `${name}, ${code}` : name
    return [find.problem(`It could not be checked (${what}).`, 'Run this again, and tell us if it stays so.')]
  } finally {
    clearTimeout(timer)
  }
}

/** The code that an error of the network carries, also inside the one that `fetch` throws. */
export function networkCodeOf(error: unknown): string {
  const { code, name, cause } = error as { code?: unknown; name?: string; cause?: { code?: unknown } }
  if (typeof cause?.code === 'string') return cause.code
  return typeof code === 'string' ? code : (name ?? 'unknown')
}
