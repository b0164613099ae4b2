/**
 * Formats a morning mail as HTML. It uses only tables, inline styles and `bgcolor`, because mail programs support little else. It contains
 * no images. In programs that support media queries, the mail follows dark mode and hides its bars on phones.
 */
import { escapeHtml } from '../../lib/text/text.ts'
import type { MorningContent, MorningFoot, MorningRow } from './content.ts'
import type { MorningMark } from './marks.ts'

const FONT = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"
const [TEXT, MUTED, LINE, AXIS, BAD, LATE] = ['#1b1e25', '#585d68', '#e3e5e9', '#e9ebef', '#c5221f', '#a8650f']
const [BAD_TEXT, LATE_TEXT] = ['#b3261e', '#7d4a0a']
const RULE = `border-top:1px solid ${LINE}`

/** Styles for dark mode and phones. Each class is for elements whose colour changes: backgrounds, text, borders, the axis and its marks. */
const STYLES = `:root { color-scheme: light dark }
@media (prefers-color-scheme: dark) { .bg { background: #101216 !important } .box { background: #181b20 !important } .box, td, th, p { border-color: #33373f !important } .t { color: #eceef1 !important } .m { color: #a9aeb8 !important } .r { color: #ff9d94 !important } .a { color: #f3c779 !important } .b { background: #eceef1 !important; color: #101216 !important } .ax { background: #33373f !important } .ms { border-color: #ff9d94 !important } .fl { background: #ff9d94 !important } .lt { background: #f3c779 !important } }
@media (max-width: 480px) { .bar { display: none !important } .pad { padding: 20px 16px !important } }`

const TABLE = 'cellpadding="0" cellspacing="0" border="0"'
const LAYOUT = `role="presentation" ${TABLE}`

/** @param subject the email's subject, also used as the document title */
export function morningHtml(subject: string, content: MorningContent, foot: MorningFoot): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
${STYLES}
</style>
</head>
<body class="bg" style="margin:0;padding:0;background:#f6f7f9"><div role="main">
<table ${LAYOUT} width="100%" class="bg" bgcolor="#f6f7f9"><tr><td align="center" style="padding:24px 8px">
<table ${LAYOUT} width="640" class="box" bgcolor="#ffffff" style="width:100%;max-width:640px;border:1px solid ${LINE};border-radius:10px;${FONT}"><tr><td class="pad" style="padding:28px 32px">
${[head(content), rows(content), rest(content), button(content), footHtml(content, foot)].filter((part) => part !== '').join('\n')}
</td></tr></table>
</td></tr></table>
</div></body>
</html>
`
}

function head({ when, sentence, together }: MorningContent): string {
  const more = [sentence.more, ...together].filter((words) => words !== '').join(' ')
  return `${paragraph('m', '0 0 4px', 13, MUTED, `Last night · ${escapeHtml(when)}`)}
<h1 class="t" style="margin:0 0 8px;font-size:20px;line-height:27px;color:${TEXT};overflow-wrap:anywhere">${escapeHtml(sentence.lead)}</h1>${more === '' ? '' : `\n${paragraph('t', '0 0 18px', 15, TEXT, escapeHtml(more))}`}`
}

function paragraph(tone: 't' | 'm', margin: string, size: number, color: string, content: string): string {
  return `<p class="${tone}" style="margin:${margin};font-size:${size}px;line-height:1.5;color:${color};overflow-wrap:anywhere">${content}</p>`
}

function rows(content: MorningContent): string {
  if (content.rows.length === 0) return ''
  const label = `class="m" style="padding:0 0 6px;font-size:12px;line-height:18px;color:${MUTED};font-weight:normal"`
  return `<table ${TABLE} width="100%">
