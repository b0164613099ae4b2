/**
 * The layout of every email, as plain text and as HTML. Text is escaped here, but callers must limit its length. The HTML uses only inline
 * styles, and no images or remote content. It sets neither a text colour nor a background, so that mail programs can apply dark mode.
 */

import { escapeHtml, oneLine, printable } from '../../lib/text/text.ts'
import type { Fact } from '../alert/notification.ts'

/** Maximum number of rows in a table. More would make the email hard to read. */
export const ROWS_LIMIT = 500

/** Sentences about what is wrong with checks that are down, by check id; see `sentenceOf`. */
export type DownSentences = ReadonlyMap<string, string>

interface MailLink {
  readonly label: string
  /** URL that never comes from user input */
  readonly url: string
}

/** A coloured word, bold if it reports a problem. */
interface MailMark {
  readonly text: string
  readonly tone: 'good' | 'bad'
}

export type MailCell = string | MailLink | MailMark

export type MailBlock =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'list'; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly facts: readonly Fact[] }
  /** every row has as many cells as there are headings; the first cell is the row's name */
  | { readonly kind: 'table'; readonly heads: readonly string[]; readonly rows: readonly (readonly MailCell[])[] }
  /** line breaks and spaces are preserved */
  | { readonly kind: 'preformatted'; readonly text: string }
  | ({ readonly kind: 'link' } & MailLink)
  /** the main action that the email asks the receiver to take */
  | ({ readonly kind: 'button' } & MailLink)

interface MailPage {
  readonly title: string
  /** colour of the bar next to the title */
  readonly tone: 'good' | 'bad' | 'plain'
  readonly blocks: readonly MailBlock[]
  /** reason why the email was sent, and how to unsubscribe */
  readonly footer: readonly MailBlock[]
}

export function mailParts(page: MailPage): { readonly text: string; readonly html: string } {
  return { text: textPart(page), html: htmlPart(page) }
}

function textPart({ title, blocks, footer }: MailPage): string {
  const joined = (parts: readonly MailBlock[]) => parts.map(blockText).join('\n\n')
  // Mail programs remove the text after "-- " when the reader replies.
  const end = footer.length > 0 ? [`-- \n${joined(footer)}`] : []
  return `${[oneLine(title), ...(blocks.length > 0 ? [joined(blocks)] : []), ...end].join('\n\n')}\n`
}

function blockText(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return underlined(oneLine(block.text))
    case 'paragraph':
    case 'preformatted':
      return printable(block.text)
    case 'list':
      return block.items.map((item) => `- ${oneLine(item)}`).join('\n')
    case 'facts':
      return block.facts.map(({ label, value }) => `${oneLine(label)}: ${indented(printable(value))}`).join('\n')
    case 'table':
      return columns([block.heads, ...block.rows.map((row) => row.map(wordsOf))])
    case 'link':
    case 'button':
      return `${oneLine(block.label)}:\n${block.url}`
  }
}

function underlined(text: string): string {
  return `${text}\n${'-'.repeat(Math.min(Bun.stringWidth(text), 72))}`
}

/** Indents all lines except the first, so that quoted text can't be mistaken for Overdue's own text. */
function indented(text: string): string {
  return text.replaceAll('\n', '\n  ')
}

function wordsOf(cell: MailCell): string {
  if (typeof cell === 'string') return oneLine(cell)
  return oneLine('url' in cell ? cell.label : cell.text)
}

