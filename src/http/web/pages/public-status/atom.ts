/** `/status/<slug>.atom`: disruptions as an Atom feed (RFC 4287). An entry is updated when its disruption ends. */
import type { Disruption, PublicStatus } from '../../../../domain/status-page/public-status.ts'
import { escapeHtml, oneLine } from '../../../../lib/text/text.ts'
import { type Instant, isoSeconds, microsecondsBetween } from '../../../../lib/time.ts'
import { durationWords } from '../../../../lib/time-words.ts'

const SECOND = 1_000_000

/** @param url the page's URL */
export function publicStatusAtom({ title, disruptions, at }: PublicStatus, url: string): string {
  const newest = disruptions.reduce<Instant | null>((latest, { from, until }) => {
    const changed = until ?? from
    return latest === null || latest.epochNanoseconds < changed.epochNanoseconds ? changed : latest
  }, null)
  const entries = disruptions.map((disruption) => entryXml(disruption, url))
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<title>${xml(title)}</title>
<id>${xml(url)}</id>
<link rel="self" type="application/atom+xml" href="${xml(url)}.atom"/>
<link rel="alternate" type="text/html" href="${xml(url)}"/>
<updated>${isoSeconds(newest ?? at)}</updated>
<author><name>${xml(title)}</name></author>
${entries.join('')}</feed>
`
}

function entryXml({ name, from, until }: Disruption, url: string): string {
  const begin = isoSeconds(from)
  const id = `${url}#${begin}/${encodeURIComponent(name.toWellFormed())}`
  const lasted = until && durationWords(microsecondsBetween(from, until) / SECOND)
  const words = until ? `Not working from ${begin} to ${isoSeconds(until)}, ${lasted}.` : `Not working since ${begin}.`
  return `<entry>
<title>${xml(name)}: ${until ? `did not work for ${lasted}` : 'not working'}</title>
<id>${xml(id)}</id>
<link rel="alternate" type="text/html" href="${xml(url)}"/>
<published>${begin}</published>
<updated>${isoSeconds(until ?? from)}</updated>
<summary>${words}</summary>
</entry>
`
}

/** Escapes text, and removes characters that XML 1.0 does not allow: control characters, U+FFFE and U+FFFF. */
function xml(text: string): string {
  return escapeHtml(oneLine(text).replace(/[\ufffe\uffff]/g, ''))
}
