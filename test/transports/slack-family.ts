/** Shared tests of `slack`, `mattermost` and `discord`, which all accept Slack's payload. */
import { describe, expect, test } from 'bun:test'
import { firstProblem } from '../../src/domain/schema.ts'
import type { Transport } from '../../src/transports/transport.ts'
import { aPing, bytes } from '../support/builders.ts'
import { CAME_UP, WENT_DOWN } from './parsed.ts'
import { downAlert, jsonPost, saying, senderOf, upAlert } from './support.ts'

/** Differences between the kinds. */
interface SlackRelative {
  readonly transport: Transport<'http'>
  /** the settings in their short form */
  readonly url: string
  /** address of a message for that URL */
  readonly target: string
  /** the settings in the form of the receiver's answer */
  readonly grant: (webhook: { readonly url: string; readonly channel?: string }) => object
  /** text for the schedule `* * 1 * *` */
  readonly starredSchedule: string
}

const FIELDS = [
  { title: 'Description', value: 'Database to tape', short: false },
  { title: 'Project', value: 'Home lab', short: true },
  { title: 'Tags', value: '`prod` `db`', short: true },
  { title: 'Period', value: '2 hours', short: true },
  { title: 'Total Pings', value: '12', short: true },
  { title: 'Last Ping', value: 'Success, 3 hours ago', short: true },
  { title: 'Last Ping Body', value: '```\n42 files\n```', short: false },
]

/** Attachment of the check that went down, without its text and fields. */
const ATTACHMENT = {
  color: 'danger',
  fallback: '“Nightly backup” is DOWN.',
  mrkdwn_in: ['fields'],
  title: '“Nightly backup” is DOWN.',
  title_link: downAlert().message.link,
}

/** The texts of the hostile alert in the dialect of a kind. */
interface HostileWords {
  readonly title: string
  readonly description: string
  readonly project: string
  readonly tags: string
  readonly body: string
}

/** Returns the whole message of the hostile alert. */
export function hostileMessage(target: string, { title, description, project, tags, body }: HostileWords) {
  const headline = `“${title}” is DOWN.`
  const { title_link: _, ...attachment } = ATTACHMENT
  return jsonPost(target, {
    username: 'Overdue',
    attachments: [
      {
        ...attachment,
        fallback: headline,
        title: headline,
        text: WENT_DOWN,
        fields: [
          { title: 'Description', value: description, short: false },
          { title: 'Project', value: project, short: true },
          { title: 'Tags', value: tags, short: true },
          ...FIELDS.slice(3, 6),
          { title: 'Last Ping Body', value: `\`\`\`\n${body}\n\`\`\``, short: false },
        ],
      },
    ],
  })
}

export function testSlackRelative({ transport, url, target, grant, starredSchedule }: SlackRelative): void {
  const sent = senderOf(transport, url)
  const message = (attachment: object) => jsonPost(target, { username: 'Overdue', attachments: [attachment] })

  describe('the message', () => {
    test('of a check that went down', async () => {
      expect(await sent()).toEqual(
        message({
          ...ATTACHMENT,
          text: WENT_DOWN,
          fields: FIELDS,
        }),
      )
    })

    test('of a check that recovered', async () => {
      const title = '“Nightly backup” is UP.'
      expect(await sent(upAlert())).toEqual(
        message({
          ...ATTACHMENT,
          color: 'good',
          fallback: title,
          title,
          text: CAME_UP,
          fields: FIELDS,
        }),
      )
    })

    test('goes to the URL in a grant too', async () => {
      expect(await sent(downAlert(), { ok: true, ...grant({ url, channel: '#ops' }) })).toEqual(await sent())
    })

    test('keeps the stars of a schedule', async () => {
      const timing = [
        { label: 'Schedule', value: '* * 1 * *' },
        { label: 'Time Zone', value: 'Europe/Riga' },
      ]
      const { body } = await sent(saying({ timing }))
      expect(body.attachments[0].fields.slice(3, 5)).toEqual([
        { title: 'Schedule', value: starredSchedule, short: true },
        { title: 'Time Zone', value: 'Europe/Riga', short: true },
      ])
    })

    test.each(['a```b', 'a``\u0000`b'])('leaves out a body that would end its fence: %j', async (text) => {
      const { message: _, ...alert } = downAlert()
      const lastPing = aPing({ body: bytes(text) })
      const { body } = await sent(downAlert({ ...alert, lastPing }))
      expect(body.attachments[0].fields.map(({ title }: { title: string }) => title)).not.toContain('Last Ping Body')
    })

    test('leaves out what is empty', async () => {
      const bare = saying({ description: ' \u0000', project: '', tags: [], body: null })
      expect(await sent(bare)).toEqual(message({ ...ATTACHMENT, text: WENT_DOWN, fields: FIELDS.slice(3, 6) }))
    })
  })

  describe('the settings', () => {
    const [granted] = Object.keys(grant({ url }))
    test.each([
      ['no URL', 'hello', ' mismatch'],
      ['another scheme', 'file:///etc/passwd', ' mismatch'],
      ['a URL with a blank', 'https://hooks.test/a b', ' mismatch'],
      ['a URL of 1001 characters', `https://${'a'.repeat(993)}`, ' too long'],
      ['an empty grant', {}, `/${granted} missing`],
      ['a grant with no URL', grant({ url: 'x' }), `/${granted}/url mismatch`],
      ['nothing', null, ' unexpected'],
    ])('may not be %s', (_, settings, words) => {
      const problem = firstProblem(transport.settings, settings)
      expect(`${problem?.path} ${problem?.violation}`).toBe(words)
    })
  })
}
