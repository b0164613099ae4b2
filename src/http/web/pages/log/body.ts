/** The body of an opened ping: either the original text, or the parts of an email. */
import type { LogEntry } from '../../../../domain/log/log-entry.ts'
import type { OpenedMail } from '../../../../services/pings/opened-mail.ts'
import type { OpenedBody, OpenedPing } from '../../../../services/pings/opened-ping.ts'
import { type Html, type HtmlValue, html } from '../../html.ts'
import { keyValues } from '../../parts/lists.ts'
import { bdi, shown, shownLines } from '../../parts/words/text.ts'

/** @param original path of the original body; null if the reader may not open it */
export function bodySection(
  { bodySize }: Pick<LogEntry, 'bodySize'>,
  { body, hasOriginal }: OpenedPing,
  original: string,
): Html {
  const download = hasOriginal && html`<a class="btn small" href="${original}">Original</a>`
  const size = `${NUMBER.format(bodySize)} ${bodySize === 1 ? 'byte' : 'bytes'}`
  switch (body.kind) {
    case 'none':
      return html`<p class="body-h muted">No body.</p>`
    case 'dropped':
      return html`<p class="body-h muted">The body (${NUMBER.format(body.bytes)} bytes) was dropped, because the bodies in a check’s log are limited to ${NUMBER.format(body.limit)} bytes.</p>`
    case 'text': {
      const kind = body.isBinary ? 'not text' : 'text'
      return html`<div class="said">${heading('Body', `${size}, ${kind}`, [WRAP, download])}
${textOf(body.text, 'Ping body')}${body.isCut && cutNote(body, hasOriginal)}</div>`
    }
    case 'email':
      return mailSection(body.mail, size, download, hasOriginal)
  }
}

const NUMBER = new Intl.NumberFormat('en')

/** A checkbox that turns line wrapping on and off using only CSS. The script adds a copy button after it. */
const WRAP = html`<label class="pick"><input type="checkbox" class="wrap" checked>Wrap</label><span data-copy-place></span>`

function heading(name: string, about: string, acts: HtmlValue): Html {
  return html`<div class="body-h"><h3>${name} <span class="muted">${about}</span></h3><div class="acts">${acts}</div></div>`
}

function textOf(text: string, name: string): Html {
  return html`<pre class="out" dir="auto" data-copy tabindex="0" role="group" aria-label="${name}">${shownLines(text)}</pre>`
}

function cutNote({ text }: Extract<OpenedBody, { kind: 'text' }>, hasOriginal: boolean): Html {
  const rest = hasOriginal ? ' The original contains the rest.' : ''
  return html`<p class="body-h muted">Only the first ${NUMBER.format(text.length)} characters are shown.${rest}</p>`
}

function mailSection(mail: OpenedMail, size: string, download: HtmlValue, hasOriginal: boolean): Html {
  const { subject, from, date, text, html: markup, header, isCut } = mail
  const said = (value: string | null) => (value === null ? html`<span class="muted">none</span>` : bdi(value))
  return html`<div class="said">${heading('Email', size, [text !== null && WRAP, download])}
<div class="body">${keyValues([
    ['Subject', html`<b>${said(subject)}</b>`],
    ['From', said(from)],
    ['Date', said(date)],
  ])}</div>
${text !== null && textOf(text, 'Text of the email')}${text === null && markup === null && html`<p class="body-h muted">The email has no text.</p>`}${
  markup !== null &&
  html`<details class="part"${text === null && html` open`}><summary>As HTML, without styles, links and images</summary>${mailFrame(markup)}</details>`
}
<details class="part"><summary>Header</summary><div class="scroll" tabindex="0" role="group" aria-label="Header"><table class="table header"><thead><tr><th scope="col">Field</th><th scope="col">Value</th></tr></thead><tbody>${header.map(
    ([name, value]) => html`<tr><th scope="row">${shown(name)}</th><td>${bdi(value)}</td></tr>`,
  )}</tbody></table></div></details>
${isCut && html`<p class="body-h muted">Only the beginning is shown.${hasOriginal && ' The original contains the rest.'}</p>`}${
  !hasOriginal &&
  html`<p class="body-h muted">Only members can open the original, because it contains the address of the check.</p>`
}</div>`
}

/**
 * Renders an email's HTML in a separate frame. The frame can't run scripts or navigate, and its Content-Security-Policy blocks loading
 * anything.
 * @param markup HTML returned by `plainHtml`
 */
function mailFrame(markup: string): Html {
  const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><meta name="color-scheme" content="light dark"><title>HTML of the email</title></head><body dir="auto">${markup}</body></html>`
  return html`<iframe class="mail" sandbox srcdoc="${document}" title="HTML of the email" tabindex="0"></iframe>`
}
