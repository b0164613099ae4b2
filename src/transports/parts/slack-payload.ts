/** Builds Slack's "attachments", which Mattermost and Discord also accept, each with its own markup. */
import { type DigestCheck, digestMark, digestOf, digestText } from '../../domain/alert/digest.ts'
import type { Fact, Notification } from '../../domain/alert/notification.ts'
import { escapeWithin, oneLine, printable } from '../../lib/text/text.ts'
import type { Alert, Alerts } from '../transport.ts'
import { escapeAroundUrls } from './message-text.ts'
import { outputsWithin } from './outputs.ts'
import { TAKE_OR_MUTE } from './plain-words.ts'

/** Rules by which a receiver parses the texts of a payload. The functions are called with complete texts and with single characters. */
export interface Dialect {
  /** for titles, which most receivers do not parse */
  readonly escapeTitle: (text: string) => string
  readonly escapeText: (text: string) => string
  /** for text between backticks */
  readonly escapeCode: (text: string) => string
  readonly escapeSchedule: (text: string) => string
  /** for URLs in texts */
  readonly escapeUrl: (url: string) => string
  /** maximum length of a field's value, in UTF-16 units */
  readonly fieldLimit: number
}

const TITLE_LIMIT = 220
const FENCE = '```'

interface Field {
  readonly title: string
  readonly value: string
  readonly short: boolean
}

/** Builds a payload without an image, because this server has no image to link to. */
export function slackPayload({ message, siteName }: Alert, dialect: Dialect): object {
  const { escapeText, escapeUrl, fieldLimit } = dialect
  const title = `“${escapeWithin(oneLine(message.name), TITLE_LIMIT, dialect.escapeTitle)}” is ${message.status}.`
  return {
    username: siteName,
    attachments: [
      {
        color: message.isDown ? 'danger' : 'good',
        fallback: title,
        mrkdwn_in: ['fields'],
        title,
        ...(message.link === null ? {} : { title_link: message.link }),
        text: escapeAroundUrls(message.sentence, fieldLimit, escapeText, escapeUrl),
        fields: [
          ...fields(message, dialect),
          ...incidentField(message, dialect),
          ...outputsWithin(message, fieldLimit).flatMap((output) => outputField(output, dialect)),
        ],
      },
    ],
  }
}

/** Maximum length of an attachment's text, in UTF-16 units. Discord accepts 4096. */
const DIGEST_LIMIT = 3000
const LINE_LIMIT = 500

/** Builds one payload for several alerts. */
export function slackDigest(alerts: Alerts, { escapeTitle, escapeText, escapeUrl }: Dialect): object {
  const digest = digestOf(alerts)
  const { headline, reason: intro } = digest
  const title = escapeWithin(headline, TITLE_LIMIT, escapeTitle)
  const write = (check: DigestCheck) => {
    const { name, status, story, link } = check
    const lines = story.map((line) => escapeAroundUrls(line, LINE_LIMIT, escapeText, escapeUrl))
    return [
      `${digestMark(check)} “${escapeText(name)}” is ${status}.`,
      ...lines,
      ...(link === null ? [] : [escapeUrl(link)]),
    ]
  }
  const writeLink = (label: string, url: string) => `${label}: ${escapeUrl(url)}`
  return {
    username: alerts[0].siteName,
    attachments: [
      {
        color: digest.isDown ? 'danger' : 'good',
        fallback: title,
        title,
        text: digestText(digest, { intro, limit: DIGEST_LIMIT, write, writeLink }),
      },
    ],
  }
}

/** Lists fields. Leaves out empty fields, because Discord would reject the message. */
function fields(message: Notification, dialect: Dialect): Field[] {
  const { escapeText, escapeCode, escapeSchedule, escapeUrl, fieldLimit } = dialect
  const within = (text: string) => escapeAroundUrls(text, fieldLimit, escapeText, escapeUrl)
  return [
    { title: 'Description', value: within(printable(message.description).trim()), short: false },
    { title: 'Project', value: within(oneLine(message.project)), short: true },
    { title: 'Tags', value: tagsWithin(message.tags, fieldLimit, escapeCode), short: true },
    ...message.timing.map(({ label, value }) => {
      const text = label === 'Schedule' ? escapeSchedule(printable(value)) : escapeText(value)
      return { title: label, value: text, short: true }
    }),
    { title: 'Total Pings', value: String(message.totalPings), short: true },
    { title: 'Last Ping', value: message.lastPing, short: true },
  ].filter(({ value }) => value !== '')
}

/**
 * Returns a field with the incident's URL as plain text. Every receiver turns a URL into a link, but there is no link markup that all of
 * them accept.
 */
function incidentField({ incidentLink }: Notification, { escapeUrl }: Dialect): Field[] {
  return incidentLink === null ? [] : [{ title: TAKE_OR_MUTE, value: escapeUrl(incidentLink), short: false }]
}

/** Returns as many tags as fit, without truncating any of them. */
function tagsWithin(tags: readonly string[], limit: number, escapeCode: Dialect['escapeCode']): string {
  let value = ''
  for (const tag of tags) {
    const longer = `${value}${value && ' '}\`${escapeCode(printable(tag).replaceAll('`', "'"))}\``
    if (longer.length > limit) break
    value = longer
  }
  return value
}

/** Omits an output that contains the fence, because the rest of the output would be parsed as markup. */
function outputField({ label, value }: Fact, { escapeCode, fieldLimit }: Dialect): Field[] {
  if (value.includes(FENCE)) return []
  const room = fieldLimit - 2 * FENCE.length - 2
  return [{ title: label, value: `${FENCE}\n${escapeWithin(value, room, escapeCode)}\n${FENCE}`, short: false }]
}
