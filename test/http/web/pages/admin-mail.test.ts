/** The page of the mail server, with a real server: from no settings to an email that has arrived. */
import { afterEach, describe, expect, test } from 'bun:test'
import { addAccount, administrator, type Fields, signedIn } from '../../../support/browser.ts'
import { type MailHost, openMailHost } from '../../../support/mail-host.ts'
import { openUrl } from '../../../support/open-url.ts'
import { wordsOf } from '../../../support/page-words.ts'
import { type TestApp, testApp } from '../../../support/test-app.ts'

const PATH = '/admin/mail'
const PASSWORD = 'hunter2-and-more'

let t: TestApp
const hosts: MailHost[] = []
afterEach(async () => {
  for (const host of hosts.splice(0)) host.close()
  await t.close()
})

async function open(env: Readonly<Record<string, string>> = {}) {
  t = await testApp({ env, isShared: true })
  return administrator(t, { email: 'root@example.org' })
}

async function host(answers?: Readonly<Record<string, string>>): Promise<MailHost> {
  const opened = await openMailHost(answers)
  hosts.push(opened)
  return opened
}

const fields = ({ port }: { readonly port: number }, over: Fields = {}): Fields => ({
  ...{ host: '127.0.0.1', encryption: 'none', port: String(port), user: '', password: '', from: 'alerts@example.org' },
  ...{ to: 'root@example.org', action: 'test', ...over },
})

const noteOf = (text: string) => wordsOf(/<div class="note[^"]*"[^>]*>[\s\S]*?<\/div>/.exec(text)?.[0] ?? '')

describe('from nothing', () => {
  test('to a test that arrived needs one form, and no restart', async () => {
    const admin = await open()
    const own = await host()
    expect(noteOf((await admin.get(PATH)).text)).toContain('No mail server is set up')
    const { status, text } = await admin.post(PATH, fields(own))
    expect(status).toBe(200)
    expect(wordsOf(text)).toContain('The mail server accepted the email to root@example.org. Look for it')
    expect(text).toContain('S: 220 mail.test ready')
    expect(text).toContain('C: RCPT TO:&lt;root@example.org&gt;')
    expect(own.mails[0]).toContain('Subject: Test email from Overdue')
    expect(t.app.deps.operator.EMAIL_HOST).toBe('127.0.0.1')
    expect((await admin.get('/admin')).text).toContain(`127.0.0.1:${own.port}`)
    // Pages that exist only with mail are available.
    expect((await admin.get('/sign-in/link')).status).toBe(200)
  })

  test('the links by mail are not there until then', async () => {
    const admin = await open()
    for (const path of ['/sign-in/link', '/password']) expect((await admin.get(path)).status).toBe(404)
    await admin.post(PATH, fields({ port: 25 }, { action: 'save' }))
    for (const path of ['/sign-in/link', '/password']) expect((await admin.get(path)).status).toBe(200)
  })
})

describe('saving', () => {
  test('stores it encrypted, never shows the password again, and keeps it when none is typed', async () => {
    const admin = await open()
    const own = await host({ EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '235 welcome' })
    const login = { user: 'me@example.org', password: PASSWORD }
    expect((await admin.post(PATH, fields(own, { ...login, action: 'save' }))).location).toContain('done=saved')
    const { text } = await admin.get(PATH)
    expect(text).toContain('value="me@example.org"')
    expect(text).not.toContain(PASSWORD)
    const database = await openUrl(t.databaseUrl)
    const rows = await database.read((sql) =>
      sql.all<{ value: string }>('SELECT value FROM settings WHERE name = $1', ['mail server']),
    )
    await database.close()
    expect(rows.map(({ value }) => value)).toEqual([expect.stringMatching(/^v1\./)])
    const again = await admin.post(PATH, fields(own, { user: login.user }))
    expect(wordsOf(again.text)).toContain('accepted the email')
    expect(again.text).toContain('C: AUTH PLAIN (hidden)')
    const elsewhere = await admin.post(PATH, fields(own, { user: login.user, host: 'localhost' }))
    expect(elsewhere.status).toBe(422)
    expect(elsewhere.text).toContain('Enter the password again')
  })

  test('is in the audit log, without the password', async () => {
    const admin = await open()
    const save = (over: Fields) => admin.post(PATH, fields({ port: 25 }, { action: 'save', ...over }))
    await save({ user: 'me', password: PASSWORD })
    t.clock.advance({ seconds: 1 })
    await save({ user: 'me', password: `${PASSWORD}!` })
    t.clock.advance({ seconds: 1 })
    await admin.post(PATH, { action: 'remove' })
    const rows = (await t.app.deps.store.audit.list(10)).filter(({ subject }) => subject.kind === 'mail-server')
    expect(rows.map(({ action }) => action)).toEqual(['delete', 'edit', 'create'])
    expect(rows.at(-1)).toMatchObject({
      author: { kind: 'person', name: 'root@example.org' },
      after: { host: '127.0.0.1', port: 25, security: 'none', user: 'me', has_password: true },
    })
    expect(rows[1]?.after).toEqual({ password_changed: true })
    expect(JSON.stringify(rows)).not.toContain(PASSWORD)
    expect(wordsOf((await admin.get('/admin/audit')).text)).toContain(
      'root@example.org created the mail server 127.0.0.1',
    )
  })

  test('what is wrong changes nothing, and says what to type', async () => {
    const admin = await open()
    const bad = { host: 'smtp://<b>', port: '99999', from: 'nobody', encryption: 'x', user: 'me' }
    for (const action of ['save', 'test']) {
      const { status, text } = await admin.post(PATH, fields({ port: 1 }, { ...bad, action }))
      expect(status).toBe(422)
      for (const words of ['Enter the name', 'from 1 to 65535', 'Use an address', 'Choose one', 'needs a password'])
        expect(text).toContain(words)
      expect(text).toContain('value="smtp://&lt;b&gt;"')
    }
    const { status, text } = await admin.post(PATH, fields({ port: 1 }, { to: 'x' }))
    expect([status, text.includes('&quot;x&quot; is not an email address')]).toEqual([422, true])
    expect(t.app.deps.mailSetup.inUse).toBeNull()
  })

  test('removing it ends email', async () => {
    const admin = await open()
    await admin.post(PATH, fields({ port: 25 }, { action: 'save' }))
    expect((await admin.post(PATH, { action: 'remove' })).location).toContain('mail-server-removed')
    expect(t.app.deps.operator.EMAIL_HOST).toBeUndefined()
    expect((await admin.get(PATH)).text).not.toContain('Remove mail server')
  })
})

