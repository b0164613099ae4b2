/** `rocketchat`: whole messages, and texts that would mention a channel or link elsewhere. */
import { describe, expect, test } from 'bun:test'
import { rocketchat } from '../../src/transports/rocketchat.ts'
import { aPing, bytes } from '../support/builders.ts'
import { WENT_DOWN as DOWN, CAME_UP as UP } from './parsed.ts'
import { downAlert, HOSTILE, hostileAlert, jsonPost, RUNBOOK, saying, senderOf, upAlert } from './support.ts'
import { testWebhookAddress } from './webhook-address.ts'

const URL_ = 'https://chat.test/hooks/abc'
const LINK = downAlert().message.link

const sent = senderOf(rocketchat, URL_)

/** Adds a joiner, so that text between colons does not become an emoji. */
const joined = (text: string) => text.replaceAll(':', ':\u034f')
const [WENT_DOWN, CAME_UP] = [joined(DOWN), joined(UP)]

const FIELDS = [
  { title: 'Description', value: 'Database to tape', short: false },
  { title: 'Project', value: 'Home lab', short: true },
  { title: 'Tags', value: 'prod, db', short: true },
  { title: 'Period', value: '2 hours', short: true },
  { title: 'Total Pings', value: '12', short: true },
  { title: 'Last Ping', value: 'Success, 3 hours ago', short: true },
  { title: 'Last Ping Body', value: `8 bytes, [show body](${LINK})`, short: false },
]

describe('the message', () => {
  test('of a check that went down', async () => {
    expect(await sent()).toEqual(
      jsonPost(URL_, {
        alias: 'Overdue',
        text: `🔴 [Nightly backup](${LINK}) is DOWN.\n${WENT_DOWN}`,
        attachments: [
          {
            color: '#d9534f',
            fields: FIELDS,
          },
        ],
      }),
    )
  })

  test('of a check that recovered', async () => {
    expect(await sent(upAlert())).toEqual(
      jsonPost(URL_, {
        alias: 'Overdue',
        text: `🟢 [Nightly backup](${LINK}) is UP.\n${CAME_UP}`,
        attachments: [{ color: '#5cb85c', fields: FIELDS }],
      }),
    )
  })

  test('shows the size of a body in bytes and nothing of its content', async () => {
    const { message: _, ...alert } = downAlert()
    for (const [text, value] of [
      ['é', `2 bytes, [show body](${LINK})`],
      ['1', `1 byte, [show body](${LINK})`],
    ] as const) {
      const { body } = await sent(downAlert({ ...alert, lastPing: aPing({ body: bytes(text) }) }))
      expect(body.attachments[0].fields.at(-1)).toEqual({ title: 'Last Ping Body', value, short: false })
    }
    const { body } = await sent(downAlert({ ...alert, lastPing: aPing() }))
    expect(body.attachments[0].fields.at(-1).title).toBe('Last Ping')
  })

  test('says that a body was dropped instead of its size', async () => {
    const lastPing = aPing({ droppedBytes: 20_000 })
    const value = "A body of 20000 bytes was dropped because the check's log is full."
    const { body } = await sent(downAlert({ lastPing }))
    expect(body.attachments[0].fields.at(-1)).toEqual({ title: 'Last Ping Body', value, short: false })
  })

  test('mentions nobody in hostile text and links only its URLs', async () => {
    const text = `"quoted" 'single' \\ <\u034fb>bold<\u034f/b> & \\*star\\* \\_under\\_ \`\u034ftick\`\u034f $NAME {{x}}`
    const mention = ' 🎉 @\u034fhere [\u034fa]\u034f(http://evil.test)'
    expect(await sent(hostileAlert())).toEqual(
      jsonPost(URL_, {
        alias: 'Overdue',
        text: `🔴 ${text} second line${mention.replace('http:', 'http:\u034f')} is DOWN.\n${WENT_DOWN}`,
        attachments: [
          {
            color: '#d9534f',
            fields: [
              {
                title: 'Description',
                value: `${text}\nsecond line\n${mention}\nRun book:\u034f ${RUNBOOK}, tell <\u034f!channel> and @\u034fall`,
                short: false,
              },
              { title: 'Project', value: `${text} second line${mention}`, short: true },
              { title: 'Tags', value: '"a", <\u034fb>, 🎉, $NAME, @\u034fall', short: true },
              ...FIELDS.slice(3, 6),
              { title: 'Last Ping Body', value: `${bytes(HOSTILE).length + 10_000} bytes`, short: false },
            ],
          },
        ],
      }),
    )
  })

  test('mentions nobody by a URL', async () => {
    const { body } = await sent(saying({ description: 'https://wiki.test/@here' }))
    expect(body.attachments[0].fields[0].value).toBe('https://wiki.test/%40here')
  })

  test('cuts very long texts', async () => {
    const { body } = await sent(saying({ name: '*'.repeat(10_000), description: '@'.repeat(10_000) }))
    expect(body.text.length).toBeLessThan(1200)
    expect(body.attachments[0].fields[0].value).toBe(`${'@\u034f'.repeat(499)}…`)
  })
})

testWebhookAddress(rocketchat, URL_)
