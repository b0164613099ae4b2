/** Messages about several alerts, which waited for the end of quiet hours. */
import { describe, expect, test } from 'bun:test'
import { digestOf, digestText } from '../../src/domain/alert/digest.ts'
import type { Alert, Alerts } from '../../src/transports/transport.ts'
import { KINDS, operator, SETTINGS, stringsOf, transportOf } from './kinds.ts'
import { downAlert, upAlert } from './support.ts'

const ALERTS = 'https://overdue.test/p/tests/alerts'
const JOINING = KINDS.filter((kind) => transportOf(kind).digest)

/** An alert of a check of its own. */
function of(alert: Alert, n: number, name: string): Alert {
  const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`
  return {
    ...alert,
    operator,
    check: { ...alert.check, id, name },
    delivery: { ...alert.delivery, id },
    message: { ...alert.message, name },
  }
}

const [backup, queue] = [of(downAlert(), 1, 'Backup'), of(upAlert(), 2, 'Mail queue')]
const two: Alerts = [backup, queue]
const messageOf = (kind: (typeof KINDS)[number], alerts: Alerts) => transportOf(kind).digest?.(alerts, SETTINGS[kind])

test('the kinds that join alerts are email, chats and push services that keep no incidents', () => {
  expect(JOINING.toSorted()).toEqual([
    ...['apprise', 'discord', 'email', 'googlechat', 'gotify', 'matrix', 'mattermost', 'msteamsw', 'ntfy'],
    ...['pushbullet', 'rocketchat', 'signal', 'slack', 'telegram', 'zulip'],
  ] as typeof JOINING)
})

describe.each(JOINING)('a message of kind %s', (kind) => {
  const textOf = async (alerts: Alerts) => (await stringsOf(messageOf(kind, alerts))).join('\n')

  test('names each check with its state, and says why it comes only now', async () => {
    const text = await textOf(two)
    for (const part of ['Backup', 'DOWN', 'Mail queue', 'UP', 'quiet hours', '1 check is DOWN, 1 is UP'])
      expect(text).toContain(part)
    expect(text.indexOf('Backup')).toBeLessThan(text.indexOf('Mail queue'))
  })

  test('stays within the limits of its receiver, names as many checks as fit, counts the others and links to them', async () => {
    const alerts = Array.from({ length: 100 }, (_, n) => of(downAlert(), n + 1, `Job ${n} ${'x'.repeat(200)}`))
    const text = await textOf(alerts as unknown as Alerts)
    if (kind === 'email') return expect(text).toContain('Job 99')
    const named = 100 - Number(/… and (\d+) more checks\./.exec(text)?.[1])
    expect(named).toBeGreaterThanOrEqual(10)
    expect([0, named - 1, named].map((n) => text.includes(`Job ${n} x`))).toEqual([true, true, false])
    expect(text).toContain(ALERTS)
    expect(Buffer.byteLength(text)).toBeLessThan(34_000)
  })
})

test.each([
  ...(['googlechat', 'matrix', 'slack', 'telegram'] as const).map(
    (kind) => [kind, '<b>x</b>', '&lt;b&gt;x&lt;/b&gt;'] as const,
  ),
  ...(['gotify', 'ntfy'] as const).map((kind) => [kind, '**x** [y](z)', '\\*\\*x\\*\\* \\[y\\](z)'] as const),
  ['discord', '**x** [y](z)', '\\*\\*x\\*\\* \\[y\\](z)'],
  ['zulip', '@**all**', '`@\u034f**all**`'],
] as const)('a name in a message of kind %s has no markup', async (kind, name, shown) => {
  const texts = await stringsOf(messageOf(kind, [of(downAlert(), 1, name), queue]))
  expect(texts.join('\n')).toContain(shown)
})

test('a text that is too long loses the stories of its last checks first, then their names', () => {
  const names = ['Backup', 'Mail queue of the office', 'Reports']
  const digest = digestOf(names.map((name, n) => of(downAlert(), n + 1, name)))
  const checks = digest.checks.map((check) => ({ ...check, story: ['x'.repeat(100)] }))
  const textIn = (limit: number) =>
    digestText({ ...digest, checks }, { intro: 'Night.', limit, write: ({ name, story }) => [name, ...story] })
  const rest = `View all alerts: ${ALERTS}`
  const story = 'x'.repeat(100)
  expect(textIn(365)).toBe(`Night.\n\nBackup\n${story}\n\nMail queue of the office\n${story}\n\nReports\n${story}`)
  expect(textIn(345)).toBe(`Night.\n\nBackup\n${story}\n\nMail queue of the office\n${story}\n\nReports\n\n${rest}`)
  expect(textIn(105)).toBe(`Night.\n\nBackup\nMail queue of the office\nReports\n\n${rest}`)
  expect(textIn(95)).toBe(`Night.\n\nBackup\n\n… and 2 more checks. ${rest}`)
})

test('the same alerts have the same id, in whatever order', () => {
  expect(digestOf(two).id).toBe(digestOf([queue, backup]).id)
  expect(digestOf(two).id).not.toBe(digestOf([backup]).id)
})

describe('the story of a check', () => {
  const check = (...alerts: readonly Alert[]) => digestOf(alerts.map((alert) => of(alert, 1, 'Backup'))).checks[0]

  test('has its outage and its recovery', () => {
    const found = check(downAlert(), upAlert())
    expect([found?.status, found?.story.length]).toEqual(['UP', 2])
    expect(found?.story[0]).toStartWith('DOWN at ')
    expect(found?.story[1]).toStartWith('UP at ')
  })

  test('says that it is no longer down, if it was paused or its channel wants no recoveries', () => {
    const found = check({ ...downAlert(), isNewest: false })
    expect([found?.isDown, found?.status]).toEqual([false, 'no longer DOWN'])
  })

  test('has only the last alerts of a check that flaps', () => {
    const found = check(...Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? downAlert() : upAlert())))
    expect([found?.story.length, found?.story[0]]).toEqual([5, '2 earlier alerts are not shown.'])
  })
})