describe('a test', () => {
  test('names what is wrong: nobody listens', async () => {
    const admin = await open()
    const { status, text } = await admin.post(PATH, fields({ port: 1 }))
    expect(status).toBe(200)
    expect(wordsOf(text)).toContain(
      'The mail server refused the connection, so nothing is listening on this port: check the server, its port and firewalls.',
    )
    expect(text).toContain('so there is no dialogue')
  })

  test.each<[string, Readonly<Record<string, string>>, Fields, string]>([
    ['no STARTTLS', { STARTTLS: '502 no' }, { encryption: 'starttls' }, 'does not offer STARTTLS: choose TLS'],
    [
      'no TLS at this port',
      {},
      { encryption: 'tls' },
      'does not use TLS from the first byte on this port: choose STARTTLS',
    ],
    [
      'the login',
      { EHLO: '250-mail.test\r\n250 AUTH PLAIN', AUTH: '535 5.7.8 no' },
      { user: 'me', password: PASSWORD },
      'rejected the login: 535 5.7.8 no. Check user and password.',
    ],
    ['the sender', { MAIL: '553 not yours' }, {}, 'rejected the sender alerts@example.org: 553 not yours.'],
    ['the recipient', { RCPT: '550 no relay' }, {}, 'rejected the recipient root@example.org: 550 no relay.'],
    ['the email', { '.': '554 spam' }, {}, 'rejected the email itself: 554 spam.'],
    ['the whole connection', { greeting: '554 go away' }, {}, 'rejected the connection: 554 go away'],
  ])('names what is wrong: %s', async (_, answers, over, words) => {
    const admin = await open()
    const { text } = await admin.post(PATH, fields(await host(answers), over))
    expect(wordsOf(text)).toContain(words)
  })

  test('shows what a hostile server says as text, in bounded length, without the password', async () => {
    const admin = await open()
    const secret = Buffer.from(`\0me\0${PASSWORD}`).toString('base64')
    const many = Array.from({ length: 400 }, (_, n) => `535-<script>${n}</script> ${'x'.repeat(700)} `).join('\r\n')
    const answers = {
      EHLO: '250-mail.test\r\n250 AUTH PLAIN',
      AUTH: `535-you sent ${secret} and ${PASSWORD}\r\n535-\u0007\u001b[31m\u202e\r\n${many}\r\n535 no`,
    }
    const { text } = await admin.post(PATH, fields(await host(answers), { user: 'me', password: PASSWORD }))
    const [dialogue = ''] = /<pre class="out"[\s\S]*?<\/pre>/.exec(text) ?? []
    expect(dialogue).toContain('&lt;script&gt;0&lt;/script&gt;')
    expect(dialogue).toContain('S: 535-you sent •••• and ••••')
    expect(dialogue).not.toContain('\u202e')
    expect(text).not.toContain('<script>0')
    for (const hidden of [PASSWORD, secret]) expect(text).not.toContain(hidden)
    expect(dialogue.split('\n').length).toBeLessThan(210)
    expect(Math.max(...dialogue.split('\n').map(({ length }) => length))).toBeLessThan(700)
  })

  test('is limited, by person and by mailbox', async () => {
    const admin = await open()
    const own = await host()
    for (let n = 0; n < 10; n++) expect((await admin.post(PATH, fields(own))).status).toBe(200)
    const { status } = await admin.post(PATH, fields(own))
    expect([status, own.mails.length]).toEqual([429, 10])
  })
})

