// The formats that the dialler uses, each once; their data then belongs to the whole process. The language is the worker's name.
const language = self.name

new Intl.NumberFormat(language, { style: 'currency', currency: 'USD' }).format(0)
new Intl.NumberFormat(language).format(0)
new Intl.PluralRules(language).select(0)
new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(0)
new Intl.RelativeTimeFormat(language).format(1, 'day')
new Intl.DisplayNames(language, { type: 'region' }).of('US')
new Intl.ListFormat(language).format(['', ''])
new Intl.Collator(language).compare('a', 'b')
close()
