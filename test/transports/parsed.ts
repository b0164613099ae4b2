/** Messages with parsed bodies, and texts shared by the tests of incident trackers and push services. */
import type { Taken } from '../../src/domain/incident/event.ts'
import type { Alert, Transport } from '../../src/transports/transport.ts'
import { acknowledgementOf, HOSTILE, type Message, messageOf, RUNBOOK, TAKEN } from './support.ts'

type Parsed = Omit<Message, 'body'> & { readonly body: unknown }

/** Returns the whole outgoing request with its JSON parsed; fails when it is not valid JSON. */
export async function jsonOf(transport: Transport<'http'>, settings: unknown, alert: Alert): Promise<Parsed> {
  const message = await messageOf(transport, settings, alert)
  return { ...message, body: JSON.parse(message.body) }
}

/** Returns the same for the request that says who took the incident; null when the settings want none. */
export async function acknowledgementJson(
  transport: Transport<'http'>,
  settings: unknown,
  taken?: Taken,
): Promise<Parsed | null> {
  const message = await acknowledgementOf(transport, settings, undefined, taken)
  return message && { ...message, body: JSON.parse(message.body) }
}

/** Returns the whole outgoing request with its fields; fails when a field occurs twice. */
export async function formOf(transport: Transport<'http'>, settings: unknown, alert: Alert): Promise<Parsed> {
  const message = await messageOf(transport, settings, alert)
  const fields = [...new URLSearchParams(message.body)]
  const body = Object.fromEntries(fields)
  if (Object.keys(body).length !== fields.length) throw new Error(`a field is there twice: ${message.body}`)
  return { ...message, body }
}

/** The incident key of the alerts' check. */
export const KEY = 'fc90f6da175cabd6de81fd8fd6af74a47d94228d'
export const LINK = `https://overdue.test/cloaked/${KEY}/`

/** The sentences of the alerts' check. */
export const WENT_DOWN = 'No ping since 09:00 UTC. Due 11:00, one hour of grace ended 12:00.'
export const CAME_UP = 'Up again after 1 h 30 min. Next ping due at 14:00 UTC.'

/** The hostile text where lines are kept: no control characters and no bidirectional controls. */
export const HOSTILE_LINES = `"quoted" 'single' \\ <b>bold</b> & *star* _under_ \`tick\` $NAME {{x}}\nsecond line\n 🎉 @here [a](http://evil.test)`
export const HOSTILE_LINES_IN_HTML = HOSTILE_LINES.replace('<b>bold</b> &', '&lt;b&gt;bold&lt;/b&gt; &amp;')
/** Excerpt of the hostile body in messages: 1000 characters, without invisible ones. */
export const HOSTILE_BODY = `${HOSTILE_LINES}${'x'.repeat(1000 - [...HOSTILE].length)}\n[truncated]`

/** The hostile text where one line is shown: no line ends, no NUL. */
export const HOSTILE_LINE = `"quoted" 'single' \\ <b>bold</b> & *star* _under_ \`tick\` $NAME {{x}} second line 🎉 @here [a](http://evil.test)`
export const HOSTILE_IN_HTML = HOSTILE_LINE.replace('<b>bold</b> &', '&lt;b&gt;bold&lt;/b&gt; &amp;')
const HOSTILE_IN_MARKDOWN = `"quoted" 'single' \\\\ \\<b\\>bold\\</b\\> \\& \\*star\\* \\_under\\_ \\\`tick\\\` $NAME {{x}} second line 🎉 @here \\[a\\](http://evil.test)`

/** The Markdown push message of the hostile alert. */
export const HOSTILE_PUSH_TEXT = `${WENT_DOWN}

- **Project:** ${HOSTILE_IN_MARKDOWN}
- **Description:** ${HOSTILE_IN_MARKDOWN} Run book: ${RUNBOOK}, tell \\<!channel\\> and @all
- **Tags:** "a", \\<b\\>, 🎉, $NAME, @all
- **Period:** 2 hours
- **Total Pings:** 12
- **Last Ping:** Success, 3 hours ago`

/** Returns the text of an issue or a card in Markdown. */
export function issueText({
  sentence = WENT_DOWN,
  link = `[View details](${LINK})\n\n`,
  description = 'Database to tape',
  project = 'Home lab',
  tags = 'prod db',
  lastPing = 'Success, 3 hours ago',
} = {}): string {
  return `${sentence}

${link}- **Description:** ${description}
- **Project:** ${project}
- **Tags:** ${tags}
- **Period:** 2 hours
- **Total Pings:** 12
- **Last Ping:** ${lastPing}`
}

/** The same for the hostile alert: no markup and no mention from a name. */
export const HOSTILE_ISSUE_TEXT = issueText({
  link: '',
  description: `${HOSTILE_IN_MARKDOWN.replace('@', '@\u200b')} Run book: ${RUNBOOK}, tell \\<!channel\\> and @\u200ball`,
  project: HOSTILE_IN_MARKDOWN.replace('@', '@\u200b'),
  tags: '"a" \\<b\\> 🎉 $NAME @\u200ball',
})

/** An acknowledgement with the hostile text as the name and as the note, and its text. */
export const HOSTILE_TAKEN: Taken = { ...TAKEN, by: { ...TAKEN.by, name: HOSTILE }, until: null, note: HOSTILE }
export const HOSTILE_IS_ON_IT = `${HOSTILE_LINE} is on it: ‘${HOSTILE_LINE}’.`