describe('the environment', () => {
  test('wins as a whole if it names the server, and the page says which variable says what', async () => {
    const own = await host()
    const admin = await open({
      ...{ EMAIL_HOST: '127.0.0.1', EMAIL_PORT: String(own.port), EMAIL_USE_TLS: 'False' },
      ...{ EMAIL_HOST_USER: 'me', EMAIL_HOST_PASSWORD: PASSWORD },
    })
    const { text } = await admin.get(PATH)
    expect(noteOf(text)).toContain('EMAIL_HOST is set, so these settings come from the environment')
    for (const name of ['EMAIL_HOST', 'EMAIL_PORT', 'EMAIL_USE_TLS', 'EMAIL_HOST_USER', 'EMAIL_HOST_PASSWORD'])
      expect(text).toContain(`From <code>${name}</code>.`)
    expect(wordsOf(text)).toContain('The default.')
    expect(text).not.toContain('Save')
    expect(text).not.toContain(PASSWORD)
    expect((await admin.post(PATH, fields({ port: 25 }, { action: 'save' }))).status).toBe(403)
    expect((await admin.post(PATH, { action: 'test', to: 'ops@example.org' })).status).toBe(200)
    expect(t.app.deps.mailSetup.inUse?.server.host).toBe('127.0.0.1')
  })

  test('wins in single fields, but gives its login to no server that is set here', async () => {
    const admin = await open({
      ...{ EMAIL_PORT: '2525', EMAIL_USE_TLS: 'False', DEFAULT_FROM_EMAIL: 'Ops <ops@example.org>' },
      ...{ EMAIL_HOST_USER: 'me', EMAIL_HOST_PASSWORD: PASSWORD },
    })
    const { text } = await admin.get(PATH)
    for (const name of ['EMAIL_PORT', 'EMAIL_USE_TLS', 'DEFAULT_FROM_EMAIL'])
      expect(text).toContain(`<code>${name}</code> is set in the environment and takes precedence.`)
    expect(text).toContain('value="Ops &lt;ops@example.org&gt;" readonly')
    expect(wordsOf(text)).toContain('EMAIL_HOST_PASSWORD is set without EMAIL_HOST, so it has no effect')
    await admin.post(PATH, { action: 'save', host: 'mail.example.org' })
    expect(t.app.deps.mailSetup.inUse).toEqual({
      source: 'page',
      server: {
        ...{ host: 'mail.example.org', port: 2525, encryption: 'none', login: null },
        from: { name: 'Ops', address: 'ops@example.org' },
      },
    })
  })
})

test('another instance follows within a minute, without a restart', async () => {
  const admin = await open()
  const other = await testApp({ beside: t })
  try {
    await admin.post(PATH, fields({ port: 25 }, { action: 'save' }))
    expect(other.app.deps.operator.EMAIL_HOST).toBeUndefined()
    t.clock.advance({ seconds: 30 })
    await other.app.settle('deliveries')
    expect(other.app.deps.operator.EMAIL_HOST).toBe('127.0.0.1')
  } finally {
    await other.close()
  }
})

test('one that was stored with another secret is said on the page and in the log, and can be entered again', async () => {
  const admin = await open()
  await admin.post(PATH, fields({ port: 25 }, { action: 'save' }))
  const database = await openUrl(t.databaseUrl)
  await database.write((sql) =>
    sql.run('UPDATE settings SET value = $1 WHERE name = $2', ['v1.AAAA.BBBB', 'mail server']),
  )
  await database.close()
  const { status, text } = await admin.get(PATH)
  expect([status, noteOf(text).includes('cannot be decrypted, because the secret of the server has changed')]).toEqual([
    200,
    true,
  ])
  await admin.get(PATH)
  expect(t.log.filter(({ message }) => message.includes('cannot be read'))).toHaveLength(1)
  expect(t.app.deps.operator.EMAIL_HOST).toBeUndefined()
  await admin.post(PATH, fields({ port: 26 }, { action: 'save' }))
  expect(t.app.deps.mailSetup.inUse?.server.port).toBe(26)
})

test('only administrators see and change it', async () => {
  await open()
  const other = await signedIn(t, await addAccount(t, { email: 'mia@example.org' }))
  expect((await other.get(PATH)).status).toBe(403)
  expect((await other.post(PATH, fields({ port: 25 }))).status).toBe(403)
  expect(t.app.deps.mailSetup.inUse).toBeNull()
})