<tr><th scope="col" align="left" ${label}>Check</th><th scope="col" class="bar" width="190" style="padding:0 12px 6px">${hours(content)}</th><th scope="col" align="right" ${label}>Outcome</th></tr>
${content.rows.map(rowHtml).join('\n')}
</table>`
}

function hours({ hours }: MorningContent): string {
  const cells = hours.map(
    ({ words, percent }) =>
      `<td width="${percent.toFixed(1)}%" align="left" class="m" style="font-size:12px;line-height:18px;font-weight:normal;color:${MUTED}">${words}</td>`,
  )
  return `<table ${LAYOUT} width="100%"><tr>${cells.join('')}</tr></table>`
}

function rowHtml({ name, project, url, words, isBad, marks }: MorningRow): string {
  const of =
    project === '' ? '' : ` <span class="m" style="font-size:12px;color:${MUTED}">${escapeHtml(project)}</span>`
  const [tone, color] = isBad ? ['r', BAD_TEXT] : ['a', LATE_TEXT]
  return `<tr><th scope="row" align="left" class="t" style="padding:7px 0;${RULE};font-size:14px;line-height:20px;font-weight:normal;color:${TEXT};overflow-wrap:anywhere"><a href="${escapeHtml(url)}" class="t" style="color:${TEXT};text-decoration:none">${escapeHtml(name)}</a>${of}</th><td width="190" class="bar" style="padding:7px 12px;${RULE}">${bar(marks)}</td><td align="right" class="${tone}" style="padding:7px 0;${RULE};font-size:13px;line-height:20px;color:${color}"><b>${escapeHtml(words)}</b></td></tr>`
}

const MARKS: Readonly<Record<MorningMark['kind'], string>> = {
  missing: `class="ms" style="font-size:1px;line-height:10px;border:2px solid ${BAD}"`,
  failed: `class="fl" bgcolor="${BAD}" style="font-size:1px;line-height:10px"`,
  late: `class="lt" bgcolor="${LATE}" style="font-size:1px;line-height:10px"`,
}

/** Draws a row's bar. The text next to the bar conveys the same information. */
function bar(marks: readonly MorningMark[]): string {
  const axis = (percent: number) => cell(percent, `class="ax" bgcolor="${AXIS}" style="font-size:1px;line-height:10px"`)
  const end = marks.reduce((at, { gap, width }) => at + gap + width, 0)
  const cells = marks.map(({ kind, gap, width }) => `${axis(gap)}${cell(width, MARKS[kind])}`)
  return `<table ${LAYOUT} width="100%"><tr>${cells.join('')}${axis(100 - end)}</tr></table>`
}

function cell(percent: number, look: string): string {
  return percent < 0.1 ? '' : `<td width="${percent.toFixed(1)}%" height="10" ${look}>&nbsp;</td>`
}

function rest({ rest, hidden }: MorningContent): string {
  const more = hidden > 0 ? `${hidden.toLocaleString('en')} more are on the page.` : ''
  const words = [more, rest].filter((part) => part !== '').join(' ')
  return words === '' ? '' : paragraph('m', '14px 0 18px', 13, MUTED, escapeHtml(words))
}

/** Draws the button that opens the night page. Returns an empty string if the night had no trouble. */
function button({ isCalm, nightUrl }: MorningContent): string {
  if (isCalm) return ''
  return `<table ${LAYOUT}><tr><td class="b" bgcolor="${TEXT}" style="border-radius:6px"><a class="b" href="${escapeHtml(nightUrl)}" style="display:inline-block;padding:9px 16px;border-radius:6px;font-size:14px;line-height:20px;color:#ffffff;text-decoration:none">Open the night</a></td></tr></table>`
}

function footHtml({ isCalm, nightUrl }: MorningContent, { words, links }: MorningFoot): string {
  const all = isCalm ? [{ label: 'Open the night', url: nightUrl }, ...links] : links
  const anchors = all.map(
    ({ label, url }) => `<a class="m" href="${escapeHtml(url)}" style="color:${MUTED}">${escapeHtml(label)}</a>`,
  )
  return paragraph('m', '18px 0 0', 12, MUTED, `${escapeHtml(words)} ${anchors.join(' · ')}`)
}
