import { company } from '#lib/company.ts'
import { companyTexts } from '#lib/company-texts.ts'
import { isRightToLeft } from '#lib/i18n/direction.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { layout } from './layout-texts.ts'

export interface BillLine {
  readonly what: string
  readonly figure: string
}

export interface EmailTemplate {
  readonly subject: string
  readonly preview: string
  readonly heading: string
  readonly paragraphs: readonly string[]
  readonly bill?: { readonly lines: readonly BillLine[]; readonly total: BillLine }
  readonly action?: { readonly label: string; readonly url: string }
  /** Why the reader got it, or what to do if they did not ask for it. */
  readonly footnote: string
}

const sans = "-apple-system,'Segoe UI',Roboto,Arial,sans-serif"
const serif = 'Besley,Rockwell,Georgia,serif'
const stripe =
  'repeating-linear-gradient(-45deg,#c8323a 0 12px,#fffdf8 12px 20px,#24569f 20px 32px,#fffdf8 32px 40px)'
const darkStyles = `
  :root{color-scheme:light dark}
  @media (prefers-color-scheme:dark){
    .bg{background:#0d1526!important}.card{background:#16213a!important}.ink{color:#f2ebdd!important}
    .soft{color:#b4bccd!important}.rule{border-color:#31405f!important}.btn{background:#3a70cc!important}
    .lnk{color:#94bbff!important}
  }
  @media (max-width:520px){.pad{padding:32px 24px!important}.h{font-size:30px!important}}`

/** HTML for mail programs: tables, inline styles, dark by media query, no images, no web fonts. */
export function emailHtml(template: EmailTemplate): string {
  const soft = (style: string, html: string) =>
    `<p class="soft" style="${style};font:17px/1.55 ${sans};color:#4d566b">${html}</p>`
  const small = (style: string, html: string) =>
    `<p class="soft" style="${style};font:14px/1.55 ${sans};color:#4d566b">${html}</p>`
  const body = template.paragraphs.map(text => soft('margin:0 0 28px', linesHtml(text))).join('\n')
  const bill = template.bill === undefined ? '' : billHtml(template.bill)
  const action = template.action === undefined ? '' : actionHtml(template.action)
  const language = currentLanguage()
  const direction = isRightToLeft(language) ? 'rtl' : 'ltr'
  return `<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(template.subject)}</title>
<style>${darkStyles}</style>
</head>
<body class="bg" style="margin:0;background:#f4efe3">
<div style="display:none;max-height:0;overflow:hidden">${escapeHtml(template.preview)}</div>
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="bg" style="background:#f4efe3"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" class="card" dir="${direction}" style="max-width:560px;background:#fffdf8">
<tr><td style="height:10px;line-height:10px;font-size:0;background-color:#24569f;background-image:${stripe}">&nbsp;</td></tr>
<tr><td class="pad" style="padding:40px 48px">
<p class="ink" style="margin:0 0 32px;font:bold 24px ${serif};color:#13203b">${company.name}</p>
<h1 class="ink h" style="margin:0 0 16px;font:bold 36px/1.12 ${serif};letter-spacing:-.5px;color:#13203b">${escapeHtml(template.heading)}</h1>
${body}
${bill}
${action}
</td></tr>
<tr><td class="pad rule" style="padding:24px 48px 32px;border-top:4px dotted #d5ccb8">
${small('margin:0', escapeHtml(template.footnote))}
${small('margin:16px 0 0', `${returnAddress()}<br>${company.supportEmail}`)}
</td></tr></table>
</td></tr></table>
</body></html>`
}

function billHtml({ lines, total }: NonNullable<EmailTemplate['bill']>): string {
  // Mail programs do not all know `end`.
  const end = isRightToLeft(currentLanguage()) ? 'left' : 'right'
  const cell = (tone: string, style: string, text: string) =>
    `<td class="${tone}" style="padding:0 0 10px;font:15px/1.5 ${sans};${style}">${escapeHtml(text)}</td>`
  const rows = lines.map(
    ({ what, figure }) =>
      `<tr>${cell('soft', `padding-${end}:12px;white-space:nowrap;color:#4d566b`, what)}${cell('ink', `color:#13203b;text-align:${end}`, figure)}</tr>`,
  )
  const sum = (style: string, text: string) =>
    `<td class="ink rule" style="padding:16px 0 0;border-top:4px dotted #d5ccb8;color:#13203b;${style}">${escapeHtml(text)}</td>`
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin:0 0 32px">
${rows.join('\n')}
<tr>${sum(`font:bold 20px ${serif}`, total.what)}${sum(`font:bold 24px ${serif};text-align:${end}`, total.figure)}</tr></table>`
}

function actionHtml({ label, url }: { label: string; url: string }): string {
  const address = escapeHtml(url)
  return `<table role="presentation" cellpadding="0" cellspacing="0"><tr><td class="btn" style="background:#1b4f9c;border-radius:3px"><a href="${address}" style="display:inline-block;padding:16px 28px;font:600 17px/1.2 ${sans};color:#ffffff;text-decoration:none">${escapeHtml(label)}</a></td></tr></table>
<p class="soft" style="margin:28px 0 0;font:15px/1.55 ${sans};color:#4d566b">${layout.copyAddress}<br><a class="lnk" dir="ltr" href="${address}" style="color:#1b4f9c;word-break:break-all">${address}</a></p>`
}

export function emailText(template: EmailTemplate): string {
  return [
    company.name,
    template.heading,
    ...template.paragraphs,
    ...(template.bill === undefined ? [] : [billText(template.bill)]),
    ...(template.action === undefined ? [] : [`${template.action.label}:\n${template.action.url}`]),
    template.footnote,
    `${returnAddress()}\n${company.supportEmail}`,
  ].join('\n\n')
}

function billText({ lines, total }: NonNullable<EmailTemplate['bill']>): string {
  return [...lines, total].map(({ what, figure }) => `${what}: ${figure}`).join('\n')
}

function returnAddress(): string {
  return layout.undelivered({ company: company.legalName, place: companyTexts.place })
}

function linesHtml(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>\n')
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