function columns(rows: readonly (readonly string[])[]): string {
  const width = Bun.stringWidth
  const widths = rows.reduce<number[]>((max, row) => row.map((cell, i) => Math.max(max[i] ?? 0, width(cell))), [])
  const pad = (cell: string, i: number) => cell + ' '.repeat((widths[i] ?? 0) - width(cell))
  const line = (row: readonly string[]) => row.map(pad).join('  ')
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5"
const MONOSPACE = 'font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:13px;line-height:1.45'
/** A grey with a contrast of at least 4.5:1 on both white and black (WCAG 2.2, 1.4.3), because mail programs choose the background. */
const GREY = '#6e7681'
const TONES: Readonly<Record<MailPage['tone'], string>> = { good: '#158657', bad: '#d9392d', plain: '#4272d6' }

function htmlPart({ title, tone, blocks, footer }: MailPage): string {
  const name = escapeHtml(oneLine(title))
  const headline = `<h1 style="margin:0 0 20px;padding:2px 0 2px 14px;border-left:5px solid ${TONES[tone]};font-size:21px;line-height:1.35;font-weight:600;overflow-wrap:anywhere">${name}</h1>`
  const end = `<div style="margin-top:32px;padding-top:12px;border-top:1px solid ${GREY};color:${GREY};font-size:13px">${footer.map(blockHtml).join('\n')}</div>`
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<meta name="supported-color-schemes" content="light dark">',
    `<title>${name}</title>`,
    '</head>',
    `<body style="margin:0;padding:0;${FONT}">`,
    `<div style="max-width:640px;margin:0 auto;padding:24px 16px;${FONT}">`,
    headline,
    ...blocks.map(blockHtml),
    ...(footer.length > 0 ? [end] : []),
    '</div>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

function blockHtml(block: MailBlock): string {
  switch (block.kind) {
    case 'heading':
      return `<h2 style="margin:28px 0 10px;font-size:16px;font-weight:600">${escapeHtml(oneLine(block.text))}</h2>`
    case 'paragraph':
      return `<p style="margin:0 0 14px;overflow-wrap:anywhere">${lines(block.text)}</p>`
    case 'list':
      return `<ul style="margin:0 0 14px;padding-left:22px;overflow-wrap:anywhere">${block.items.map((item) => `<li>${escapeHtml(oneLine(item))}</li>`).join('')}</ul>`
    case 'facts':
      return `<table style="margin:0 0 14px;border-collapse:collapse;font-size:15px">${block.facts.map(factRow).join('\n')}</table>`
    case 'table':
      return tableHtml(block.heads, block.rows)
    case 'preformatted':
      return `<pre style="margin:0 0 14px;padding:10px 12px;border:1px solid ${GREY};border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;${MONOSPACE}">${escapeHtml(printable(block.text))}</pre>`
    case 'link':
      return `<p style="margin:0 0 8px">${anchor(block, 'color:inherit')}</p>`
    case 'button':
      return `<p style="margin:20px 0">${anchor(block, 'display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5fc4;color:#ffffff;text-decoration:none;font-weight:600')}</p>`
  }
}

function factRow({ label, value }: Fact): string {
  return `<tr><th scope="row" style="padding:3px 18px 3px 0;text-align:left;vertical-align:top;font-weight:400;white-space:nowrap;color:${GREY}">${escapeHtml(oneLine(label))}</th><td style="padding:3px 0;vertical-align:top;overflow-wrap:anywhere">${lines(value)}</td></tr>`
}

/**
 * Puts each row's first cell on its own line above the other cells. Otherwise, columns would be so narrow on a phone that words would be
 * broken. Words may be broken only in the last cell, because it can contain any text.
 */
function tableHtml(heads: readonly string[], rows: readonly (readonly MailCell[])[]): string {
  const span = Math.max(1, heads.length - 1)
  const style = 'padding:0 14px 6px 0;text-align:left;vertical-align:top'
  const own = (rest: string) => `colspan="${span}" style="padding:6px 0 0;text-align:left;font-weight:400;${rest}"`
  const group = (first: string, rest: readonly string[]) =>
    `<tr>${first}</tr>${rest.length > 0 ? `<tr>${rest.join('')}</tr>` : ''}`
  const [ofNames = '', ...ofCells] = heads.map((text) => escapeHtml(oneLine(text)))
  const head = group(
    `<th scope="col" ${own(`color:${GREY}`)}>${ofNames}</th>`,
    ofCells.map((words) => `<th scope="col" style="${style};font-weight:400;color:${GREY}">${words}</th>`),
  )
  const body = rows.map(([first = '', ...rest]) =>
    group(
      `<th scope="rowgroup" ${own(`border-top:1px solid ${GREY};overflow-wrap:anywhere`)}>${cellHtml(first)}</th>`,
      rest.map(
        (cell, index) =>
          `<td style="${style}${index === rest.length - 1 ? ';overflow-wrap:anywhere' : ''}">${cellHtml(cell)}</td>`,
      ),
    ),
  )
  return `<table style="margin:0 0 14px;width:100%;border-collapse:collapse;font-size:15px"><thead>${head}</thead>\n${body.map((lines) => `<tbody>${lines}</tbody>`).join('\n')}</table>`
}

function cellHtml(cell: MailCell): string {
  if (typeof cell === 'string') return lines(cell)
  return 'url' in cell ? anchor(cell, 'color:inherit') : mark(cell)
}

function mark({ text, tone }: MailMark): string {
  const weight = tone === 'bad' ? ';font-weight:600' : ''
  return `<span style="color:${TONES[tone]}${weight}">${escapeHtml(oneLine(text))}</span>`
}

function anchor({ label, url }: MailLink, style: string): string {
  return `<a href="${escapeHtml(url)}" style="${style}">${escapeHtml(oneLine(label))}</a>`
}

/** Returns the HTML of {@link mailParts} with links that look the same but can't be followed. */
export function withoutTargets(html: string): string {
  return html.replaceAll(/<a href="[^"]*"/g, '<a href="#"')
}

function lines(text: string): string {
  return escapeHtml(printable(text)).replaceAll('\n', '<br>')
}
