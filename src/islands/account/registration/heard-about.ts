import { safeNextPath } from '#lib/account/next-path.ts'
import { heardAbout as heardAboutEndpoint, type heardAboutSources } from '#lib/api/profile.ts'
import { localPath } from '#lib/i18n/path.ts'
import { authorised } from '#session/api.ts'
import { goInstead, goToLogin } from '#session/navigation.ts'
import { $session, start } from '#session/session.ts'
import type { ApiResult } from '#session/transport.ts'
import { endSourceQuestion } from '#shared/source-question.ts'

export type HeardAboutSource = (typeof heardAboutSources)[number]

/** Where the page leads, answered or not. */
function onward(): string {
  return safeNextPath(new URL(window.location.href).searchParams.get('next'), localPath('/call'))
}

/** Visitors are sent to log in and return. */
export async function openHeardAbout(): Promise<void> {
  const { pathname, search } = new URL(window.location.href)
  await start()
  if ($session.get().status !== 'signed_in') goToLogin(`${pathname}${search}`)
}

/** A failure stays on the page. @param detail in the visitor's own text; may be empty */
export async function answerHeardAbout(
  source: HeardAboutSource,
  detail: string,
): Promise<ApiResult<typeof heardAboutEndpoint>> {
  const result = await authorised(heardAboutEndpoint, { body: { source, detail } })
  if (result.ok) {
    endSourceQuestion()
    goInstead(onward())
  } else if (result.status === 401) goToLogin(onward())
  return result
}

export function skipHeardAbout(): void {
  endSourceQuestion()
  const skipped = { body: { source: null } }
  void authorised(heardAboutEndpoint, skipped, { keepalive: true, skipLogoutOnFail: true })
  goInstead(onward())
}
