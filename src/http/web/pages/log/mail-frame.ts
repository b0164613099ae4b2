/** The HTML of an email in a frame of its own. */
import { type Html, html } from '../../html.ts'

/** The policy of this document stands in it: it may load nothing at all. The frame may run no scripts, and go nowhere. @param markup as from `plainHtml` */
export function mailFrame(markup: string): Html {
  const document = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'"><meta name="color-scheme" content="light dark"><title>HTML of the email</title></head><body dir="auto">${markup}</body></html>`
  return html`<iframe class="mail" sandbox srcdoc="${document}" title="HTML of the email" tabindex="0"></iframe>`
}
