/** `zulip`: a message from a bot to a stream or a user, through Zulip's REST API. */

import { type DigestCheck, digestIntro, digestMark, digestOf, digestText } from '../domain/alert/digest.ts'
import { flipSentencePieces } from '../domain/alert/flip-sentence.ts'
import type { HttpAnswer } from '../domain/carrier/http-exchange.ts'
import { type Static, Text, Type } from '../domain/schema.ts'
import { oneLine, within } from '../lib/text/text.ts'
import type { Instant } from '../lib/time.ts'
import { factsOf } from './parts/facts.ts'
import { answeredObject, withMessage } from './parts/final-answer.ts'
import { escapeAroundUrls, JOINER, markdownLink, splitAtUrls } from './parts/message-text.ts'
import { outputsOf } from './parts/outputs.ts'
import { TAKE_OR_MUTE } from './parts/plain-words.ts'
import { SAMPLE_ADDRESS, sampleOf, sampleSecret } from './sample.ts'
import { type Alert, type Conclusion, defineTransport, judgeByStatus } from './transport.ts'

const Settings = Type.Object({
  site: Text({
    title: 'Server',
    description: 'The URL of your organization, such as https://example.zulipchat.com',
    maxLength: 1000,
    pattern: '^https?://[^\\s/]\\S*$',
    means: 'a URL such as https://example.zulipchat.com',
    isAddress: true,
  }),
  bot_email: Text({
    title: "Bot's email address",
    description: 'Shown in the list of bots.',
    maxLength: 100,
    pattern: '^[^\\s:]+@[^\\s:]+$',
    means: 'the email address of a bot',
  }),
  api_key: Text({
    title: "Bot's API key",
    description: 'Shown in the list of bots.',
    maxLength: 50,
    pattern: '^\\S+$',
    means: 'a key without spaces',
    isSecret: true,
  }),
  mtype: Type.Union([Type.Literal('stream'), Type.Literal('private')], {
    title: 'Post to',
    description: 'A stream, or a person.',
  }),
  to: Text({
    title: 'Recipient',
    description: "The stream's name, or the person's email address or number.",
    maxLength: 100,
    pattern: '\\S',
    means: 'a name, an email address or a number',
  }),
  topic: Type.Optional(Text({ title: 'Topic', description: 'Default: one per check and status.', maxLength: 100 })),
})
type Settings = Static<typeof Settings>

export const zulip = defineTransport({
  kind: 'zulip',
  name: 'Zulip',
  mark: 'ZU',
  about: 'stream or person',
  carrier: 'http',
  settings: Settings,
  offSwitch: 'ZULIP_ENABLED',
  sample: sampleOf(
    {
      bot_email: 'bot@zulip.example.org',
      api_key: sampleSecret('zulip'),
      site: 'https://zulip.example.org',
      mtype: 'private',
      to: SAMPLE_ADDRESS,
    },
    { site: 'zulip', bot_email: 'bot', api_key: 'two words', to: '' },
  ),
  wants: () => true,
  render: (alert, settings) => {
    const { name, status } = alert.message
    return send(settings, `${within(oneLine(name), NAME_IN_TOPIC)} is ${status}`, markdown(alert))
  },
  digest: (alerts, settings) => {
    const digest = digestOf(alerts)
    const content = digestText(digest, {
      intro: digestIntro(digest),
      limit: DIGEST_LIMIT,
      write: markdownCheck,
      writeLink: markdownLink,
    })
    return send(settings, within(digest.headline, TOPIC_LIMIT), content)
  },
  judge,
})

const TOPIC_LIMIT = 60
/** Maximum length of the name, which leaves room for the status. */
const NAME_IN_TOPIC = 50
const DIGEST_LIMIT = 10_000
const TEXT_LIMIT = 1000
const FENCE = '```'

function send(settings: Settings, topic: string, content: string): Request {
  const { site, bot_email, api_key, mtype, to } = settings
  const form = new URLSearchParams({
    type: mtype,
    // Zulip would read a number without brackets as a stream id.
    to: mtype === 'private' && /^\d+$/.test(to) ? `[${to}]` : to,
    topic: settings.topic || topic,
    content,
  })
  return new Request(`${site.replace(/\/+$/, '')}/api/v1/messages`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${bot_email}:${api_key}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
    redirect: 'manual',
  })
}

/** Formats text from users as code, because Zulip has no escape. A backtick would end the code, and `@**all**` would notify everybody. */
function code(text: string): string {
  return `\`${within(oneLine(text).replaceAll('`', "'").replaceAll('@', `@${JOINER}`), TEXT_LIMIT)}\``
}

/** Leaves URLs outside of the code, so that Zulip turns them into links. */
function codeAroundUrls(text: string): string {
  return splitAtUrls(escapeAroundUrls(oneLine(text), TEXT_LIMIT, (unchanged) => unchanged))
    .filter((piece) => piece.text.trim() !== '')
    .map((piece) => (piece.isUrl ? piece.text : code(piece.text)))
    .join(' ')
}

/** Returns the sentence. Only job output is formatted as code. */
function sentence(alert: Alert): string {
  return flipSentencePieces(alert, alert.now)
    .map(({ text, isForeign }) => (isForeign ? codeAroundUrls(text) : text))
    .join('')
}

function markdown(alert: Alert): string {
  const { message, siteName } = alert
  const description = message.description ? [{ label: 'Description', value: message.description }] : []
  const outputs = outputsOf(message).filter(({ value }) => !value.includes(FENCE))
  const view = message.link === null ? '' : ` ${markdownLink(`View in ${siteName}`, message.link)}`
  const take = message.incidentLink === null ? '' : ` ${markdownLink(TAKE_OR_MUTE, message.incidentLink)}`
  return [
    `${message.isDown ? '🔴' : '🟢'} ${code(message.name)} is **${message.status}**.${take}${view}`,
    sentence(alert),
    '',
    ...[...description, ...factsOf(message)].map(({ label, value }) => `* ${label}: ${codeAroundUrls(value)}`),
    ...outputs.flatMap(({ label, value }) => ['', `${label}:`, '', `${FENCE}text`, value, FENCE]),
  ].join('\n')
}

function markdownCheck(check: DigestCheck): readonly string[] {
  const { name, status, story, link } = check
  const view = link === null ? '' : ` ${markdownLink('View the check', link)}`
  return [
    `${digestMark(check)} ${code(name)} is **${status}**.${view}`,
    ...story.map((line) => `* ${codeAroundUrls(line)}`),
  ]
}

function judge(answer: HttpAnswer, now: Instant): Conclusion {
  const conclusion = judgeByStatus(answer, now)
  if (conclusion.kind !== 'retry' || answer.kind !== 'answered') return conclusion
  return { ...conclusion, error: withMessage(conclusion.error, answeredObject(answer).msg) }
}
