import components from '#styles/components.css?url'

/**
 * Loads the sign-up sheet with the style of all components, because the page around it carries only the rules that its
 * first view needs: `scripts/build/trim-css.mjs` does not count what this file loads.
 */
export async function load() {
  const [{ SignUpSheet }] = await Promise.all([import('./SignUpSheet.tsx'), linked()])
  return SignUpSheet
}

let link: Promise<void> | undefined

function linked(): Promise<void> {
  link ??= new Promise<void>((resolve, reject) => {
    const element = document.createElement('link')
    element.rel = 'stylesheet'
    element.href = components
    element.onload = () => resolve()
    element.onerror = () => {
      link = undefined
      reject(new Error('the style of the sheet did not load'))
    }
    document.head.append(element)
  })
  return link
}
