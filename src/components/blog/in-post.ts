import { routeOf } from '../routes.ts'

/** @throws Error naming the article and the component when `compute` fails: an editor has no other clue */
export function inPost<Value>(url: URL, component: string, compute: () => Value): Value {
  try {
    return compute()
  } catch (error) {
    const slug = routeOf(url.pathname).split('/').at(-1)
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`src/content/blog/${slug}.mdx: <${component}>: ${reason}`, { cause: error })
  }
}
