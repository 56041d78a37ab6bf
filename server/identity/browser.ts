import type { BrowserEngine, BrowserSystem } from '#lib/api/ops.ts'
import type { Db } from '../db/port.ts'

/** All that is kept of a User-Agent: enough to compare calls, too little to recognise a person. */
export interface Browser {
  readonly engine: BrowserEngine
  /** The main version; null if the browser does not say it. */
  readonly version: number | null
  readonly system: BrowserSystem
}

const longestUserAgent = 500

/** Browsers on iOS that request desktop pages look like a Mac, but for their names. */
const ios = /\b(iPhone|iPad|iPod|CriOS|FxiOS|EdgiOS|OPiOS)\b/

/** The first match counts: Chrome also names Safari, Android also names Linux. */
const engines: readonly (readonly [RegExp, BrowserEngine])[] = [
  [/\bFirefox\/(\d{1,4})\b/, 'firefox'],
  [/\b(?:HeadlessChrome|Chrome|Chromium)\/(\d{1,4})\b/, 'chromium'],
  [/\bVersion\/(\d{1,4})\b.* Safari\//, 'webkit'],
]

const systems: readonly (readonly [RegExp, BrowserSystem])[] = [
  [/\bAndroid\b/, 'android'],
  [/\bCrOS\b/, 'chromeos'],
  [/\bWindows\b/, 'windows'],
  [/\bMacintosh\b/, 'macos'],
  [/\bLinux\b|\bX11\b/, 'linux'],
]

/**
 * Every browser on iOS counts as WebKit; only those that name Safari's version have one, since the system's in the
 * User-Agent is frozen. Safari on an iPad that requests desktop pages counts as macOS.
 */
export function browserOf(userAgent: string | undefined): Browser {
  const text = userAgent?.slice(0, longestUserAgent) ?? ''
  if (ios.test(text)) {
    const [, version] = /\bVersion\/(\d{1,4})\b/.exec(text) ?? []
    return { engine: 'webkit', version: version === undefined ? null : Number(version), system: 'ios' }
  }
  const system = systems.find(([pattern]) => pattern.test(text))?.[1] ?? 'other'
  for (const [pattern, engine] of engines) {
    const [, version] = pattern.exec(text) ?? []
    if (version !== undefined) return { engine, version: Number(version), system }
  }
  return { engine: 'other', version: null, system }
}

export async function noteBrowser(
  db: Db,
  sessionId: string,
  { engine, version, system }: Browser,
): Promise<void> {
  await db.query(
    `update session set engine = $2, engine_version = $3, system = $4
     where id = $1 and (engine, engine_version, system) is distinct from ($2::text, $3::int, $4::text)`,
    [sessionId, engine, version, system],
  )
}

export async function browserOfSession(db: Db, sessionId: string): Promise<Browser | undefined> {
  const [row] = await db.query<Browser>(
    'select engine, engine_version as version, system from session where id = $1 and engine is not null',
    [sessionId],
  )
  return row
}
