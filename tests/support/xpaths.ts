/** XPath by label, for browsers that are driven over WebDriver. */
export const xpaths = {
  button: (label: string) => `//button[normalize-space()="${label}" or @aria-label="${label}"]`,
  link: (label: string) => `//a[normalize-space()="${label}"]`,
  /** A link whose label begins so. */
  linkFrom: (label: string) => `//a[starts-with(@aria-label, "${label}")]`,
  label: (text: string) => `//label[normalize-space()="${text}"]`,
  radio: (label: string) => `//label[normalize-space()="${label}"]//input[@type="radio"]`,
  heading: (text: string) => `//*[self::h1 or self::h2][normalize-space()="${text}"]`,
  field: (label: string) =>
    `//input[@aria-label="${label}" or @id=//label[normalize-space()="${label}"]/@for]`,
  /** What contains all of the text and has no smaller part that does. */
  text: (text: string) => {
    const contains = `[contains(normalize-space(), "${text}")]`
    return `//body//*${contains}[not(*${contains})]`
  },
} as const
