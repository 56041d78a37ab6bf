let loading = 0

/**
 * Loads a chunk that the page can do without for now: when it is missing, it does not reload as for other chunks. The
 * attribute tells `load-failure.ts`, because the bundler reports a missing chunk before whoever loads it can catch that.
 */
export async function loadOptional<Part>(load: () => Promise<Part>): Promise<Part> {
  const { dataset } = document.documentElement
  loading += 1
  dataset['optional'] = ''
  try {
    return await load()
  } finally {
    loading -= 1
    if (loading === 0) delete dataset['optional']
  }
}
